//! What the benchmarks share: test data with known properties, honest
//! timing, and the measurement of quality. Rivals are dependencies of this crate alone.

pub mod data;
pub mod memory;
pub mod quality;
pub mod timing;
