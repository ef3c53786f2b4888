//! What a feature weighs, by how often it occurs in its document.

use std::sync::LazyLock;

/// A weight made from the term frequency: how often a feature occurs in its document.
///
/// Weights are fixed-point integers, so that sums of them are exact, the same on every
/// platform, and independent of the order of features. Only their ratio within one
/// document matters to a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TermWeight {
    /// `ln(1 + tf)`, in units of 1/65536, and half of that for a feature with a number in it. A
    /// word said ten times counts 3.5 times as much as a word said once, so that no common word
    /// decides the fingerprint. Numbers count less because they are what changes between copies
    /// of a page: dates, counters, versions.
    LogTf,
    /// `tf` itself, as in the plainest simhash. Frequent words then outweigh all others:
    /// long documents in one language come near each other.
    Tf,
    /// 1 for every feature that occurs: the document is a set.
    Binary,
}

/// Units of a [`TermWeight::LogTf`] weight of 1.
const LOG_UNITS: u32 = 1 << 16;

/// Logarithmic weights up to this frequency are computed once: almost all there are.
const TABLED: usize = 256;

static LOG_TABLE: LazyLock<[i64; TABLED]> =
    LazyLock::new(|| std::array::from_fn(|tf| log_weight(tf as u64)));

impl TermWeight {
    /// The weight of a feature that occurs `tf` times, in [`units`](Self::units). `is_numeric`
    /// says whether a number is in it ([`Token::is_numeric`](crate::text::Token::is_numeric)).
    ///
    /// ```
    /// use simhash_core::TermWeight;
    ///
    /// assert_eq!(TermWeight::Tf.weight(7, false), 7);
    /// assert_eq!(TermWeight::Binary.weight(7, true), 1);
    /// // 65536 ln 2, and half of it, rounded down.
    /// assert_eq!(TermWeight::LogTf.weight(1, false), 45426);
    /// assert_eq!(TermWeight::LogTf.weight(1, true), 22713);
    /// ```
    #[must_use]
    pub fn weight(self, tf: u64, is_numeric: bool) -> i64 {
        match self {
            Self::LogTf => tabled_log_weight(tf) >> u32::from(is_numeric),
            Self::Tf => i64::try_from(tf).unwrap_or(i64::MAX),
            Self::Binary => i64::from(tf != 0),
        }
    }

    /// How many units make a weight of 1.
    #[must_use]
    pub const fn units(self) -> u32 {
        match self {
            Self::LogTf => LOG_UNITS,
            Self::Tf | Self::Binary => 1,
        }
    }
}

fn tabled_log_weight(tf: u64) -> i64 {
    let tabled = usize::try_from(tf).ok().and_then(|tf| LOG_TABLE.get(tf));
    tabled.copied().unwrap_or_else(|| log_weight(tf))
}

/// `65536 ln(1 + tf)`, rounded to the nearest integer. The logarithm is libm's, not the
/// system's: the last bit of the latter differs between platforms.
fn log_weight(tf: u64) -> i64 {
    (f64::from(LOG_UNITS) * libm::log(1.0 + tf as f64)).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any logarithm that is right to 1e-9 gives the same weights: no value lies that near
    /// to where the rounding turns.
    #[test]
    fn no_log_weight_is_near_a_rounding_boundary() {
        let nearest = (1..=1_u64 << 20)
            .map(|tf| f64::from(LOG_UNITS) * (1.0 + tf as f64).ln())
            .map(|exact| (exact - exact.floor() - 0.5).abs())
            .fold(f64::INFINITY, f64::min);
        assert!(nearest > 1e-9, "{nearest:e}");
    }

    #[test]
    fn table_and_formula_agree() {
        for tf in 0..1000 {
            assert_eq!(TermWeight::LogTf.weight(tf, false), log_weight(tf));
            assert_eq!(TermWeight::LogTf.weight(tf, true), log_weight(tf) / 2);
        }
    }

    #[test]
    fn known_log_weights() {
        let known = [
            (0, 0),
            (1, 45_426),
            (2, 71_999),
            (9, 150_902),
            (999_999, 905_413),
        ];
        for (tf, weight) in known {
            assert_eq!(TermWeight::LogTf.weight(tf, false), weight, "{tf}");
        }
    }

    #[test]
    fn no_frequency_overflows() {
        assert_eq!(TermWeight::Tf.weight(u64::MAX, false), i64::MAX);
        assert_eq!(TermWeight::Binary.weight(u64::MAX, false), 1);
        assert_eq!(TermWeight::LogTf.weight(u64::MAX, false), 2_907_270);
    }
}
