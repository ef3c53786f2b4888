//! From a text to its tokens: normal form, words, and shingles of words.
//!
//! Every step is a function of its own, and depends on the characters alone. No language
//! label is asked for, because labels are often wrong.

mod normalise;
mod script;
mod shingles;
mod token;
#[cfg(test)]
mod unicode_tests;
mod words;

pub use normalise::normalise;
pub(crate) use shingles::MAX_WIDTH;
pub use shingles::Shingles;
pub use token::Token;
pub use words::{Words, terms, words};

#[cfg(feature = "jieba")]
pub(crate) use script::{CharKind, Run, Runs};
