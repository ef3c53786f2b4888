//! Tags and text of a page, as the HTML standard's tokenizer sees them (section 13.2.5).
//!
//! No tree is built and no attribute is kept, so time is linear in the length of the page and
//! memory constant, however deep the nesting and however many the attributes.

use super::attributes::{Attributes, TagEnd, is_space};

/// A piece of a page. Comments, doctypes and the like are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text between tags, with its character references still to be decoded.
    Text(&'a str),
    /// A tag.
    Tag(Tag<'a>),
}

/// A start tag or an end tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// As written: in any case.
    pub name: &'a str,
    pub is_end: bool,
    pub is_self_closing: bool,
}

/// Reads a page from front to back.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    /// Whether `<![CDATA[` starts a section, as it does inside SVG and MathML.
    pub cdata: bool,
}

/// What a `<` starts that is not text.
enum Markup<'a> {
    /// A tag, and the page after it.
    Tag(Tag<'a>, &'a str),
    /// Something that is not shown, and the page after it.
    Passed(&'a str),
    /// The text of a CDATA section, and the page after it.
    Cdata(&'a str, &'a str),
}

impl<'a> Lexer<'a> {
    pub fn new(page: &'a str) -> Self {
        Self {
            rest: page,
            cdata: false,
        }
    }

    /// Takes the page up to `end`, a place in what is left, without looking at it.
    pub fn advance(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// What is left of the page.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The text in front of the next markup.
    fn text(&mut self) -> Option<&'a str> {
        let bytes = self.rest.as_bytes();
        let mut from = 0;
        let end = loop {
            match find(bytes, from, b'<') {
                None => break bytes.len(),
                Some(at) if starts_markup(&bytes[at + 1..]) => break at,
                Some(at) => from = at + 1,
            }
        };
        let text = self.advance(end);
        (!text.is_empty()).then_some(text)
    }

    /// What the `<` at the front starts.
    fn markup(&self) -> Markup<'a> {
        let after = &self.rest[1..];
        match after.as_bytes() {
            [b'!', b'-', b'-', ..] => Markup::Passed(after_comment(&after[3..])),
            [b'!', ..] if self.cdata && after.starts_with("![CDATA[") => {
                let section = &after["![CDATA[".len()..];
                let (text, rest) = section.split_once("]]>").unwrap_or((section, ""));
                Markup::Cdata(text, rest)
            }
            [b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => tag(&after[1..], true),
            [b'a'..=b'z' | b'A'..=b'Z', ..] => tag(after, false),
            // The standard calls these bogus comments.
            _ => Markup::Passed(after_byte(after, b'>')),
        }
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(text) = self.text() {
                return Some(Token::Text(text));
            }
            if self.rest.is_empty() {
                return None;
            }
            match self.markup() {
                Markup::Tag(tag, rest) => {
                    self.rest = rest;
                    return Some(Token::Tag(tag));
                }
                Markup::Passed(rest) => self.rest = rest,
                Markup::Cdata(text, rest) => {
                    self.rest = rest;
                    return Some(Token::Text(text));
                }
            }
        }
    }
}

/// Whether a `<` in front of these bytes is markup and not text.
fn starts_markup(after: &[u8]) -> bool {
    match after {
        [b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'?', ..] => true,
        [b'/', ..] => after.len() > 1,
        _ => false,
    }
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let found = bytes.get(from..)?.iter().position(|&byte| byte == wanted)?;
    Some(from + found)
}

/// The text after the first `byte`, an ASCII one; nothing when there is none.
fn after_byte(text: &str, byte: u8) -> &str {
    find(text.as_bytes(), 0, byte).map_or("", |at| &text[at + 1..])
}

/// The page after a comment, from the inside of the comment.
fn after_comment(inside: &str) -> &str {
    // `<!-->` and `<!--->` are whole comments.
    if let Some(rest) = inside
        .strip_prefix('>')
        .or_else(|| inside.strip_prefix("->"))
    {
        return rest;
    }
    let bytes = inside.as_bytes();
    let mut from = 0;
    while let Some(at) = find(bytes, from, b'-') {
        match &bytes[at..] {
            [b'-', b'-', b'>', ..] => return &inside[at + 3..],
            [b'-', b'-', b'!', b'>', ..] => return &inside[at + 4..],
            _ => from = at + 1,
        }
    }
    ""
}

/// The tag whose name is at the front. A page that ends inside a tag does not have that tag.
fn tag(page: &str, is_end: bool) -> Markup<'_> {
    let bytes = page.as_bytes();
    let name_ends = |&byte: &u8| is_space(byte) || byte == b'/' || byte == b'>';
    let name_end = bytes.iter().position(name_ends).unwrap_or(bytes.len());
    match Attributes::new(bytes, name_end).end() {
        Some(TagEnd {
            at,
            is_self_closing,
        }) => Markup::Tag(
            Tag {
                name: &page[..name_end],
                is_end,
                is_self_closing,
            },
            &page[at..],
        ),
        None => Markup::Passed(""),
    }
}

#[cfg(test)]
mod tests;
