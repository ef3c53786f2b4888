//! Kernels in portable Rust: the oracle of all others.

use super::kernels::{BLOCK, Kernels};

pub(super) static SCALAR: Kernels = Kernels {
    name: "scalar",
    wide,
    narrow,
};

fn wide(query: u64, k: u32, block: &[u64]) -> u64 {
    mask_of(block, |entry| (entry ^ query).count_ones() <= k)
}

fn narrow(query: u32, k: u32, block: &[u32]) -> u64 {
    mask_of(block, |entry| (entry ^ query).count_ones() <= k)
}

/// Bit *i* is whether entry *i* of the block passes.
#[inline]
pub(super) fn mask_of<T: Copy>(block: &[T], passes: impl Fn(T) -> bool) -> u64 {
    let bits = block.iter().take(BLOCK).enumerate();
    bits.fold(0, |mask, (i, &entry)| mask | u64::from(passes(entry)) << i)
}
