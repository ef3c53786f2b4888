//! Which tables there are, and where a fingerprint stands in each.
//!
//! The pigeonhole of Manku, Jain and Das Sarma (WWW 2007, section 3): cut 64
//! bits into k + 1 blocks; two fingerprints that differ in at most k bits
//! agree on at least one whole block. Table t is keyed by block t, so a query
//! reads one bucket of each table.

use serde::{Deserialize, Serialize};
use simhash_core::Fingerprint;

use crate::permute::BlockPermutation;

/// Number of permuted tables.
pub(crate) const TABLES: usize = 4;

/// Bits in front of a permuted fingerprint, which choose its bucket.
pub(crate) const FRONT_BITS: u32 = 16;

/// Buckets of a table.
pub(crate) const BUCKETS: usize = 1 << FRONT_BITS;

/// The largest radius that one bucket of each table answers exactly.
pub(crate) const MAX_K: u32 = TABLES as u32 - 1;

/// The table whose entries also carry document numbers.
pub(crate) const HOME: usize = 0;

/// Where a fingerprint stands in one table: the bucket, and what is left of
/// it inside, as the two columns of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The front bits.
    pub(crate) bucket: usize,
    /// The next 32 bits.
    pub(crate) hi: u32,
    /// The last 16 bits.
    pub(crate) lo: u16,
}

const PERMUTATIONS: [BlockPermutation; TABLES] = {
    let mut permutations = [BlockPermutation::from_offset(0); TABLES];
    let mut table = 0;
    while table < TABLES {
        permutations[table] = BlockPermutation::from_offset(table as u32 * FRONT_BITS);
        table += 1;
    }
    permutations
};

/// Where `fingerprint` stands in `table`.
pub(crate) fn position(table: usize, fingerprint: Fingerprint) -> Position {
    let permuted = PERMUTATIONS[table].apply(fingerprint);
    Position {
        bucket: (permuted >> 48) as usize,
        hi: (permuted >> 16) as u32,
        lo: permuted as u16,
    }
}

/// The fingerprint that stands at `position` of `table`.
pub(crate) fn fingerprint(table: usize, position: Position) -> Fingerprint {
    let permuted = (position.bucket as u64) << 48 | u64::from(position.hi) << 16;
    PERMUTATIONS[table].invert(permuted | u64::from(position.lo))
}

/// The bucket of `fingerprint` in each table.
pub(crate) fn buckets(fingerprint: Fingerprint) -> [usize; TABLES] {
    std::array::from_fn(|table| position(table, fingerprint).bucket)
}

/// The first table in which `a` and `b` share a bucket: the one that a match
/// is credited to, so that each is found once.
pub(crate) fn first_shared_table(a: Fingerprint, b: Fingerprint) -> Option<usize> {
    let differing = a.bits() ^ b.bits();
    (0..TABLES).find(|&table| {
        PERMUTATIONS[table].apply(Fingerprint::from_bits(differing)) >> (64 - FRONT_BITS) == 0
    })
}

/// The plan as a store remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredPlan {
    /// Number of permuted tables.
    pub(crate) tables: u32,
    /// Bits in front, which choose a bucket.
    pub(crate) front_bits: u32,
}

impl StoredPlan {
    /// The plan that this version writes and reads.
    pub(crate) const CURRENT: StoredPlan = StoredPlan {
        tables: TABLES as u32,
        front_bits: FRONT_BITS,
    };
}

impl std::fmt::Display for StoredPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} x {}", self.tables, self.front_bits)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_position_gives_the_fingerprint_back(bits: u64, table in 0..TABLES) {
            let original = Fingerprint::from_bits(bits);
            prop_assert_eq!(fingerprint(table, position(table, original)), original);
        }

        #[test]
        fn near_fingerprints_share_a_bucket(
            bits: u64,
            flips in prop::collection::vec(0..64u32, 0..=MAX_K as usize),
        ) {
            let near = flips.iter().fold(bits, |bits, flip| bits ^ (1 << flip));
            let (a, b) = (Fingerprint::from_bits(bits), Fingerprint::from_bits(near));
            let table = first_shared_table(a, b);
            prop_assert!(table.is_some());
            let shared: Vec<usize> =
                (0..TABLES).filter(|&t| buckets(a)[t] == buckets(b)[t]).collect();
            prop_assert_eq!(table, shared.first().copied());
        }
    }
}
