//! Everything that can go wrong, by kind.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The result of a store operation.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, to what, and what to do.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process, or another handle of this one, has the store open.
    #[error(
        "{path} is open in {holder}; a store can be open once: \
         close it there, or use that process", path = path.display()
    )]
    Locked {
        /// The store's directory.
        path: PathBuf,
        /// Who holds it, as far as the lock file says.
        holder: String,
    },
    /// There is no store here.
    #[error("{path} is not a store: {why}", path = path.display())]
    NotAStore {
        /// The directory that was asked for.
        path: PathBuf,
        /// What was looked for and not found.
        why: String,
    },
    /// A store was to be created where something already is.
    #[error("cannot create a store at {path}: it exists and is not empty", path = path.display())]
    Exists {
        /// The directory that was asked for.
        path: PathBuf,
    },
    /// A store was to be created without saying for which scheme.
    #[error("a new store needs a scheme: use Config::new(scheme)")]
    NoScheme,
    /// The scheme's name cannot be stored.
    #[error("scheme name of {length} bytes: it must have 1 to {max}")]
    BadScheme {
        /// Length of the name, in bytes.
        length: usize,
        /// The longest allowed.
        max: usize,
    },
    /// The store holds fingerprints of another scheme.
    #[error(
        "the store holds fingerprints of scheme `{stored}`, not `{asked}`: \
         fingerprints of two schemes cannot be compared; use the stored scheme, or a new store"
    )]
    SchemeMismatch {
        /// The scheme the store was made with.
        stored: String,
        /// The scheme it was opened for.
        asked: String,
    },
    /// The store was written by a version this one does not know.
    #[error(
        "store format {found}; this version reads format {supported}: \
         use the version that wrote it, or a newer one"
    )]
    Format {
        /// The version found on disk.
        found: String,
        /// The version this library reads.
        supported: u32,
    },
    /// Stored bytes are not what was written.
    #[error(
        "damaged store: {}: {why}; \
         keep a copy of the directory, then restore a backup or rebuild from the source",
        if key.is_empty() { tree.clone() } else { format!("{tree} {key}") }
    )]
    Corrupt {
        /// The tree or file, such as `log` or `table/2`.
        tree: String,
        /// The key in it, readable.
        key: String,
        /// What does not hold.
        why: String,
    },
    /// A radius past what the tables can answer.
    #[error("k = {k} is too large: this store answers k = 0 to {max}")]
    KTooLarge {
        /// The radius asked for.
        k: u32,
        /// The largest possible.
        max: u32,
    },
    /// A key past the length limit.
    #[error("key of {length} bytes: the longest is {max}")]
    KeyTooLong {
        /// Length of the key, in bytes.
        length: usize,
        /// The longest allowed.
        max: usize,
    },
    /// All 2^40 operation numbers are used.
    #[error("the store is full: all 2^40 operation numbers are used; go on with a new store")]
    Full,
    /// An earlier write or sync failed. The store still answers reads.
    #[error(
        "the store refuses writes since one failed ({cause}); reads still work: \
         free the disk or mend the fault, then open the store again"
    )]
    Poisoned {
        /// The first failure.
        cause: Arc<Error>,
    },
    /// A compaction was asked to stop.
    #[error("cancelled; nothing is lost, and the next compaction goes on with the rest")]
    Cancelled,
    /// The operating system refused something.
    #[error(
        "{doing} {path}: {source}; check that the disk is there, writable and not full",
        path = path.display()
    )]
    Io {
        /// What was being done.
        doing: &'static str,
        /// To which file or directory.
        path: PathBuf,
        /// The system's answer.
        source: Arc<io::Error>,
    },
    /// The storage engine refused something.
    #[error(
        "storage engine: {doing}: {source}; check the disk and the system's messages, \
         then open the store again"
    )]
    Storage {
        /// What was being done.
        doing: &'static str,
        /// The engine's answer.
        source: sled::Error,
    },
}

impl Error {
    /// An I/O error with what was being done to which path.
    pub(crate) fn io(doing: &'static str, path: &Path, source: io::Error) -> Error {
        Error::Io {
            doing,
            path: path.to_owned(),
            source: Arc::new(source),
        }
    }

    /// Damage found at `key` of `tree`.
    pub(crate) fn corrupt(
        tree: impl Into<String>,
        key: impl Into<String>,
        why: impl Into<String>,
    ) -> Error {
        Error::Corrupt {
            tree: tree.into(),
            key: key.into(),
            why: why.into(),
        }
    }
}
