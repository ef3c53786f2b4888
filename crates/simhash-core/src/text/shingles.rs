//! Word shingles: every stretch of N words that follow each other.

use core::iter::Fuse;

use super::Token;
use crate::hash::mix;

/// The odd constant that the word hashes of a shingle are weighted with: 2^64 divided by the
/// golden ratio.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The widest shingle.
pub(crate) const MAX_WIDTH: usize = 8;

/// All shingles of `width` words, from the tokens of the words.
///
/// The hash of a shingle is `mix(h_0 B^(N-1) + h_1 B^(N-2) + ... + h_(N-1))` modulo 2^64, where
/// `B` is `0x9e3779b97f4a7c15` and `mix` is the finaliser of splitmix64. It is rolled, so a
/// shingle costs the same at every width. A shingle is numeric when one of its words is. A text
/// of fewer than `width` words is one shingle of all its words; a text of none has no shingle.
///
/// ```
/// use simhash_core::text::{Shingles, Token};
///
/// let words = [1, 2, 3, 1, 2].map(|hash| Token { hash, is_numeric: hash == 3 });
/// let pairs: Vec<_> = Shingles::new(words, 2).collect();
/// assert_eq!(pairs.len(), 4);
/// assert_eq!(pairs[0], pairs[3]);
/// assert_eq!(pairs.iter().filter(|pair| pair.is_numeric).count(), 2);
/// assert_eq!(Shingles::new([words[0]], 2).count(), 1);
/// assert_eq!(Shingles::new([], 2).count(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct Shingles<I> {
    words: Fuse<I>,
    width: usize,
    /// The last words, as a ring; `seen % width` is the oldest when it is full.
    window: [Token; MAX_WIDTH],
    seen: usize,
    sum: u64,
    /// How many words in the window are numeric.
    numeric: usize,
    /// `B^(width - 1)`, the factor of the oldest word.
    oldest_factor: u64,
}

impl<I: Iterator<Item = Token>> Shingles<I> {
    /// Shingles of `width` words; a width outside 1 to 8 is taken as the nearest of these.
    pub fn new(words: impl IntoIterator<IntoIter = I>, width: usize) -> Self {
        let width = width.clamp(1, MAX_WIDTH);
        Self {
            words: words.into_iter().fuse(),
            width,
            window: [Token::default(); MAX_WIDTH],
            seen: 0,
            sum: 0,
            numeric: 0,
            oldest_factor: (1..width).fold(1, |power: u64, _| power.wrapping_mul(BASE)),
        }
    }

    /// Takes in one word in place of the oldest.
    fn roll(&mut self, word: Token) {
        let place = &mut self.window[self.seen % self.width];
        // While the window fills, the oldest is all zero and nothing is taken away.
        let oldest = core::mem::replace(place, word);
        let rest = self
            .sum
            .wrapping_sub(oldest.hash.wrapping_mul(self.oldest_factor));
        self.sum = rest.wrapping_mul(BASE).wrapping_add(word.hash);
        self.numeric += usize::from(word.is_numeric);
        self.numeric -= usize::from(oldest.is_numeric);
        self.seen += 1;
    }

    fn shingle(&self) -> Token {
        Token {
            hash: mix(self.sum),
            is_numeric: self.numeric > 0,
        }
    }
}

impl<I: Iterator<Item = Token>> Iterator for Shingles<I> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while let Some(word) = self.words.next() {
            self.roll(word);
            if self.seen >= self.width {
                return Some(self.shingle());
            }
        }
        let is_short = 0 < self.seen && self.seen < self.width;
        // Given out once: from now on the window counts as full.
        self.seen = self.seen.max(self.width);
        is_short.then(|| self.shingle())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shingle(words: &[Token]) -> Token {
        let sum = words.iter().fold(0, |sum: u64, word| {
            sum.wrapping_mul(BASE).wrapping_add(word.hash)
        });
        Token {
            hash: mix(sum),
            is_numeric: words.iter().any(|word| word.is_numeric),
        }
    }

    fn by_definition(words: &[Token], width: usize) -> Vec<Token> {
        match words.len() {
            0 => Vec::new(),
            n if n < width => vec![shingle(words)],
            _ => words.windows(width).map(shingle).collect(),
        }
    }

    fn word(hash: u64) -> Token {
        Token {
            hash,
            is_numeric: false,
        }
    }

    #[test]
    fn order_matters() {
        let [ab, ba] = [[1, 2], [2, 1]].map(|pair| Shingles::new(pair.map(word), 2).next());
        assert_ne!(ab, ba);
    }

    #[test]
    fn the_iterator_stays_at_its_end() {
        let mut shingles = Shingles::new([word(1)], 3);
        assert!(shingles.next().is_some());
        assert_eq!((shingles.next(), shingles.next()), (None, None));
        let mut none = Shingles::new([], 3);
        assert_eq!((none.next(), none.next()), (None, None));
    }

    proptest! {
        #[test]
        fn rolling_equals_the_definition(
            words in prop::collection::vec((any::<u64>(), any::<bool>()), 0..30),
            width in 1_usize..=8,
        ) {
            let words: Vec<_> =
                words.into_iter().map(|(hash, is_numeric)| Token { hash, is_numeric }).collect();
            let rolled: Vec<_> = Shingles::new(words.iter().copied(), width).collect();
            prop_assert_eq!(rolled, by_definition(&words, width));
        }
    }
}
