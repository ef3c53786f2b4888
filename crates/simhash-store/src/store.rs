//! The store itself: what it consists of, opening and closing.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::codec::header::{Header, LogEnd};
use crate::config::{Config, Durability};
use crate::disk::engine::{Engine, TreeName};
use crate::disk::files::{self, Checkpoint};
use crate::disk::lock::StoreLock;
use crate::keys::KeyIndex;
use crate::log::commit::{Commit, now};
use crate::plan::{MAX_K, StoredPlan};
use crate::recover::{Recovered, recover};
use crate::table::resident::Resident;
use crate::{Error, Result};

/// Key of the header in the `meta` tree.
const HEADER_KEY: &[u8] = b"header";

/// The longest scheme name, in bytes.
const MAX_SCHEME: usize = 255;

/// A persistent index of documents by fingerprint.
///
/// All operations take `&self`; share a store between threads by reference or
/// in an [`Arc`].
///
/// ```
/// use simhash_store::{Config, Fingerprint, Outcome};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("pages.store");
/// let store = Config::new("words-logtf-xxh3/1").open_or_create(&path)?;
///
/// let page = Fingerprint::from_bits(0x1234_5678_9abc_def0);
/// let copy = Fingerprint::from_bits(0x1234_5678_9abc_def1);
/// assert!(matches!(store.check_and_insert(b"/page", page)?, Outcome::New { .. }));
/// let Outcome::Duplicate { of } = store.check_and_insert(b"/copy", copy)? else {
///     panic!("one bit apart");
/// };
/// assert_eq!(of.distance, 1);
/// assert_eq!(store.key(of.doc)?.as_deref(), Some(&b"/page"[..]));
/// store.close()?;
/// # Ok(())
/// # }
/// ```
pub struct Store {
    // Dropped in this order: the log ends, then the database closes, then the
    // lock is given back.
    pub(crate) commit: Commit,
    pub(crate) engine: Arc<Engine>,
    pub(crate) tables: Resident,
    pub(crate) keys: KeyIndex,
    header: Mutex<Header>,
    /// Held by the one merge that may run.
    pub(crate) merging: Mutex<()>,
    pub(crate) path: PathBuf,
    pub(crate) k: u32,
    durability: Durability,
    scheme: String,
    pub(crate) rebuilt: Option<String>,
    _lock: StoreLock,
}

/// What to do about a store that is or is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Create,
    Open,
    OpenOrCreate,
}

impl Store {
    pub(crate) fn create(path: &Path, config: &Config) -> Result<Store> {
        Store::start(path, config, Mode::Create)
    }

    pub(crate) fn open(path: &Path, config: &Config) -> Result<Store> {
        Store::start(path, config, Mode::Open)
    }

    pub(crate) fn open_or_create(path: &Path, config: &Config) -> Result<Store> {
        Store::start(path, config, Mode::OpenOrCreate)
    }

    fn start(path: &Path, config: &Config, mode: Mode) -> Result<Store> {
        check_k(config.k)?;
        if mode != Mode::Open && !files::has_format(path) {
            make_directory(path, config)?;
        }
        files::check_format(path)?;
        let lock = StoreLock::acquire(path)?;
        let engine = Arc::new(Engine::open(&files::db_path(path))?);
        let checkpoint = match files::read_checkpoint(path) {
            Err(error @ Error::Corrupt { .. }) => Err(error),
            read => Ok(read?),
        };
        let is_first_open = matches!(checkpoint, Ok(None));
        let header = match read_header(&engine)? {
            Some(_) if mode == Mode::Create => {
                return Err(Error::Exists {
                    path: path.to_owned(),
                });
            }
            Some(header) => header,
            None => finish_creation(path, &engine, config, mode, is_first_open)?,
        };
        check_header(&header, config)?;
        let Recovered {
            tables,
            keys,
            log_end,
            rebuilt,
        } = recover(&engine, &header, checkpoint)?;
        // A killed process leaves records that only the system's memory has.
        engine.sync()?;
        let store = Store {
            commit: Commit::start(Arc::clone(&engine), config.durability, log_end)?,
            engine,
            tables,
            keys,
            scheme: header.scheme.clone(),
            header: Mutex::new(header),
            merging: Mutex::new(()),
            path: path.to_owned(),
            k: config.k,
            durability: config.durability,
            rebuilt,
            _lock: lock,
        };
        // From now on, an empty database is a lost one and not a new one.
        if is_first_open {
            store.write_checkpoint(log_end)?;
        }
        Ok(store)
    }

    /// The scheme of the stored fingerprints.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The radius of [`check_and_insert`](Store::check_and_insert), in bits.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Number of live documents.
    pub fn len(&self) -> u64 {
        self.tables.documents()
    }

    /// True when there are no live documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns when everything written so far is safe from a crash.
    ///
    /// # Errors
    /// [`Error::Poisoned`] when it cannot be written.
    pub fn sync(&self) -> Result<()> {
        self.commit.sync().map(drop)
    }

    /// Operations with a smaller number are safe from a crash: a document
    /// whose number is smaller will be found after one.
    pub fn durable_upto(&self) -> u64 {
        self.commit.durable().upto
    }

