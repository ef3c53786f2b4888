//! What `ingest` prints of each document.

use serde::Serialize;
use simhash_core::Fingerprint;
use simhash_store::{DocId, Store};

use super::event::Event;
use crate::exit::Failure;
use crate::output::printable;
use crate::output::stdout::Lines;
use crate::pipeline::Fingerprinted;

/// One document's line of `--json`.
#[derive(Debug, Serialize)]
struct JsonLine<'a> {
    key: &'a str,
    doc: Option<DocId>,
    fingerprint: Option<Fingerprint>,
    outcome: &'static str,
    of: Option<&'a str>,
    distance: Option<u32>,
}

/// Prints outcomes, once they may be shown.
#[derive(Debug)]
pub struct Printer {
    lines: Lines,
    mode: Mode,
}

#[derive(Debug)]
enum Mode {
    Json,
    /// Duplicates only, and so many of them.
    Human {
        left: u64,
        not_shown: u64,
    },
}

impl Printer {
    /// Prints a JSON line for every document.
    pub fn json() -> Printer {
        Printer {
            lines: Lines::new(),
            mode: Mode::Json,
        }
    }

    /// Prints the first `show` duplicates, for people.
    pub fn human(show: u64) -> Printer {
        let mode = Mode::Human {
            left: show,
            not_shown: 0,
        };
        Printer {
            lines: Lines::new(),
            mode,
        }
    }

    /// Duplicates that were not shown to people.
    pub fn not_shown(&self) -> u64 {
        match self.mode {
            Mode::Json => 0,
            Mode::Human { not_shown, .. } => not_shown,
        }
    }

    /// Adds what became of a document.
    ///
    /// # Errors
    /// When the key of a match cannot be read from `store`.
    pub fn add(
        &mut self,
        document: &Fingerprinted,
        event: &Event,
        store: &Store,
    ) -> Result<(), Failure> {
        match (&mut self.mode, event) {
            (Mode::Json, _) => self.add_json(document, event, store),
            (Mode::Human { left: 0, not_shown }, Event::Duplicate(_)) => {
                *not_shown += 1;
                Ok(())
            }
            (Mode::Human { left, .. }, Event::Duplicate(of)) => {
                *left -= 1;
                let known = store.key(of.doc)?.unwrap_or_default();
                self.lines
                    .line(human_line(&document.key, of.distance, &known));
                Ok(())
            }
            (Mode::Human { .. }, _) => Ok(()),
        }
    }

    fn add_json(
        &mut self,
        document: &Fingerprinted,
        event: &Event,
        store: &Store,
    ) -> Result<(), Failure> {
        let of = event.duplicate_of();
        // Looked up now: later in the run that key may get another number.
        let of_key = match of {
            Some(of) => store.key(of.doc)?,
            None => None,
        };
        let of_key = of_key.as_deref().map(String::from_utf8_lossy);
        let line = JsonLine {
            key: &String::from_utf8_lossy(&document.key),
            doc: event.doc(),
            fingerprint: document.fingerprint,
            outcome: event.outcome(),
            of: of_key.as_deref(),
            distance: of.map(|of| of.distance),
        };
        Ok(self.lines.json(&line)?)
    }

    /// Shows what was added. When nobody reads it any more, it is dropped: the
    /// store's work goes on.
    ///
    /// # Errors
    /// Those of standard output, but for a broken pipe.
    pub fn show(&mut self) -> Result<(), Failure> {
        Ok(self.lines.show_if_read()?)
    }
}

fn human_line(key: &[u8], distance: u32, known: &[u8]) -> String {
    let relation = match distance {
        0 => "has the fingerprint of",
        _ => "is a near-duplicate of",
    };
    let (key, known) = (printable(key), printable(known));
    format!("distance {distance}  {key}  {relation}  {known}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_line_has_all_fields_in_order() {
        let line = JsonLine {
            key: "a\"b",
            doc: None,
            fingerprint: Some(Fingerprint::from_bits(0xa1)),
            outcome: Event::Empty.outcome(),
            of: Some("c"),
            distance: Some(2),
        };
        assert_eq!(
            serde_json::to_string(&line).unwrap(),
            r#"{"key":"a\"b","doc":null,"fingerprint":"00000000000000a1","outcome":"empty","of":"c","distance":2}"#
        );
    }
}
