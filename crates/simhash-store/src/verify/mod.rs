//! Checking everything stored against the log.
//!
//! The log is read from its first record to its last; then every table and
//! the key index, in memory and on disk, is compared with what the log says
//! should be there, both ways. Writers go on meanwhile: what they change
//! after the log was read is known from the records they add.

mod check;
mod history;

use std::sync::PoisonError;

use serde::Serialize;

use crate::disk::engine::TreeName;
use crate::disk::files;
use crate::plan::{HOME, TABLES};
use crate::recover::check_header_age;
use crate::store::Store;
use crate::{Error, Result};
use check::{Expected, Suspicions};
use history::{Changes, History};

/// Most faults that a report lists; all are counted.
const MAX_LISTED: usize = 1000;

/// What [`Store::verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Log records whose checksum, chain and contents were checked.
    pub log_records: u64,
    /// Operations in them.
    pub operations: u64,
    /// On-disk buckets of tables and keys that were decoded.
    pub buckets: u64,
    /// Live documents, by the log.
    pub documents: u64,
    /// Number of faults found.
    pub fault_count: u64,
    /// Everything that does not hold, the first 1000. Empty when the store is
    /// sound.
    pub faults: Vec<Fault>,
}

impl VerifyReport {
    /// True when nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.fault_count == 0
    }

    fn add(&mut self, fault: Fault) {
        self.fault_count += 1;
        if self.faults.len() < MAX_LISTED {
            self.faults.push(fault);
        }
    }
}

/// One thing that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fault {
    /// Where: a tree such as `log` or `table/2`, or `memory of` one.
    pub place: String,
    /// The key in it, readable.
    pub key: String,
    /// What is wrong.
    pub what: String,
}

impl Store {
    /// Checks every log record, every on-disk bucket and every entry in
    /// memory against the log, both ways. Faults are listed, not mended.
    ///
    /// Takes some 40 bytes of memory for each document ever inserted. Other
    /// threads read and write meanwhile; a compaction waits.
    ///
    /// # Errors
    /// [`Error::Storage`](crate::Error::Storage) and
    /// [`Error::Io`](crate::Error::Io) when the store cannot be read at all;
    /// [`Error::Poisoned`](crate::Error::Poisoned) after a failed write.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// use simhash_store::{Config, Fingerprint};
    ///
    /// let store = Config::new("example").create(dir.path().join("store"))?;
    /// store.insert(b"a", Fingerprint::from_bits(1))?;
    /// let report = store.verify()?;
    /// assert!(report.is_sound());
    /// assert_eq!(report.documents, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn verify(&self) -> Result<VerifyReport> {
        let _no_merge = self.merging.lock().unwrap_or_else(PoisonError::into_inner);
        let mut report = VerifyReport::default();
        let checked = files::read_checkpoint(&self.path)
            .and_then(|checkpoint| check_header_age(&self.header(), checkpoint));
        if let Err(Error::Corrupt { tree, key, why }) = checked {
            report.add(Fault {
                place: tree,
                key,
                what: why,
            });
        }
        let end = self.commit.sync()?;
        let Some(history) = History::read(&self.engine, &self.keys, end, &mut report)? else {
            // Nothing to compare with: the log itself is damaged.
            return Ok(report);
        };
        self.check_disk(&history, &mut report)?;
        self.check_memory(&history, end.upto, &mut report)?;
        Ok(report)
    }

    /// The on-disk buckets hold all operations below `merged_upto`, and may
    /// hold later ones.
    fn check_disk(&self, history: &History, report: &mut VerifyReport) -> Result<()> {
        let merged_upto = self.header().merged_upto;
        let expected = Expected::new(history, merged_upto);
        for table in HOME..TABLES {
            let tree = TreeName::Table(table);
            let found = expected.check_tree(&self.engine, tree, &mut report.buckets)?;
            found.report_all(report);
        }
        let found = expected.check_tree(&self.engine, TreeName::Keys, &mut report.buckets)?;
        found.report_all(report);
        Ok(())
    }

    /// Memory holds all operations below `upto`, and may hold later ones,
    /// which the log then has too.
    fn check_memory(&self, history: &History, upto: u64, report: &mut VerifyReport) -> Result<()> {
        let expected = Expected::new(history, upto);
        let mut found: Vec<Suspicions> = vec![expected.check_home(&self.tables.home)];
        for (table, directory) in (HOME + 1..).zip(&self.tables.others) {
            found.push(expected.check_distinct(table, directory));
        }
        found.push(expected.check_keys(&self.keys.directory));
        if found.iter().all(Suspicions::is_empty) {
            return Ok(());
        }
        let end = self.commit.sync()?;
        let changes = Changes::since(&self.engine, upto..end.upto)?;
        for suspicions in found {
            suspicions.report_unless(&changes, report);
        }
        Ok(())
    }
}
