//! What a fingerprint sees of a word.

/// A word, or a shingle of words, as a feature: its hash, and whether a number is in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Token {
    /// The hash of the word's bytes, or of the shingle's words.
    pub hash: u64,
    /// Whether a numeric character ([`char::is_numeric`]) is in it, as in dates, counters and
    /// version numbers.
    pub is_numeric: bool,
}

impl Token {
    /// The token of a word that has this hash.
    ///
    /// ```
    /// use simhash_core::text::Token;
    ///
    /// assert!(Token::new("v1.2", 7).is_numeric);
    /// assert!(!Token::new("words", 7).is_numeric);
    /// ```
    #[must_use]
    pub fn new(word: &str, hash: u64) -> Self {
        Self {
            hash,
            is_numeric: word.contains(char::is_numeric),
        }
    }
}
