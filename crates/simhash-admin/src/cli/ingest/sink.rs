//! Documents into the store, group by group.

use simhash_store::{Error, Outcome, Store};

use super::event::Event;
use super::print::Printer;
use super::summary::Tally;
use crate::exit::Failure;
use crate::input::problem::Reason;
use crate::pipeline::{Fingerprinted, Refusal, Sink};

/// Checks documents against a store and inserts the new ones.
pub struct StoreSink<'a> {
    store: &'a Store,
    /// Sync before anything is shown.
    sync_groups: bool,
    printer: Printer,
    tally: Tally,
}

impl<'a> StoreSink<'a> {
    /// A sink into `store`, telling `printer` of every outcome.
    pub fn new(store: &'a Store, sync_groups: bool, printer: Printer) -> StoreSink<'a> {
        StoreSink {
            store,
            sync_groups,
            printer,
            tally: Tally::default(),
        }
    }

    /// What was counted, at the end.
    pub fn into_tally(mut self) -> Tally {
        self.tally.not_shown = self.printer.not_shown();
        self.tally
    }

    fn event(&self, document: &Fingerprinted) -> Result<Event, Refusal> {
        let Some(fingerprint) = document.fingerprint else {
            return Ok(Event::Empty);
        };
        let outcome = self.store.check_and_insert(&document.key, fingerprint);
        match outcome.map_err(refusal)? {
            Outcome::New { doc } => Ok(Event::New(doc)),
            Outcome::Updated { doc, .. } => Ok(Event::Updated(doc)),
            Outcome::Unchanged { doc } => Ok(Event::Unchanged(doc)),
            Outcome::Duplicate { of } => Ok(Event::Duplicate(of)),
            _ => Err(Refusal::Run(Failure::Internal {
                part: "answer of the store",
            })),
        }
    }
}

fn refusal(error: Error) -> Refusal {
    match error {
        Error::KeyTooLong { length, max } => Refusal::Document(Reason::KeyTooLong { length, max }),
        error => Refusal::Run(error.into()),
    }
}

impl Sink for StoreSink<'_> {
    fn document(&mut self, document: &Fingerprinted) -> Result<(), Refusal> {
        let event = self.event(document)?;
        self.tally.count(&event);
        let printed = self.printer.add(document, &event, self.store);
        printed.map_err(Refusal::Run)
    }

    fn commit(&mut self) -> Result<(), Failure> {
        if self.sync_groups {
            self.store.sync()?;
        }
        Ok(())
    }

    fn show(&mut self) -> Result<(), Failure> {
        self.printer.show()
    }
}
