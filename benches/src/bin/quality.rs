//! Precision and recall of schemes on an evaluation kit.
//!
//! ```text
//! cargo run --release -p simhash-benches --bin quality -- --kit FOLDER
//! ```
//!
//! Every document is fingerprinted (a page by its title and visible text, as `simhash-admin` does), every pair of a file is
//! compared, and the pairs within k bits are held against those that are near-duplicates: of a
//! Jaccard similarity of 0.8 and more between their sets of word triples.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Parser;
use simhash_benches::quality::kit::{Collection, document_files};
use simhash_benches::quality::measure::measure;
use simhash_benches::quality::report::Report;
use simhash_core::Scheme;

#[derive(Parser)]
#[command(about = "Precision and recall of schemes on an evaluation kit")]
struct Arguments {
    /// Folder with *.open.jsonl.xz and *.open.pairs.tsv.xz
    #[arg(long)]
    kit: PathBuf,
    /// Scheme to measure; may be given more than once
    #[arg(long = "scheme", default_value = "words-logtf-xxh3/1")]
    schemes: Vec<Scheme>,
    /// Distances to measure: a number, or the first and last of a range
    #[arg(short, default_value = "0..10", value_parser = distances)]
    k: RangeInclusive<u32>,
    /// Print one JSON object per result
    #[arg(long)]
    json: bool,
}

fn distances(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse::<u32>().ok().filter(|&k| k <= 64);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("expected a distance from 0 to 64, or two as in 0..10".into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let files = document_files(&arguments.kit)?;
    let collections = files
        .iter()
        .map(|file| Collection::read(file))
        .collect::<Result<Vec<_>, _>>()?;
    let report = if arguments.json {
        Report::Json
    } else {
        Report::Table
    };
    for scheme in &arguments.schemes {
        let id = scheme.to_string();
        report.heading(&id);
        for collection in &collections {
            let Collection {
                name,
                texts,
                near_duplicates,
            } = collection;
            let fingerprints: Vec<_> = texts.iter().map(|text| scheme.fingerprint(text)).collect();
            let measures = measure(collection, &fingerprints, arguments.k.clone());
            report.results(&id, name, texts.len(), near_duplicates.len(), &measures)?;
        }
    }
    Ok(())
}
