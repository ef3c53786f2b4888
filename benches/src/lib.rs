//! What the benchmarks share: test data with known properties, and honest
//! timing. Rivals are dependencies of this crate alone.

pub mod data;
pub mod memory;
pub mod timing;
