//! Fingerprints without their front bits, split into two columns.

/// 48 bits per entry in two columns: the upper 32, which a search reads throughout, and
/// the lower 16, which it reads only for the few entries that pass.
///
/// A chance entry passes the first column with a probability of about 1.3e-6 at k = 3. The
/// columns are meant to be equally long; of unequal ones the common length is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Columns<'a> {
    /// The upper 32 of the 48 bits.
    pub hi: &'a [u32],
    /// The lower 16 of the 48 bits.
    pub lo: &'a [u16],
}

impl<'a> Columns<'a> {
    /// How many entries are in both columns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hi.len().min(self.lo.len())
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The 48 bits that a search of [`Columns`] compares with.
///
/// ```
/// use simhash_core::hamming::ColumnQuery;
///
/// let query = ColumnQuery::from_low_bits(0xabcd_0123_4567_89ef);
/// assert_eq!(query, ColumnQuery { hi: 0x0123_4567, lo: 0x89ef });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColumnQuery {
    /// The upper 32 of the 48 bits.
    pub hi: u32,
    /// The lower 16 of the 48 bits.
    pub lo: u16,
}

impl ColumnQuery {
    /// The low 48 bits of `bits`; the 16 bits in front are dropped.
    #[must_use]
    pub const fn from_low_bits(bits: u64) -> Self {
        Self {
            hi: (bits >> 16) as u32,
            lo: bits as u16,
        }
    }
}