    /// Syncs and closes the store. Dropping it does the same, but cannot
    /// report a failure.
    ///
    /// # Errors
    /// [`Error::Poisoned`] when the last writes could not be made safe.
    pub fn close(mut self) -> Result<()> {
        let end = self.commit.close()?;
        self.write_checkpoint(end)
    }

    pub(crate) fn header(&self) -> MutexGuard<'_, Header> {
        self.header.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the header on disk and in memory.
    pub(crate) fn replace_header(&self, header: Header) -> Result<()> {
        write_header(&self.engine, &header)?;
        *self.header() = header;
        Ok(())
    }

    /// Notes where the log ends now, if that is not noted yet.
    pub(crate) fn write_checkpoint(&self, log_end: LogEnd) -> Result<()> {
        let written = match files::read_checkpoint(&self.path) {
            Err(Error::Corrupt { .. }) => None,
            read => read?,
        };
        let merged_upto = self.header().merged_upto;
        let checkpoint = Checkpoint {
            log_end,
            // Where the header is older, it stays known until a compaction.
            merged_upto: written.map_or(merged_upto, |old| old.merged_upto.max(merged_upto)),
        };
        if written == Some(checkpoint) {
            return Ok(());
        }
        files::write_checkpoint(&self.path, &checkpoint)
    }

    /// Under [`Durability::Sync`], returns when the operations below `upto`
    /// are safe.
    pub(crate) fn acknowledge(&self, upto: u64) -> Result<()> {
        match self.durability {
            Durability::Sync => self.commit.wait_durable(upto),
            Durability::Interval(_) | Durability::Manual => Ok(()),
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Whoever wants to know of errors calls `close`.
        if let Ok(end) = self.commit.close() {
            let _ = self.write_checkpoint(end);
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.path)
            .field("scheme", &self.scheme)
            .field("documents", &self.len())
            .finish_non_exhaustive()
    }
}

/// Refuses a radius that one bucket of each table cannot answer.
pub(crate) fn check_k(k: u32) -> Result<()> {
    if k <= MAX_K {
        Ok(())
    } else {
        Err(Error::KTooLarge { k, max: MAX_K })
    }
}

/// Makes the directory and says that it is a store. The header and the
/// checkpoint, written last, say that it is complete.
fn make_directory(path: &Path, config: &Config) -> Result<()> {
    check_scheme_name(config.scheme.as_deref().ok_or(Error::NoScheme)?)?;
    match fs::read_dir(path) {
        Ok(mut entries) => {
            let ours = |name: &OsStr| name == "LOCK" || name == "FORMAT.new";
            if entries.any(|entry| !entry.is_ok_and(|entry| ours(&entry.file_name()))) {
                return Err(Error::Exists {
                    path: path.to_owned(),
                });
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            files::create_directories(path)?;
        }
        Err(error) => return Err(Error::io("reading", path, error)),
    }
    let _lock = StoreLock::acquire(path)?;
    files::write_format(path)
}

/// Writes the header of a new store, or of one whose making a crash cut off.
fn finish_creation(
    path: &Path,
    engine: &Engine,
    config: &Config,
    mode: Mode,
    is_new: bool,
) -> Result<Header> {
    if !is_new || engine.last(TreeName::Log)?.is_some() {
        return Err(Error::corrupt("meta", "header", "it is missing"));
    }
    if mode == Mode::Open {
        return Err(Error::NotAStore {
            path: path.to_owned(),
            why: "it was never completed; create it again".to_owned(),
        });
    }
    let scheme = config.scheme.clone().ok_or(Error::NoScheme)?;
    check_scheme_name(&scheme)?;
    let header = Header {
        scheme,
        plan: StoredPlan::CURRENT,
        key_seed: random_seed(),
        created: now(),
        merged_upto: 0,
        log_end: LogEnd::default(),
        digests: Default::default(),
    };
    write_header(engine, &header)?;
    engine.sync_new_files()?;
    files::sync_directory(path)?;
    Ok(header)
}

/// The standard library's hash keys are random; so is what they hash to.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one("key seed")
}

fn check_scheme_name(scheme: &str) -> Result<()> {
    match scheme.len() {
        1..=MAX_SCHEME => Ok(()),
        length => Err(Error::BadScheme {
            length,
            max: MAX_SCHEME,
        }),
    }
}

fn check_header(header: &Header, config: &Config) -> Result<()> {
    if header.plan != StoredPlan::CURRENT {
        return Err(Error::Format {
            found: format!("with {} tables", header.plan),
            supported: files::FORMAT,
        });
    }
    match &config.scheme {
        Some(asked) if *asked != header.scheme => Err(Error::SchemeMismatch {
            stored: header.scheme.clone(),
            asked: asked.clone(),
        }),
        _ => Ok(()),
    }
}

fn read_header(engine: &Engine) -> Result<Option<Header>> {
    let Some(bytes) = engine.get(TreeName::Meta, HEADER_KEY)? else {
        return Ok(None);
    };
    match Header::decode(&bytes) {
        Ok(header) => Ok(Some(header)),
        Err(error) => Err(Error::corrupt("meta", "header", error.to_string())),
    }
}

fn write_header(engine: &Engine, header: &Header) -> Result<()> {
    let bytes = header
        .encode()
        .map_err(|error| Error::corrupt("meta", "header", error.to_string()))?;
    engine.insert(TreeName::Meta, HEADER_KEY, bytes)?;
    engine.sync()
}
