//! The tokenizer of html5ever is the oracle.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token as TheirToken, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use proptest::prelude::*;

use super::*;
use crate::html::char_refs::char_ref;
use crate::html::raw_text::{raw_text_end, script_end};

/// A token in a form that both tokenizers can be brought to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Text(String),
    Tag {
        name: String,
        is_end: bool,
        is_self_closing: bool,
    },
}

#[derive(Default)]
struct Log(Vec<Seen>);

impl Log {
    /// Adds text; neighbouring texts are one.
    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(Seen::Text(before)) => before.push_str(text),
            _ => self.0.push(Seen::Text(text.to_owned())),
        }
    }
}

#[derive(Default)]
struct Sink(RefCell<Log>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: TheirToken, _line: u64) -> TokenSinkResult<()> {
        let mut log = self.0.borrow_mut();
        match token {
            TheirToken::CharacterTokens(text) => log.text(&text),
            TheirToken::NullCharacterToken => log.text("\0"),
            TheirToken::TagToken(tag) => {
                log.0.push(Seen::Tag {
                    name: tag.name.to_string(),
                    is_end: tag.kind == TagKind::EndTag,
                    is_self_closing: tag.self_closing,
                });
                if tag.kind == TagKind::StartTag {
                    return content_of(&tag.name);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn content_of(name: &str) -> TokenSinkResult<()> {
    match name {
        "title" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" => TokenSinkResult::RawData(RawKind::Rawtext),
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        _ => TokenSinkResult::Continue,
    }
}

fn theirs(page: &str) -> Vec<Seen> {
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(page));
    while !matches!(tokenizer.feed(&input), html5ever::TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.into_inner().0
}

fn ours(page: &str) -> Vec<Seen> {
    let mut log = Log::default();
    let mut lexer = Lexer::new(page);
    while let Some(token) = lexer.next() {
        match token {
            Token::Text(text) => decode_into(text, &mut log),
            Token::Tag(Tag {
                name,
                is_end,
                is_self_closing,
            }) => {
                let name = name.to_ascii_lowercase();
                log.0.push(Seen::Tag {
                    name: name.clone(),
                    is_end,
                    is_self_closing,
                });
                match name.as_str() {
                    "title" if !is_end => {
                        let content = lexer.advance(raw_text_end(lexer.rest(), "title"));
                        decode_into(content, &mut log);
                    }
                    "style" if !is_end => {
                        log.text(lexer.advance(raw_text_end(lexer.rest(), "style")))
                    }
                    "script" if !is_end => log.text(lexer.advance(script_end(lexer.rest()))),
                    _ => {}
                }
            }
        }
    }
    log.0
}

fn decode_into(mut text: &str, log: &mut Log) {
    while let Some(c) = text.chars().next() {
        let len = match char_ref(text) {
            Some(found) => {
                log.text(&found.chars.into_iter().flatten().collect::<String>());
                found.len
            }
            None => {
                log.text(c.encode_utf8(&mut [0; 4]));
                c.len_utf8()
            }
        };
        text = &text[len..];
    }
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
        "<title>a<b>&amp;</tit</title >c",
        "<title>a</titlex></TITLE/x>c",
        "<title>a</title",
        "<style><a>&amp;</style>b",
        "<script>a</script>b",
        "<script><!--</script>b",
        "<script><!--<script></script>b--></script>c",
        "<script><!--<scriptx></script>b",
        "<script><!--><script></script>b",
        "<script><!--<script>--></script>b",
        "<script><!--<script>",
        "&lt;b&gt;&ltb&#60;&am<b>p;",
    ];
    for page in pages {
        assert_eq!(ours(page), theirs(page), "{page}");
    }
}

#[test]
fn cdata_is_text_in_foreign_content() {
    let mut lexer = Lexer::new("<![CDATA[a<b>]]]>c<![CDATA[d");
    lexer.cdata = true;
    let texts: Vec<_> = lexer.collect();
    assert_eq!(
        texts,
        [Token::Text("a<b>]"), Token::Text("c"), Token::Text("d")]
    );
}

/// Bits of pages that the states of the tokenizer turn on.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
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
            "\t",
            "\x0c",
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
            "]]>",
            "<![CDATA[",
            "<!doctype",
        ])
        .prop_map(str::to_owned),
        "[a-z&<>/='\" -]{0,4}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn tag_soup_is_read_as_html5ever_reads_it(page in soup()) {
        prop_assert_eq!(ours(&page), theirs(&page));
    }

    #[test]
    fn any_text_is_read_as_html5ever_reads_it(page in "[^\0\r\u{feff}]{0,60}") {
        prop_assert_eq!(ours(&page), theirs(&page));
    }
}
