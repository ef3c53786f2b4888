//! From html5gum's events to tags and text.

use core::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

/// A start tag or an end tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'a> {
    /// In lower case.
    pub name: &'a [u8],
    pub is_end: bool,
    pub is_self_closing: bool,
}

/// Takes the tags and the text of a page.
pub(super) trait Sink {
    /// A piece of text, with its character references decoded. A piece may begin or end inside a
    /// character.
    fn text(&mut self, text: &[u8]);

    /// A tag. A start tag may ask for a state in which what follows is read, up to the end tag of
    /// the same name.
    fn tag(&mut self, tag: Tag<'_>) -> Option<State>;

    /// Whether `<![CDATA[` starts a section of text here, as it does in XML, and no comment.
    fn has_cdata(&self) -> bool;
}

/// Cuts a page into tags and text. Comments, doctypes and attributes are passed over.
pub(super) fn tokenize(page: &str, sink: &mut impl Sink) {
    let tags = Tags {
        sink,
        name: Vec::new(),
        last_start: Vec::new(),
        is_end: false,
        is_self_closing: false,
    };
    let Ok(()) = Tokenizer::new_with_emitter(page, tags).finish();
}

/// Keeps the name of the current tag and nothing of its attributes, so that these cost linear time
/// however many they are.
struct Tags<'a, S> {
    sink: &'a mut S,
    name: Vec<u8>,
    /// The name of the last start tag.
    last_start: Vec<u8>,
    is_end: bool,
    is_self_closing: bool,
}

impl<S: Sink> Tags<'_, S> {
    fn init_tag(&mut self, is_end: bool) {
        self.name.clear();
        self.is_end = is_end;
        self.is_self_closing = false;
    }
}

impl<S: Sink> Emitter for Tags<'_, S> {
    type Token = Infallible;

    fn emit_string(&mut self, text: &[u8]) {
        self.sink.text(text);
    }

    fn init_start_tag(&mut self) {
        self.init_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.init_tag(true);
    }

    fn push_tag_name(&mut self, part: &[u8]) {
        self.name.extend_from_slice(part);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let next = self.sink.tag(Tag {
            name: &self.name,
            is_end: self.is_end,
            is_self_closing: self.is_self_closing,
        });
        if !self.is_end {
            core::mem::swap(&mut self.last_start, &mut self.name);
        }
        next
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && self.name == self.last_start
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.sink.has_cdata()
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start = name.unwrap_or_default().to_vec();
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    // What is passed over.
    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}
    fn init_attribute(&mut self) {}
    fn push_attribute_name(&mut self, _: &[u8]) {}
    fn push_attribute_value(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
}

#[cfg(test)]
mod tests;
