//! How often each feature of a document occurs.

use core::hash::{BuildHasher, Hasher};
use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::LazyLock;

use crate::text::Token;
use crate::weight::TermWeight;

/// Tallies by feature hash. Features with the same 64-bit hash count as one.
pub(super) type Counts = HashMap<u64, Tally, HashOfHash>;

/// What is counted of one feature.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    tf: u32,
    is_numeric: bool,
}

impl Tally {
    /// What the feature weighs.
    pub fn weight(self, weight: TermWeight) -> i64 {
        weight.weight(self.tf.into(), self.is_numeric)
    }
}

/// Counts every token. The order of tokens does not matter to the result.
pub(super) fn count(tokens: impl Iterator<Item = Token>) -> Counts {
    let mut counts = Counts::default();
    for token in tokens {
        let tally: &mut Tally = counts.entry(token.hash).or_default();
        tally.tf = tally.tf.saturating_add(1);
        tally.is_numeric |= token.is_numeric;
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
