//! Merging the log into the on-disk tables, so that the next open reads
//! buckets instead of replaying operations.

use std::ops::ControlFlow;
use std::sync::PoisonError;

use serde::Serialize;

use crate::codec::bucket::Entries;
use crate::codec::header::Header;
use crate::disk::engine::TreeName;
use crate::disk::{buckets, files};
use crate::plan::{HOME, TABLES};
use crate::recover::mark_all_dirty;
use crate::store::Store;
use crate::table::bucket::Bucket;
use crate::table::directory::Directory;
use crate::{Error, Result};

/// Buckets copied at a time, before the log is synced and they are written.
const CHUNK: usize = 1024;

/// How far a compaction has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactProgress {
    /// Buckets done.
    pub done: u64,
    /// Buckets in all.
    pub total: u64,
}

/// What [`Store::compact`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompactReport {
    /// Operations with a smaller number are now in the on-disk tables.
    pub merged_upto: u64,
    /// Operations merged by this compaction.
    pub merged: u64,
    /// Buckets written.
    pub buckets_written: u64,
    /// Bytes of all files in the store's directory before.
    pub disk_bytes_before: u64,
    /// And after.
    pub disk_bytes_after: u64,
}

/// A compaction under way.
struct Merge<'a, P> {
    store: &'a Store,
    /// The number of the next operation when it began.
    upto: u64,
    written: u64,
    progress: CompactProgress,
    report: P,
}

impl Store {
    /// Merges all operations into the on-disk tables and the key index, so
    /// that the store opens fast.
    ///
    /// Other threads read and write meanwhile. Only buckets that changed are
    /// written, one at a time. A crash in the middle loses nothing, but makes
    /// the next open replay the whole log.
    ///
    /// # Errors
    /// [`Error::Poisoned`] after a failed write; [`Error::Storage`] and
    /// [`Error::Io`] from below.
    pub fn compact(&self) -> Result<CompactReport> {
        self.compact_with(|_| ControlFlow::Continue(()))
    }

    /// As [`compact`](Store::compact), telling `report` of each step. `report`
    /// may read and write the store, but must not compact or verify it: those
    /// wait for this compaction to end.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when `report` breaks. What was written stays, and
    /// the next compaction goes on from there.
    pub fn compact_with(
        &self,
        report: impl FnMut(CompactProgress) -> ControlFlow<()>,
    ) -> Result<CompactReport> {
        let _one_at_a_time = self.merging.lock().unwrap_or_else(PoisonError::into_inner);
        let disk_bytes_before = files::disk_bytes(&self.path)?;
        let mut merge = Merge {
            store: self,
            upto: self.commit.sync()?.upto,
            written: 0,
            progress: CompactProgress {
                done: 0,
                total: self.bucket_count(),
            },
            report,
        };
        if let Err(error) = merge.run() {
            // Some changed buckets no longer count as such, but may not be
            // on disk.
            mark_all_dirty(&self.tables, &self.keys);
            if matches!(error, Error::Cancelled) {
                self.keep_what_was_merged()?;
            }
            return Err(error);
        }
        let (merged_upto, buckets_written) = (merge.upto, merge.written);
        let mut header = self.header().clone();
        let merged = merged_upto - header.merged_upto;
        header.merged_upto = merged_upto;
        header.log_end = self.commit.sync()?;
        self.take_digests(&mut header)?;
        let log_end = header.log_end;
        self.replace_header(header)?;
        self.write_checkpoint(log_end)?;
        Ok(CompactReport {
            merged_upto,
            merged,
            buckets_written,
            disk_bytes_before,
            disk_bytes_after: files::disk_bytes(&self.path)?,
        })
    }

    /// After a cancelled compaction, some buckets are newer than
    /// `merged_upto`. That is no harm, as long as the digests know of it.
    fn keep_what_was_merged(&self) -> Result<()> {
        let mut header = self.header().clone();
        header.log_end = self.commit.sync()?;
        self.engine.sync()?;
        self.take_digests(&mut header)?;
        self.replace_header(header)
    }

    fn take_digests(&self, header: &mut Header) -> Result<()> {
        for (tree, digest) in buckets::trees().zip(&mut header.digests) {
            *digest = buckets::digest(&self.engine, tree)?;
        }
        Ok(())
    }

    fn bucket_count(&self) -> u64 {
        let others: usize = self.tables.others.iter().map(Directory::buckets).sum();
        (self.tables.home.buckets() + others + self.keys.directory.buckets()) as u64
    }
}

impl<P: FnMut(CompactProgress) -> ControlFlow<()>> Merge<'_, P> {
    fn run(&mut self) -> Result<()> {
        let store = self.store;
        if store.rebuilt.is_some() {
            for tree in buckets::trees() {
                buckets::remove_foreign(&store.engine, tree)?;
            }
        }
        self.directory(TreeName::Table(HOME), &store.tables.home)?;
        for (table, directory) in (HOME + 1..TABLES).zip(&store.tables.others) {
            self.directory(TreeName::Table(table), directory)?;
        }
        self.directory(TreeName::Keys, &store.keys.directory)?;
        store.engine.sync()
    }

    fn directory<B: Bucket>(&mut self, tree: TreeName, directory: &Directory<B>) -> Result<()> {
        for from in (0..directory.buckets()).step_by(CHUNK) {
            if (self.report)(self.progress).is_break() {
                return Err(Error::Cancelled);
            }
            let chunk = from..directory.buckets().min(from + CHUNK);
            let length = chunk.len();
            let changed: Vec<(usize, Entries)> = chunk
                .filter_map(|bucket| {
                    let guard = directory.read(bucket);
                    let changed = directory.take_dirty(bucket);
                    changed.then(|| (bucket, guard.to_entries()))
                })
                .collect();
            // What these buckets hold must not reach the disk before the log
            // that says so.
            self.store.commit.sync()?;
            for (bucket, entries) in &changed {
                let engine = &self.store.engine;
                buckets::write(engine, tree, B::KIND, *bucket, self.upto, entries)?;
            }
            self.written += changed.len() as u64;
            self.progress.done += length as u64;
        }
        Ok(())
    }
}
