//! Block permutations of fingerprints.
//!
//! Manku, Jain and Das Sarma (WWW 2007, section 3) store every fingerprint in
//! several tables, each under a permutation that brings other blocks of bits
//! to the front. With blocks of equal width and one block in front, rotation
//! is such a permutation, and costs one instruction.

use simhash_core::Fingerprint;

/// Bits of a fingerprint.
pub(crate) const WIDTH: u32 = 64;

/// The permutation of one table: rotates its block to the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockPermutation {
    rotation: u32,
}

impl BlockPermutation {
    /// Brings the bits from `offset`, counted from the most significant, to
    /// the front.
    pub(crate) const fn from_offset(offset: u32) -> BlockPermutation {
        BlockPermutation {
            rotation: offset % WIDTH,
        }
    }

    /// The permuted bits.
    pub(crate) const fn apply(self, fingerprint: Fingerprint) -> u64 {
        fingerprint.bits().rotate_left(self.rotation)
    }

    /// The fingerprint that [`apply`](Self::apply) made `permuted` from.
    pub(crate) const fn invert(self, permuted: u64) -> Fingerprint {
        Fingerprint::from_bits(permuted.rotate_right(self.rotation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_comes_to_the_front_and_goes_back() {
        let fingerprint = Fingerprint::from_bits(0x1111_2222_3333_4444);
        let permutation = BlockPermutation::from_offset(32);
        assert_eq!(permutation.apply(fingerprint), 0x3333_4444_1111_2222);
        assert_eq!(
            permutation.invert(permutation.apply(fingerprint)),
            fingerprint
        );
    }
}
