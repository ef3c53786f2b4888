//! Hamming distance, and the search for everything within a distance.
//!
//! [`Scanner`] compares a query with every entry of a slice, with the widest instructions
//! the CPU has. Every scanner gives the same matches in the same order.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod columns;
mod kernels;
mod scalar;
mod scanner;

pub use columns::{ColumnQuery, Columns};
pub use scanner::Scanner;

/// The number of bits that differ, 0 to 64.
///
/// ```
/// assert_eq!(simhash_core::hamming::distance(0b0010_1110, 0b0000_1111), 2);
/// ```
#[must_use]
pub const fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

#[cfg(test)]
mod tests;
