//! What several tests need.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
use std::path::Path;

use simhash_store::Fingerprint;

/// A fixed sequence of well-mixed numbers (splitmix64).
pub fn mixed(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The fingerprint of document `n`: far from all others.
pub fn fingerprint(n: u64) -> Fingerprint {
    Fingerprint::from_bits((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Copies a closed store, or what a crash would leave of an open one.
pub fn copy_directory(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_directory(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
