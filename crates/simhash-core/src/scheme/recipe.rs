//! The parts of a scheme.

use core::fmt;

use crate::weight::TermWeight;

/// What the features of a text are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Features {
    /// Single words.
    Words,
    /// Word shingles of this width, 2 to 8.
    Shingles(u8),
    /// Words, with Chinese cut by jieba.
    #[cfg(feature = "jieba")]
    Jieba,
}

/// What a feature weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    /// By its frequency in the text.
    Term(TermWeight),
    /// Only the keywords with the highest TF-IDF are features, with that weight.
    #[cfg(feature = "jieba")]
    TfIdf {
        /// How many, 1 to 1000.
        top: u16,
    },
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words => f.write_str("words"),
            Self::Shingles(width) => write!(f, "w{width}"),
            #[cfg(feature = "jieba")]
            Self::Jieba => f.write_str("jieba"),
        }
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Term(TermWeight::LogTf) => f.write_str("logtf"),
            Self::Term(TermWeight::Tf) => f.write_str("tf"),
            Self::Term(TermWeight::Binary) => f.write_str("binary"),
            #[cfg(feature = "jieba")]
            Self::TfIdf { top } => write!(f, "tfidf{top}"),
        }
    }
}
