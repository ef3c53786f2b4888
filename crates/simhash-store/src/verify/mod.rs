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
    /// Why the tables were rebuilt from the log at open, if they were. No
    /// fault in itself: a compaction that was cut off leads to it, too.
    pub rebuilt: Option<String>,
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
        let mut report = VerifyReport {
            rebuilt: self.rebuilt.clone(),
            ..VerifyReport::default()
        };
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

#[cfg(test)]
mod tests {
    use simhash_core::Fingerprint;

    use super::*;
    use crate::document::{DocId, Document};
    use crate::{Config, Inserted};

    /// A store with two documents and what was stored.
    fn store(dir: &tempfile::TempDir) -> (Store, Document) {
        let store = Config::new("test/1")
            .create(dir.path().join("store"))
            .unwrap();
        let fingerprint = Fingerprint::from_bits(7);
        let Inserted::New { doc } = store.insert(b"a", fingerprint).unwrap() else {
            panic!("a new store knows the key");
        };
        store.insert(b"b", Fingerprint::from_bits(!7)).unwrap();
        (store, Document { doc, fingerprint })
    }

    fn faults(store: &Store) -> Vec<String> {
        let faults = store.verify().unwrap().faults;
        let lines = faults
            .iter()
            .map(|fault| format!("{}: {} {}", fault.place, fault.key, fault.what));
        lines.collect()
    }

    #[test]
    fn a_document_missing_from_memory_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (store, document) = store(&dir);
        assert_eq!(faults(&store), [""; 0]);
        store
            .tables
            .write(document.fingerprint, None)
            .remove(document);
        let faults = faults(&store);
        assert_eq!(faults.len(), TABLES, "{faults:?}");
        assert_eq!(faults[0], "memory of table/0: document 0 is missing");
        assert!(faults[3].starts_with("memory of table/3: fingerprint 0000000000000007"));
    }

    #[test]
    fn a_document_that_was_never_logged_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (store, _) = store(&dir);
        let foreign = Document {
            doc: DocId::new(99).unwrap(),
            fingerprint: Fingerprint::from_bits(0x55),
        };
        store
            .tables
            .write(foreign.fingerprint, None)
            .insert(foreign);
        let faults = faults(&store);
        assert_eq!(faults.len(), TABLES, "{faults:?}");
        assert_eq!(
            faults[0],
            "memory of table/0: document 99 is not in the log"
        );
    }

    #[test]
    fn a_key_that_leads_nowhere_or_astray_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (store, document) = store(&dir);
        store.keys.write(store.keys.hash(b"a")).remove(document.doc);
        store.keys.write(store.keys.hash(b"c")).insert(document.doc);
        let faults = faults(&store);
        assert!(
            faults.contains(&"memory of keys: document 0 stands in the wrong place".to_owned()),
            "{faults:?}"
        );
    }

    #[test]
    fn tables_that_contradict_each_other_do_not_hang_a_search() {
        let dir = tempfile::tempdir().unwrap();
        let (store, document) = store(&dir);
        // Only the home table forgets it.
        let position = crate::plan::position(HOME, document.fingerprint);
        let mut home = store.tables.home.write(position.bucket);
        assert!(home.remove(position.hi, position.lo, document.doc));
        drop(home);
        // Another block 0, so that another table finds it.
        let query = Fingerprint::from_bits(7 | 1 << 63);
        assert!(matches!(store.near(query, 3), Err(Error::Corrupt { .. })));
        let checked = store.check_and_insert(b"new", query);
        assert!(matches!(checked, Err(Error::Corrupt { .. })));
    }
}
