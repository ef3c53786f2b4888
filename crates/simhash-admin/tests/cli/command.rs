//! Running the binary, and reading what it says.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

/// What a finished run left.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Stdout as JSON, one value a line.
    pub fn json(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
            .collect()
    }

    /// This run, which must have ended with `code`.
    #[track_caller]
    pub fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}

/// The binary with these arguments, ready to start.
pub fn command<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(args: I) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simhash-admin"));
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the binary to its end, without input.
pub fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(args: I) -> Run {
    run_with(args, b"")
}

/// Runs the binary to its end, with these bytes on stdin.
pub fn run_with<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(args: I, stdin: &[u8]) -> Run {
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // In a thread of its own: it may block until we read the output. A child
    // that stops early closes its end; that is no failure of ours.
    let writer = thread::spawn(move || pipe.write_all(&stdin).unwrap_or_default());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A folder for a test's files and its store.
pub struct Dir(TempDir);

impl Dir {
    pub fn new() -> Dir {
        Dir(tempfile::tempdir().unwrap())
    }

    /// The store's folder, not there yet.
    pub fn store(&self) -> String {
        self.path("store")
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, data: impl AsRef<[u8]>) -> String {
        let path = PathBuf::from(self.path(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, data).unwrap();
        self.path(name)
    }
}

/// The documents that come with the source.
pub fn examples() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents");
    path.to_str().unwrap().to_owned()
}

/// JSONL of `count` documents with different texts; keys are the numbers.
pub fn unlike_documents(count: usize) -> String {
    (0..count)
        .map(|n| format!("{{\"id\":{n},\"text\":\"{}\"}}\n", unlike_text(n)))
        .collect()
}

/// A text that shares no word with that of another number.
pub fn unlike_text(n: usize) -> String {
    (0..30).map(|word| format!("w{n}x{word} ")).collect()
}
