//! Reading every input, in order, into chunks of raw documents.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::chunk::{Chunk, Content, Record};
use super::decompress::{ByteStream, decompress};
use super::format::{Format, FormatChoice};
use super::lines::{Line, Lines};
use super::problem::{Place, Reason};
use super::walk::{Found, key_of, name_of, walk};

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// What the user says about the format.
    pub format: FormatChoice,
    /// The longest line or document, in bytes after decompression.
    pub max_document: u64,
    /// The key of a text or page on standard input.
    pub stdin_key: String,
}

/// Reads all inputs and hands them on, chunk by chunk.
pub struct Reader<'a, S> {
    options: &'a ReadOptions,
    /// Bytes read so far from files and standard input, before decompression.
    progress: Arc<AtomicU64>,
    send: S,
    chunk: Chunk,
}

/// Breaks when nobody wants more chunks.
type Flow = ControlFlow<()>;

/// One input being read.
struct Source<'p> {
    /// `None` for standard input.
    path: Option<&'p Path>,
    name: Arc<str>,
}

impl Source<'_> {
    fn place(&self, line: Option<u64>) -> Place {
        Place {
            input: Arc::clone(&self.name),
            line,
        }
    }
}

impl<'a, S: FnMut(Chunk) -> Flow> Reader<'a, S> {
    /// A reader that counts the bytes it reads in `progress` and calls `send`
    /// with each chunk, until that breaks.
    pub fn new(options: &'a ReadOptions, progress: Arc<AtomicU64>, send: S) -> Reader<'a, S> {
        Reader {
            options,
            progress,
            send,
            chunk: Chunk::default(),
        }
    }

    /// Reads all of `inputs`, in order. What cannot be read becomes an
    /// unusable record, and the run goes on behind it.
    pub fn read_all(mut self, inputs: &[PathBuf]) -> Flow {
        for found in walk(inputs) {
            match found {
                Found::Stdin => self.read(&Source {
                    path: None,
                    name: Arc::from("<stdin>"),
                })?,
                Found::File(path) => self.read(&Source {
                    path: Some(&path),
                    name: name_of(&path),
                })?,
                Found::Skipped(path) => {
                    let input = name_of(&path);
                    self.push(Place { input, line: None }, Content::Skipped)?;
                }
                Found::Unreadable(problem) => {
                    self.push(problem.place, Content::Unusable(problem.reason))?;
                }
            }
        }
        self.send_chunk()
    }

    fn read(&mut self, source: &Source<'_>) -> Flow {
        if source.path.is_none() {
            // The first read may wait for whoever writes to the pipe.
            self.send_chunk()?;
        }
        match self.open(source) {
            Ok((Format::Jsonl, stream)) => self.read_lines(source, stream),
            Ok((format, stream)) => self.read_page(source, format, stream),
            Err(error) => self.push(source.place(None), Content::Unusable(error.into())),
        }
    }

    fn open(&mut self, source: &Source<'_>) -> io::Result<(Format, ByteStream)> {
        let raw: ByteStream = match source.path {
            Some(path) => Box::new(File::open(path)?),
            None => Box::new(io::stdin()),
        };
        let counted = Counted {
            inner: raw,
            read: Arc::clone(&self.progress),
        };
        let stream = decompress(counted)?;
        self.options.format.resolve(source.path, stream)
    }

    fn read_lines(&mut self, source: &Source<'_>, stream: ByteStream) -> Flow {
        let mut lines = Lines::new(stream, self.options.max_document);
        loop {
            if source.path.is_none() && !lines.is_ready() {
                // Do not hold documents back while a pipe has no more to give.
                self.send_chunk()?;
            }
            let start = self.chunk.bytes.len();
            let line = lines.next(&mut self.chunk.bytes);
            let place = source.place(Some(lines.number()));
            match line {
                Ok(Line::End) => return Flow::Continue(()),
                Ok(Line::Whole) if self.chunk.bytes[start..].trim_ascii().is_empty() => {
                    self.chunk.bytes.truncate(start);
                }
                Ok(Line::Whole) => {
                    let range = start..self.chunk.bytes.len();
                    self.push(place, Content::Line(range))?;
                }
                Ok(Line::TooLong) => self.push(place, self.too_long())?,
                Err(error) => return self.push(place, Content::Unusable(error.into())),
            }
        }
    }

    fn read_page(&mut self, source: &Source<'_>, format: Format, stream: ByteStream) -> Flow {
        let start = self.chunk.bytes.len();
        let limit = self.options.max_document;
        let read = stream
            .take(limit.saturating_add(1))
            .read_to_end(&mut self.chunk.bytes);
        let content = match read {
            Ok(read) if read as u64 <= limit => {
                let range = start..self.chunk.bytes.len();
                let key = match source.path {
                    Some(path) => key_of(path),
                    None => self.options.stdin_key.clone().into_bytes(),
                };
                match format {
                    Format::Html => Content::Html(key, range),
                    Format::Text | Format::Jsonl => Content::Text(key, range),
                }
            }
            failed => {
                self.chunk.bytes.truncate(start);
                match failed {
                    Ok(_) => self.too_long(),
                    Err(error) => Content::Unusable(error.into()),
                }
            }
        };
        self.push(source.place(None), content)
    }

    fn too_long(&self) -> Content {
        Content::Unusable(Reason::TooLong {
            limit: self.options.max_document,
        })
    }

    fn push(&mut self, place: Place, content: Content) -> Flow {
        self.chunk.records.push(Record { place, content });
        if self.chunk.is_full() {
            self.send_chunk()?;
        }
        Flow::Continue(())
    }

    fn send_chunk(&mut self) -> Flow {
        if self.chunk.records.is_empty() {
            return Flow::Continue(());
        }
        (self.send)(std::mem::take(&mut self.chunk))
    }
}

/// A stream that counts what is read from it.
struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buf)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What the reader made of a folder with these files, record by record,
    /// and the number of chunks.
    fn read(files: &[(&str, &[u8])], max_document: u64) -> (Vec<String>, usize) {
        let dir = tempfile::tempdir().unwrap();
        for (name, data) in files {
            fs::write(dir.path().join(name), data).unwrap();
        }
        let options = ReadOptions {
            format: FormatChoice::Auto,
            max_document,
            stdin_key: "-".to_owned(),
        };
        let (mut shown, mut chunks) = (Vec::new(), 0);
        let _ = Reader::new(&options, Arc::default(), |chunk: Chunk| {
            chunks += 1;
            shown.extend(
                chunk
                    .records
                    .iter()
                    .map(|record| show(record, &chunk.bytes)),
            );
            Flow::Continue(())
        })
        .read_all(&[dir.path().to_owned()]);
        let base = format!("{}/", name_of(dir.path()));
        let shown = shown.iter().map(|shown| shown.replace(&base, ""));
        (shown.collect(), chunks)
    }

    fn show(record: &Record, bytes: &[u8]) -> String {
        let text = |range: &std::ops::Range<usize>| String::from_utf8_lossy(&bytes[range.clone()]);
        let content = match &record.content {
            Content::Line(range) => format!("line {}", text(range)),
            Content::Text(key, range) => {
                format!("text {} {}", String::from_utf8_lossy(key), text(range))
            }
            Content::Html(key, range) => {
                format!("html {} {}", String::from_utf8_lossy(key), text(range))
            }
            Content::Skipped => "skipped".to_owned(),
            Content::Unusable(reason) => reason.to_string(),
        };
        format!("{}: {content}", record.place)
    }

    #[test]
    fn every_kind_of_file_becomes_records_in_order() {
        let files: [(&str, &[u8]); 4] = [
            ("a.jsonl", b"{1}\n\n \r\n{2}"),
            ("b.txt", b"words"),
            ("c.htm", b"<p>"),
            ("d.bin", b"?"),
        ];
        let (shown, chunks) = read(&files, 100);
        let expected = [
            "a.jsonl:1: line {1}",
            "a.jsonl:4: line {2}",
            "b.txt: text b.txt words",
            "c.htm: html c.htm <p>",
            "d.bin: skipped",
        ];
        assert_eq!(shown, expected);
        assert_eq!(chunks, 1, "small files share a chunk");
    }

    #[test]
    fn what_is_too_long_is_passed_over() {
        let files: [(&str, &[u8]); 3] = [
            ("a.txt", b"12345"),
            ("b.txt", b"123456"),
            ("c.jsonl", b"123456\n12345\n"),
        ];
        let too_long = "longer than 5 B; --max-document sets the limit";
        let expected = [
            "a.txt: text a.txt 12345".to_owned(),
            format!("b.txt: {too_long}"),
            format!("c.jsonl:1: {too_long}"),
            "c.jsonl:2: line 12345".to_owned(),
        ];
        assert_eq!(read(&files, 5).0, expected);
    }

    #[test]
    fn lines_before_the_damage_are_used_and_the_next_file_is_read() {
        let lines: Vec<String> = (0..2000u32)
            .map(|n| n.wrapping_mul(2_654_435_761).to_string())
            .collect();
        let mut damaged = zstd::stream::encode_all(lines.join("\n").as_bytes(), 1).unwrap();
        damaged.truncate(damaged.len() - 1);
        let (shown, _) = read(&[("a.jsonl.zst", &damaged), ("b.txt", b"next")], 100);
        let (last_two, lines_read) = (&shown[shown.len() - 2..], shown.len() - 2);
        let place = format!("a.jsonl.zst:{}: cannot read: damaged", lines_read + 1);
        assert!(last_two[0].starts_with(&place), "{last_two:?}");
        assert_eq!(last_two[1], "b.txt: text b.txt next");
        for (number, (shown, line)) in shown[..lines_read].iter().zip(&lines).enumerate() {
            assert_eq!(shown, &format!("a.jsonl.zst:{}: line {line}", number + 1));
        }
    }

    #[test]
    fn many_lines_are_cut_into_chunks() {
        let lines = "{}\n".repeat(2000);
        let (shown, chunks) = read(&[("a.jsonl", lines.as_bytes())], 100);
        assert_eq!((shown.len(), chunks), (2000, 4));
    }
}
