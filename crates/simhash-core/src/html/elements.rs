//! What each element means for the visible text of a page.

use html5gum::State;

/// How an element's tags and content are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// Part of the line it stands in: its tags do not even split words. Every element that is
    /// not known is one.
    Inline,
    /// Stands by itself: its tags part words.
    Separate,
    /// Stands by itself, and up to its end tag there are no other tags: the tokenizer reads it in
    /// this state.
    Raw(State, Content),
    /// Not shown, with all in it.
    Template,
    /// Not shown, with all in it; its content is XML.
    Svg,
}

/// What becomes of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// It is part of the visible text.
    Shown,
    /// It is the title of the page.
    Title,
    /// It is dropped.
    Hidden,
}

impl Element {
    /// The element with this name, in lower case.
    pub fn named(name: &[u8]) -> Self {
        match name {
            b"script" => Self::Raw(State::ScriptData, Content::Hidden),
            b"style" | b"noscript" | b"iframe" | b"noembed" | b"noframes" => {
                Self::Raw(State::RawText, Content::Hidden)
            }
            b"xmp" => Self::Raw(State::RawText, Content::Shown),
            b"textarea" => Self::Raw(State::RcData, Content::Shown),
            b"title" => Self::Raw(State::RcData, Content::Title),
            b"plaintext" => Self::Raw(State::PlainText, Content::Shown),
            b"template" => Self::Template,
            b"svg" => Self::Svg,
            _ if is_separate(name) => Self::Separate,
            _ => Self::Inline,
        }
    }
}

/// Whether this is laid out as a block, a table cell, a line break or a box.
fn is_separate(name: &[u8]) -> bool {
    matches!(
        name,
        // The page and its sections.
        b"html" | b"head" | b"body" | b"article" | b"aside" | b"footer" | b"header" | b"main"
            | b"nav" | b"section" | b"search" | b"address" | b"hgroup"
            | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6"
            // Blocks.
            | b"blockquote" | b"br" | b"center" | b"dd" | b"details" | b"dialog" | b"dir" | b"div"
            | b"dl" | b"dt" | b"figcaption" | b"figure" | b"hr" | b"li" | b"listing" | b"menu"
            | b"ol" | b"p" | b"pre" | b"summary" | b"ul"
            // Tables.
            | b"caption" | b"col" | b"colgroup" | b"table" | b"tbody" | b"td" | b"tfoot" | b"th"
            | b"thead" | b"tr"
            // Forms.
            | b"button" | b"fieldset" | b"form" | b"input" | b"legend" | b"meter" | b"optgroup"
            | b"option" | b"output" | b"progress" | b"select"
            // Boxes with something else in them.
            | b"audio" | b"canvas" | b"embed" | b"frame" | b"frameset" | b"img" | b"object"
            | b"video"
    )
}
