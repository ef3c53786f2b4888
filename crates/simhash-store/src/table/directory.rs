//! A directory of buckets, each behind a lock of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::bucket::Bucket;
use crate::stats::TableStats;

/// A bucket's lock, on cache lines of its own: two threads on neighbouring
/// buckets do not slow each other, and one line brings lock and columns.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Slot<B>(RwLock<B>);

/// All buckets of one table, or of the key index.
#[derive(Debug)]
pub(crate) struct Directory<B> {
    slots: Box<[Slot<B>]>,
    /// A bit for each bucket: changed since it was last written to disk.
    dirty: Box<[AtomicU64]>,
}

impl<B: Bucket> Directory<B> {
    /// A directory of `buckets` empty buckets.
    pub(crate) fn new(buckets: usize) -> Directory<B> {
        Directory {
            slots: (0..buckets).map(|_| Slot::default()).collect(),
            dirty: (0..buckets.div_ceil(64))
                .map(|_| AtomicU64::new(0))
                .collect(),
        }
    }

    pub(crate) fn buckets(&self) -> usize {
        self.slots.len()
    }

    /// Locks a bucket for reading.
    pub(crate) fn read(&self, bucket: usize) -> RwLockReadGuard<'_, B> {
        // Nothing panics between the steps of a change, so a poisoned bucket
        // is still whole.
        let lock = &self.slots[bucket].0;
        lock.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks a bucket for writing.
    pub(crate) fn write(&self, bucket: usize) -> RwLockWriteGuard<'_, B> {
        let lock = &self.slots[bucket].0;
        lock.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a bucket differs from what is on disk. Called under its
    /// write lock.
    pub(crate) fn mark_dirty(&self, bucket: usize) {
        let (word, bit) = (&self.dirty[bucket / 64], 1 << (bucket % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Notes that every bucket may differ from what is on disk.
    pub(crate) fn mark_all_dirty(&self) {
        for word in &self.dirty {
            word.store(u64::MAX, Ordering::Relaxed);
        }
    }

    /// Whether a bucket was changed; it no longer counts as such. Called
    /// under its lock.
    pub(crate) fn take_dirty(&self, bucket: usize) -> bool {
        let (word, bit) = (&self.dirty[bucket / 64], 1 << (bucket % 64));
        word.fetch_and(!bit, Ordering::Relaxed) & bit != 0
    }

    /// Puts a loaded bucket in its place, without marking it as changed.
    pub(crate) fn load(&self, bucket: usize, contents: B) {
        *self.write(bucket) = contents;
    }

    /// How full the buckets are.
    pub(crate) fn stats(&self, table: usize) -> TableStats {
        let mut stats = TableStats {
            table,
            buckets: self.buckets() as u64,
            ..TableStats::default()
        };
        for bucket in 0..self.buckets() {
            let entries = self.read(bucket).len() as u64;
            stats.entries += entries;
            stats.used_buckets += u64::from(entries > 0);
            if entries > stats.largest_bucket {
                stats.largest_bucket = entries;
                stats.largest_bucket_number = bucket as u64;
            }
        }
        stats
    }

    /// Bytes it holds in memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        let heap: usize = (0..self.buckets())
            .map(|bucket| self.read(bucket).heap_bytes())
            .sum();
        heap + size_of_val(&*self.slots) + size_of_val(&*self.dirty)
    }
}
