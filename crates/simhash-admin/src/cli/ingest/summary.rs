//! What `ingest` says at the end.

use std::fmt::Write as _;

use super::event::Event;
use crate::output::table::{Align, Table};
use crate::pipeline::{End, Summary};
use crate::units::Count;

/// Documents by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    new: u64,
    near_duplicates: u64,
    exact_duplicates: u64,
    updated: u64,
    unchanged: u64,
    empty: u64,
    /// Duplicates beyond those that people wanted to see.
    pub not_shown: u64,
}

impl Tally {
    /// Counts one document.
    pub fn count(&mut self, event: &Event) {
        let counter = match event {
            Event::New(_) => &mut self.new,
            Event::Duplicate(of) if of.distance == 0 => &mut self.exact_duplicates,
            Event::Duplicate(_) => &mut self.near_duplicates,
            Event::Updated(_) => &mut self.updated,
            Event::Unchanged(_) => &mut self.unchanged,
            Event::Empty => &mut self.empty,
        };
        *counter += 1;
    }
}

/// The summary of a run, for people.
pub fn render(run: &Summary, tally: &Tally) -> String {
    let mut text = String::new();
    if tally.not_shown > 0 {
        let more = Count(tally.not_shown);
        let _ = writeln!(text, "and {more} more duplicates; --show N shows more");
    }
    match run.end {
        End::Complete => {}
        End::Strict => text.push_str("stopped at the first unusable input (--strict)\n"),
        End::Interrupted => text.push_str("interrupted; all that was done until now is stored\n"),
    }
    let _ = write!(text, "{}{}", counts(run, tally), speed(run));
    text
}

fn counts(run: &Summary, tally: &Tally) -> Table<3> {
    let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
    let rows = [
        ("documents", run.totals.documents, ""),
        ("  new", tally.new, ""),
        (
            "  near-duplicates",
            tally.near_duplicates,
            "1 bit or more apart",
        ),
        (
            "  exact duplicates",
            tally.exact_duplicates,
            "same fingerprint",
        ),
        ("  updated", tally.updated, "known key, new fingerprint"),
        (
            "  unchanged",
            tally.unchanged,
            "known key, known fingerprint",
        ),
        ("  empty", tally.empty, "no words, not stored"),
        ("unusable inputs", run.totals.unusable, ""),
        ("skipped files", run.totals.skipped, ""),
    ];
    for (label, count, note) in rows {
        table.row([label.to_owned(), Count(count).to_string(), note.to_owned()]);
    }
    table
}

/// Documents and megabytes a second. The bytes are those of the texts as they
/// were fingerprinted, after decompression and without markup.
fn speed(run: &Summary) -> String {
    let seconds = run.elapsed.as_secs_f64().max(1e-9);
    let megabytes = run.totals.text_bytes as f64 / 1e6;
    format!(
        "{:.3} s: {} documents/s, {:.1} MB/s of text ({megabytes:.1} MB)\n",
        seconds,
        Count((run.totals.documents as f64 / seconds) as u64),
        megabytes / seconds,
    )
}
