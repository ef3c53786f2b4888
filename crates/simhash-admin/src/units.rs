//! Sizes, counts and times as people write and read them.

use std::fmt;
use std::time::Duration;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// A number of bytes, shown in binary units: `512 B`, `64 MiB`, `1.5 GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0..KIB => return write!(f, "{} B", self.0),
            KIB..MIB => (KIB, "KiB"),
            MIB..GIB => (MIB, "MiB"),
            _ => (GIB, "GiB"),
        };
        if self.0.is_multiple_of(unit) {
            write!(f, "{} {name}", Count(self.0 / unit))
        } else {
            write!(f, "{:.1} {name}", self.0 as f64 / unit as f64)
        }
    }
}

/// A count with separators for thousands: `1,234,567`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut grouped = String::with_capacity(digits.len() * 4 / 3);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        f.pad(&grouped)
    }
}

/// A text that is not a size or a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseUnitError {
    text: String,
    expected: &'static str,
}

/// Reads a size in bytes, such as `500000`, `64MiB`, `1 GiB` or `10MB`.
///
/// # Errors
/// [`ParseUnitError`] for anything else, for zero, and past `u64`.
pub fn parse_size(text: &str) -> Result<u64, ParseUnitError> {
    let error = || ParseUnitError {
        text: text.to_owned(),
        expected: "a size above zero, such as 500000, 64MiB or 10MB",
    };
    let (number, unit) = split_unit(text).ok_or_else(error)?;
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "k" | "kib" => KIB,
        "m" | "mib" => MIB,
        "g" | "gib" => GIB,
        _ => return Err(error()),
    };
    number
        .checked_mul(unit)
        .filter(|&bytes| bytes > 0)
        .ok_or_else(error)
}

/// Reads a time span such as `50ms`, `2s` or `1min`.
///
/// # Errors
/// [`ParseUnitError`] for anything else, and for zero.
pub fn parse_duration(text: &str) -> Result<Duration, ParseUnitError> {
    let error = || ParseUnitError {
        text: text.to_owned(),
        expected: "a time above zero with its unit, such as 50ms, 2s or 1min",
    };
    let (number, unit) = split_unit(text).ok_or_else(error)?;
    let millis = match unit {
        "ms" => Some(number),
        "s" => number.checked_mul(1_000),
        "min" => number.checked_mul(60_000),
        _ => None,
    };
    millis
        .filter(|&millis| millis > 0)
        .map(Duration::from_millis)
        .ok_or_else(error)
}

/// The leading decimal number and what follows it.
fn split_unit(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_the_largest_unit_that_fits() {
        let shown = |bytes| Bytes(bytes).to_string();
        assert_eq!(shown(0), "0 B");
        assert_eq!(shown(1023), "1023 B");
        assert_eq!(shown(1536), "1.5 KiB");
        assert_eq!(shown(64 * MIB), "64 MiB");
        assert_eq!(shown(GIB - 1), "1024.0 MiB");
        assert_eq!(shown(3 * GIB / 2), "1.5 GiB");
    }

    #[test]
    fn counts_are_grouped_by_thousands() {
        let shown = |count| Count(count).to_string();
        assert_eq!(shown(0), "0");
        assert_eq!(shown(999), "999");
        assert_eq!(shown(1_000), "1,000");
        assert_eq!(shown(12_345_678), "12,345,678");
        assert_eq!(format!("{:>7}", Count(1_000)), "  1,000");
    }

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(parse_size("500000"), Ok(500_000));
        assert_eq!(parse_size("64MiB"), Ok(64 * MIB));
        assert_eq!(parse_size(" 1 gib "), Ok(GIB));
        assert_eq!(parse_size("10MB"), Ok(10_000_000));
        for bad in [
            "",
            "MiB",
            "0",
            "-1",
            "1.5MiB",
            "10 apples",
            "99999999999999999999",
        ] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
        assert!(parse_size("18446744073709551615GiB").is_err());
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(parse_duration("50ms"), Ok(Duration::from_millis(50)));
        assert_eq!(parse_duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_duration("1min"), Ok(Duration::from_secs(60)));
        for bad in ["50", "0ms", "ms", "1h", "-1s"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
