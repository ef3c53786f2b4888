//! What each element means for the visible text of a page.

/// How an element's tags and content are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// Part of the line it stands in: its tags do not even split words. Every element that is
    /// not known is one.
    Inline,
    /// Stands by itself: its tags part words.
    Separate,
    /// Its content is no markup, and is not shown.
    HiddenRaw,
    /// As `HiddenRaw`, with the escapes of scripts.
    Script,
    /// Its content is no markup; it is shown.
    ShownRaw,
    /// As `ShownRaw`, with character references.
    ShownText,
    /// The title of the page.
    Title,
    /// All that follows is text.
    PlainText,
    /// Not shown, with all in it.
    Template,
    /// Not shown, with all in it; its content is XML.
    Svg,
    /// Shown inline; its content is XML.
    Math,
}

/// No name of a known element is longer.
const LONGEST: usize = 10;

impl Element {
    /// The element with this name, in any case.
    pub fn named(name: &str) -> Self {
        let mut buffer = [0; LONGEST];
        let Some(lower) = buffer.get_mut(..name.len()) else {
            return Self::Inline;
        };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        Self::from_lower(core::str::from_utf8(lower).unwrap_or_default())
    }

    fn from_lower(name: &str) -> Self {
        match name {
            "script" => Self::Script,
            "style" | "noscript" | "iframe" | "noembed" | "noframes" => Self::HiddenRaw,
            "xmp" => Self::ShownRaw,
            "textarea" => Self::ShownText,
            "title" => Self::Title,
            "plaintext" => Self::PlainText,
            "template" => Self::Template,
            "svg" => Self::Svg,
            "math" => Self::Math,
            _ if SEPARATE.binary_search(&name).is_ok() => Self::Separate,
            _ => Self::Inline,
        }
    }

    /// Whether a tag of this name ends an SVG drawing that was not closed: the parser of a
    /// browser leaves the drawing at any of these (HTML standard, section 13.2.6.5).
    pub fn ends_svg(name: &str) -> bool {
        ENDS_SVG
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Elements that are laid out as blocks, table cells, line breaks or boxes: in this order for the
/// binary search.
const SEPARATE: [&str; 69] = [
    "address",
    "article",
    "aside",
    "audio",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "img",
    "input",
    "legend",
    "li",
    "listing",
    "main",
    "menu",
    "meter",
    "nav",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "pre",
    "progress",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];

const ENDS_SVG: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_within_the_buffer() {
        assert!(SEPARATE.is_sorted());
        assert_eq!(SEPARATE.iter().map(|name| name.len()).max(), Some(LONGEST));
    }

    #[test]
    fn names_are_known_in_any_case() {
        assert_eq!(Element::named("dIv"), Element::Separate);
        assert_eq!(Element::named("SCRIPT"), Element::Script);
        assert_eq!(Element::named("b"), Element::Inline);
        assert_eq!(Element::named("my-much-longer-element"), Element::Inline);
        assert_eq!(Element::named("é"), Element::Inline);
    }
}
