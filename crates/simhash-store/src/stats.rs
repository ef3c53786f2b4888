//! Numbers an operator wants to see.

use serde::Serialize;

use crate::Result;
use crate::disk::files::{self, FORMAT};
use crate::plan::HOME;
use crate::store::Store;

/// A picture of a store at one moment. See [`Store::stats`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// The scheme of the stored fingerprints.
    pub scheme: String,
    /// Version of the on-disk format.
    pub format: u32,
    /// The permuted tables, as `blocks x bits`, such as `4 x 16`.
    pub plan: String,
    /// Live documents.
    pub documents: u64,
    /// Different fingerprints among them.
    pub distinct_fingerprints: u64,
    /// Operations ever logged; also the number the next one gets.
    pub operations: u64,
    /// Operations with a smaller number are safe on disk.
    pub durable_upto: u64,
    /// Operations with a smaller number are in the on-disk tables; the rest
    /// is replayed from the log at the next open.
    pub merged_upto: u64,
    /// Records in the durable part of the log.
    pub log_records: u64,
    /// Bytes of all files in the store's directory.
    pub disk_bytes: u64,
    /// Bytes that the tables and the key index hold in memory, including
    /// room kept for growth.
    pub memory_bytes: u64,
    /// Why the tables were rebuilt from the log at open, if they were. The
    /// answers are right; `compact` writes the tables anew.
    pub rebuilt: Option<String>,
    /// One entry for each permuted table.
    pub tables: Vec<TableStats>,
}

/// How full the buckets of one permuted table are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TableStats {
    /// Number of the table, from 0.
    pub table: usize,
    /// Entries in all its buckets.
    pub entries: u64,
    /// Buckets with at least one entry.
    pub used_buckets: u64,
    /// All its buckets.
    pub buckets: u64,
    /// Entries in the fullest bucket.
    pub largest_bucket: u64,
    /// Number of that bucket: the value of the table's front bits.
    pub largest_bucket_number: u64,
}

impl Store {
    /// Counts everything. Reads every bucket once, without stopping writers,
    /// so the numbers can be a few operations apart.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) when the store's directory cannot be
    /// read.
    pub fn stats(&self) -> Result<Stats> {
        let header = self.header().clone();
        let durable = self.commit.durable();
        let others = (HOME + 1..).zip(&self.tables.others);
        let tables = std::iter::once(self.tables.home.stats(HOME))
            .chain(others.map(|(table, directory)| directory.stats(table)))
            .collect();
        let memory = self.tables.memory_bytes() + self.keys.directory.memory_bytes();
        Ok(Stats {
            scheme: header.scheme,
            format: FORMAT,
            plan: header.plan.to_string(),
            documents: self.tables.documents(),
            distinct_fingerprints: self.tables.distinct(),
            operations: self.commit.next(),
            durable_upto: durable.upto,
            merged_upto: header.merged_upto,
            log_records: durable.records,
            disk_bytes: files::disk_bytes(&self.path)?,
            memory_bytes: memory as u64,
            rebuilt: self.rebuilt.clone(),
            tables,
        })
    }
}
