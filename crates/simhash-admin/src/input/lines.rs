//! Lines of a stream, none longer than a limit.

use std::io::{self, BufRead, BufReader, Read};

/// Bytes read at once.
const BUFFER: usize = 128 << 10;

const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// What [`Lines::next`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, now at the end of the buffer, without its line feed.
    Whole,
    /// A line past the limit; nothing of it was kept.
    TooLong,
    /// No more lines.
    End,
}

/// Reads lines with a bound on their length, and counts them.
pub struct Lines<R> {
    stream: BufReader<R>,
    limit: u64,
    number: u64,
}

impl<R: Read> Lines<R> {
    /// The lines of `stream`; one longer than `limit` bytes is passed over.
    pub fn new(stream: R, limit: u64) -> Lines<R> {
        Lines {
            stream: BufReader::with_capacity(BUFFER, stream),
            limit,
            number: 0,
        }
    }

    /// Number of the last line read, from 1; after an error, of the line in
    /// which it happened.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// True when the next line has been read from the stream already, so that
    /// asking for it cannot block.
    pub fn is_ready(&self) -> bool {
        self.stream.buffer().contains(&b'\n')
    }

    /// Appends the next line to `buffer`. A byte order mark before the first
    /// line is dropped.
    ///
    /// # Errors
    /// Those of the stream; `buffer` is then as it was.
    pub fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<Line> {
        let start = buffer.len();
        self.number += 1;
        let result = self.read_line(buffer);
        if !matches!(result, Ok(Line::Whole)) {
            buffer.truncate(start);
        } else if self.number == 1 && buffer[start..].starts_with(UTF8_BOM) {
            buffer.drain(start..start + UTF8_BOM.len());
        }
        result
    }

    fn read_line(&mut self, buffer: &mut Vec<u8>) -> io::Result<Line> {
        // One more byte than allowed tells a line that is too long, and has
        // room for the line feed of one that is not.
        let room = self.limit.saturating_add(1);
        let read = self.stream.by_ref().take(room).read_until(b'\n', buffer)?;
        if read == 0 {
            return Ok(Line::End);
        }
        if buffer.last() == Some(&b'\n') {
            buffer.pop();
        } else if read as u64 == room {
            self.stream.skip_until(b'\n')?;
            return Ok(Line::TooLong);
        }
        Ok(Line::Whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(data: &[u8], limit: u64) -> Vec<Result<String, Line>> {
        let mut lines = Lines::new(data, limit);
        let mut out = Vec::new();
        loop {
            let mut buffer = b"kept".to_vec();
            match lines.next(&mut buffer).unwrap() {
                Line::Whole => out.push(Ok(String::from_utf8(buffer[4..].to_vec()).unwrap())),
                Line::TooLong => out.push(Err(Line::TooLong)),
                Line::End => return out,
            }
            assert_eq!(lines.number(), out.len() as u64);
            assert!(buffer.starts_with(b"kept"));
        }
    }

    fn ok(line: &str) -> Result<String, Line> {
        Ok(line.to_owned())
    }

    #[test]
    fn the_last_line_needs_no_line_feed() {
        assert_eq!(read(b"", 9), []);
        assert_eq!(read(b"a", 9), [ok("a")]);
        assert_eq!(read(b"a\n\nb\r\n", 9), [ok("a"), ok(""), ok("b\r")]);
    }

    #[test]
    fn a_line_past_the_limit_is_passed_over_and_the_next_is_whole() {
        let long = Err(Line::TooLong);
        assert_eq!(
            read(b"123\n1234\n12\n", 3),
            [ok("123"), long.clone(), ok("12")]
        );
        assert_eq!(read(b"123", 3), [ok("123")]);
        assert_eq!(read(b"1234", 3), [long]);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_from_the_first_line_only() {
        let data = "\u{feff}a\n\u{feff}b\n".as_bytes();
        assert_eq!(read(data, 9), [ok("a"), ok("\u{feff}b")]);
    }

    /// Fails in the middle of the second line.
    struct Fails<'a>(&'a [u8]);

    impl Read for Fails<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buf)? {
                0 => Err(io::Error::other("torn")),
                read => Ok(read),
            }
        }
    }

    #[test]
    fn an_error_leaves_no_half_line() {
        let mut lines = Lines::new(Fails(b"whole\nha"), 99);
        let mut buffer = Vec::new();
        assert_eq!(lines.next(&mut buffer).unwrap(), Line::Whole);
        lines.next(&mut buffer).unwrap_err();
        assert_eq!((lines.number(), &buffer[..]), (2, &b"whole"[..]));
    }
}
