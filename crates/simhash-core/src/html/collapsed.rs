//! Text whose white space is collapsed while it grows.

/// Words with a single space or line break between them. Bytes, since pieces of text may begin or
/// end inside a character.
#[derive(Debug, Default)]
pub(super) struct Collapsed {
    words: Vec<u8>,
    gap: Gap,
}

/// What has to stand in front of the next word.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

impl Collapsed {
    /// Whether there is no word yet.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Puts the next word on a line of its own.
    pub fn end_line(&mut self) {
        self.gap = Gap::Line;
    }

    /// Adds text, in which all white space is the same.
    pub fn push(&mut self, text: &[u8]) {
        for (at, word) in text.split(u8::is_ascii_whitespace).enumerate() {
            if at > 0 && self.gap == Gap::None {
                self.gap = Gap::Space;
            }
            self.push_word(word);
        }
    }

    fn push_word(&mut self, word: &[u8]) {
        if word.is_empty() {
            return;
        }
        match self.gap {
            Gap::Space if !self.is_empty() => self.words.push(b' '),
            Gap::Line if !self.is_empty() => self.words.push(b'\n'),
            _ => {}
        }
        self.gap = Gap::None;
        self.words.extend_from_slice(word);
    }

    /// The words. What is not UTF-8, if anything, becomes U+FFFD.
    pub fn into_string(self) -> String {
        String::from_utf8(self.words)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}
