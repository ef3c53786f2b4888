//! What a run came to.

use std::time::Duration;

use crate::exit::Exit;

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All input was read.
    Complete,
    /// At the first unusable input, as asked.
    Strict,
    /// By Ctrl-C.
    Interrupted,
}

/// What a run delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Documents that the sink took.
    pub documents: u64,
    /// Bytes of their texts as fingerprinted, in UTF-8.
    pub text_bytes: u64,
    /// Lines and files that could not be used.
    pub unusable: u64,
    /// Files in folders that are of no known kind.
    pub skipped: u64,
}

/// A run that came to its end.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// How.
    pub end: End,
    /// With what.
    pub totals: Totals,
    /// In what time.
    pub elapsed: Duration,
}

impl Summary {
    /// The exit code of such a run.
    pub fn exit(&self) -> Exit {
        match self.end {
            End::Interrupted => Exit::Interrupted,
            End::Complete | End::Strict if self.totals.unusable > 0 => Exit::SomeInputs,
            End::Complete | End::Strict => Exit::Done,
        }
    }
}
