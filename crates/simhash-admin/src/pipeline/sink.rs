//! Where documents go.

use std::io::{self, Write as _};

use super::worker::Fingerprinted;
use crate::exit::Failure;
use crate::input::problem::{Problem, Reason};

/// Where documents go, in input order, on the thread that called [`run`](super::run).
pub trait Sink {
    /// Takes one document.
    ///
    /// # Errors
    /// A [`Refusal`] of the document, or of all that would follow.
    fn document(&mut self, document: &Fingerprinted) -> Result<(), Refusal>;

    /// Hears of an input that cannot be used; by default, tells stderr.
    fn unusable(&mut self, problem: &Problem) {
        // A closed stderr must not end the run.
        let _ = writeln!(io::stderr(), "{problem}");
    }

    /// Makes all documents taken so far as safe as was promised.
    ///
    /// # Errors
    /// A failure ends the run.
    fn commit(&mut self) -> Result<(), Failure>;

    /// Shows what was taken, always right after [`Sink::commit`].
    ///
    /// # Errors
    /// A failure ends the run.
    fn show(&mut self) -> Result<(), Failure>;
}

/// A document that a sink did not take.
#[derive(Debug)]
pub enum Refusal {
    /// This document cannot be used; the run goes on.
    Document(Reason),
    /// Nothing more can be taken.
    Run(Failure),
}
