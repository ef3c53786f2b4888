//! Which characters belong to scripts that are written without spaces between words.

use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};

/// What a character says about how the words around it are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharKind {
    /// A letter, digit or mark of a script that UAX #29 cuts into words, or no letter at all.
    Spaced,
    /// A Chinese character.
    Han,
    /// Another script without spaces between words: kana, Thai, Khmer, ...
    Unspaced,
    /// A mark of no script of its own: it is what the character before it is.
    Inherited,
}

impl CharKind {
    #[cfg(any(feature = "jieba", test))]
    pub fn is_han(self) -> bool {
        self == Self::Han
    }

    pub fn is_unspaced(self) -> bool {
        matches!(self, Self::Han | Self::Unspaced)
    }
}

/// The scripts other than Han that are written without spaces between words: those for
/// which UAX #29 asks for a dictionary, those it cuts into single characters, and those it
/// leaves whole.
const UNSPACED: [Script; 18] = [
    Script::Hiragana,
    Script::Katakana,
    Script::Bopomofo,
    Script::Yi,
    Script::Tangut,
    Script::Nushu,
    Script::Khitan_Small_Script,
    Script::Thai,
    Script::Lao,
    Script::Khmer,
    Script::Myanmar,
    Script::Tai_Le,
    Script::New_Tai_Lue,
    Script::Tai_Tham,
    Script::Tai_Viet,
    Script::Ahom,
    Script::Javanese,
    Script::Balinese,
];

/// The kind of a character, with the common blocks decided before any table is searched.
pub(super) fn kind(c: char) -> CharKind {
    match c {
        '\0'..'\u{300}' | '\u{ac00}'..='\u{d7a3}' => CharKind::Spaced,
        '\u{4e00}'..='\u{9fa5}' => CharKind::Han,
        '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' => CharKind::Unspaced,
        _ => kind_by_property(c),
    }
}

/// The definition: by the Script of a letter, digit or mark, or by its Script_Extensions
/// where the script is Common.
///
/// Being a letter, digit or mark keeps out the punctuation of these scripts. The extensions
/// bring in what only they share, such as U+30FC, the sound mark of both kana.
fn kind_by_property(c: char) -> CharKind {
    let script = c.script();
    if script == Script::Inherited {
        return CharKind::Inherited;
    }
    if !(c.is_alphanumeric() || is_combining_mark(c)) {
        return CharKind::Spaced;
    }
    let scripts = c.script_extension();
    let shared = script == Script::Common && !scripts.is_common();
    if script == Script::Han || shared && scripts.contains_script(Script::Han) {
        CharKind::Han
    } else if is_unspaced(script) || shared && scripts.iter().all(is_unspaced) {
        CharKind::Unspaced
    } else {
        CharKind::Spaced
    }
}

fn is_unspaced(script: Script) -> bool {
    UNSPACED.contains(&script)
}

/// A maximal stretch of characters that are all inside, or all outside, a set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run<'a> {
    pub text: &'a str,
    /// Whether the characters are in the set.
    pub inside: bool,
}

/// Cuts a text into runs, which together are the whole text.
#[derive(Debug, Clone)]
pub(crate) struct Runs<'a> {
    rest: &'a str,
    set: fn(CharKind) -> bool,
}

impl<'a> Runs<'a> {
    /// Runs of characters whose kind is in `set`, and the runs between them.
    pub fn new(text: &'a str, set: fn(CharKind) -> bool) -> Self {
        Self { rest: text, set }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    fn next(&mut self) -> Option<Run<'a>> {
        let mut kinds = self.rest.char_indices().map(|(at, c)| (at, kind(c)));
        let (_, first) = kinds.next()?;
        let inside = (self.set)(first);
        let end = kinds
            .find(|&(_, kind)| kind != CharKind::Inherited && (self.set)(kind) != inside)
            .map_or(self.rest.len(), |(at, _)| at);
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Run { text, inside })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shortcuts_agree_with_the_properties() {
        for c in '\0'..=char::MAX {
            assert_eq!(kind(c), kind_by_property(c), "{c:?}");
        }
    }

    #[test]
    fn kinds_of_telling_characters() {
        let expected = [
            (CharKind::Han, "字々〇〆𠀀㐀"),
            (CharKind::Unspaced, "ひカーㄅกึ่ກកာ๓"),
            (CharKind::Spaced, "aé9ж한ا、。・，「฿។ \u{200b}"),
            (CharKind::Inherited, "\u{301}\u{3099}\u{e0100}\u{200d}"),
        ];
        for (expected, characters) in expected {
            for c in characters.chars() {
                assert_eq!(kind(c), expected, "{c:?}");
            }
        }
    }

    fn runs(text: &str, set: fn(CharKind) -> bool) -> Vec<(&str, bool)> {
        Runs::new(text, set)
            .map(|run| (run.text, run.inside))
            .collect()
    }

    #[test]
    fn runs_of_mixed_text() {
        let text = "Rust言語は、3月";
        let unspaced = [
            ("Rust", false),
            ("言語は", true),
            ("、3", false),
            ("月", true),
        ];
        assert_eq!(runs(text, CharKind::is_unspaced), unspaced);
        let han = [
            ("Rust", false),
            ("言語", true),
            ("は、3", false),
            ("月", true),
        ];
        assert_eq!(runs(text, CharKind::is_han), han);
    }

    #[test]
    fn a_variation_selector_stays_in_its_run() {
        assert_eq!(
            runs("葛\u{e0100}城", CharKind::is_han),
            [("葛\u{e0100}城", true)]
        );
    }

    proptest! {
        #[test]
        fn runs_are_the_whole_text_and_alternate(text in "[a字\u{301}か、ก 1\u{200d}]*") {
            let runs = runs(&text, CharKind::is_unspaced);
            let whole: String = runs.iter().map(|run| run.0).collect();
            prop_assert_eq!(&whole, &text);
            prop_assert!(runs.windows(2).all(|pair| pair[0].1 != pair[1].1));
        }
    }
}
