//! How a store is opened: its scheme, radius and durability.

use std::path::Path;
use std::time::Duration;

use crate::{Result, Store};

/// When an accepted write is safe from a crash of the process or the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// Every write returns after a real `fdatasync` that covers it. Writes of
    /// several threads share one.
    Sync,
    /// Writes return at once; a background thread syncs at least this often.
    /// A crash loses at most the last interval.
    Interval(Duration),
    /// Writes return at once; they are safe after the next
    /// [`Store::sync`], [`Store::compact`] or [`Store::close`].
    Manual,
}

impl Default for Durability {
    /// Every 50 ms.
    fn default() -> Self {
        Durability::Interval(Duration::from_millis(50))
    }
}

/// How to open or create a [`Store`].
///
/// ```
/// use simhash_store::{Config, Durability};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// let store = Config::new("words-logtf-xxh3/1")
///     .k(3)
///     .durability(Durability::Sync)
///     .create(dir.path().join("pages.store"))?;
/// assert_eq!(store.scheme(), "words-logtf-xxh3/1");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) scheme: Option<String>,
    pub(crate) k: u32,
    pub(crate) durability: Durability,
}

impl Config {
    /// The largest radius that a query can ask for, in bits.
    pub const MAX_K: u32 = 3;

    /// A configuration for stores whose fingerprints follow `scheme`.
    ///
    /// The name is the caller's; `simhash_core::Scheme` ids are such names. A
    /// store remembers its scheme and refuses to be opened under another, so
    /// that fingerprints of two recipes are never compared.
    pub fn new(scheme: impl Into<String>) -> Config {
        Config {
            scheme: Some(scheme.into()),
            ..Config::stored_scheme()
        }
    }

    /// A configuration that accepts whatever scheme the store was made with.
    ///
    /// It opens stores, but cannot create one.
    pub fn stored_scheme() -> Config {
        Config {
            scheme: None,
            k: 3,
            durability: Durability::default(),
        }
    }

    /// Sets the radius of [`Store::check_and_insert`], in bits: 0 to
    /// [`Config::MAX_K`], by default 3.
    #[must_use]
    pub fn k(mut self, k: u32) -> Config {
        self.k = k;
        self
    }

    /// Sets when a write is safe; by default after at most 50 ms.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Config {
        self.durability = durability;
        self
    }

    /// Creates a store in a directory that does not exist yet, or is empty.
    ///
    /// # Errors
    /// [`Error::Exists`](crate::Error::Exists) when there is something at
    /// `path`; [`Error::NoScheme`](crate::Error::NoScheme) without a scheme;
    /// [`Error::Io`](crate::Error::Io) and
    /// [`Error::Storage`](crate::Error::Storage) from below.
    pub fn create(&self, path: impl AsRef<Path>) -> Result<Store> {
        Store::create(path.as_ref(), self)
    }

    /// Opens an existing store.
    ///
    /// # Errors
    /// [`Error::NotAStore`](crate::Error::NotAStore) when there is none;
    /// [`Error::Locked`](crate::Error::Locked) while another process has it
    /// open; [`Error::SchemeMismatch`](crate::Error::SchemeMismatch),
    /// [`Error::Format`](crate::Error::Format) when it is not for this
    /// configuration or version; [`Error::Corrupt`](crate::Error::Corrupt)
    /// when it is damaged.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Store> {
        Store::open(path.as_ref(), self)
    }

    /// Opens the store at `path`, or creates it.
    ///
    /// # Errors
    /// Those of [`Config::open`] and [`Config::create`].
    pub fn open_or_create(&self, path: impl AsRef<Path>) -> Result<Store> {
        Store::open_or_create(path.as_ref(), self)
    }
}
