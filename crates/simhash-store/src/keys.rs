//! From a caller's key to its document.
//!
//! Only 48 bits of a key's hash are kept, 16 as the bucket and 32 as a tag. A
//! candidate is confirmed against the key in the log, so lookups are exact.

use std::sync::{RwLockReadGuard, RwLockWriteGuard};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::document::DocId;
use crate::table::bucket::Keys;
use crate::table::directory::Directory;

/// Buckets of the key index.
pub(crate) const KEY_BUCKETS: usize = 1 << 16;

/// Where a key stands in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KeyHash {
    /// The first 16 bits of the hash.
    pub(crate) bucket: u16,
    /// The next 32 bits.
    pub(crate) tag: u32,
}

/// The key index in memory.
#[derive(Debug)]
pub(crate) struct KeyIndex {
    pub(crate) directory: Directory<Keys>,
    /// A store has its own seed, so that nobody can prepare keys that fall
    /// into one bucket.
    seed: u64,
}

impl KeyIndex {
    pub(crate) fn new(seed: u64) -> KeyIndex {
        KeyIndex {
            directory: Directory::new(KEY_BUCKETS),
            seed,
        }
    }

    pub(crate) fn hash(&self, key: &[u8]) -> KeyHash {
        let hash = xxh3_64_with_seed(key, self.seed);
        KeyHash {
            bucket: (hash >> 48) as u16,
            tag: (hash >> 16) as u32,
        }
    }

    pub(crate) fn read(&self, hash: KeyHash) -> RwLockReadGuard<'_, Keys> {
        self.directory.read(usize::from(hash.bucket))
    }

    pub(crate) fn write(&self, hash: KeyHash) -> KeyLock<'_> {
        KeyLock {
            index: self,
            hash,
            bucket: self.directory.write(usize::from(hash.bucket)),
        }
    }
}

/// The bucket of one key, locked for writing. It is taken before any bucket
/// of a table, so that all work on one key happens one after the other.
pub(crate) struct KeyLock<'a> {
    index: &'a KeyIndex,
    hash: KeyHash,
    bucket: RwLockWriteGuard<'a, Keys>,
}

impl KeyLock<'_> {
    /// Documents whose key may be this one.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = DocId> {
        self.bucket.candidates(self.hash.tag)
    }

    /// Adds the key's document. Nothing happens when it is there.
    pub(crate) fn insert(&mut self, doc: DocId) {
        if !self.bucket.contains(self.hash.tag, doc) {
            self.bucket.push(self.hash.tag, doc);
            self.mark_dirty();
        }
    }

    /// Removes the key's document. Nothing happens when it is not there.
    pub(crate) fn remove(&mut self, doc: DocId) {
        if self.bucket.remove(self.hash.tag, doc) {
            self.mark_dirty();
        }
    }

    fn mark_dirty(&self) {
        self.index
            .directory
            .mark_dirty(usize::from(self.hash.bucket));
    }
}
