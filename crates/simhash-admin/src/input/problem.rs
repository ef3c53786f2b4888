//! Inputs that cannot be used: where they are, and why.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::output::printable;
use crate::units::Bytes;

/// Where a document stands: its file, and its line in a JSONL file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file as given or walked, or `<stdin>`.
    pub input: Arc<str>,
    /// Line from 1 in JSONL; `None` when the file is the document.
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(self.input.as_bytes()))?;
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}

/// An input that cannot be used, shown as `file:line: what`.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Why an input cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Text that is not UTF-8.
    #[error("invalid UTF-8 at byte {at}")]
    NotUtf8 {
        /// Offset of the first wrong byte in the line or file, from 0.
        at: usize,
    },
    /// A line that is not JSON, or more than one value.
    #[error("bad JSON at column {column}: {what}")]
    Json {
        /// Byte column, from 1.
        column: usize,
        /// The parser's words.
        what: String,
    },
    /// JSON, but no object.
    #[error("not a JSON object")]
    NotAnObject,
    /// An object without a key.
    #[error("no key: neither `{id}` nor `{url}` names the document")]
    NoKey {
        /// Field looked for first.
        id: String,
        /// Field looked for next.
        url: String,
    },
    /// An object without a text.
    #[error("no text: neither `{text}` nor `{html}` is there")]
    NoText {
        /// Field of plain text.
        text: String,
        /// Field of HTML.
        html: String,
    },
    /// A field that holds something else than it should.
    #[error("`{field}` must be {expected}")]
    WrongType {
        /// Name of the field.
        field: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// A line or document past the size limit.
    #[error("longer than {}; --max-document sets the limit", Bytes(*.limit))]
    TooLong {
        /// The limit, in bytes.
        limit: u64,
    },
    /// A key that the store does not take.
    #[error("key of {length} bytes; the longest that a store takes is {max}")]
    KeyTooLong {
        /// Length of the key, in bytes.
        length: usize,
        /// The longest allowed.
        max: usize,
    },
    /// The system or a decompressor refused.
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_file_and_line() {
        let problem = |line| Problem {
            place: Place {
                input: Arc::from("pages.jsonl"),
                line,
            },
            reason: Reason::TooLong { limit: 64 << 20 },
        };
        assert_eq!(
            problem(Some(7)).to_string(),
            "pages.jsonl:7: longer than 64 MiB; --max-document sets the limit"
        );
        assert!(problem(None).to_string().starts_with("pages.jsonl: longer"));
    }

    #[test]
    fn control_characters_in_file_names_do_not_reach_the_terminal() {
        let place = Place {
            input: Arc::from("a\u{1b}[2Jb"),
            line: None,
        };
        assert_eq!(place.to_string(), "a\\u{1b}[2Jb");
    }
}
