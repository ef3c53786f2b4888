//! What a run is to do.

use std::path::PathBuf;

use super::worker::Recipe;
use crate::input::reader::ReadOptions;

/// What to read, and how.
#[derive(Clone, Debug)]
pub struct Job {
    /// Files, folders and `-`, in order; none means standard input.
    pub inputs: Vec<PathBuf>,
    /// How they are read.
    pub read: ReadOptions,
    /// How their documents are fingerprinted.
    pub recipe: Recipe,
    /// Threads that fingerprint, at least 1.
    pub threads: usize,
    /// Stop at the first unusable input.
    pub strict: bool,
}
