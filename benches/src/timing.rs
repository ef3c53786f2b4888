//! Timing of many short calls.

use std::time::Instant;

/// Latencies of single calls and the rate of calls back to back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Latency {
    /// Median, in microseconds.
    pub p50: f64,
    /// 99th percentile, in microseconds.
    pub p99: f64,
    /// Calls a second, one after the other, without a clock between them.
    pub rate: f64,
}

/// Times `call` on every input: once one by one, once back to back.
pub fn latency<T: Copy>(inputs: &[T], mut call: impl FnMut(T) -> usize) -> Latency {
    let mut nanos: Vec<u64> = Vec::with_capacity(inputs.len());
    let mut found = 0;
    for &input in inputs {
        let start = Instant::now();
        found += call(input);
        nanos.push(start.elapsed().as_nanos() as u64);
    }
    let start = Instant::now();
    for &input in inputs {
        found -= call(input);
    }
    let seconds = start.elapsed().as_secs_f64();
    // Also keeps the calls from being optimised away.
    assert_eq!(found, 0, "the same calls gave different results");
    nanos.sort_unstable();
    let at = |share: f64| {
        let index = ((nanos.len() as f64 * share) as usize).min(nanos.len().saturating_sub(1));
        nanos.get(index).map_or(0.0, |&nanos| nanos as f64 / 1000.0)
    };
    Latency {
        p50: at(0.5),
        p99: at(0.99),
        rate: inputs.len() as f64 / seconds,
    }
}

/// The round with the median p50: one slow moment of a shared machine does
/// not decide.
pub fn median(mut rounds: Vec<Latency>) -> Latency {
    rounds.sort_by(|a, b| a.p50.total_cmp(&b.p50));
    rounds.get(rounds.len() / 2).copied().unwrap_or_default()
}
