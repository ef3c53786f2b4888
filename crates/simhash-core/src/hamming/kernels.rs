//! What a scanner needs of an instruction set.

/// The most entries that a kernel looks at in one call: one per bit of its answer.
pub(super) const BLOCK: usize = 64;

/// The comparisons of one instruction set.
///
/// A kernel looks at up to [`BLOCK`] entries and sets bit *i* of its answer when entry *i* is
/// within `k` bits of the query; entries beyond the first 64 are ignored. Kernels are plain
/// function pointers: the caller's closure is not compiled once per instruction set.
#[derive(Debug)]
pub(super) struct Kernels {
    pub name: &'static str,
    pub wide: fn(query: u64, k: u32, block: &[u64]) -> u64,
    pub narrow: fn(query: u32, k: u32, block: &[u32]) -> u64,
}
