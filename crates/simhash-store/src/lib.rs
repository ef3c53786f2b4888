//! A persistent, crash-safe index of 64-bit fingerprints: *is a document
//! within k bits of this one already known?*
//!
//! It is:
//! - an embedded index that many threads share through `&Store`: insert,
//!   check-and-insert, remove, look up by key, search by Hamming distance;
//! - exact: every search returns all matches within k bits and nothing else;
//! - durable: the log of operations is the only truth, everything else is
//!   derived from it and checked against it.
//!
//! It is not:
//! - a fingerprint function: `simhash-core` turns text into fingerprints, and
//!   a store takes them from anywhere;
//! - a server, and not for two processes at once: a lock keeps the second out;
//! - a home for the documents themselves: it keeps their keys and fingerprints.
//!
//! ```
//! use simhash_store::{Config, Fingerprint, Outcome};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path().join("pages.store");
//! let store = Config::new("words-logtf-xxh3/1").k(3).open_or_create(&path)?;
//! let fingerprint: Fingerprint = "0123456789abcdef".parse()?;
//! match store.check_and_insert(b"https://example.org/", fingerprint)? {
//!     Outcome::New { doc } => println!("new, document {doc}"),
//!     Outcome::Duplicate { of } => println!("{} bits from {}", of.distance, of.doc),
//!     other => println!("seen before: {other:?}"),
//! }
//! store.close()?;
//! # Ok(())
//! # }
//! ```
//!
//! # How it works
//! The search is that of Manku, Jain and Das Sarma, *Detecting Near-Duplicates
//! for Web Crawling* (WWW 2007, section 3). Four tables hold every
//! fingerprint, each with another 16 bits in front; two fingerprints within 3
//! bits agree on the front bits of at least one table, so a query reads four
//! buckets. The buckets are in memory, column by column, each behind a lock of
//! its own; sled keeps the log and, after a compaction, the buckets.
//!
//! # Panics
//! Functions of this crate do not panic on input or on disk contents. sled can
//! panic over damaged files; that is caught and reported as
//! [`Error::Corrupt`]. A program built with `panic = "abort"` cannot catch it:
//! there, open doubtful stores in a child process first.
#![forbid(unsafe_code)]

mod codec;
mod compact;
mod config;
mod disk;
mod document;
mod error;
mod keys;
mod log;
mod permute;
mod plan;
mod query;
mod recover;
mod stats;
mod store;
mod table;
mod verify;
mod write;

pub use compact::{CompactProgress, CompactReport};
pub use config::{Config, Durability};
pub use document::{DocId, DocIdOutOfRange, Document, Inserted, Match, Outcome};
pub use error::{Error, Result};
pub use simhash_core::Fingerprint;
pub use stats::{Stats, TableStats};
pub use store::Store;
pub use verify::{Fault, VerifyReport};

/// The programs in the guides, compiled and run as tests.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/embedding.md")]
    struct Embedding;
}
