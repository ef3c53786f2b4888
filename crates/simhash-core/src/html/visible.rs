//! From a page to what a reader sees of it.

use html5gum::State;

use super::collapsed::Collapsed;
use super::elements::{Content, Element};
use super::tokens::{Sink, Tag, tokenize};

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

impl Page {
    /// All that a page says, for fingerprinting: its title and its text, on lines of their own.
    ///
    /// ```
    /// use simhash_core::html::visible_text;
    ///
    /// assert_eq!(visible_text("<title>T</title>text").full_text(), "T\ntext");
    /// assert_eq!(visible_text("text").full_text(), "text");
    /// ```
    #[must_use]
    pub fn full_text(self) -> String {
        match self.title {
            Some(title) if !title.is_empty() => format!("{title}\n{}", self.text),
            _ => self.text,
        }
    }
}

/// The title and the visible text of an HTML page.
///
/// The page is cut into tags and text as the HTML standard does it (section 13.2.5), but no tree
/// is built: time and memory are linear in the length of the page, on any input. Nothing fails; a
/// page of plain text is its own text.
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
    let mut reader = Reader::default();
    tokenize(html, &mut reader);
    Page {
        title: (!reader.title.is_empty()).then(|| reader.title.into_string()),
        text: reader.text.into_string(),
    }
}

/// Where in a page we are, and what it said so far.
#[derive(Default)]
struct Reader {
    text: Collapsed,
    title: Collapsed,
    /// What the element is whose end tag the tokenizer looks for, if it does.
    raw: Option<Content>,
    /// How many elements of each kind are open.
    templates: usize,
    svgs: usize,
}

impl Sink for Reader {
    fn text(&mut self, text: &[u8]) {
        // The tokenizer hands on NUL by itself; browsers drop it.
        if self.templates > 0 || self.svgs > 0 || text == b"\0" {
            return;
        }
        match self.raw {
            None | Some(Content::Shown) => self.text.push(text),
            Some(Content::Title) => self.title.push(text),
            Some(Content::Hidden) => {}
        }
    }

    fn tag(&mut self, tag: Tag<'_>) -> Option<State> {
        self.raw = None;
        let element = Element::named(tag.name);
        if element != Element::Inline {
            self.text.end_line();
        }
        if element == Element::Separate {
            // A drawing that was not closed ends where the page goes on, as in browsers.
            self.svgs = 0;
        } else if self.svgs > 0 && element != Element::Svg {
            return None;
        }
        if tag.is_end {
            self.close(element);
            None
        } else {
            self.open(element, tag.is_self_closing)
        }
    }

    fn has_cdata(&self) -> bool {
        self.svgs > 0
    }
}

impl Reader {
    fn open(&mut self, element: Element, is_self_closing: bool) -> Option<State> {
        match element {
            Element::Template => self.templates += 1,
            Element::Svg if !is_self_closing => self.svgs += 1,
            Element::Raw(state, content) => {
                let is_further_title = content == Content::Title && !self.title.is_empty();
                self.raw = Some(if is_further_title {
                    Content::Hidden
                } else {
                    content
                });
                return Some(state);
            }
            _ => {}
        }
        None
    }

    fn close(&mut self, element: Element) {
        match element {
            Element::Template => self.templates = self.templates.saturating_sub(1),
            Element::Svg => self.svgs = self.svgs.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
