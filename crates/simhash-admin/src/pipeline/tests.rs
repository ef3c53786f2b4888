//! The pipeline against what a sequential run gives.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use simhash_core::{Fingerprint, Scheme};
use tempfile::TempDir;

use super::*;
use crate::exit::Exit;
use crate::input::format::FormatChoice;
use crate::input::jsonl::Fields;
use crate::input::problem::{Problem, Reason};
use crate::input::reader::ReadOptions;
use crate::interrupt::Trigger;

const LINES: usize = 3000;

/// JSONL of texts of very different length, so that chunks finish out of
/// order; every 97th line is malformed.
fn lines() -> String {
    let mut lines = String::new();
    for n in 0..LINES {
        if is_malformed(n) {
            lines.push_str("{\"id\":\n");
        } else {
            writeln!(lines, "{{\"id\":{n},\"text\":\"{}\"}}", text(n)).unwrap();
        }
    }
    lines
}

fn is_malformed(n: usize) -> bool {
    n % 97 == 96
}

fn malformed_lines() -> Vec<u64> {
    let malformed = (0..LINES).filter(|&n| is_malformed(n));
    malformed.map(|n| n as u64 + 1).collect()
}

fn text(n: usize) -> String {
    (0..n % 50 * (n % 13))
        .map(|word| format!("word{} ", word * 7 + n))
        .collect()
}

/// What a loop without threads would deliver.
fn expected() -> Vec<(Vec<u8>, Option<Fingerprint>)> {
    let scheme = Scheme::default();
    let good = (0..LINES).filter(|&n| !is_malformed(n));
    good.map(|n| (n.to_string().into_bytes(), scheme.fingerprint(&text(n))))
        .collect()
}

fn job(input: &Path, threads: usize) -> Job {
    Job {
        inputs: vec![input.to_owned()],
        read: ReadOptions {
            format: FormatChoice::Jsonl,
            max_document: 1 << 20,
            stdin_key: "-".to_owned(),
        },
        recipe: Recipe {
            scheme: Scheme::default(),
            fields: Fields::default(),
        },
        threads,
        strict: false,
    }
}

fn input() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lines.jsonl");
    std::fs::write(&path, lines()).unwrap();
    (dir, path)
}

/// Takes documents and remembers when it was told to commit and show.
#[derive(Default)]
struct Collect {
    taken: Vec<(Vec<u8>, Option<Fingerprint>)>,
    /// Lines of the inputs that could not be used.
    unusable: Vec<u64>,
    committed: usize,
    shown: usize,
    /// Pulled when so many are taken.
    trigger: Option<(usize, Trigger)>,
    /// Refuses the document with this key alone.
    refused: Option<Vec<u8>>,
    /// Fails when so many are taken.
    full_at: Option<usize>,
}

impl Sink for Collect {
    fn document(&mut self, document: &Fingerprinted) -> Result<(), Refusal> {
        if self.full_at == Some(self.taken.len()) {
            return Err(Refusal::Run(simhash_store::Error::Full.into()));
        }
        if self.refused.as_ref() == Some(&document.key) {
            return Err(Refusal::Document(Reason::KeyTooLong { length: 9, max: 8 }));
        }
        self.taken
            .push((document.key.clone(), document.fingerprint));
        if let Some((at, trigger)) = &self.trigger
            && *at == self.taken.len()
        {
            trigger.pull();
        }
        Ok(())
    }

    fn unusable(&mut self, problem: &Problem) {
        self.unusable.extend(problem.place.line);
    }

    fn commit(&mut self) -> Result<(), Failure> {
        self.committed = self.taken.len();
        Ok(())
    }

    fn show(&mut self) -> Result<(), Failure> {
        assert_eq!(self.committed, self.taken.len(), "shown before committed");
        self.shown = self.taken.len();
        Ok(())
    }
}

#[test]
fn any_number_of_threads_delivers_what_a_loop_would() {
    let (_dir, path) = input();
    let expected = expected();
    for threads in [1, 2, 7] {
        let (_trigger, interrupt) = Interrupt::pair();
        let mut sink = Collect::default();
        let run = run(&job(&path, threads), &interrupt, &mut sink).unwrap();
        assert!(sink.taken == expected, "{threads} threads");
        assert_eq!(sink.shown, expected.len());
        assert_eq!(run.end, End::Complete);
        assert_eq!(run.totals.documents, expected.len() as u64);
        assert_eq!(sink.unusable, malformed_lines());
        assert_eq!(run.totals.unusable, sink.unusable.len() as u64);
        assert_eq!(run.exit(), Exit::SomeInputs);
    }
}

#[test]
fn strict_ends_at_the_first_malformed_line() {
    let (_dir, path) = input();
    let (_trigger, interrupt) = Interrupt::pair();
    let mut sink = Collect::default();
    let job = Job {
        strict: true,
        ..job(&path, 3)
    };
    let run = run(&job, &interrupt, &mut sink).unwrap();
    assert!(sink.taken == expected()[..96]);
    assert_eq!(sink.shown, 96);
    assert_eq!(sink.unusable, [97]);
    assert_eq!((run.end, run.totals.unusable), (End::Strict, 1));
}

#[test]
fn an_interrupt_ends_the_run_at_that_very_document() {
    let (_dir, path) = input();
    let (trigger, interrupt) = Interrupt::pair();
    let mut sink = Collect {
        trigger: Some((1234, trigger)),
        ..Collect::default()
    };
    let run = run(&job(&path, 2), &interrupt, &mut sink).unwrap();
    assert!(sink.taken == expected()[..1234]);
    assert_eq!(sink.shown, 1234);
    assert_eq!(run.exit(), Exit::Interrupted);
}

#[test]
fn a_refused_document_is_reported_and_the_run_goes_on() {
    let (_dir, path) = input();
    let (_trigger, interrupt) = Interrupt::pair();
    let mut sink = Collect {
        refused: Some(b"500".to_vec()),
        ..Collect::default()
    };
    let run = run(&job(&path, 2), &interrupt, &mut sink).unwrap();
    let mut expected = expected();
    expected.retain(|(key, _)| key != b"500");
    assert!(sink.taken == expected);
    assert_eq!(run.totals.documents, expected.len() as u64);
    assert_eq!(run.totals.unusable, malformed_lines().len() as u64 + 1);
    assert!(sink.unusable.contains(&501));
}

#[test]
fn a_failing_sink_ends_the_run_with_its_failure() {
    let (_dir, path) = input();
    let (_trigger, interrupt) = Interrupt::pair();
    let mut sink = Collect {
        full_at: Some(700),
        ..Collect::default()
    };
    let failure = run(&job(&path, 2), &interrupt, &mut sink).unwrap_err();
    assert!(matches!(
        failure,
        Failure::Store(simhash_store::Error::Full)
    ));
    assert_eq!(sink.taken.len(), 700);
}
