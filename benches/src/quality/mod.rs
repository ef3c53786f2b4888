//! Precision and recall of fingerprints on documents whose near-duplicates are known.

pub mod kit;
pub mod measure;
pub mod report;
