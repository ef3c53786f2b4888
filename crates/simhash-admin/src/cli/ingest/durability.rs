//! The `--durability` argument.

use std::str::FromStr;
use std::time::Duration;

use crate::units::{ParseUnitError, parse_duration};

/// When an ingested document is safe from a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurabilityChoice {
    /// Before its line is printed.
    Sync,
    /// At most this long after its line is printed.
    Interval(Duration),
    /// At the end of the run.
    Manual,
}

/// A text that names no durability.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}; nor is it sync, interval or manual")]
pub struct ParseDurabilityError(ParseUnitError);

impl FromStr for DurabilityChoice {
    type Err = ParseDurabilityError;

    fn from_str(text: &str) -> Result<DurabilityChoice, ParseDurabilityError> {
        match text {
            "sync" => Ok(DurabilityChoice::Sync),
            "manual" => Ok(DurabilityChoice::Manual),
            "interval" => Ok(DurabilityChoice::Interval(Duration::from_millis(50))),
            _ => parse_duration(text)
                .map(DurabilityChoice::Interval)
                .map_err(ParseDurabilityError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_or_a_time() {
        let interval = |millis| DurabilityChoice::Interval(Duration::from_millis(millis));
        assert_eq!("sync".parse(), Ok(DurabilityChoice::Sync));
        assert_eq!("manual".parse(), Ok(DurabilityChoice::Manual));
        assert_eq!("interval".parse(), Ok(interval(50)));
        assert_eq!("2s".parse(), Ok(interval(2000)));
        let error = "often".parse::<DurabilityChoice>().unwrap_err();
        assert!(error.to_string().starts_with("`often` is not a time"));
    }
}
