//! Standard output, for people and for programs.

use std::io::{self, Stdout, Write};

use serde::Serialize;

/// Lines held until they may be shown.
#[derive(Debug)]
pub struct Lines {
    held: Vec<u8>,
    stdout: Stdout,
}

impl Lines {
    /// No lines yet.
    pub fn new() -> Lines {
        Lines {
            held: Vec::new(),
            stdout: io::stdout(),
        }
    }

    /// Adds one value as one line of JSON.
    ///
    /// # Errors
    /// When the value cannot be written as JSON.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.held, value)?;
        self.held.push(b'\n');
        Ok(())
    }

    /// Adds one line.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.held.extend_from_slice(line.as_ref().as_bytes());
        self.held.push(b'\n');
    }

    /// Writes out everything held.
    ///
    /// # Errors
    /// Those of standard output; the lines are gone then.
    pub fn show(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let mut stdout = self.stdout.lock();
        let result = stdout.write_all(&self.held).and_then(|()| stdout.flush());
        self.held.clear();
        result
    }

    /// As [`Lines::show`], for work that must go on when whoever reads the
    /// lines has gone away.
    ///
    /// # Errors
    /// Those of standard output, but for a broken pipe.
    pub fn show_if_read(&mut self) -> io::Result<()> {
        match self.show() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
}

/// Prints one value as one line of JSON.
///
/// # Errors
/// Those of standard output.
pub fn print_json(value: &impl Serialize) -> io::Result<()> {
    let mut lines = Lines::new();
    lines.json(value)?;
    lines.show()
}

/// Prints a text that ends its lines itself.
///
/// # Errors
/// Those of standard output.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
