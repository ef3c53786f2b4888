//! The 64-bit fingerprint and its text form.

use core::fmt;
use core::str::FromStr;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A 64-bit fingerprint: similar inputs give fingerprints that differ in few bits.
///
/// Bit 0 is the least significant bit. The text form is exactly 16 hexadecimal digits,
/// most significant first: lower case when written, either case when read. With serde it is
/// that string in formats meant for people (JSON, TOML) and a `u64` in binary ones.
///
/// ```
/// use simhash_core::Fingerprint;
///
/// let a = Fingerprint::from_bits(0b0010_1110);
/// let b = Fingerprint::from_bits(0b0000_1111);
/// assert_eq!(a.distance(b), 2);
/// assert_eq!(a.to_string(), "000000000000002e");
/// assert_eq!("000000000000002E".parse(), Ok(a));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint with these bits.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Its 64 bits as a number.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The Hamming distance: in how many of the 64 bits the two differ (0 to 64).
    ///
    /// ```
    /// use simhash_core::Fingerprint;
    ///
    /// let a = Fingerprint::from_bits(0);
    /// assert_eq!(a.distance(a), 0);
    /// assert_eq!(a.distance(Fingerprint::from_bits(u64::MAX)), 64);
    /// ```
    #[must_use]
    pub const fn distance(self, other: Self) -> u32 {
        (self.0 ^ other.0).count_ones()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(hex_digits(self.0, &mut [0; 16]))
    }
}

impl fmt::LowerHex for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Writes the 16 digits into `buffer`, so that no text form needs an allocation.
fn hex_digits(bits: u64, buffer: &mut [u8; 16]) -> &str {
    for (digit, shift) in buffer.iter_mut().zip((0..64).step_by(4).rev()) {
        let nibble = (bits >> shift) as u8 & 0xf;
        *digit = if nibble < 10 {
            b'0' + nibble
        } else {
            b'a' + (nibble - 10)
        };
    }
    // Only ASCII was written.
    core::str::from_utf8(buffer).unwrap_or_default()
}

/// Why a text is not a [`Fingerprint`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseFingerprintError {
    /// The text is shorter or longer than a fingerprint.
    #[error("a fingerprint is exactly 16 hexadecimal digits, but this text has {found} characters")]
    Length {
        /// How many characters it has.
        found: usize,
    },
    /// The text holds something else than a hexadecimal digit.
    #[error(
        "a fingerprint is exactly 16 hexadecimal digits (0-9, a-f, no 0x), but character {position} is {found:?}"
    )]
    Digit {
        /// The first character that is not a digit.
        found: char,
        /// Where it stands, counted in characters from 1.
        position: usize,
    },
}

impl FromStr for Fingerprint {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bits = 0;
        let mut count = 0;
        let mut stranger = None;
        for (index, found) in text.chars().enumerate() {
            count = index + 1;
            match found.to_digit(16) {
                Some(digit) => bits = (bits << 4) | u64::from(digit),
                None => stranger = stranger.or(Some((found, count))),
            }
        }
        // A wrong length explains more than a wrong digit does.
        if count != 16 {
            return Err(ParseFingerprintError::Length { found: count });
        }
        match stranger {
            Some((found, position)) => Err(ParseFingerprintError::Digit { found, position }),
            None => Ok(Self(bits)),
        }
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(hex_digits(self.0, &mut [0; 16]))
        } else {
            serializer.serialize_u64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(HexVisitor)
        } else {
            u64::deserialize(deserializer).map(Self)
        }
    }
}

struct HexVisitor;

impl Visitor<'_> for HexVisitor {
    type Value = Fingerprint;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string of 16 hexadecimal digits")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Fingerprint, E> {
        text.parse().map_err(E::custom)
    }
}
