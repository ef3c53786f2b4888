//! The choice of an instruction set, and the loops around its kernels.

use core::fmt;

use super::columns::{ColumnQuery, Columns};
use super::kernels::{BLOCK, Kernels};
use super::scalar::SCALAR;
#[cfg(target_arch = "x86_64")]
use super::{avx2::AVX2, avx512::AVX512};

/// Finds all entries within a Hamming distance of a query, by comparing with every one.
///
/// [`Scanner::new`] takes the fastest instructions that the CPU has; the others are there
/// for tests and measurements. All give the same matches. A scanner is one pointer: copy
/// it freely.
///
/// ```
/// use simhash_core::hamming::Scanner;
///
/// let known = [0b0000, 0b1111, 0b0001, 0b0011];
/// let mut matches = Vec::new();
/// Scanner::new().within(0b0001, 1, &known, |index, distance| matches.push((index, distance)));
/// assert_eq!(matches, [(0, 1), (2, 0), (3, 1)]);
/// ```
#[derive(Clone, Copy)]
pub struct Scanner {
    kernels: &'static Kernels,
}

impl Scanner {
    /// The fastest scanner on this CPU. The detection is done once per process.
    #[must_use]
    pub fn new() -> Self {
        Self::avx512()
            .or_else(Self::avx2)
            .unwrap_or_else(Self::scalar)
    }

    /// The scanner in portable Rust, which every CPU has.
    #[must_use]
    pub fn scalar() -> Self {
        Self { kernels: &SCALAR }
    }

    /// The scanner that uses AVX2, or `None` when the CPU has none.
    #[must_use]
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt") {
            return Some(Self { kernels: &AVX2 });
        }
        None
    }

    /// The scanner that uses AVX-512 (F and VPOPCNTDQ), or `None` when the CPU lacks either.
    #[must_use]
    pub fn avx512() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vpopcntdq")
        {
            return Some(Self { kernels: &AVX512 });
        }
        None
    }

    /// Every scanner that works on this CPU, the portable one first.
    ///
    /// ```
    /// use simhash_core::hamming::Scanner;
    ///
    /// assert_eq!(Scanner::available().next().map(|scanner| scanner.name()), Some("scalar"));
    /// assert_eq!(Scanner::available().last(), Some(Scanner::new()));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        [Some(Self::scalar()), Self::avx2(), Self::avx512()]
            .into_iter()
            .flatten()
    }

    /// The name of its instruction set: `scalar`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kernels.name
    }

    /// Calls `on_match(index, distance)` for every entry of `haystack` that differs from
    /// `query` in at most `k` bits, in the order of their indices.
    ///
    /// Costs one comparison per entry, whatever `k`; nothing is allocated.
    pub fn within(
        &self,
        query: u64,
        k: u32,
        haystack: &[u64],
        mut on_match: impl FnMut(usize, u32),
    ) {
        for (number, block) in haystack.chunks(BLOCK).enumerate() {
            for bit in set_bits((self.kernels.wide)(query, k, block)) {
                if let Some(entry) = block.get(bit) {
                    on_match(number * BLOCK + bit, (entry ^ query).count_ones());
                }
            }
        }
    }

    /// [`within`](Self::within) over the 48 bits of split [`Columns`].
    ///
    /// ```
    /// use simhash_core::hamming::{ColumnQuery, Columns, Scanner};
    ///
    /// let columns = Columns { hi: &[7, 7, 0], lo: &[1, 0xffff, 1] };
    /// let mut matches = Vec::new();
    /// Scanner::new().within_columns(ColumnQuery { hi: 7, lo: 0 }, 3, columns, |index, distance| {
    ///     matches.push((index, distance));
    /// });
    /// assert_eq!(matches, [(0, 1)]);
    /// ```
    pub fn within_columns(
        &self,
        query: ColumnQuery,
        k: u32,
        columns: Columns<'_>,
        mut on_match: impl FnMut(usize, u32),
    ) {
        let len = columns.len();
        let (hi, lo) = (&columns.hi[..len], &columns.lo[..len]);
        for (number, (hi, lo)) in hi.chunks(BLOCK).zip(lo.chunks(BLOCK)).enumerate() {
            for bit in set_bits((self.kernels.narrow)(query.hi, k, hi)) {
                if let (Some(hi), Some(lo)) = (hi.get(bit), lo.get(bit)) {
                    let distance = (hi ^ query.hi).count_ones() + (lo ^ query.lo).count_ones();
                    if distance <= k {
                        on_match(number * BLOCK + bit, distance);
                    }
                }
            }
        }
    }
}

/// The places of the set bits, lowest first.
fn set_bits(mut mask: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lowest = mask.trailing_zeros() as usize;
        let found = (mask != 0).then_some(lowest);
        mask &= mask.wrapping_sub(1);
        found
    })
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Scanner {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Scanner {}

impl fmt::Debug for Scanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scanner({})", self.name())
    }
}
