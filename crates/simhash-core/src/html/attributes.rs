//! The attributes of a tag (HTML standard, sections 13.2.5.32 to 13.2.5.39), over bytes, since
//! the encoding of a page is looked for before it is known.

/// White space in tags.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

/// One attribute, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attribute<'a> {
    pub name: &'a [u8],
    /// Without its quotes; empty when there is none.
    pub value: &'a [u8],
}

/// Reads the attributes of one tag, and finds the end of the tag.
#[derive(Debug, Clone)]
pub(super) struct Attributes<'a> {
    page: &'a [u8],
    at: usize,
    end: Option<TagEnd>,
}

/// How a tag ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagEnd {
    /// The place behind its `>`.
    pub at: usize,
    /// Whether it is `/>`.
    pub is_self_closing: bool,
}

impl<'a> Attributes<'a> {
    /// The attributes from place `at` of a page, which is behind the name of a tag.
    pub fn new(page: &'a [u8], at: usize) -> Self {
        Self {
            page,
            at,
            end: None,
        }
    }

    /// The end of the tag, or `None` when the page ends first.
    pub fn end(mut self) -> Option<TagEnd> {
        self.by_ref().for_each(drop);
        self.end
    }

    fn peek(&self) -> Option<u8> {
        self.page.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        self.take_until(|byte| !is_space(byte));
    }

    /// Everything up to the first byte that `stops`.
    fn take_until(&mut self, stops: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.page.get(self.at..).unwrap_or_default();
        let len = rest
            .iter()
            .position(|&byte| stops(byte))
            .unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn name(&mut self) -> &'a [u8] {
        let start = self.at;
        // Whatever comes first belongs to the name, even a `=`.
        self.at += 1;
        self.take_until(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        &self.page[start..self.at]
    }

    fn value(&mut self) -> &'a [u8] {
        self.skip_spaces();
        if self.peek() != Some(b'=') {
            return &[];
        }
        self.at += 1;
        self.skip_spaces();
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let value = self.take_until(|byte| byte == quote);
                self.at += 1;
                value
            }
            _ => self.take_until(|byte| is_space(byte) || byte == b'>'),
        }
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        while self.end.is_none() {
            self.skip_spaces();
            let is_slash = self.peek()? == b'/';
            let at = self.at + usize::from(is_slash);
            if self.page.get(at) == Some(&b'>') {
                self.end = Some(TagEnd {
                    at: at + 1,
                    is_self_closing: is_slash,
                });
            } else if is_slash {
                self.at += 1;
            } else {
                return Some(Attribute {
                    name: self.name(),
                    value: self.value(),
                });
            }
        }
        None
    }
}
