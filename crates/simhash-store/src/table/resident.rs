//! The permuted tables in memory, and the lock protocol over them.
//!
//! A thread that works on a fingerprint locks its buckets in table order, one
//! in each table (two where a document moves from one fingerprint to another,
//! the lower bucket first). All threads take locks in this one order, so they
//! cannot block each other for ever. Two fingerprints within
//! [`MAX_K`](crate::plan::MAX_K) bits share a bucket, so of two threads that
//! insert near-duplicates at the same time, one sees the other's.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{RwLockReadGuard, RwLockWriteGuard};

use simhash_core::Fingerprint;
use simhash_core::hamming::{ColumnQuery, Columns, Scanner};

use super::bucket::{Bucket, Distinct, Home};
use super::directory::Directory;
use crate::document::{DocId, Document, Match};
use crate::plan::{self, BUCKETS, HOME, Position, TABLES};

/// Tables besides the home table.
const OTHERS: usize = TABLES - 1;

/// All permuted tables.
#[derive(Debug)]
pub(crate) struct Resident {
    pub(crate) home: Directory<Home>,
    /// Tables 1 and up.
    pub(crate) others: [Directory<Distinct>; OTHERS],
    documents: AtomicU64,
    distinct: AtomicU64,
    scanner: Scanner,
}

/// What a scan found. Matches of the home table come with their document; for
/// the others, [`Resident::documents_of`] knows it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) matches: Vec<Match>,
    /// Fingerprint and distance, each fingerprint once.
    pub(crate) elsewhere: Vec<(Fingerprint, u32)>,
}

impl Resident {
    pub(crate) fn new() -> Resident {
        Resident {
            home: Directory::new(BUCKETS),
            others: std::array::from_fn(|_| Directory::new(BUCKETS)),
            documents: AtomicU64::new(0),
            distinct: AtomicU64::new(0),
            scanner: Scanner::new(),
        }
    }

    /// Live documents.
    pub(crate) fn documents(&self) -> u64 {
        self.documents.load(Ordering::Relaxed)
    }

    /// Different fingerprints among them.
    pub(crate) fn distinct(&self) -> u64 {
        self.distinct.load(Ordering::Relaxed)
    }

    /// Counts the entries again, after buckets were loaded.
    pub(crate) fn recount(&self) {
        let documents = self.home.stats(HOME).entries;
        self.documents.store(documents, Ordering::Relaxed);
        let distinct = self.others[0].stats(1).entries;
        self.distinct.store(distinct, Ordering::Relaxed);
    }

    /// Locks the buckets of `fingerprint` for reading.
    pub(crate) fn read(&self, fingerprint: Fingerprint) -> ReadLocks<'_> {
        let buckets = plan::buckets(fingerprint);
        ReadLocks {
            tables: self,
            home: self.home.read(buckets[HOME]),
            others: std::array::from_fn(|i| self.others[i].read(buckets[i + 1])),
        }
    }

    /// Locks the buckets of `fingerprint`, and those of `previous`, for
    /// writing.
    pub(crate) fn write(
        &self,
        fingerprint: Fingerprint,
        previous: Option<Fingerprint>,
    ) -> WriteLocks<'_> {
        let buckets = plan::buckets(fingerprint);
        let previous = previous.map(plan::buckets);
        let second = |table: usize| previous.map(|buckets| buckets[table]);
        WriteLocks {
            tables: self,
            home: Pair::lock(&self.home, buckets[HOME], second(HOME)),
            others: std::array::from_fn(|i| {
                Pair::lock(&self.others[i], buckets[i + 1], second(i + 1))
            }),
        }
    }

    /// The documents under `fingerprint` now.
    pub(crate) fn documents_of(&self, fingerprint: Fingerprint) -> Vec<DocId> {
        let Position { bucket, hi, lo } = plan::position(HOME, fingerprint);
        self.home.read(bucket).docs(hi, lo).collect()
    }

    /// Bytes that all tables hold in memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        let others: usize = self.others.iter().map(Directory::memory_bytes).sum();
        self.home.memory_bytes() + others
    }

    /// Collects what is within `k` bits of `query` in its buckets.
    fn scan(&self, query: Fingerprint, k: u32, home: &Home, others: [&Distinct; OTHERS]) -> Found {
        let mut found = Found::default();
        self.scan_columns(
            HOME,
            query,
            k,
            home.columns(),
            |index, position, distance| {
                found.matches.push(Match {
                    doc: home.at(index).2,
                    fingerprint: plan::fingerprint(HOME, position),
                    distance,
                });
            },
        );
        for (table, bucket) in (HOME + 1..).zip(others) {
            self.scan_columns(
                table,
                query,
                k,
                bucket.columns(),
                |_, position, distance| {
                    let fingerprint = plan::fingerprint(table, position);
                    // An earlier table that shares a bucket has found it already.
                    if plan::first_shared_table(query, fingerprint) == Some(table) {
                        found.elsewhere.push((fingerprint, distance));
                    }
                },
            );
        }
        found
    }

    fn scan_columns(
        &self,
        table: usize,
        query: Fingerprint,
        k: u32,
        columns: Columns<'_>,
        mut on_match: impl FnMut(usize, Position, u32),
    ) {
        let Position { bucket, hi, lo } = plan::position(table, query);
        let query = ColumnQuery { hi, lo };
        self.scanner
            .within_columns(query, k, columns, |index, distance| {
                let (hi, lo) = (columns.hi[index], columns.lo[index]);
                on_match(index, Position { bucket, hi, lo }, distance);
            });
    }
}

