//! How a run ends: exit codes, and the failures behind code 2.

use std::io;
use std::process::ExitCode;

use simhash_core::ParseSchemeError;

use crate::input::problem::Problem;

/// How a run ended, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All done.
    Done = 0,
    /// `verify` found damage.
    Damaged = 1,
    /// It could not run.
    CouldNotRun = 2,
    /// It ran, but some inputs could not be used.
    SomeInputs = 3,
    /// Ctrl-C ended it early.
    Interrupted = 130,
}

impl Exit {
    /// The code that the process ends with.
    pub fn code(self) -> i32 {
        self as i32
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not run, or not to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] simhash_store::Error),
    /// A scheme id on the command line that is none.
    #[error("{0}; `simhash-admin schemes` lists what there is")]
    Scheme(#[from] ParseSchemeError),
    /// The store's scheme is not one of ours.
    #[error(
        "the store holds fingerprints of scheme `{scheme}`, which this program cannot compute \
         from a text; `query --fingerprint` works"
    )]
    ForeignScheme {
        /// The store's scheme.
        scheme: String,
    },
    /// A query without features.
    #[error(
        "the text has no features (no letter, no digit), so it has no fingerprint and no \
         near-duplicates"
    )]
    NoFeatures,
    /// The one input of a query cannot be used.
    #[error("{0}")]
    Input(Problem),
    /// A query file that is not one document.
    #[error("{name} is not one document: a query takes one text or HTML page (see --format)")]
    NotOneDocument {
        /// The file.
        name: String,
    },
    /// Standard output refused what was to be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// The system gave no thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// A thread ended in a way it never should.
    #[error(
        "internal error in the {part}; what was printed before is right. What \
         `ingest --durability sync` printed is on the disk; under another durability, ingest \
         the input again to be sure. Please report this with the input"
    )]
    Internal {
        /// What broke.
        part: &'static str,
    },
    /// The system did not let us handle Ctrl-C.
    #[error("cannot handle Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
}

impl Failure {
    /// True when whoever read our output has had enough of it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
