//! The number type of the 64 sums: exact integers, or floating point for given weights.

use core::fmt::Debug;

/// A number that 64 signed sums can be kept in: [`i64`] or [`f64`]. Sealed.
///
/// | | `i64` | `f64` |
/// |---|---|---|
/// | sums | exact, so the order of features does not matter | rounded, so it may |
/// | too large | stops at `i64::MIN` or `i64::MAX` | stops at `f64::MIN` or `f64::MAX` |
/// | not a number | | counts as weight 0, which is no feature |
/// | infinite | | counts as `f64::MAX` or `f64::MIN` |
pub trait SumType: sealed::Sealed + Copy + PartialOrd + Default + Debug + 'static {}

impl SumType for i64 {}
impl SumType for f64 {}

pub(super) mod sealed {
    pub trait Sealed: Sized {
        /// What a weight counts as: the nearest one that keeps every sum a number.
        fn admit(self) -> Self;

        fn negate(self) -> Self;

        /// Its size without the sign, for the guard against overflow.
        fn magnitude(self) -> u64;

        /// Adds `weight` to the sums of the bits that are set in `hash`, and takes it from
        /// the others. `exact` says that no sum can overflow.
        fn add_signed(sums: &mut [Self; 64], hash: u64, weight: Self, exact: bool);

        /// Adds `other` to `sums`, element by element.
        fn add_all(sums: &mut [Self; 64], other: &[Self; 64]);
    }
}

impl sealed::Sealed for i64 {
    fn admit(self) -> Self {
        self
    }

    fn negate(self) -> Self {
        self.saturating_neg()
    }

    fn magnitude(self) -> u64 {
        self.unsigned_abs()
    }

    fn add_signed(sums: &mut [Self; 64], hash: u64, weight: Self, exact: bool) {
        if !exact {
            let negated = weight.saturating_neg();
            for (bit, sum) in sums.iter_mut().enumerate() {
                let signed = if hash >> bit & 1 == 1 {
                    weight
                } else {
                    negated
                };
                *sum = sum.saturating_add(signed);
            }
            return;
        }
        for (bit, sum) in sums.iter_mut().enumerate() {
            // 0 for a set bit, -1 for a clear one: (w ^ m) - m is then w or -w, without a branch.
            let mask = (hash >> bit & 1) as Self - 1;
            *sum = sum.wrapping_add((weight ^ mask).wrapping_sub(mask));
        }
    }

    fn add_all(sums: &mut [Self; 64], other: &[Self; 64]) {
        for (sum, &more) in sums.iter_mut().zip(other) {
            *sum = sum.saturating_add(more);
        }
    }
}

impl sealed::Sealed for f64 {
    fn admit(self) -> Self {
        if self.is_nan() {
            0.0
        } else {
            self.clamp(Self::MIN, Self::MAX)
        }
    }

    fn negate(self) -> Self {
        -self
    }

    fn magnitude(self) -> u64 {
        // The clamp in every addition is guard enough.
        0
    }

    fn add_signed(sums: &mut [Self; 64], hash: u64, weight: Self, _exact: bool) {
        for (bit, sum) in sums.iter_mut().enumerate() {
            // The sign bit of the weight is flipped where the hash has a 0.
            let flip = (!hash >> bit & 1) << 63;
            let signed = Self::from_bits(weight.to_bits() ^ flip);
            *sum = (*sum + signed).clamp(Self::MIN, Self::MAX);
        }
    }

    fn add_all(sums: &mut [Self; 64], other: &[Self; 64]) {
        for (sum, &more) in sums.iter_mut().zip(other) {
            *sum = (*sum + more).clamp(Self::MIN, Self::MAX);
        }
    }
}
