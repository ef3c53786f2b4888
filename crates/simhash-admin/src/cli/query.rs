//! `query`: which known documents are within k bits of this one?

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgGroup, Args};
use serde::Serialize;
use simhash_core::{Fingerprint, Scheme};
use simhash_store::{DocId, Match, Store};

use super::help::after_help;
use super::open;
use crate::exit::{Exit, Failure};
use crate::input::chunk::{Chunk, Content, Record};
use crate::input::document::document;
use crate::input::format::FormatChoice;
use crate::input::jsonl::Fields;
use crate::input::problem::{Place, Problem};
use crate::input::reader::{ReadOptions, Reader};
use crate::output::printable;
use crate::output::stdout::{Lines, print};
use crate::output::table::{Align, Table};
use crate::units::parse_size;

/// Find the known documents within k bits of a text, file or fingerprint
///
/// All of them are found, nearest first. Nothing is stored.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true),
    after_help = after_help!(
        "  simhash-admin query pages.store --text \"The quick brown fox ...\"\n  \
           simhash-admin query pages.store --file page.html.gz -k 1\n  \
           curl -s URL | simhash-admin query pages.store --file - --format html --json\n  \
           simhash-admin query pages.store --fingerprint 97b3a5c8f01d2e64 --limit 5\n\
         \n\
         --json prints one line a match:\n  \
           {\"key\":\"a\",\"doc\":7,\"fingerprint\":\"97b3a5c8f01d2e64\",\"distance\":2}"
    )
)]
pub struct QueryArgs {
    /// Folder of the store
    store: PathBuf,

    /// Ask for this text
    #[arg(long, group = "what", allow_hyphen_values = true)]
    text: Option<String>,

    /// Ask for the text or HTML page in this file, compressed or not; - is
    /// stdin
    #[arg(long, group = "what", value_name = "FILE")]
    file: Option<PathBuf>,

    /// Ask for this fingerprint: 16 hex digits
    #[arg(long, group = "what", value_name = "HEX")]
    fingerprint: Option<Fingerprint>,

    /// What --file holds
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: FormatChoice,

    /// Longest --file, decompressed
    #[arg(long, default_value = "64MiB", value_parser = parse_size, value_name = "SIZE")]
    max_document: u64,

    /// Find documents that differ in at most this many bits
    #[arg(short, value_name = "BITS", default_value_t = 3)]
    k: u32,

    /// Print the nearest N only [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print one JSON line a match
    #[arg(long)]
    json: bool,
}

/// One match, with its key.
#[derive(Debug, Serialize)]
struct Found {
    key: String,
    doc: DocId,
    fingerprint: Fingerprint,
    distance: u32,
}

impl QueryArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// When the store cannot be read, k is too large, or what is asked for has
    /// no fingerprint.
    pub fn run(self) -> Result<Exit, Failure> {
        let store = open::existing(&self.store)?;
        let fingerprint = self.fingerprint(&store)?;
        let matches = store.near(fingerprint, self.k)?;
        let shown = matches.iter().take(self.limit.unwrap_or(usize::MAX));
        if self.json {
            let mut lines = Lines::new();
            for found in shown {
                lines.json(&found_at(&store, found)?)?;
            }
            lines.show()?;
        } else if matches.is_empty() {
            print(&format!("no document within k = {} bits\n", self.k))?;
        } else {
            print(&table(&store, shown)?.to_string())?;
        }
        Ok(Exit::Done)
    }

    fn fingerprint(&self, store: &Store) -> Result<Fingerprint, Failure> {
        if let Some(fingerprint) = self.fingerprint {
            return Ok(fingerprint);
        }
        let scheme = open::scheme_of(store)?;
        let fingerprint = match (&self.text, &self.file) {
            (Some(text), _) => scheme.fingerprint(text),
            (None, Some(file)) => self.file_fingerprint(file, &scheme)?,
            // Not reached: the command line demands one of the three.
            (None, None) => None,
        };
        fingerprint.ok_or(Failure::NoFeatures)
    }

    fn file_fingerprint(
        &self,
        file: &Path,
        scheme: &Scheme,
    ) -> Result<Option<Fingerprint>, Failure> {
        let options = ReadOptions {
            format: self.format,
            max_document: self.max_document,
            stdin_key: String::new(),
        };
        let mut chunk = Chunk::default();
        // One chunk tells: a file of one document has no second.
        let _ = Reader::new(&options, Arc::default(), |first| {
            chunk = first;
            ControlFlow::Break(())
        })
        .read_all(&[file.to_owned()]);
        let Some((content, place)) = only_page(chunk.records) else {
            return Err(Failure::NotOneDocument {
                name: printable(file.as_os_str().as_encoded_bytes()).into_owned(),
            });
        };
        let page = document(content, &chunk.bytes, &Fields::default())
            .map_err(|reason| Failure::Input(Problem { place, reason }))?;
        Ok(page.and_then(|page| scheme.fingerprint(&page.text)))
    }
}

/// The one record, unless it is one of many or not a whole file.
fn only_page(mut records: Vec<Record>) -> Option<(Content, Place)> {
    let record = records.pop()?;
    let is_page = !matches!(record.content, Content::Line(_) | Content::Skipped);
    (records.is_empty() && is_page).then_some((record.content, record.place))
}

fn found_at(store: &Store, found: &Match) -> Result<Found, Failure> {
    let key = store.key(found.doc)?.unwrap_or_default();
    Ok(Found {
        key: String::from_utf8_lossy(&key).into_owned(),
        doc: found.doc,
        fingerprint: found.fingerprint,
        distance: found.distance,
    })
}

fn table<'a>(store: &Store, matches: impl Iterator<Item = &'a Match>) -> Result<Table<4>, Failure> {
    let mut table = Table::new([Align::Right, Align::Right, Align::Left, Align::Left]);
    table.row(["distance", "doc", "fingerprint", "key"].map(String::from));
    for found in matches {
        let found = found_at(store, found)?;
        table.row([
            found.distance.to_string(),
            found.doc.to_string(),
            found.fingerprint.to_string(),
            printable(found.key.as_bytes()).into_owned(),
        ]);
    }
    Ok(table)
}
