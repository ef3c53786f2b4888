//! What kind of documents a file holds.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use clap::ValueEnum;

use super::decompress::ByteStream;
use super::peek::peek;

/// How a file holds documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line, each a document.
    Jsonl,
    /// One plain text in UTF-8.
    Text,
    /// One HTML page.
    Html,
}

/// What the user says about the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// By the file's extension; else by its first byte: `{` JSONL, `<` HTML.
    #[default]
    Auto,
    /// One JSON object a line.
    Jsonl,
    /// One plain text a file.
    Text,
    /// One HTML page a file.
    Html,
}

impl FormatChoice {
    /// The format, when it is fixed.
    fn fixed(self) -> Option<Format> {
        match self {
            FormatChoice::Auto => None,
            FormatChoice::Jsonl => Some(Format::Jsonl),
            FormatChoice::Text => Some(Format::Text),
            FormatChoice::Html => Some(Format::Html),
        }
    }

    /// The format of a stream, and the stream as it was. `path` is `None` for
    /// standard input.
    ///
    /// # Errors
    /// Those of reading the first bytes, where they decide.
    pub fn resolve(
        self,
        path: Option<&Path>,
        stream: ByteStream,
    ) -> io::Result<(Format, ByteStream)> {
        if let Some(format) = self.fixed().or_else(|| by_extension(path?)) {
            return Ok((format, stream));
        }
        let (format, stream) = by_first_byte(stream)?;
        // An empty file is an empty document; a program that wrote nothing to
        // our stdin had no document for us.
        let nothing = if path.is_some() {
            Format::Text
        } else {
            Format::Jsonl
        };
        Ok((format.unwrap_or(nothing), stream))
    }
}

/// The format that a file's extension stands for, behind `.gz`, `.zst` and
/// `.xz`; `None` for any other.
pub fn by_extension(path: &Path) -> Option<Format> {
    let extension = |path: &Path| {
        let extension = path.extension().and_then(OsStr::to_str)?;
        Some(extension.to_ascii_lowercase())
    };
    let mut last = extension(path)?;
    if matches!(last.as_str(), "gz" | "zst" | "xz") {
        last = extension(Path::new(path.file_stem()?))?;
    }
    match last.as_str() {
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        "txt" | "text" | "md" => Some(Format::Text),
        "html" | "htm" | "xhtml" => Some(Format::Html),
        _ => None,
    }
}

/// Leading white space that is read in search of the first byte.
const MAX_LEADING_SPACE: usize = 64 << 10;

/// `None` for a stream of nothing but white space.
fn by_first_byte(stream: ByteStream) -> io::Result<(Option<Format>, ByteStream)> {
    let (head, stream) = peek(stream, MAX_LEADING_SPACE, |head| first_byte(head).is_some())?;
    let format = first_byte(&head).map(|byte| match byte {
        b'{' => Format::Jsonl,
        b'<' => Format::Html,
        _ => Format::Text,
    });
    Ok((format, Box::new(stream)))
}

/// The first byte that is neither white space nor part of a byte order mark.
fn first_byte(head: &[u8]) -> Option<u8> {
    let is_bom = |byte: u8| matches!(byte, 0xef | 0xbb | 0xbf);
    head.iter()
        .copied()
        .find(|&byte| !byte.is_ascii_whitespace() && !is_bom(byte))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    #[test]
    fn extensions_are_seen_through_compression_and_case() {
        let format = |name: &str| by_extension(Path::new(name));
        assert_eq!(format("a.jsonl"), Some(Format::Jsonl));
        assert_eq!(format("dir.d/a.NDJSON.zst"), Some(Format::Jsonl));
        assert_eq!(format("a.txt.gz"), Some(Format::Text));
        assert_eq!(format("a.md"), Some(Format::Text));
        assert_eq!(format("a.XHTML.xz"), Some(Format::Html));
        for unknown in ["a", "a.json", "a.gz", ".txt", "a.txt.gz.gz", "a.txt.bz2"] {
            assert_eq!(format(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn the_first_byte_decides_without_an_extension() {
        let cases: [(&[u8], Format); 7] = [
            (b"{\"id\":1}", Format::Jsonl),
            (b"\n \t{", Format::Jsonl),
            (b"\xef\xbb\xbf{}", Format::Jsonl),
            (b"\r\n<!doctype html>", Format::Html),
            (b"[1]", Format::Text),
            (b"  ", Format::Jsonl),
            (b"", Format::Jsonl),
        ];
        for (data, expected) in cases {
            let stream = Box::new(Cursor::new(data));
            let (format, mut stream) = FormatChoice::Auto.resolve(None, stream).unwrap();
            assert_eq!(format, expected, "{data:?}");
            let mut all = Vec::new();
            stream.read_to_end(&mut all).unwrap();
            assert_eq!(all, data);
        }
    }

    #[test]
    fn an_empty_file_is_a_document_and_an_empty_stdin_is_none() {
        let format = |path| {
            let stream = Box::new(Cursor::new(b" \n"));
            FormatChoice::Auto.resolve(path, stream).unwrap().0
        };
        assert_eq!(format(Some(Path::new("empty"))), Format::Text);
        assert_eq!(format(None), Format::Jsonl);
    }

    #[test]
    fn the_users_word_wins_over_the_extension() {
        let stream = Box::new(Cursor::new(b"<p>".to_vec()));
        let path = Path::new("a.html");
        let (format, _) = FormatChoice::Text.resolve(Some(path), stream).unwrap();
        assert_eq!(format, Format::Text);
    }
}
