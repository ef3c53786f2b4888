//! `stats`: numbers about a store.

use std::path::{Path, PathBuf};

use clap::Args;
use simhash_store::{Stats, TableStats};

use super::help::after_help;
use super::open;
use crate::exit::{Exit, Failure};
use crate::output::printable;
use crate::output::stdout::{print, print_json};
use crate::output::table::{Align, Table, pair};
use crate::units::{Bytes, Count};

/// Show numbers about a store: documents, log, tables, disk and memory
#[derive(Debug, Args)]
#[command(after_help = after_help!(
    "  simhash-admin stats pages.store\n  \
       simhash-admin stats pages.store --json | jq .documents"
))]
pub struct StatsArgs {
    /// Folder of the store
    store: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl StatsArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// When the store cannot be read, or stdout not be written.
    pub fn run(self) -> Result<Exit, Failure> {
        let stats = open::existing(&self.store)?.stats()?;
        if self.json {
            print_json(&stats)?;
        } else {
            print(&render(&self.store, &stats))?;
        }
        Ok(Exit::Done)
    }
}

fn render(path: &Path, stats: &Stats) -> String {
    let path = path.as_os_str().as_encoded_bytes();
    let mut head = Table::new([Align::Left, Align::Left]);
    pair(&mut head, "store", printable(path));
    pair(&mut head, "scheme", printable(stats.scheme.as_bytes()));
    pair(&mut head, "format", stats.format);
    pair(&mut head, "plan", format!("{} bits", stats.plan));
    if let Some(why) = &stats.rebuilt {
        pair(&mut head, "rebuilt from the log", printable(why.as_bytes()));
    }
    format!("{head}\n{}\n{}", counts(stats), tables(&stats.tables))
}

fn counts(stats: &Stats) -> Table<2> {
    let mut table = Table::new([Align::Left, Align::Right]);
    pair(&mut table, "documents", Count(stats.documents));
    let distinct = Count(stats.distinct_fingerprints);
    pair(&mut table, "  distinct fingerprints", distinct);
    pair(&mut table, "operations logged", Count(stats.operations));
    pair(&mut table, "  safe on disk", Count(stats.durable_upto));
    pair(&mut table, "  compacted", Count(stats.merged_upto));
    let tail = stats.operations.saturating_sub(stats.merged_upto);
    pair(&mut table, "  replayed at open", Count(tail));
    pair(&mut table, "log records", Count(stats.log_records));
    pair(&mut table, "on disk", Bytes(stats.disk_bytes));
    pair(&mut table, "in memory", Bytes(stats.memory_bytes));
    table
}

fn tables(tables: &[TableStats]) -> Table<6> {
    let mut out = Table::new([Align::Right; 6]);
    let head = [
        "table",
        "entries",
        "buckets used",
        "of",
        "fullest",
        "is bucket",
    ];
    out.row(head.map(String::from));
    for table in tables {
        out.row([
            table.table.to_string(),
            Count(table.entries).to_string(),
            Count(table.used_buckets).to_string(),
            Count(table.buckets).to_string(),
            Count(table.largest_bucket).to_string(),
            format!("{:#06x}", table.largest_bucket_number),
        ]);
    }
    out
}
