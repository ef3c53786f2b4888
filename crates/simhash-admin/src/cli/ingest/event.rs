//! What `ingest` can do with a document.

use simhash_store::{DocId, Match};

/// What became of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Stored under this number.
    New(DocId),
    /// Not stored: this known document is within k bits.
    Duplicate(Match),
    /// A known key with a new fingerprint, now under this number.
    Updated(DocId),
    /// A known key with its known fingerprint.
    Unchanged(DocId),
    /// A text without features, not stored.
    Empty,
}

impl Event {
    /// Its name in `--json`.
    pub fn outcome(&self) -> &'static str {
        match self {
            Event::New(_) => "new",
            Event::Duplicate(_) => "duplicate",
            Event::Updated(_) => "updated",
            Event::Unchanged(_) => "unchanged",
            Event::Empty => "empty",
        }
    }

    /// The document's number, when it is stored.
    pub fn doc(&self) -> Option<DocId> {
        match self {
            Event::New(doc) | Event::Updated(doc) | Event::Unchanged(doc) => Some(*doc),
            Event::Duplicate(_) | Event::Empty => None,
        }
    }

    /// The known document it is a duplicate of.
    pub fn duplicate_of(&self) -> Option<&Match> {
        match self {
            Event::Duplicate(of) => Some(of),
            _ => None,
        }
    }
}
