//! `ingest`: fingerprint documents, and store those that are new.

mod durability;
mod event;
mod print;
mod sink;
mod summary;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use simhash_core::Scheme;
use simhash_store::Durability;

use self::durability::DurabilityChoice;
use self::print::Printer;
use self::sink::StoreSink;
use super::help::after_help;
use super::input_args::InputArgs;
use super::open;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::stdout;
use crate::pipeline;

/// Fingerprint documents and store those that are new
///
/// Each document is checked against all known ones and stored unless another
/// one is within k bits. A key that is known already is never its own
/// duplicate: with a new fingerprint it replaces the old one.
///
/// Documents are taken strictly in input order, so the same inputs give the
/// same result on any machine. The store is created when it is missing.
#[derive(Debug, Args)]
#[command(after_help = after_help!(
    "  simhash-admin ingest pages.store crawl-*.jsonl.zst\n  \
       simhash-admin ingest pages.store site/ --json | jq -r 'select(.outcome == \"duplicate\").key'\n  \
       curl -s URL | simhash-admin ingest pages.store - --format html --stdin-key URL\n  \
       simhash-admin ingest pages.store dump.jsonl --id-field docno --text-field body\n\
     \n\
     --json prints one line a document, in input order:\n  \
       {\"key\":\"a\",\"doc\":7,\"fingerprint\":\"97b3a5c8f01d2e64\",\"outcome\":\"new\",\"of\":null,\"distance\":null}\n  \
     outcome is new, duplicate, updated, unchanged or empty (no words in it); doc is the document's\n  \
     number in the store; of and distance name the nearest known document of a duplicate."
))]
pub struct IngestArgs {
    /// Folder of the store; created when missing
    store: PathBuf,

    #[command(flatten)]
    input: InputArgs,

    /// Scheme of the fingerprints [default: words-logtf-xxh3/1 for a new
    /// store, else the store's own]
    #[arg(long, value_name = "ID")]
    scheme: Option<String>,

    /// Documents that differ in at most this many bits are near-duplicates
    #[arg(short, value_name = "BITS", default_value_t = 3)]
    k: u32,

    /// When a line is printed, its document is safe: `sync`, on the disk;
    /// `interval`, on the disk within 50 ms, or a time such as 200ms; `manual`,
    /// on the disk at the end of the run
    #[arg(long, value_name = "WHEN", default_value = "sync")]
    durability: DurabilityChoice,

    /// Near-duplicates to show, without --json
    #[arg(long, value_name = "N", default_value_t = 20)]
    show: u64,

    /// Print one JSON line a document, and the summary on stderr
    #[arg(long)]
    json: bool,
}

impl IngestArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// When the store cannot be opened or written, or stdout not be written.
    pub fn run(self) -> Result<Exit, Failure> {
        let scheme = self.scheme.as_deref().map(str::parse::<Scheme>);
        let durability = self.durability.of_store();
        let store = open::or_create(
            &self.store,
            scheme.transpose()?.as_ref(),
            self.k,
            durability,
        )?;
        let job = self.input.job(open::scheme_of(&store)?);
        let interrupt = Interrupt::install()?;
        let printer = if self.json {
            Printer::json()
        } else {
            Printer::human(self.show)
        };
        let sync_groups = self.durability == DurabilityChoice::Sync;
        let mut sink = StoreSink::new(&store, sync_groups, printer);
        let run = pipeline::run(&job, &interrupt, &mut sink)?;
        let tally = sink.into_tally();
        store.close()?;

        let summary = summary::render(&run, &tally);
        if self.json {
            let _ = std::io::stderr().write_all(summary.as_bytes());
        } else {
            match stdout::print(&summary).map_err(Failure::from) {
                Err(failure) if failure.is_broken_pipe() => {}
                result => result?,
            }
        }
        Ok(run.exit())
    }
}

impl DurabilityChoice {
    /// How the store is to be opened. `sync` is opened manually: the sink syncs
    /// whole groups, where the store would sync every document.
    fn of_store(self) -> Durability {
        match self {
            DurabilityChoice::Sync | DurabilityChoice::Manual => Durability::Manual,
            DurabilityChoice::Interval(every) => Durability::Interval(every),
        }
    }
}
