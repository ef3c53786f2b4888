//! The tokenizer of html5ever is the oracle.

use std::cell::RefCell;

use html5ever::TokenizerResult;
use html5ever::data::NAMED_ENTITIES;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token as TheirToken, TokenSink, TokenSinkResult, Tokenizer as Theirs,
    TokenizerOpts,
};
use proptest::prelude::*;

use super::*;

/// A token in a form that both tokenizers can be brought to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Text(Vec<u8>),
    Tag {
        name: String,
        is_end: bool,
        is_self_closing: bool,
    },
}

#[derive(Default)]
struct Log {
    seen: Vec<Seen>,
    has_cdata: bool,
}

impl Sink for Log {
    /// Neighbouring texts are one.
    fn text(&mut self, text: &[u8]) {
        match self.seen.last_mut() {
            _ if text.is_empty() => {}
            Some(Seen::Text(before)) => before.extend(text),
            _ => self.seen.push(Seen::Text(text.to_owned())),
        }
    }

    fn tag(&mut self, tag: Tag<'_>) -> Option<State> {
        self.seen.push(Seen::Tag {
            name: String::from_utf8(tag.name.to_owned()).unwrap(),
            is_end: tag.is_end,
            is_self_closing: tag.is_self_closing,
        });
        match tag.name {
            _ if tag.is_end => None,
            b"title" => Some(State::RcData),
            b"style" => Some(State::RawText),
            b"script" => Some(State::ScriptData),
            b"plaintext" => Some(State::PlainText),
            _ => None,
        }
    }

    fn has_cdata(&self) -> bool {
        self.has_cdata
    }
}

#[derive(Default)]
struct TheirLog(RefCell<Log>);

impl TokenSink for TheirLog {
    type Handle = ();

    fn process_token(&self, token: TheirToken, _line: u64) -> TokenSinkResult<()> {
        let mut log = self.0.borrow_mut();
        match token {
            TheirToken::CharacterTokens(text) => log.text(text.as_bytes()),
            TheirToken::NullCharacterToken => log.text(b"\0"),
            TheirToken::TagToken(tag) => {
                let next = log.tag(Tag {
                    name: tag.name.as_bytes(),
                    is_end: tag.kind == TagKind::EndTag,
                    is_self_closing: tag.self_closing,
                });
                return match next {
                    Some(State::RcData) => TokenSinkResult::RawData(RawKind::Rcdata),
                    Some(State::RawText) => TokenSinkResult::RawData(RawKind::Rawtext),
                    Some(State::ScriptData) => TokenSinkResult::RawData(RawKind::ScriptData),
                    Some(State::PlainText) => TokenSinkResult::Plaintext,
                    _ => TokenSinkResult::Continue,
                };
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.borrow().has_cdata
    }
}

fn theirs(page: &str, has_cdata: bool) -> Vec<Seen> {
    let log = TheirLog::default();
    log.0.borrow_mut().has_cdata = has_cdata;
    let tokenizer = Theirs::new(log, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(page));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.into_inner().seen
}

fn ours(page: &str, has_cdata: bool) -> Vec<Seen> {
    let mut log = Log {
        has_cdata,
        ..Log::default()
    };
    tokenize(page, &mut log);
    log.seen
}

#[test]
fn pages_that_are_told_apart_by_one_character() {
    let pages = [
        "a<b>c</b>d",
        "a < b <3 <é </ b>",
        "</>x",
        "</",
        "<",
        "<a",
        "<a b",
        "<a b='",
        "<a b='>'c=\">\"d=>e",
        "<a =b =>c",
        "<a/b/>c</a/>",
        "<a b=c/>d<a / >e",
        "<A\tB\n=\x0c'C'>d",
        "x<!-->y<!--->z<!---->w<!----!>v<!-- a -- b -> c --!> d <!-- -->-->e",
        "x<!--a",
        "x<!--a--",
        "<!doctype html 'a>b'>c",
        "<!x>y<?z>w</ v>u",
        "<![CDATA[x>y]]>z",
        "<![CDATA[a<b>]]]>c<![CDATA[d]",
        "<title>a<b>&amp;</tit</title >c",
        "<title>a</titlex></TITLE/x>c",
        "<title>a</title",
        "<style><a>&amp;</style>b",
        "<style></title></style>b",
        "<script>a</script>b",
        "<script><!--</script>b",
        "<script><!--<script></script>b--></script>c",
        "<script><!--<scriptx></script>b",
        "<script><!--><script></script>b",
        "<script><!--<script>--></script>b",
        "<script><!--<script>",
        "<plaintext>a</plaintext>&amp;",
        "&lt;b&gt;&ltb&#60;&am<b>p;",
        "a\r\nb\rc&\r\n<b\r\nc=\r>\0<\0",
    ];
    for page in pages {
        for has_cdata in [false, true] {
            assert_eq!(ours(page, has_cdata), theirs(page, has_cdata), "{page}");
        }
    }
}

#[test]
fn every_named_character_reference() {
    // The table also has every beginning of a name.
    for name in NAMED_ENTITIES.keys() {
        for page in [format!("&{name}"), format!("&{name};"), format!("&{name}x")] {
            assert_eq!(ours(&page, false), theirs(&page, false), "{page}");
        }
    }
}

/// Bits of pages that the states of the tokenizer turn on.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(PIECES).prop_map(str::to_owned),
        "[a-z&<>/='\" -]{0,4}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "!",
    "-",
    "--",
    "<!--",
    "-->",
    "--!>",
    "=",
    "\"",
    "'",
    "&",
    ";",
    "#",
    "x",
    " ",
    "\n",
    "\r",
    "\t",
    "\x0c",
    "\0",
    "a",
    "B",
    "é",
    "<a",
    "</a",
    "<title>",
    "</title",
    "<style>",
    "</style>",
    "<script",
    "<script>",
    "</script>",
    "</SCRIPT ",
    "script",
    "<?",
    "</",
    "<!",
    "&amp",
    "&amp;",
    "&notin;",
    "&#65;",
    "&#x41",
    "&#150;",
    "&#xD800;",
    "&#99999999999;",
    "]]>",
    "<![CDATA[",
    "<!doctype",
    "public",
    "system",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn tag_soup_is_read_as_html5ever_reads_it(page in soup(), has_cdata in any::<bool>()) {
        prop_assert_eq!(ours(&page, has_cdata), theirs(&page, has_cdata));
    }

    #[test]
    fn any_text_is_read_as_html5ever_reads_it(page in "[^\u{feff}]{0,60}") {
        prop_assert_eq!(ours(&page, false), theirs(&page, false));
    }
}
