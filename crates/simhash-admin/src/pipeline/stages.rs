//! The threads: one reads, several fingerprint.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::budget::Budget;
use super::job::Job;
use super::worker::{Item, Recipe};
use crate::exit::Failure;
use crate::input::chunk::Chunk;
use crate::input::reader::{ReadOptions, Reader};

/// Bytes of chunks in flight, beyond which the reader waits.
const IN_FLIGHT: usize = 64 << 20;

/// A chunk with its place in the input.
struct Numbered {
    number: u64,
    cost: usize,
    chunk: Chunk,
}

/// What a worker made of a chunk.
pub struct Finished {
    /// Number of the chunk, from 0 in input order.
    pub number: u64,
    /// What to give back to the budget.
    pub cost: usize,
    /// The items; an error when the worker panicked over them.
    pub items: thread::Result<Vec<Item>>,
}

/// Reader and workers at work. Dropping this ends them: at once, or when the
/// read in which they are blocked returns.
pub struct Stages {
    results: Receiver<Finished>,
    budget: Arc<Budget>,
    reader: Option<JoinHandle<()>>,
}

impl Stages {
    /// Starts the threads of a job. `raw_bytes` counts what the reader reads.
    ///
    /// # Errors
    /// [`Failure::Thread`] when the system gives no thread.
    pub fn start(job: &Job, raw_bytes: Arc<AtomicU64>) -> Result<Stages, Failure> {
        let budget = Arc::new(Budget::new(IN_FLIGHT));
        let queue = 2 * job.threads;
        let (work_sender, work) = bounded(queue);
        let (result_sender, results) = bounded(queue);
        for index in 0..job.threads {
            let (work, results) = (work.clone(), result_sender.clone());
            let recipe = job.recipe.clone();
            spawn(format!("fingerprint-{index}"), move || {
                fingerprint_all(&recipe, &work, &results);
            })?;
        }
        let reader = {
            let (inputs, options) = (job.inputs.clone(), job.read.clone());
            let budget = Arc::clone(&budget);
            spawn("read".to_owned(), move || {
                read_all(&inputs, &options, raw_bytes, &budget, &work_sender);
            })?
        };
        Ok(Stages {
            results,
            budget,
            reader: Some(reader),
        })
    }

    /// What the workers have finished, in any order. Disconnected when all
    /// input is through.
    pub fn results(&self) -> &Receiver<Finished> {
        &self.results
    }

    /// Makes room for more input: a chunk of this cost has been dealt with.
    pub fn give_back(&self, cost: usize) {
        self.budget.give_back(cost);
    }

    /// To be called when the results are disconnected: true when the reader
    /// has come to its end in good order.
    pub fn reader_ended_well(&mut self) -> bool {
        self.reader
            .take()
            .is_none_or(|reader| reader.join().is_ok())
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.budget.close();
    }
}

fn spawn(name: String, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Failure> {
    let builder = thread::Builder::new().name(name);
    builder.spawn(body).map_err(Failure::Thread)
}

fn read_all(
    inputs: &[PathBuf],
    options: &ReadOptions,
    raw_bytes: Arc<AtomicU64>,
    budget: &Budget,
    work: &Sender<Numbered>,
) {
    let mut next = 0;
    let send = |chunk: Chunk| {
        let (number, cost) = (next, chunk.cost());
        next += 1;
        let numbered = Numbered {
            number,
            cost,
            chunk,
        };
        if budget.take(cost).is_ok() && work.send(numbered).is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    // A break means that the run is over: nothing is left to say.
    let _ = Reader::new(options, raw_bytes, send).read_all(inputs);
}

fn fingerprint_all(recipe: &Recipe, work: &Receiver<Numbered>, results: &Sender<Finished>) {
    for Numbered {
        number,
        cost,
        chunk,
    } in work
    {
        // A worker that vanished would leave a gap in the order, for which
        // the others would wait for ever.
        let items = catch_unwind(AssertUnwindSafe(|| recipe.apply(chunk)));
        let finished = Finished {
            number,
            cost,
            items,
        };
        if results.send(finished).is_err() {
            return;
        }
    }
}
