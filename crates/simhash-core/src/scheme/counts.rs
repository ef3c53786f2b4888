//! How often each feature of a document occurs.

use core::hash::{BuildHasher, Hasher};
use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::LazyLock;

/// Term frequencies by feature hash. Features with the same 64-bit hash count as one.
pub(super) type Counts = HashMap<u64, u64, HashOfHash>;

/// Counts every hash.
pub(super) fn count(hashes: impl Iterator<Item = u64>) -> Counts {
    let mut counts = Counts::default();
    for hash in hashes {
        *counts.entry(hash).or_insert(0) += 1;
    }
    counts
}

/// A secret of this process. Without it, a page could be written whose feature hashes all fall
/// into one place of the map. No result depends on it: sums do not depend on order.
static SECRET: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());

/// Hashes a feature hash with one multiplication: the bits are well mixed already, and only
/// have to be made unpredictable.
#[derive(Debug, Clone, Copy)]
pub(super) struct HashOfHash {
    state: u64,
}

impl Default for HashOfHash {
    fn default() -> Self {
        Self { state: *SECRET }
    }
}

impl BuildHasher for HashOfHash {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        *self
    }
}

impl Hasher for HashOfHash {
    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.state ^ value) * 0x9e37_79b9_7f4a_7c15_u128;
        self.state = (product >> 64) as u64 ^ product as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn finish(&self) -> u64 {
        self.state
    }
}
