//! The storage engine: the only place that knows sled.

use std::any::Any;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use super::files::sync_directory;
use super::preflight;
use crate::plan::TABLES;
use crate::{Error, Result};

/// A stored value.
pub(crate) type Value = sled::IVec;

/// Memory for sled's page cache. Queries do not read pages, so it only serves
/// lookups of keys in the log.
const CACHE_BYTES: u64 = 64 << 20;

/// sled keeps a page (a leaf of up to some 30 values) that does not fit into a
/// quarter of a segment in a file of its own, which it never syncs. Our values
/// are at most 72 KiB, so pages stay below 2 MiB and there are no such files.
const SEGMENT_BYTES: usize = 8 << 20;

/// sled's threads can hold its lock for a moment after a close; ours already
/// keeps other processes out.
const LOCK_RETRIES: u32 = 200;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The trees of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeName {
    /// The header.
    Meta,
    /// Log records by the number of their first operation.
    Log,
    /// The key index, by bucket.
    Keys,
    /// A permuted table, by bucket.
    Table(usize),
}

impl fmt::Display for TreeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeName::Meta => f.write_str("meta"),
            TreeName::Log => f.write_str("log"),
            TreeName::Keys => f.write_str("keys"),
            TreeName::Table(table) => write!(f, "table/{table}"),
        }
    }
}

/// An open database with the store's trees.
#[derive(Debug)]
pub(crate) struct Engine {
    db: sled::Db,
    meta: sled::Tree,
    log: sled::Tree,
    keys: sled::Tree,
    tables: Vec<sled::Tree>,
    /// The data file once more, for syncs: sled's flush alone writes it out
    /// with `sync_file_range`, which does not reach the disk's own cache. Kept
    /// open, because an error of an earlier write is told only to files that
    /// were open then.
    data: File,
    data_path: PathBuf,
    /// The first failed sync. A later one could succeed although the writes
    /// before it never reached the disk, so none is tried.
    failed_sync: Mutex<Option<Error>>,
}

impl Engine {
    /// Opens the database in the folder at `db`, or makes it.
    pub(crate) fn open(db: &Path) -> Result<Engine> {
        preflight::prepare(db)?;
        contain_panic(|| open_trees(db))
    }

    fn tree(&self, name: TreeName) -> &sled::Tree {
        match name {
            TreeName::Meta => &self.meta,
            TreeName::Log => &self.log,
            TreeName::Keys => &self.keys,
            TreeName::Table(table) => &self.tables[table],
        }
    }

    pub(crate) fn get(&self, tree: TreeName, key: &[u8]) -> Result<Option<Value>> {
        contain_panic(|| self.tree(tree).get(key).map_err(storage("reading")))
    }

    /// The entry with the largest key that is not above `key`.
    pub(crate) fn floor(&self, tree: TreeName, key: &[u8]) -> Result<Option<(Value, Value)>> {
        contain_panic(|| {
            let mut range = self.tree(tree).range(..=key);
            range.next_back().transpose().map_err(storage("reading"))
        })
    }

    /// The entry with the largest key.
    pub(crate) fn last(&self, tree: TreeName) -> Result<Option<(Value, Value)>> {
        contain_panic(|| self.tree(tree).last().map_err(storage("reading")))
    }

    /// All entries from `key` on, in the order of their keys. Ends after an
    /// error.
    pub(crate) fn scan<'a>(
        &'a self,
        tree: TreeName,
        key: &[u8],
    ) -> impl Iterator<Item = Result<(Value, Value)>> + use<'a> {
        let mut range = Some(self.tree(tree).range(key..));
        std::iter::from_fn(move || {
            let entries = range.as_mut()?;
            let next = contain_panic(|| entries.next().transpose().map_err(storage("reading")))
                .transpose();
            if !matches!(next, Some(Ok(_))) {
                range = None;
            }
            next
        })
    }

    /// Writes a value.
    pub(crate) fn insert(&self, tree: TreeName, key: &[u8], value: Vec<u8>) -> Result<()> {
        contain_panic(|| {
            let replaced = self.tree(tree).insert(key, value);
            replaced.map(drop).map_err(storage("writing"))
        })
    }

    pub(crate) fn remove(&self, tree: TreeName, key: &[u8]) -> Result<()> {
        contain_panic(|| {
            let removed = self.tree(tree).remove(key);
            removed.map(drop).map_err(storage("removing"))
        })
    }

    /// Brings everything written so far to the disk, by a real sync. After a
    /// failure it fails for ever.
    pub(crate) fn sync(&self) -> Result<()> {
        let mut failed = self
            .failed_sync
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = &*failed {
            return Err(error.clone());
        }
        let synced = contain_panic(|| self.flush_and_sync());
        *failed = synced.clone().err();
        synced
    }

    fn flush_and_sync(&self) -> Result<()> {
        self.db.flush().map_err(storage("flushing"))?;
        self.data
            .sync_data()
            .map_err(|error| Error::io("syncing", &self.data_path, error))
    }

    /// Like [`sync`](Self::sync), and makes durable that the files exist.
    pub(crate) fn sync_new_files(&self) -> Result<()> {
        self.sync()?;
        let conf = self.data_path.with_file_name("conf");
        let file = OpenOptions::new().write(true).open(&conf);
        file.and_then(|file| file.sync_all())
            .map_err(|error| Error::io("syncing", &conf, error))?;
        self.data_path.parent().map_or(Ok(()), sync_directory)
    }
}

fn open_trees(path: &Path) -> Result<Engine> {
    let db = open_db(path)?;
    let tree = |name: TreeName| {
        db.open_tree(name.to_string())
            .map_err(storage("opening a tree"))
    };
    let (meta, log, keys) = (
        tree(TreeName::Meta)?,
        tree(TreeName::Log)?,
        tree(TreeName::Keys)?,
    );
    let tables = (0..TABLES)
        .map(|table| tree(TreeName::Table(table)))
        .collect::<Result<_>>()?;
    let data_path = path.join("db");
    // For writing, because some systems sync only files that are open for it.
    let data = OpenOptions::new()
        .write(true)
        .open(&data_path)
        .map_err(|error| Error::io("opening", &data_path, error))?;
    Ok(Engine {
        db,
        meta,
        log,
        keys,
        tables,
        data,
        data_path,
        failed_sync: Mutex::new(None),
    })
}

fn open_db(path: &Path) -> Result<sled::Db> {
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(CACHE_BYTES)
        .segment_size(SEGMENT_BYTES)
        // Flushes are the commit thread's, which sees their errors.
        .flush_every_ms(None);
    let mut attempt = 0;
    loop {
        match config.open() {
            Err(sled::Error::Io(error)) if is_locked(&error) && attempt < LOCK_RETRIES => {
                attempt += 1;
                sleep(LOCK_PAUSE);
            }
            opened => return opened.map_err(storage("opening")),
        }
    }
}

fn is_locked(error: &std::io::Error) -> bool {
    error.to_string().contains("could not acquire lock")
}

fn storage(doing: &'static str) -> impl Fn(sled::Error) -> Error {
    move |source| match source {
        sled::Error::Corruption { .. } => Error::corrupt(
            "db",
            "",
            format!("sled finds its files damaged while {doing}"),
        ),
        source => Error::Storage { doing, source },
    }
}

/// Runs `work`, and makes an error of a panic: sled panics over some damaged
/// files.
fn contain_panic<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => Err(Error::corrupt("db/db", "", panic_text(&*panic))),
    }
}

/// What a panic said.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let text: String = text.unwrap_or("no message").chars().take(200).collect();
    format!("sled panicked over it: {text}")
}
