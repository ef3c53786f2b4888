//! `schemes`: what kinds of fingerprints there are.

use clap::Args;
use serde::Serialize;
use simhash_core::Scheme;

use super::help::after_help;
use crate::exit::{Exit, Failure};
use crate::output::stdout::{Lines, print};
use crate::output::table::{Align, Table};

/// List the recommended schemes, the default first
///
/// A scheme is the whole recipe from text to fingerprint. Its id is
/// FEATURES-WEIGHT-HASH/VERSION, and other combinations work as well. Features:
/// words, w2 to w8 (so many words in a row), jieba (Chinese cut by a
/// dictionary). Weights: logtf, tf, binary, with jieba also tfidf1 to
/// tfidf1000. Hashes: xxh3, fnv1a.
#[derive(Debug, Args)]
#[command(after_help = after_help!(
    "  simhash-admin schemes\n  \
       simhash-admin schemes --json"
))]
pub struct SchemesArgs {
    /// Print one JSON line a scheme: id, description
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonLine {
    id: &'static str,
    description: &'static str,
}

impl SchemesArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn run(self) -> Result<Exit, Failure> {
        let entries = Scheme::catalogue().iter();
        if self.json {
            let mut lines = Lines::new();
            for entry in entries {
                lines.json(&JsonLine {
                    id: entry.id,
                    description: entry.description,
                })?;
            }
            lines.show()?;
        } else {
            let mut table = Table::new([Align::Left, Align::Left]);
            for entry in entries {
                table.row([entry.id.to_owned(), entry.description.to_owned()]);
            }
            print(&table.to_string())?;
        }
        Ok(Exit::Done)
    }
}
