//! Kernels for AVX-512 with VPOPCNTDQ: 8 or 16 entries at a time, and a masked load for the
//! last ones.

// Vector loads go through raw pointers.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::kernels::{BLOCK, Kernels};

/// Only [`Scanner::avx512`](super::Scanner::avx512) hands these out, after it has detected
/// AVX512F and AVX512VPOPCNTDQ.
pub(super) static AVX512: Kernels = Kernels {
    name: "avx512",
    // SAFETY: the CPU has AVX512F and AVX512VPOPCNTDQ, see above.
    wide: |query, k, block| unsafe { wide(query, k, block) },
    // SAFETY: as above.
    narrow: |query, k, block| unsafe { narrow(query, k, block) },
};

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn wide(query: u64, k: u32, block: &[u64]) -> u64 {
    let block = &block[..block.len().min(BLOCK)];
    let wanted = _mm512_set1_epi64(query as i64);
    let limit = _mm512_set1_epi64(i64::from(k));
    let mut mask = 0;
    for (i, entries) in block.chunks(8).enumerate() {
        let present = (0xff_u16 >> (8 - entries.len())) as __mmask8;
        // SAFETY: lanes that are not `present` are not read; the others lie in `entries`. The
        // load needs no alignment.
        let lanes = unsafe { _mm512_maskz_loadu_epi64(present, entries.as_ptr().cast()) };
        let counts = _mm512_popcnt_epi64(_mm512_xor_si512(lanes, wanted));
        let within = _mm512_mask_cmple_epu64_mask(present, counts, limit);
        mask |= u64::from(within) << (8 * i);
    }
    mask
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn narrow(query: u32, k: u32, block: &[u32]) -> u64 {
    let block = &block[..block.len().min(BLOCK)];
    let wanted = _mm512_set1_epi32(query as i32);
    // Compared without a sign, so that every k keeps its value.
    let limit = _mm512_set1_epi32(k as i32);
    let mut mask = 0;
    for (i, entries) in block.chunks(16).enumerate() {
        let present = 0xffff_u16 >> (16 - entries.len());
        // SAFETY: lanes that are not `present` are not read; the others lie in `entries`. The
        // load needs no alignment.
        let lanes = unsafe { _mm512_maskz_loadu_epi32(present, entries.as_ptr().cast()) };
        let counts = _mm512_popcnt_epi32(_mm512_xor_si512(lanes, wanted));
        let within = _mm512_mask_cmple_epu32_mask(present, counts, limit);
        mask |= u64::from(within) << (16 * i);
    }
    mask
}
