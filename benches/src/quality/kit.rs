//! Reading of an evaluation kit: documents, and the pairs among them that are similar.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use liblzma::read::XzDecoder;
use serde::Deserialize;
use simhash_core::html::visible_text;

/// The end of the name of a file of documents; the pairs are in a file beside it.
const DOCUMENTS: &str = ".open.jsonl.xz";
const PAIRS: &str = ".open.pairs.tsv.xz";

/// Pairs of at least this Jaccard similarity of word triples are near-duplicates.
const NEAR_DUPLICATE: f64 = 0.8;

/// One file of the kit.
pub struct Collection {
    /// The file's name, without its ending.
    pub name: String,
    /// The text of each document: of a page, its title and visible text.
    pub texts: Vec<String>,
    /// The near-duplicates, as places in `texts`, the smaller first.
    pub near_duplicates: HashSet<(usize, usize)>,
}

#[derive(Deserialize)]
struct Document {
    id: String,
    text: String,
    html: Option<String>,
}

impl Document {
    fn into_text(self) -> String {
        match self.html {
            // As `simhash-admin` does it: with the title.
            Some(html) => visible_text(&html).full_text(),
            None => self.text,
        }
    }
}

/// All files of documents in a folder, by name.
///
/// # Errors
/// When the folder cannot be read, or has none.
pub fn document_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in folder
        .read_dir()
        .map_err(|error| format!("{}: {error}", folder.display()))?
    {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(DOCUMENTS) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(format!("{}: no file named *{DOCUMENTS}", folder.display()).into());
    }
    files.sort();
    Ok(files)
}

impl Collection {
    /// Reads a file of documents and its file of pairs.
    ///
    /// # Errors
    /// When one of them cannot be read, or is not of its format.
    pub fn read(documents: &Path) -> Result<Self, Box<dyn Error>> {
        let path = documents.to_string_lossy();
        let stem = path
            .strip_suffix(DOCUMENTS)
            .ok_or("not a file of documents")?;
        let name = Path::new(stem)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut ids = HashMap::new();
        let mut texts = Vec::new();
        for line in lines(documents)?.lines() {
            let document: Document = serde_json::from_str(&line?)?;
            ids.insert(document.id.clone(), texts.len());
            texts.push(document.into_text());
        }
        let near_duplicates = read_pairs(Path::new(&format!("{stem}{PAIRS}")), &ids)?;
        Ok(Self {
            name,
            texts,
            near_duplicates,
        })
    }
}

fn lines(path: &Path) -> Result<impl BufRead, Box<dyn Error>> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(BufReader::new(XzDecoder::new(file)))
}

/// The near-duplicates in a file of pairs, as the places of their ids.
fn read_pairs(
    path: &Path,
    ids: &HashMap<String, usize>,
) -> Result<HashSet<(usize, usize)>, Box<dyn Error>> {
    let mut pairs = HashSet::new();
    // The first line names the columns.
    for line in lines(path)?.lines().skip(1) {
        let line = line?;
        let wrong = || {
            format!(
                "{}: not two known ids and a number: {line:?}",
                path.display()
            )
        };
        let mut fields = line.split('\t');
        let mut place = || {
            fields
                .next()
                .and_then(|id| ids.get(id))
                .copied()
                .ok_or_else(wrong)
        };
        let (a, b) = (place()?, place()?);
        let jaccard: f64 = fields.next().ok_or_else(wrong)?.parse()?;
        if jaccard >= NEAR_DUPLICATE {
            pairs.insert((a.min(b), a.max(b)));
        }
    }
    Ok(pairs)
}
