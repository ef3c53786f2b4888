//! `compact`: write what is new into the on-disk tables.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use simhash_store::{CompactReport, Error};

use super::help::after_help;
use super::open;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::progress::Steps;
use crate::output::stdout::{print, print_json};
use crate::output::table::{Align, Table, pair};
use crate::units::{Bytes, Count};

/// Write what is new into the on-disk tables, so that the store opens faster
#[derive(Debug, Args)]
#[command(after_help = after_help!(
    "  simhash-admin compact pages.store\n  \
       simhash-admin compact pages.store --json"
))]
pub struct CompactArgs {
    /// Folder of the store
    store: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CompactArgs {
    /// Runs the command. Ctrl-C cancels it and loses nothing.
    ///
    /// # Errors
    /// When the store cannot be opened or written, or stdout not be written.
    pub fn run(self) -> Result<Exit, Failure> {
        let store = open::existing(&self.store)?;
        let interrupt = Interrupt::install()?;
        let mut steps = Steps::new("buckets");
        let result = store.compact_with(|progress| {
            steps.update(progress.done, progress.total);
            if interrupt.requested() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        drop(steps);
        let report = match result {
            Err(Error::Cancelled) => {
                eprintln!(
                    "interrupted; nothing is lost, and the next compact goes on with the rest"
                );
                return Ok(Exit::Interrupted);
            }
            result => result?,
        };
        store.close()?;
        if self.json {
            print_json(&report)?;
        } else {
            print(&render(&report))?;
        }
        Ok(Exit::Done)
    }
}

fn render(report: &CompactReport) -> String {
    let mut table = Table::new([Align::Left, Align::Right]);
    pair(&mut table, "operations merged", Count(report.merged));
    pair(&mut table, "  of", Count(report.merged_upto));
    pair(&mut table, "buckets written", Count(report.buckets_written));
    let (before, after) = (report.disk_bytes_before, report.disk_bytes_after);
    pair(&mut table, "on disk before", Bytes(before));
    pair(&mut table, "on disk after", Bytes(after));
    table.to_string()
}
