//! Simhash: 64-bit fingerprints of which similar documents share most bits.
//!
//! # It is
//! - the simhash of a text ([`Scheme`]), of features with weights of your own ([`simhash`]),
//!   or of anything added up piece by piece ([`Accumulator`]);
//! - fingerprints that stay: the same [scheme id](Scheme) gives the same bits on every CPU and
//!   operating system, in every version, as long as the Unicode tables are the same. Those of
//!   our dependencies are pinned; [`char`]'s come with the compiler (see [`Scheme`]);
//! - a search within a Hamming distance over slices ([`hamming::Scanner`]), with AVX2 or AVX-512
//!   where the CPU has them;
//! - pure functions: no I/O, no threads, no clock, no global state but read-only tables.
//!
//! # It is not
//! - an index: for a store that answers "is a near-duplicate of this known?" over millions of
//!   documents, see the crate `simhash-store`;
//! - a test of equality or a cryptographic hash: different texts may share a fingerprint;
//! - a measure of meaning: it sees words, not what they say.
//!
//! # Example
//! ```
//! use simhash_core::Scheme;
//!
//! let scheme = Scheme::default();
//! let page = "Simhash maps a document to 64 bits. Documents that share most of their words \
//!             get fingerprints that differ in few of these bits, so near-duplicates are found \
//!             by Hamming distance.";
//! let copy = page.replace("few of these bits", "few of them");
//! let other = "Tomatoes need sun, water, and a stake to climb; plant them after the last frost.";
//!
//! let fingerprint = |text: &str| scheme.fingerprint(text).ok_or("a text without any word");
//! let (page, copy, other) = (fingerprint(page)?, fingerprint(&copy)?, fingerprint(other)?);
//! assert!(page.distance(copy) < page.distance(other));
//! # Ok::<(), &str>(())
//! ```
//!
//! # Cargo features
//! - `jieba`: Chinese words and TF-IDF keywords by jieba's dictionary (adds some 5 MB). It adds
//!   schemes, and changes none.
//! - `html`: visible text of HTML pages, and detection of their encoding.
//!
//! # Background
//! Charikar, *Similarity estimation techniques from rounding algorithms*, STOC 2002, section 3;
//! Manku, Jain and Das Sarma, *Detecting near-duplicates for web crawling*, WWW 2007.

#![deny(missing_docs)]

mod accumulate;
mod fingerprint;
pub mod hamming;
mod hash;
#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "jieba")]
pub mod jieba;
mod scheme;
pub mod text;
mod weight;

pub use accumulate::{Accumulator, SumType, simhash};
pub use fingerprint::{Fingerprint, ParseFingerprintError};
pub use hash::FeatureHasher;
pub use scheme::{CatalogueEntry, Feature, ParseSchemeError, Scheme};
pub use weight::TermWeight;
