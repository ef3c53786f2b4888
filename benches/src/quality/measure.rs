//! All pairs of a collection within each distance, by comparing every pair.

use std::ops::RangeInclusive;

use serde::Serialize;
use simhash_core::Fingerprint;
use simhash_core::hamming::Scanner;

use super::kit::Collection;

/// How well the pairs within `k` bits are the near-duplicates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measure {
    /// The largest distance.
    pub k: u32,
    /// Pairs within it.
    pub found: usize,
    /// Those of them that are near-duplicates.
    pub correct: usize,
    /// `correct / found`; 1 when nothing was found.
    pub precision: f64,
    /// `correct` as a share of all near-duplicates.
    pub recall: f64,
}

/// Measures every distance in `ks`. A document without a fingerprint is in no pair.
pub fn measure(
    collection: &Collection,
    fingerprints: &[Option<Fingerprint>],
    ks: RangeInclusive<u32>,
) -> Vec<Measure> {
    let (places, bits): (Vec<usize>, Vec<u64>) = fingerprints
        .iter()
        .enumerate()
        .filter_map(|(place, fingerprint)| Some((place, (*fingerprint)?.bits())))
        .unzip();
    // At each distance: pairs, and near-duplicates among them.
    let mut found = [0; 65];
    let mut correct = [0; 65];
    let scanner = Scanner::new();
    for (first, &query) in bits.iter().enumerate() {
        let later = first + 1;
        scanner.within(query, *ks.end(), &bits[later..], |index, distance| {
            let pair = (places[first], places[later + index]);
            found[distance as usize] += 1;
            correct[distance as usize] += usize::from(collection.near_duplicates.contains(&pair));
        });
    }
    ks.map(|k| up_to(k, &found, &correct, collection.near_duplicates.len()))
        .collect()
}

fn up_to(k: u32, found: &[usize; 65], correct: &[usize; 65], wanted: usize) -> Measure {
    let within = 0..=(k as usize).min(64);
    let found: usize = found[within.clone()].iter().sum();
    let correct: usize = correct[within].iter().sum();
    let share = |part: usize, whole: usize| {
        if whole == 0 {
            1.0
        } else {
            part as f64 / whole as f64
        }
    };
    Measure {
        k,
        found,
        correct,
        precision: share(correct, found),
        recall: share(correct, wanted),
    }
}
