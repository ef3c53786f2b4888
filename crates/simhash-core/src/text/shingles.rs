//! Hashes of word shingles: every stretch of N words that follow each other.

use core::iter::Fuse;

use crate::hash::mix;

/// The odd constant that the word hashes of a shingle are weighted with: 2^64 divided by the
/// golden ratio.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hashes of all shingles of `width` tokens, from the hashes of the tokens.
///
/// The hash of a shingle is `mix(h_0 B^(N-1) + h_1 B^(N-2) + ... + h_(N-1))` modulo 2^64, where
/// `B` is `0x9e3779b97f4a7c15` and `mix` is the finaliser of splitmix64. It is rolled, so a
/// shingle costs the same at every width. A text of fewer than `width` tokens is one shingle
/// of all its tokens; a text of none has no shingle.
///
/// ```
/// use simhash_core::text::Shingles;
///
/// let pairs: Vec<u64> = Shingles::new([1, 2, 3, 1, 2], 2).collect();
/// assert_eq!(pairs.len(), 4);
/// assert_eq!(pairs[0], pairs[3]);
/// assert_eq!(Shingles::new([1], 2).count(), 1);
/// assert_eq!(Shingles::new([], 2).count(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct Shingles<I> {
    tokens: Fuse<I>,
    width: usize,
    /// The last tokens, as a ring; `seen % width` is the oldest when it is full.
    window: [u64; MAX_WIDTH],
    seen: usize,
    sum: u64,
    /// `B^(width - 1)`, the factor of the oldest token.
    oldest_factor: u64,
}

/// The widest shingle.
pub(crate) const MAX_WIDTH: usize = 8;

impl<I: Iterator<Item = u64>> Shingles<I> {
    /// Shingles of `width` tokens; a width outside 1 to 8 is taken as the nearest of these.
    pub fn new(token_hashes: impl IntoIterator<IntoIter = I>, width: usize) -> Self {
        let width = width.clamp(1, MAX_WIDTH);
        Self {
            tokens: token_hashes.into_iter().fuse(),
            width,
            window: [0; MAX_WIDTH],
            seen: 0,
            sum: 0,
            oldest_factor: (1..width).fold(1, |power: u64, _| power.wrapping_mul(BASE)),
        }
    }

    /// Takes in one token in place of the oldest.
    fn roll(&mut self, token: u64) {
        let place = &mut self.window[self.seen % self.width];
        let oldest = core::mem::replace(place, token);
        // While the window fills, the oldest is 0 and nothing is taken away.
        let rest = self
            .sum
            .wrapping_sub(oldest.wrapping_mul(self.oldest_factor));
        self.sum = rest.wrapping_mul(BASE).wrapping_add(token);
        self.seen += 1;
    }
}

impl<I: Iterator<Item = u64>> Iterator for Shingles<I> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while let Some(token) = self.tokens.next() {
            self.roll(token);
            if self.seen >= self.width {
                return Some(mix(self.sum));
            }
        }
        let short = 0 < self.seen && self.seen < self.width;
        // Given out once: from now on the window counts as full.
        self.seen = self.seen.max(self.width);
        short.then(|| mix(self.sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_definition(tokens: &[u64], width: usize) -> Vec<u64> {
        let hash = |shingle: &[u64]| {
            mix(shingle
                .iter()
                .fold(0, |sum: u64, &h| sum.wrapping_mul(BASE).wrapping_add(h)))
        };
        match tokens.len() {
            0 => Vec::new(),
            n if n < width => vec![hash(tokens)],
            _ => tokens.windows(width).map(hash).collect(),
        }
    }

    #[test]
    fn order_matters() {
        let hashes: Vec<_> = [[1, 2], [2, 1]]
            .map(|pair| Shingles::new(pair, 2).next())
            .into();
        assert_ne!(hashes[0], hashes[1]);
    }

    #[test]
    fn the_iterator_stays_at_its_end() {
        let mut shingles = Shingles::new([1], 3);
        assert!(shingles.next().is_some());
        assert_eq!((shingles.next(), shingles.next()), (None, None));
        let mut none = Shingles::new([], 3);
        assert_eq!((none.next(), none.next()), (None, None));
    }

    proptest! {
        #[test]
        fn rolling_equals_the_definition(
            tokens in prop::collection::vec(any::<u64>(), 0..30),
            width in 1_usize..=8,
        ) {
            let rolled: Vec<_> = Shingles::new(tokens.iter().copied(), width).collect();
            prop_assert_eq!(rolled, by_definition(&tokens, width));
        }
    }
}
