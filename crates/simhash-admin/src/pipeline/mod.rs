//! Documents from inputs to a sink: read by one thread, fingerprinted by
//! many, delivered strictly in input order by the caller's own.
//!
//! The order makes a run's result that of a sequential one, whatever the
//! number of threads. Memory is bounded by a [budget](budget::Budget) of bytes
//! in flight.

mod budget;
mod deliver;
mod job;
mod sink;
mod stages;
mod summary;
mod worker;

use std::sync::Arc;
use std::time::Instant;

use self::deliver::Delivery;
pub use self::job::Job;
pub use self::sink::{Refusal, Sink};
use self::stages::Stages;
use self::summary::Totals;
pub use self::summary::{End, Summary};
pub use self::worker::{Fingerprinted, Recipe};
use crate::exit::Failure;
use crate::interrupt::Interrupt;
use crate::output::progress::Progress;

/// Runs a job to its end and reports every unusable input on stderr. What the
/// sink took has been committed and shown when this returns `Ok`.
///
/// # Errors
/// Those of the sink; [`Failure::Thread`] and [`Failure::Internal`].
pub fn run(job: &Job, interrupt: &Interrupt, sink: &mut impl Sink) -> Result<Summary, Failure> {
    let start = Instant::now();
    let mut progress = Progress::new(&job.inputs);
    let stages = Stages::start(job, Arc::clone(progress.raw_bytes()))?;
    let mut delivery = Delivery {
        sink,
        strict: job.strict,
        interrupt,
        progress: &mut progress,
        totals: Totals::default(),
        unsettled: 0,
    };
    let end = delivery.run(stages)?;
    Ok(Summary {
        end,
        totals: delivery.totals,
        elapsed: start.elapsed(),
    })
}

#[cfg(test)]
mod tests;
