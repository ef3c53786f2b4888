//! Kernels for AVX2: bits are counted by a table of nibbles held in a register (Mula, Kurz
//! and Lemire 2018, section 3.1), 4 or 8 entries at a time.

// Vector loads go through raw pointers.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::kernels::{BLOCK, Kernels};
use super::scalar::mask_of;

/// Only [`Scanner::avx2`](super::Scanner::avx2) hands these out, after it has detected AVX2
/// and POPCNT.
pub(super) static AVX2: Kernels = Kernels {
    name: "avx2",
    // SAFETY: the CPU has AVX2 and POPCNT, see above.
    wide: |query, k, block| unsafe { wide(query, k, block) },
    // SAFETY: as above.
    narrow: |query, k, block| unsafe { narrow(query, k, block) },
};

/// The number of set bits in each byte.
#[target_feature(enable = "avx2")]
fn bytes_popcount(v: __m256i) -> __m256i {
    let table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let nibble = _mm256_set1_epi8(0x0f);
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble));
    let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(v), nibble));
    _mm256_add_epi8(low, high)
}

#[target_feature(enable = "avx2,popcnt")]
fn wide(query: u64, k: u32, block: &[u64]) -> u64 {
    let block = &block[..block.len().min(BLOCK)];
    let wanted = _mm256_set1_epi64x(query as i64);
    // A count is at most 64, so a larger k changes nothing and must not turn negative.
    let limit = _mm256_set1_epi64x(i64::from(k.min(64)) + 1);
    let vectors = block.chunks_exact(4);
    let tail = mask_of(vectors.remainder(), |entry| {
        (entry ^ query).count_ones() <= k
    });
    // With a full block there is no tail, and 64 would be too far to shift.
    let mut mask = if block.len() < BLOCK {
        tail << (block.len() & !3)
    } else {
        0
    };
    for (i, four) in vectors.enumerate() {
        // SAFETY: `four` has 4 entries of 8 bytes, and the load needs no alignment.
        let entries = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
        let counts = bytes_popcount(_mm256_xor_si256(entries, wanted));
        let counts = _mm256_sad_epu8(counts, _mm256_setzero_si256());
        let within = _mm256_cmpgt_epi64(limit, counts);
        let bits = _mm256_movemask_pd(_mm256_castsi256_pd(within)) as u64;
        mask |= bits << (4 * i);
    }
    mask
}

#[target_feature(enable = "avx2,popcnt")]
fn narrow(query: u32, k: u32, block: &[u32]) -> u64 {
    let block = &block[..block.len().min(BLOCK)];
    let wanted = _mm256_set1_epi32(query as i32);
    let limit = _mm256_set1_epi32(k.min(32) as i32 + 1);
    let vectors = block.chunks_exact(8);
    let tail = mask_of(vectors.remainder(), |entry| {
        (entry ^ query).count_ones() <= k
    });
    let mut mask = if block.len() < BLOCK {
        tail << (block.len() & !7)
    } else {
        0
    };
    for (i, eight) in vectors.enumerate() {
        // SAFETY: `eight` has 8 entries of 4 bytes, and the load needs no alignment.
        let entries = unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) };
        let counts = bytes_popcount(_mm256_xor_si256(entries, wanted));
        // Bytes to pairs, pairs to 32-bit counts.
        let counts = _mm256_maddubs_epi16(counts, _mm256_set1_epi8(1));
        let counts = _mm256_madd_epi16(counts, _mm256_set1_epi16(1));
        let within = _mm256_cmpgt_epi32(limit, counts);
        let bits = _mm256_movemask_ps(_mm256_castsi256_ps(within)) as u64;
        mask |= bits << (8 * i);
    }
    mask
}
