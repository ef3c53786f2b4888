//! Buckets in memory.

pub(crate) mod bucket;
pub(crate) mod directory;
pub(crate) mod resident;
