//! Compressed streams, recognised by their first bytes.

use std::io::{self, BufReader, Read};

use liblzma::stream::{CONCATENATED, Stream};

use super::peek::peek;

/// A readable stream that can move to another thread.
pub type ByteStream = Box<dyn Read + Send>;

/// Memory that an .xz file may ask for. `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 256 << 20;

/// Bytes read at once from the file under a decompressor.
const BUFFER: usize = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstd,
    Xz,
}

impl Compression {
    /// Longest of the magic numbers below.
    const MAGIC_LEN: usize = 6;

    fn of(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            // A skippable frame, with which seekable files may begin.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstd),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            _ => None,
        }
    }
}

/// The plain bytes of `raw`, which may be gzip, zstd or xz, each of one or
/// several members, or not compressed at all.
///
/// # Errors
/// Those of reading the first bytes. Damage further on shows up as an error of
/// the returned stream; so does an end that comes too early.
pub fn decompress(raw: impl Read + Send + 'static) -> io::Result<ByteStream> {
    let (head, stream) = peek(raw, Compression::MAGIC_LEN, |_| false)?;
    let Some(compression) = Compression::of(&head) else {
        return Ok(Box::new(stream));
    };
    let stream = BufReader::with_capacity(BUFFER, stream);
    Ok(match compression {
        Compression::Gzip => named("gzip", flate2::bufread::MultiGzDecoder::new(stream)),
        Compression::Zstd => named("zstd", zstd::stream::read::Decoder::with_buffer(stream)?),
        Compression::Xz => {
            let decoder = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED)?;
            let decoder = liblzma::bufread::XzDecoder::new_stream(stream, decoder);
            named("xz", decoder)
        }
    })
}

fn named(format: &'static str, inner: impl Read + Send + 'static) -> ByteStream {
    Box::new(Named { format, inner })
}

/// A decoder whose errors say what it was decoding.
struct Named<R> {
    format: &'static str,
    inner: R,
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buf).map_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            io::Error::new(
                error.kind(),
                format!("damaged or truncated {} data: {error}", self.format),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use proptest::prelude::*;

    use super::*;

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(data: &[u8]) -> Vec<u8> {
        zstd::stream::encode_all(data, 1).unwrap()
    }

    fn xz(data: &[u8]) -> Vec<u8> {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    fn plain(data: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        decompress(Cursor::new(data))?.read_to_end(&mut out)?;
        Ok(out)
    }

    type Encoder = fn(&[u8]) -> Vec<u8>;

    const ENCODERS: [Encoder; 3] = [gzip, zstd, xz];

    /// Text that does not compress to nothing, so that cuts hit its middle.
    fn sample() -> Vec<u8> {
        (0..5000u32)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).to_string().into_bytes())
            .collect()
    }

    #[test]
    fn uncompressed_bytes_pass_through() {
        for data in [&b""[..], b"a", b"{\"id\":1}\n", &sample()] {
            assert_eq!(plain(data.to_vec()).unwrap(), data);
        }
    }

    #[test]
    fn every_compression_is_recognised_with_several_members() {
        for encode in ENCODERS {
            let mut data = encode(&sample());
            assert_eq!(plain(data.clone()).unwrap(), sample());
            data.extend(encode(b"second member"));
            assert_eq!(
                plain(data).unwrap(),
                [&sample()[..], b"second member"].concat()
            );
        }
    }

    #[test]
    fn a_zstd_file_may_begin_with_a_skippable_frame() {
        let mut data = vec![0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        data.extend(zstd(b"behind it"));
        assert_eq!(plain(data).unwrap(), b"behind it");
    }

    #[test]
    fn every_truncation_is_an_error() {
        for encode in ENCODERS {
            let whole = encode(b"some text, and some more of it");
            for cut in Compression::MAGIC_LEN..whole.len() {
                let error = plain(whole[..cut].to_vec()).unwrap_err();
                assert!(
                    error.to_string().starts_with("damaged or truncated"),
                    "{error}"
                );
            }
        }
    }

    proptest! {
        /// Decoders are C libraries in part: no input may crash them, or go
        /// on for ever.
        #[test]
        fn damage_of_any_kind_ends_in_bytes_or_an_error(
            encoder in 0..3usize, at in any::<prop::sample::Index>(), new in any::<[u8; 4]>(),
        ) {
            let mut data = ENCODERS[encoder](&sample());
            let at = at.index(data.len() - new.len());
            data[at..at + new.len()].copy_from_slice(&new);
            let mut out = Vec::new();
            let read = decompress(Cursor::new(data)).and_then(|stream| {
                stream.take(1 << 20).read_to_end(&mut out)
            });
            prop_assert!(read.is_err() || out.len() < 1 << 20);
        }
    }

    #[test]
    fn a_changed_byte_in_the_data_is_an_error() {
        // The default zstd encoder writes no checksum, so it cannot promise this.
        for encode in [gzip as Encoder, xz] {
            let mut data = encode(&sample());
            let middle = data.len() / 2;
            data[middle] ^= 0x10;
            plain(data).unwrap_err();
        }
    }
}
