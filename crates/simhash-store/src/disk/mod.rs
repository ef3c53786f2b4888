//! The store's directory: its files, the lock on it, and the storage engine.
//!
//! ```text
//! LOCK       held while a process has the store open; outside sled's folder,
//!            so that it outlives a replacement of it
//! FORMAT     says that this is a store, and of which format
//! CHECKPOINT what the store had reached at the last compaction or close
//! db/        sled's files
//! ```

pub(crate) mod buckets;
pub(crate) mod engine;
pub(crate) mod files;
pub(crate) mod lock;
pub(crate) mod preflight;
