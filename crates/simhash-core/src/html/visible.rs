//! From a page to what a reader sees of it.

use super::attributes::is_space;
use super::char_refs::char_ref;
use super::elements::Element;
use super::lexer::{Lexer, Tag, Token};
use super::raw_text::{raw_text_end, script_end};

/// What a page says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The content of its first `<title>` that is not blank.
    pub title: Option<String>,
    /// Its visible text, without the title. Words of different blocks are on different lines;
    /// other white space is a single space.
    pub text: String,
}

/// The title and the visible text of an HTML page.
///
/// The page is cut into tags and text as the HTML standard does it (section 13.2.5), but no tree
/// is built: time is linear in the length of the page, and memory is that of the text, on any
/// input. Nothing fails; a page of plain text is its own text.
///
/// Not part of the text: comments, and the content of `script`, `style`, `noscript`, `template`,
/// `iframe`, `noembed`, `noframes` and `svg`; attributes such as `alt`. Tags of blocks, table
/// cells, boxes and `br` part words; tags of inline and of unknown elements do not. Character
/// references are decoded. Style sheets and `hidden` attributes are not looked at.
///
/// ```
/// use simhash_core::html::visible_text;
///
/// let page = visible_text("<title>T</title><ul><li>one<li>t<i>w</i>o &amp; three</ul><!-- four -->");
/// assert_eq!(page.title.as_deref(), Some("T"));
/// assert_eq!(page.text, "one\ntwo & three");
/// ```
#[must_use]
pub fn visible_text(html: &str) -> Page {
    let mut reader = Reader::new(html);
    while let Some(token) = reader.lexer.next() {
        match token {
            Token::Text(text) => reader.show(text),
            Token::Tag(tag) if reader.svgs > 0 => reader.tag_in_svg(tag),
            Token::Tag(tag) => reader.tag(tag),
        }
    }
    Page {
        title: reader.title,
        text: reader.text.lines,
    }
}

/// Where in a page we are, and what it said so far.
struct Reader<'a> {
    lexer: Lexer<'a>,
    text: Text,
    title: Option<String>,
    /// How many elements of each kind are open.
    templates: usize,
    svgs: usize,
    maths: usize,
}

impl<'a> Reader<'a> {
    fn new(html: &'a str) -> Self {
        let (lexer, text) = (Lexer::new(html), Text::default());
        Self {
            lexer,
            text,
            title: None,
            templates: 0,
            svgs: 0,
            maths: 0,
        }
    }

    fn is_hidden(&self) -> bool {
        self.templates > 0 || self.svgs > 0
    }

    /// Adds text with character references, if anything is to be seen here.
    fn show(&mut self, text: &str) {
        if !self.is_hidden() {
            self.text.push_decoded(text);
        }
    }

    fn show_raw(&mut self, text: &str) {
        if !self.is_hidden() {
            self.text.push(text);
        }
    }

    fn tag(&mut self, tag: Tag<'_>) {
        let element = Element::named(tag.name);
        if element != Element::Inline && element != Element::Math && !self.is_hidden() {
            self.text.end_line();
        }
        if tag.is_end {
            self.close(element);
        } else {
            self.open(element, tag);
        }
    }

    fn open(&mut self, element: Element, tag: Tag<'_>) {
        match element {
            Element::Inline | Element::Separate => {}
            Element::Template => self.templates += 1,
            Element::Svg if !tag.is_self_closing => self.svgs += 1,
            Element::Math if !tag.is_self_closing => self.maths += 1,
            Element::Svg | Element::Math => {}
            Element::Script => {
                self.lexer.advance(script_end(self.lexer.rest()));
            }
            Element::HiddenRaw => {
                self.take_raw(tag);
            }
            Element::ShownRaw => {
                let content = self.take_raw(tag);
                self.show_raw(content);
            }
            Element::ShownText => {
                let content = self.take_raw(tag);
                self.show(content);
            }
            Element::Title => {
                let content = self.take_raw(tag);
                self.keep_title(content);
            }
            Element::PlainText => {
                let content = self.lexer.advance(usize::MAX);
                self.show_raw(content);
            }
        }
        self.lexer.cdata = self.svgs + self.maths > 0;
    }

    fn close(&mut self, element: Element) {
        match element {
            Element::Template => self.templates = self.templates.saturating_sub(1),
            Element::Math => self.maths = self.maths.saturating_sub(1),
            _ => {}
        }
        self.lexer.cdata = self.maths > 0;
    }

    /// Inside a drawing only its end counts: no element there has raw content.
    fn tag_in_svg(&mut self, tag: Tag<'_>) {
        if Element::ends_svg(tag.name) {
            self.svgs = 0;
            self.lexer.cdata = self.maths > 0;
            return self.tag(tag);
        }
        if Element::named(tag.name) == Element::Svg {
            match (tag.is_end, tag.is_self_closing) {
                (true, _) => self.svgs -= 1,
                (false, false) => self.svgs += 1,
                (false, true) => {}
            }
        }
        self.lexer.cdata = self.svgs + self.maths > 0;
    }

    /// The raw content of the element that this tag opened.
    fn take_raw(&mut self, tag: Tag<'_>) -> &'a str {
        let end = raw_text_end(self.lexer.rest(), tag.name);
        self.lexer.advance(end)
    }

    fn keep_title(&mut self, content: &str) {
        if self.title.is_none() && !self.is_hidden() {
            let mut title = Text::default();
            title.push_decoded(content);
            self.title = Some(title.lines).filter(|title| !title.is_empty());
        }
    }
}

/// Text whose white space is collapsed while it grows.
#[derive(Default)]
struct Text {
    lines: String,
    gap: Gap,
}

/// What has to stand in front of the next word.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

impl Text {
    fn end_line(&mut self) {
        self.gap = Gap::Line;
    }

    /// Adds text with character references in it.
    fn push_decoded(&mut self, mut text: &str) {
        while let Some(at) = text.find('&') {
            self.push(&text[..at]);
            text = &text[at..];
            let len = match char_ref(text) {
                Some(found) => {
                    for c in found.chars.into_iter().flatten() {
                        self.push(c.encode_utf8(&mut [0; 4]));
                    }
                    found.len
                }
                None => {
                    self.push("&");
                    1
                }
            };
            text = &text[len..];
        }
        self.push(text);
    }

    /// Adds text as it is, but for its white space. NUL is dropped, as browsers do.
    fn push(&mut self, text: &str) {
        let is_separator = |c: char| c == '\0' || c.is_ascii() && is_space(c as u8);
        let mut rest = text;
        while let Some(at) = rest.find(is_separator) {
            self.push_word(&rest[..at]);
            if rest.as_bytes()[at] != 0 && self.gap == Gap::None {
                self.gap = Gap::Space;
            }
            rest = &rest[at + 1..];
        }
        self.push_word(rest);
    }

    fn push_word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        match self.gap {
            Gap::Space if !self.lines.is_empty() => self.lines.push(' '),
            Gap::Line if !self.lines.is_empty() => self.lines.push('\n'),
            _ => {}
        }
        self.gap = Gap::None;
        self.lines.push_str(word);
    }
}

#[cfg(test)]
mod tests;
