//! The 64 signed sums that a simhash is the signs of.

mod sum;

pub use sum::SumType;

use crate::{FeatureHasher, Fingerprint};

/// The 64 signed sums of a document: one per bit of the fingerprint.
///
/// Each feature adds its weight to the sums of the bits that are 1 in its hash, and takes it
/// from the others; bit *i* of the fingerprint is 1 when sum *i* is positive (Charikar 2002,
/// section 3; Manku, Jain and Das Sarma 2007, section 3).
///
/// With `S = i64` all sums are exact: features may come in any order, [`merge`] gives what
/// adding everything to one accumulator gives, and [`subtract`] undoes [`add`] to the bit.
/// With `S = f64` they are rounded; see [`SumType`] for what happens at the limits of
/// either. No input panics.
///
/// Adding costs 64 additions (a few nanoseconds), whatever the weight.
///
/// ```
/// use simhash_core::{Accumulator, FeatureHasher};
///
/// let hasher = FeatureHasher::default();
/// let mut page = Accumulator::<i64>::new();
/// page.add(hasher.hash(b"near"), 1);
/// page.add(hasher.hash(b"duplicate"), 2);
/// let before = page.fingerprint();
/// page.add(hasher.hash(b"page"), 3);
/// page.subtract(hasher.hash(b"page"), 3);
/// assert_eq!(page.fingerprint(), before);
/// assert_eq!(Accumulator::<i64>::new().fingerprint(), None);
/// ```
///
/// [`add`]: Self::add
/// [`merge`]: Self::merge
/// [`subtract`]: Self::subtract
#[derive(Debug, Clone, PartialEq)]
pub struct Accumulator<S> {
    sums: [S; 64],
    /// Features added, less those subtracted.
    features: i64,
    /// No sum is farther from zero than this.
    bound: u64,
}

impl<S: SumType> Default for Accumulator<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: SumType> Accumulator<S> {
    /// An empty accumulator: all sums zero.
    #[must_use]
    pub fn new() -> Self {
        Self {
            sums: [S::default(); 64],
            features: 0,
            bound: 0,
        }
    }

    /// Adds a feature with this hash and weight. A weight of zero is no feature.
    pub fn add(&mut self, hash: u64, weight: S) {
        self.put(hash, weight, 1);
    }

    /// Takes a feature away again, as a sliding window does. The feature need not have been
    /// added before.
    pub fn subtract(&mut self, hash: u64, weight: S) {
        self.put(hash, weight.negate(), -1);
    }

    fn put(&mut self, hash: u64, weight: S, count: i64) {
        let weight = weight.admit();
        if weight == S::default() {
            return;
        }
        self.features = self.features.saturating_add(count);
        self.bound = self.bound.saturating_add(weight.magnitude());
        let exact = self.is_exact();
        S::add_signed(&mut self.sums, hash, weight, exact);
    }

    /// Whether the sums are certain not to have reached the limit of their type.
    fn is_exact(&self) -> bool {
        self.bound <= i64::MAX as u64
    }

    /// Adds everything that was added to `other`.
    ///
    /// ```
    /// use simhash_core::Accumulator;
    ///
    /// let (mut left, mut right, mut both) = (Accumulator::new(), Accumulator::new(), Accumulator::new());
    /// left.add(0b100101, 4_i64);
    /// right.add(0b101011, 5);
    /// both.add(0b100101, 4);
    /// both.add(0b101011, 5);
    /// left.merge(&right);
    /// assert_eq!(left, both);
    /// ```
    pub fn merge(&mut self, other: &Self) {
        self.features = self.features.saturating_add(other.features);
        self.bound = self.bound.saturating_add(other.bound);
        S::add_all(&mut self.sums, &other.sums);
    }

    /// The sums; index 0 belongs to the least significant bit.
    #[must_use]
    pub fn sums(&self) -> &[S; 64] {
        &self.sums
    }

    /// Whether no feature is in: as many were subtracted as were added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.features == 0
    }

    /// The signs of the sums: a bit is 1 when its sum is above zero, and 0 when it is zero
    /// or below. `None` when [`is_empty`](Self::is_empty), so that documents without
    /// features do not all become near-duplicates of each other.
    #[must_use]
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        if self.is_empty() {
            return None;
        }
        let zero = S::default();
        let bits = self
            .sums
            .iter()
            .rev()
            .fold(0, |bits, &sum| bits << 1 | u64::from(sum > zero));
        Some(Fingerprint::from_bits(bits))
    }
}

/// The fingerprint of features with given weights: `None` when there is none, or all weights
/// are zero or not a number.
///
/// Sums are `f64`, so two features whose contributions nearly cancel may round differently
/// in another order; give the features in a fixed order, or use `Accumulator<i64>` with
/// integer weights, when that matters. A feature given twice counts twice.
///
/// ```
/// use simhash_core::{FeatureHasher, simhash};
///
/// let fingerprint = simhash(FeatureHasher::Fnv1a, [("near", 1.5), ("duplicate", 2.25)]);
/// assert_eq!(fingerprint, simhash(FeatureHasher::Fnv1a, [("near", 15.0), ("duplicate", 22.5)]));
/// assert_eq!(simhash(FeatureHasher::Fnv1a, [("", 0.0); 0]), None);
/// ```
pub fn simhash<F: AsRef<[u8]>>(
    hasher: FeatureHasher,
    features: impl IntoIterator<Item = (F, f64)>,
) -> Option<Fingerprint> {
    let mut sums = Accumulator::<f64>::new();
    for (feature, weight) in features {
        sums.add(hasher.hash(feature.as_ref()), weight);
    }
    sums.fingerprint()
}

#[cfg(test)]
mod tests;
