//! The single consumer: puts finished chunks back in input order and feeds
//! their documents to the sink, one by one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crossbeam_channel::{TryRecvError, select};

use super::sink::{Refusal, Sink};
use super::stages::{Finished, Stages};
use super::summary::{End, Totals};
use super::worker::Item;
use crate::exit::Failure;
use crate::input::problem::Problem;
use crate::interrupt::Interrupt;
use crate::output::progress::Progress;

/// Items after which the sink settles even when more are waiting.
const GROUP: u64 = 4096;

/// The state of a delivery.
pub struct Delivery<'a, S> {
    /// Takes the documents.
    pub sink: &'a mut S,
    /// Ends the delivery at the first unusable input.
    pub strict: bool,
    /// Ends the delivery when the user wishes.
    pub interrupt: &'a Interrupt,
    /// Shows how far it has come.
    pub progress: &'a mut Progress,
    /// What was delivered so far.
    pub totals: Totals,
    /// Items taken since the sink last settled.
    pub unsettled: u64,
}

impl<S: Sink> Delivery<'_, S> {
    /// Delivers everything that comes out of `stages`, in input order.
    ///
    /// # Errors
    /// Those of the sink, and [`Failure::Internal`] when a thread broke.
    pub fn run(&mut self, mut stages: Stages) -> Result<End, Failure> {
        let mut early = BTreeMap::new();
        let mut next = 0;
        loop {
            match self.receive(&stages)? {
                Received::Chunk(finished) => early.insert(finished.number, finished),
                Received::Interrupt => return self.end(End::Interrupted),
                Received::Nothing => break,
            };
            while let Some(finished) = early.remove(&next) {
                next += 1;
                let cost = finished.cost;
                if let ControlFlow::Break(end) = self.chunk(finished)? {
                    return self.end(end);
                }
                stages.give_back(cost);
            }
        }
        if !stages.reader_ended_well() || !early.is_empty() {
            return Err(Failure::Internal { part: "reader" });
        }
        self.end(End::Complete)
    }

    /// The next finished chunk. The sink settles before a wait, so that
    /// nothing is held back while the input has no more to give.
    fn receive(&mut self, stages: &Stages) -> Result<Received, Failure> {
        match stages.results().try_recv() {
            Ok(finished) => return Ok(Received::Chunk(finished)),
            Err(TryRecvError::Disconnected) => return Ok(Received::Nothing),
            Err(TryRecvError::Empty) => self.settle()?,
        }
        select! {
            recv(stages.results()) -> finished => Ok(match finished {
                Ok(finished) => Received::Chunk(finished),
                Err(_) => Received::Nothing,
            }),
            recv(self.interrupt.wake()) -> _ => Ok(Received::Interrupt),
        }
    }

    fn chunk(&mut self, finished: Finished) -> Result<ControlFlow<End>, Failure> {
        let Ok(items) = finished.items else {
            self.settle()?;
            return Err(Failure::Internal { part: "workers" });
        };
        for item in items {
            if self.interrupt.requested() {
                return Ok(ControlFlow::Break(End::Interrupted));
            }
            self.unsettled += 1;
            let flow = self.item(item)?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        if self.unsettled >= GROUP {
            self.settle()?;
        }
        self.progress.update(self.totals.documents);
        Ok(ControlFlow::Continue(()))
    }

    fn item(&mut self, item: Item) -> Result<ControlFlow<End>, Failure> {
        let problem = match item {
            Item::Skipped => {
                self.totals.skipped += 1;
                return Ok(ControlFlow::Continue(()));
            }
            Item::Unusable(problem) => problem,
            Item::Document(document) => match self.sink.document(&document) {
                Ok(()) => {
                    self.totals.documents += 1;
                    self.totals.text_bytes += document.text_bytes;
                    return Ok(ControlFlow::Continue(()));
                }
                Err(Refusal::Document(reason)) => Problem {
                    place: document.place,
                    reason,
                },
                Err(Refusal::Run(failure)) => return Err(failure),
            },
        };
        Ok(self.unusable(&problem))
    }

    fn unusable(&mut self, problem: &Problem) -> ControlFlow<End> {
        self.totals.unusable += 1;
        let sink = &mut *self.sink;
        self.progress.suspend(|| sink.unusable(problem));
        if self.strict {
            ControlFlow::Break(End::Strict)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn settle(&mut self) -> Result<(), Failure> {
        if self.unsettled == 0 {
            return Ok(());
        }
        self.unsettled = 0;
        self.sink.commit()?;
        let sink = &mut *self.sink;
        self.progress.suspend(|| sink.show())
    }

    fn end(&mut self, end: End) -> Result<End, Failure> {
        self.settle()?;
        Ok(end)
    }
}

/// What came next.
enum Received {
    Chunk(Finished),
    Interrupt,
    /// All input is through.
    Nothing,
}
