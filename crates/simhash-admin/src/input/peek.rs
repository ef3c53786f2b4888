//! Looking at the first bytes of a stream without taking them.

use std::io::{self, Chain, Cursor, Read};

/// A stream with its first bytes put back in front.
pub type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

/// Reads from `reader` until `enough` says so, `limit` bytes are there or the
/// stream ends; gives those bytes, and the stream as it was.
///
/// Reads no more than it must: a pipe may have no more to give for now.
///
/// # Errors
/// Those of `reader`.
pub fn peek<R: Read>(
    mut reader: R,
    limit: usize,
    enough: impl Fn(&[u8]) -> bool,
) -> io::Result<(Vec<u8>, Peeked<R>)> {
    let mut head = Vec::new();
    let mut block = [0; 512];
    while head.len() < limit && !enough(&head) {
        let want = block.len().min(limit - head.len());
        match reader.read(&mut block[..want]) {
            Ok(0) => break,
            Ok(read) => head.extend_from_slice(&block[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let stream = Cursor::new(head.clone()).chain(reader);
    Ok((head, stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte a call, as a slow pipe may.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let take = self.0.len().min(1).min(buf.len());
            buf[..take].copy_from_slice(&self.0[..take]);
            self.0 = &self.0[take..];
            Ok(take)
        }
    }

    #[test]
    fn the_stream_is_whole_after_a_peek() {
        for limit in [0, 1, 3, 100] {
            let (head, mut stream) = peek(Drip(b"abcdef"), limit, |_| false).unwrap();
            assert_eq!(head.len(), limit.min(6));
            let mut all = Vec::new();
            stream.read_to_end(&mut all).unwrap();
            assert_eq!(all, b"abcdef");
        }
    }

    #[test]
    fn it_stops_as_soon_as_it_has_enough() {
        let (head, _) = peek(Drip(b"  {}"), 100, |head| head.contains(&b'{')).unwrap();
        assert_eq!(head, b"  {");
    }
}
