//! What the log says was ever stored, and until when.

use std::collections::HashSet;
use std::ops::Range;

use crate::codec::header::LogEnd;
use crate::codec::operation::{Entry, Operation};
use crate::disk::engine::Engine;
use crate::document::Document;
use crate::keys::{KeyHash, KeyIndex};
use crate::log::read;
use crate::verify::{Fault, VerifyReport};
use crate::{Error, Result};

/// A document that is still live.
pub(super) const LIVE: u64 = u64::MAX;

/// One document of the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct Life {
    /// Its number.
    pub(super) doc: u64,
    pub(super) fingerprint: u64,
    pub(super) key: KeyHash,
    /// The number of the operation that removed it, or [`LIVE`].
    pub(super) died: u64,
}

/// All documents of the log, by number.
pub(super) struct History {
    lives: Vec<Life>,
}

impl History {
    /// Reads the log up to `end`. `None` when it is damaged; the faults are
    /// in `report` then.
    pub(super) fn read(
        engine: &Engine,
        keys: &KeyIndex,
        end: LogEnd,
        report: &mut VerifyReport,
    ) -> Result<Option<History>> {
        let mut history = History { lives: Vec::new() };
        match history.follow(engine, keys, end, report) {
            Ok(()) => {
                let live = history.lives.iter().filter(|life| life.died == LIVE);
                report.documents = live.count() as u64;
                Ok(Some(history))
            }
            Err(Error::Corrupt { tree, key, why }) => {
                report.add(Fault {
                    place: tree,
                    key,
                    what: why,
                });
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    fn follow(
        &mut self,
        engine: &Engine,
        keys: &KeyIndex,
        end: LogEnd,
        report: &mut VerifyReport,
    ) -> Result<()> {
        let mut last = LogEnd::default();
        for stored in read::records_from(engine, 0)? {
            let stored = stored?;
            let record = stored.open()?;
            if last.upto == end.upto {
                break;
            }
            if (record.first, record.previous_crc) != (last.upto, last.crc) {
                let key = format!("record {}", record.first);
                let why = format!("it does not follow operation {}", last.upto);
                return Err(Error::corrupt("log", key, why));
            }
            for entry in stored.entries(&record) {
                self.add(&entry?, keys)?;
            }
            last = LogEnd {
                upto: record.end(),
                records: last.records + 1,
                crc: record.crc,
            };
            report.log_records = last.records;
            report.operations = last.upto;
        }
        if last == end {
            return Ok(());
        }
        let why = format!("read {last:?}, but {end:?} was written");
        Err(Error::corrupt("log", "end", why))
    }

    fn add(&mut self, entry: &Entry<'_>, keys: &KeyIndex) -> Result<()> {
        let key = keys.hash(entry.operation.key());
        if let Some(document) = entry.operation.retired() {
            let retired = self.index(document.doc.get());
            let life = retired.and_then(|index| self.lives.get_mut(index));
            match life {
                Some(life) if life.matches(&document, key) && life.died == LIVE => {
                    life.died = entry.sequence;
                }
                _ => {
                    let place = format!("operation {}", entry.sequence);
                    let why = format!("retires document {}, which is not its key's", document.doc);
                    return Err(Error::corrupt("log", place, why));
                }
            }
        }
        if let Operation::Insert { fingerprint, .. } = entry.operation {
            self.lives.push(Life {
                doc: entry.sequence,
                fingerprint: fingerprint.bits(),
                key,
                died: LIVE,
            });
        }
        Ok(())
    }

    /// All documents, ascending by number.
    pub(super) fn lives(&self) -> &[Life] {
        &self.lives
    }

    /// Where document number `doc` stands among them.
    pub(super) fn index(&self, doc: u64) -> Option<usize> {
        self.lives.binary_search_by_key(&doc, |life| life.doc).ok()
    }
}

impl Life {
    fn matches(&self, document: &Document, key: KeyHash) -> bool {
        (self.fingerprint, self.key) == (document.fingerprint.bits(), key)
    }
}

/// What changed while the check went on.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Numbers that the history does not have yet.
    pub(super) numbers: Range<u64>,
    pub(super) retired: HashSet<u64>,
    pub(super) fingerprints: HashSet<u64>,
}

impl Changes {
    /// No change at all.
    pub(super) fn none() -> Changes {
        Changes::default()
    }

    /// Reads the operations with these numbers.
    pub(super) fn since(engine: &Engine, numbers: Range<u64>) -> Result<Changes> {
        let mut changes = Changes {
            numbers: numbers.clone(),
            ..Changes::default()
        };
        for stored in read::records_from(engine, numbers.start)? {
            let stored = stored?;
            let record = stored.open()?;
            for entry in stored.entries(&record) {
                let entry = entry?;
                if numbers.contains(&entry.sequence) {
                    changes.add(&entry);
                }
            }
        }
        Ok(changes)
    }

    fn add(&mut self, entry: &Entry<'_>) {
        let made = entry.operation.made(entry.sequence);
        let retired = entry.operation.retired();
        self.retired
            .extend(retired.map(|document| document.doc.get()));
        let touched = made.into_iter().chain(retired);
        self.fingerprints
            .extend(touched.map(|document| document.fingerprint.bits()));
    }
}
