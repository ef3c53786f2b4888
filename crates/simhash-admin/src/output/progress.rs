//! A progress bar on stderr, for runs that take more than a second.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::units::Count;

/// Work that takes less shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a run over inputs has come. Draws on a terminal only.
#[derive(Debug)]
pub struct Progress {
    start: Instant,
    raw_bytes: Arc<AtomicU64>,
    /// Bytes of all inputs together, when that is known beforehand.
    total: Option<u64>,
    on_terminal: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Progress of a run that begins now, over these inputs.
    pub fn new(inputs: &[PathBuf]) -> Progress {
        Progress {
            start: Instant::now(),
            raw_bytes: Arc::default(),
            total: total_size(inputs),
            on_terminal: io::stderr().is_terminal(),
            bar: None,
        }
    }

    /// The counter that whoever reads the inputs is to keep: bytes read,
    /// before decompression.
    pub fn raw_bytes(&self) -> &Arc<AtomicU64> {
        &self.raw_bytes
    }

    /// Shows that this many documents are done.
    pub fn update(&mut self, documents: u64) {
        if !self.on_terminal || self.start.elapsed() < PATIENCE {
            return;
        }
        let (total, start) = (self.total, self.start);
        let bar = self.bar.get_or_insert_with(|| input_bar(total, start));
        bar.set_position(self.raw_bytes.load(Ordering::Relaxed));
        bar.set_message(format!("{} documents", Count(documents)));
    }

    /// Writes to the terminal without tearing the bar.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn input_bar(total: Option<u64>, start: Instant) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {binary_bytes}/{binary_total_bytes}  {msg}  {eta} left",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {binary_bytes} read  {msg}  {elapsed}",
        ),
    };
    styled(bar, template).with_elapsed(start.elapsed())
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The size of all inputs, when all of them are plain files.
fn total_size(inputs: &[PathBuf]) -> Option<u64> {
    if inputs.is_empty() {
        return None;
    }
    let size = |input: &PathBuf| {
        let metadata = fs::metadata(input).ok()?;
        metadata.is_file().then_some(metadata.len())
    };
    inputs.iter().map(size).sum()
}

/// A bar over steps of a known number, such as the buckets of a compaction.
#[derive(Debug)]
pub struct Steps {
    start: Instant,
    what: &'static str,
    on_terminal: bool,
    bar: Option<ProgressBar>,
}

impl Steps {
    /// Steps that begin now; `what` names them.
    pub fn new(what: &'static str) -> Steps {
        Steps {
            start: Instant::now(),
            what,
            on_terminal: io::stderr().is_terminal(),
            bar: None,
        }
    }

    /// Shows that `done` of `total` are done.
    pub fn update(&mut self, done: u64, total: u64) {
        if !self.on_terminal || self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let template = "{wide_bar} {human_pos}/{human_len} {msg}  {eta} left";
            styled(ProgressBar::new(total), template).with_message(self.what)
        });
        bar.set_length(total);
        bar.set_position(done);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
