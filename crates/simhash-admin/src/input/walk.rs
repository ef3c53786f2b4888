//! From the inputs on the command line to single files, in a fixed order.

use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::format::by_extension;
use super::problem::{Place, Problem, Reason};

/// One thing found on the way.
#[derive(Debug)]
pub enum Found {
    /// Standard input.
    Stdin,
    /// A file to read.
    File(PathBuf),
    /// A file in a folder that is of no known extension, or no regular file.
    Skipped(PathBuf),
    /// An input that is not there or a folder that cannot be listed.
    Unreadable(Problem),
}

/// All files of `inputs`, in their order; a folder gives its files
/// recursively, sorted by name. No input at all means standard input.
///
/// Symbolic links inside folders are not followed.
pub fn walk(inputs: &[PathBuf]) -> impl Iterator<Item = Found> {
    let stdin = inputs.is_empty().then_some(Found::Stdin);
    stdin
        .into_iter()
        .chain(inputs.iter().flat_map(|input| walk_input(input)))
}

fn walk_input(input: &Path) -> Box<dyn Iterator<Item = Found>> {
    if input == Path::new("-") {
        Box::new(iter::once(Found::Stdin))
    } else if input.is_dir() {
        let entries = WalkDir::new(input).sort_by_file_name().into_iter();
        Box::new(entries.filter_map(found))
    } else {
        // Missing or unreadable: opening it will say so.
        Box::new(iter::once(Found::File(input.to_owned())))
    }
}

fn found(entry: walkdir::Result<DirEntry>) -> Option<Found> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => return Some(Found::Unreadable(unlisted(error))),
    };
    // The folder given may itself be a link; walkdir says so of its root.
    if entry.file_type().is_dir() || entry.depth() == 0 {
        None
    } else if entry.file_type().is_file() && by_extension(entry.path()).is_some() {
        Some(Found::File(entry.into_path()))
    } else {
        Some(Found::Skipped(entry.into_path()))
    }
}

fn unlisted(error: walkdir::Error) -> Problem {
    let input = error.path().map(name_of).unwrap_or_else(|| Arc::from("?"));
    let error = error
        .into_io_error()
        .unwrap_or_else(|| io::Error::other("links that form a loop"));
    Problem {
        place: Place { input, line: None },
        reason: Reason::Read(error),
    }
}

/// A path as messages show it, `/`-separated.
pub fn name_of(path: &Path) -> Arc<str> {
    Arc::from(String::from_utf8_lossy(&key_of(path)))
}

/// A path as the key of the document it holds: its bytes, `/`-separated.
pub fn key_of(path: &Path) -> Vec<u8> {
    let mut key = path.as_os_str().as_encoded_bytes().to_vec();
    if std::path::MAIN_SEPARATOR == '\\' {
        key.iter_mut()
            .filter(|byte| **byte == b'\\')
            .for_each(|byte| *byte = b'/');
    }
    key
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn show(inputs: &[PathBuf], base: &Path) -> Vec<String> {
        let name = |path: PathBuf| name_of(path.strip_prefix(base).unwrap()).to_string();
        walk(inputs)
            .map(|found| match found {
                Found::File(path) => name(path),
                Found::Stdin => "<stdin>".to_owned(),
                Found::Skipped(path) => format!("skipped {}", name(path)),
                Found::Unreadable(problem) => problem.to_string(),
            })
            .collect()
    }

    #[test]
    fn folders_are_walked_sorted_and_links_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path();
        fs::create_dir_all(base.join("in/b")).unwrap();
        for file in ["in/c.txt", "in/a.html.gz", "in/b/x.jsonl", "in/d.bin"] {
            fs::write(base.join(file), "x").unwrap();
        }
        let mut expected = vec![
            "in/a.html.gz",
            "in/b/x.jsonl",
            "in/c.txt",
            "skipped in/d.bin",
        ];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(base.join("in/c.txt"), base.join("in/z.txt")).unwrap();
            std::os::unix::fs::symlink(base.join("in"), base.join("in/loop")).unwrap();
            expected.extend(["skipped in/loop", "skipped in/z.txt"]);
        }
        assert_eq!(show(&[base.join("in")], base), expected);
    }

    #[test]
    fn explicit_files_come_as_given_whatever_their_name() {
        let base = Path::new("");
        let inputs = ["b.bin", "missing", "-"].map(PathBuf::from);
        assert_eq!(show(&inputs, base), ["b.bin", "missing", "<stdin>"]);
    }

    #[test]
    fn no_input_is_standard_input() {
        assert_eq!(show(&[], Path::new("")), ["<stdin>"]);
    }
}
