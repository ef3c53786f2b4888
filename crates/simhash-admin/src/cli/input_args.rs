//! The arguments of all commands that read documents.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::Args;
use simhash_core::Scheme;

use crate::input::format::FormatChoice;
use crate::input::jsonl::Fields;
use crate::input::reader::ReadOptions;
use crate::pipeline::{Job, Recipe};
use crate::units::parse_size;

/// What to read, and how.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Files, folders, or - for stdin (also when nothing is given)
    ///
    /// A folder is read recursively, sorted by name, links not followed; of its
    /// files those that end in .txt .text .md .html .htm .xhtml .jsonl .ndjson,
    /// with .gz .zst .xz behind or not, and the others count as skipped.
    /// Compression is recognised by content.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// What the inputs hold
    ///
    /// JSONL has one object a line, each a document. A text or HTML file is one
    /// document, and its path is the key. Text must be UTF-8; HTML may be in
    /// any encoding that browsers know, and its title and visible text count.
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help_heading = "Input"
    )]
    format: FormatChoice,

    /// JSONL field that is the key: a string, or an integer
    #[arg(
        long,
        default_value = "id",
        value_name = "NAME",
        help_heading = "Input"
    )]
    id_field: String,

    /// JSONL field that is the key when the first is missing, null or empty
    #[arg(
        long,
        default_value = "url",
        value_name = "NAME",
        help_heading = "Input"
    )]
    url_field: String,

    /// JSONL field of plain text
    #[arg(
        long,
        default_value = "text",
        value_name = "NAME",
        help_heading = "Input"
    )]
    text_field: String,

    /// JSONL field of HTML, used when there is no plain text
    #[arg(
        long,
        default_value = "html",
        value_name = "NAME",
        help_heading = "Input"
    )]
    html_field: String,

    /// Use the HTML field when both are there
    #[arg(long, help_heading = "Input")]
    prefer_html: bool,

    /// Key of a text or HTML page on stdin
    #[arg(long, default_value = "-", value_name = "KEY", help_heading = "Input")]
    stdin_key: String,

    /// Longest line or file, decompressed; longer ones are reported and passed
    /// over
    #[arg(long, default_value = "64MiB", value_parser = parse_size, value_name = "SIZE",
          help_heading = "Input")]
    max_document: u64,

    /// Stop at the first input that cannot be used (exit code 3)
    #[arg(long, help_heading = "Input")]
    strict: bool,

    /// Threads that fingerprint [default: one per core]; the result does not
    /// depend on their number
    #[arg(long, value_name = "N", help_heading = "Input")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl InputArgs {
    /// The job of fingerprinting these inputs by `scheme`.
    pub fn job(self, scheme: Scheme) -> Job {
        Job {
            inputs: self.inputs,
            read: ReadOptions {
                format: self.format,
                max_document: self.max_document,
                stdin_key: self.stdin_key,
            },
            recipe: Recipe {
                scheme,
                fields: Fields {
                    id: self.id_field,
                    url: self.url_field,
                    text: self.text_field,
                    html: self.html_field,
                    prefer_html: self.prefer_html,
                },
            },
            threads: self.threads.map_or_else(cores, usize::from),
            strict: self.strict,
        }
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
