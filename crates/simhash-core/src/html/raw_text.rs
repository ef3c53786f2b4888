//! Elements whose content is not markup: where `<script>`, `<style>` and their like end.

use super::attributes::is_space;

/// Where the content of an element ends that holds no markup but its own end tag (`style`,
/// `title`, ...): in front of `</name`, or at the end of the page. `page` starts with the
/// content.
pub(super) fn raw_text_end(page: &str, name: &str) -> usize {
    let bytes = page.as_bytes();
    let mut tags = (0..bytes.len()).filter(|&at| bytes[at] == b'<');
    tags.find(|&at| is_end_tag(&bytes[at..], name))
        .unwrap_or(bytes.len())
}

/// How much of the content of a script is hidden from its end tag. The standard lets a script
/// contain `<script>...</script>` within `<!--` and `-->`, as old pages do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    /// After `<!--`.
    Comment,
    /// After `<!--` and `<script>`: here `</script>` does not end the element.
    Nested,
}

/// Where the content of a `<script>` ends.
pub(super) fn script_end(page: &str) -> usize {
    let bytes = page.as_bytes();
    let mut escape = Escape::None;
    for at in 0..bytes.len() {
        let here = &bytes[at..];
        escape = match (escape, here[0]) {
            (Escape::None, b'<') if here.starts_with(b"<!--") => Escape::Comment,
            (Escape::Comment | Escape::Nested, b'-') if here.starts_with(b"-->") => Escape::None,
            (Escape::Comment, b'<') if is_tag(&here[1..], "script") => Escape::Nested,
            (Escape::Nested, b'<') if is_end_tag(here, "script") => Escape::Comment,
            (Escape::None | Escape::Comment, b'<') if is_end_tag(here, "script") => return at,
            _ => escape,
        };
    }
    bytes.len()
}

fn is_end_tag(bytes: &[u8], name: &str) -> bool {
    bytes.get(1) == Some(&b'/') && is_tag(&bytes[2..], name)
}

/// Whether the bytes start with this name, in any case, and the name ends there.
fn is_tag(bytes: &[u8], name: &str) -> bool {
    let Some((found, after)) = bytes.split_at_checked(name.len()) else {
        return false;
    };
    let ends = after
        .first()
        .is_some_and(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'));
    ends && found.eq_ignore_ascii_case(name.as_bytes())
}