/// The buckets of one fingerprint, locked for reading.
pub(crate) struct ReadLocks<'a> {
    tables: &'a Resident,
    home: RwLockReadGuard<'a, Home>,
    others: [RwLockReadGuard<'a, Distinct>; OTHERS],
}

impl ReadLocks<'_> {
    /// What is within `k` bits of `query`, whose buckets these are.
    pub(crate) fn scan(&self, query: Fingerprint, k: u32) -> Found {
        let others = self.others.each_ref().map(|guard| &**guard);
        self.tables.scan(query, k, &self.home, others)
    }
}

/// The buckets of one or two fingerprints, locked for writing.
pub(crate) struct WriteLocks<'a> {
    tables: &'a Resident,
    home: Pair<'a, Home>,
    others: [Pair<'a, Distinct>; OTHERS],
}

impl WriteLocks<'_> {
    /// What is within `k` bits of `query`, one of the fingerprints that these
    /// are the buckets of.
    pub(crate) fn scan(&self, query: Fingerprint, k: u32) -> Found {
        let buckets = plan::buckets(query);
        let home = self.home.get(buckets[HOME]);
        let others = std::array::from_fn(|i| self.others[i].get(buckets[i + 1]));
        self.tables.scan(query, k, home, others)
    }

    /// The documents under `fingerprint`, one of those locked.
    pub(crate) fn documents_of(&self, fingerprint: Fingerprint) -> impl Iterator<Item = DocId> {
        let Position { bucket, hi, lo } = plan::position(HOME, fingerprint);
        self.home.get(bucket).docs(hi, lo)
    }

    /// Adds a document that is not in the tables.
    pub(crate) fn insert(&mut self, document: Document) {
        let Position { bucket, hi, lo } = plan::position(HOME, document.fingerprint);
        let first = !self.home.get(bucket).contains(hi, lo);
        self.push_home(document);
        if first {
            for table in HOME + 1..TABLES {
                self.push_distinct(table, document.fingerprint);
            }
        }
    }

    /// Adds a document wherever it is missing. A table read from disk can
    /// already have changes that are only now replayed from the log.
    pub(crate) fn insert_if_missing(&mut self, document: Document) {
        let fingerprint = document.fingerprint;
        if !self
            .documents_of(fingerprint)
            .any(|doc| doc == document.doc)
        {
            self.push_home(document);
        }
        for table in HOME + 1..TABLES {
            let Position { bucket, hi, lo } = plan::position(table, fingerprint);
            if !self.others[table - 1].get(bucket).contains(hi, lo) {
                self.push_distinct(table, fingerprint);
            }
        }
    }

    /// Removes a document, and its fingerprint when it was the last under it.
    /// What is not there is passed over.
    pub(crate) fn remove(&mut self, document: Document) {
        let Position { bucket, hi, lo } = plan::position(HOME, document.fingerprint);
        if self.home.get_mut(bucket).remove(hi, lo, document.doc) {
            self.home.directory.mark_dirty(bucket);
            self.tables.documents.fetch_sub(1, Ordering::Relaxed);
        }
        if !self.home.get(bucket).contains(hi, lo) {
            for table in HOME + 1..TABLES {
                self.remove_distinct(table, document.fingerprint);
            }
        }
    }

    fn push_home(&mut self, document: Document) {
        let Position { bucket, hi, lo } = plan::position(HOME, document.fingerprint);
        self.home.get_mut(bucket).push(hi, lo, document.doc);
        self.home.directory.mark_dirty(bucket);
        self.tables.documents.fetch_add(1, Ordering::Relaxed);
    }

    fn push_distinct(&mut self, table: usize, fingerprint: Fingerprint) {
        let Position { bucket, hi, lo } = plan::position(table, fingerprint);
        let pair = &mut self.others[table - 1];
        pair.get_mut(bucket).push(hi, lo);
        pair.directory.mark_dirty(bucket);
        if table == HOME + 1 {
            self.tables.distinct.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn remove_distinct(&mut self, table: usize, fingerprint: Fingerprint) {
        let Position { bucket, hi, lo } = plan::position(table, fingerprint);
        let pair = &mut self.others[table - 1];
        if pair.get_mut(bucket).remove(hi, lo) {
            pair.directory.mark_dirty(bucket);
            if table == HOME + 1 {
                self.tables.distinct.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

/// One or two locked buckets of a directory.
struct Pair<'a, B> {
    directory: &'a Directory<B>,
    low: (usize, RwLockWriteGuard<'a, B>),
    high: Option<(usize, RwLockWriteGuard<'a, B>)>,
}

impl<'a, B: Bucket> Pair<'a, B> {
    fn lock(directory: &'a Directory<B>, one: usize, other: Option<usize>) -> Pair<'a, B> {
        let other = other.unwrap_or(one);
        let (low, high) = (one.min(other), one.max(other));
        let lock = |bucket| (bucket, directory.write(bucket));
        Pair {
            directory,
            low: lock(low),
            high: (low != high).then(|| lock(high)),
        }
    }

    /// The contents of `bucket`, one of the two.
    fn get(&self, bucket: usize) -> &B {
        match &self.high {
            Some((number, guard)) if *number == bucket => guard,
            _ => {
                debug_assert_eq!(self.low.0, bucket);
                &self.low.1
            }
        }
    }

    fn get_mut(&mut self, bucket: usize) -> &mut B {
        match &mut self.high {
            Some((number, guard)) if *number == bucket => guard,
            _ => {
                debug_assert_eq!(self.low.0, bucket);
                &mut self.low.1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(number: u64, bits: u64) -> Document {
        Document {
            doc: DocId::new(number).unwrap(),
            fingerprint: Fingerprint::from_bits(bits),
        }
    }

    fn insert(tables: &Resident, document: Document) {
        tables.write(document.fingerprint, None).insert(document);
    }

    #[test]
    fn equal_fingerprints_stand_once_outside_the_home_table() {
        let tables = Resident::new();
        insert(&tables, document(0, 5));
        insert(&tables, document(1, 5));
        assert_eq!((tables.documents(), tables.distinct()), (2, 1));
        let mut locks = tables.write(Fingerprint::from_bits(5), None);
        locks.remove(document(0, 5));
        drop(locks);
        assert_eq!((tables.documents(), tables.distinct()), (1, 1));
        tables
            .write(Fingerprint::from_bits(5), None)
            .remove(document(1, 5));
        assert_eq!((tables.documents(), tables.distinct()), (0, 0));
        for table in &tables.others {
            assert_eq!(table.stats(0).entries, 0);
        }
    }

    #[test]
    fn a_match_in_several_tables_is_found_once() {
        let tables = Resident::new();
        insert(&tables, document(3, 0b111));
        let query = Fingerprint::from_bits(0b011);
        let found = tables.read(query).scan(query, 3);
        assert_eq!(found.matches.len() + found.elsewhere.len(), 1);
        // Differs in block 0, so another table than the home table finds it.
        let query = Fingerprint::from_bits(1 << 63);
        let found = tables.read(query).scan(query, 4);
        assert!(found.matches.is_empty());
        assert_eq!(found.elsewhere, [(Fingerprint::from_bits(0b111), 4)]);
    }

    #[test]
    fn replaying_what_is_there_changes_nothing() {
        let tables = Resident::new();
        insert(&tables, document(0, 9));
        let mut locks = tables.write(Fingerprint::from_bits(9), None);
        locks.insert_if_missing(document(0, 9));
        locks.remove(document(7, 9));
        drop(locks);
        assert_eq!((tables.documents(), tables.distinct()), (1, 1));
    }
}
