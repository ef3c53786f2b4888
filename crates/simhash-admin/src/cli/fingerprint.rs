//! `fingerprint`: print the fingerprints of documents; needs no store.

use clap::Args;
use serde::Serialize;
use simhash_core::{Fingerprint, Scheme};

use super::help::after_help;
use super::input_args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::printable;
use crate::output::stdout::Lines;
use crate::pipeline::{self, Fingerprinted, Refusal, Sink};

/// Print the fingerprint of each document, in input order
///
/// Prints the fingerprint and the key; `empty` stands for a document without
/// words, which has no fingerprint.
#[derive(Debug, Args)]
#[command(after_help = after_help!(
    "  simhash-admin fingerprint page.html other.txt\n  \
       simhash-admin fingerprint crawl.jsonl.zst --json > fingerprints.jsonl\n  \
       simhash-admin fingerprint folder/ --scheme w3-logtf-xxh3/1\n\
     \n\
     --json prints one line a document; fingerprint is null for one without words:\n  \
       {\"key\":\"page.html\",\"fingerprint\":\"97b3a5c8f01d2e64\"}"
))]
pub struct FingerprintArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Scheme of the fingerprints; `simhash-admin schemes` lists them
    #[arg(long, value_name = "ID", default_value_t = Scheme::default().to_string())]
    scheme: String,

    /// Print one JSON line a document
    #[arg(long)]
    json: bool,
}

impl FingerprintArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// When the scheme is not known, or stdout cannot be written.
    pub fn run(self) -> Result<Exit, Failure> {
        let job = self.input.job(self.scheme.parse()?);
        let interrupt = Interrupt::install()?;
        let mut sink = PrintSink {
            lines: Lines::new(),
            json: self.json,
        };
        let run = pipeline::run(&job, &interrupt, &mut sink)?;
        Ok(run.exit())
    }
}

struct PrintSink {
    lines: Lines,
    json: bool,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    key: &'a str,
    fingerprint: Option<Fingerprint>,
}

impl Sink for PrintSink {
    fn document(&mut self, document: &Fingerprinted) -> Result<(), Refusal> {
        let fingerprint = document.fingerprint;
        if self.json {
            let line = JsonLine {
                key: &String::from_utf8_lossy(&document.key),
                fingerprint,
            };
            let added = self.lines.json(&line);
            return added.map_err(|error| Refusal::Run(error.into()));
        }
        let key = printable(&document.key);
        self.lines.line(match fingerprint {
            Some(fingerprint) => format!("{fingerprint}  {key}"),
            None => format!("{:16}  {key}", "empty"),
        });
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn show(&mut self) -> Result<(), Failure> {
        Ok(self.lines.show()?)
    }
}
