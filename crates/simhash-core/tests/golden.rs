//! Fingerprints that must never change: every scheme on a handful of texts.
//!
//! Stores hold fingerprints for years, so a change of any line of `data/golden.tsv` is a breaking
//! change and needs a new scheme version. New schemes add lines. To write the file anew:
//!
//! ```text
//! UPDATE_GOLDEN=1 cargo test -p simhash-core --all-features --test golden
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use simhash_core::{ParseSchemeError, Scheme};

const TEXTS: [(&str, &str); 14] = [
    // The one in docs/fingerprint.md.
    (
        "documented",
        "Near-duplicate PAGES share 9 of 10 words; near-duplicate 文書 share 字.",
    ),
    ("empty", ""),
    ("blank", " \t\r\n\u{a0}\u{3000}\u{200b}"),
    ("punctuation", "... --- !? 、。 ((*))"),
    (
        "english",
        "The quick brown fox jumps over the lazy dog. The dog, it seems, doesn't mind: \
         it was THE quick fox's 3rd jump since 10:45, on 2024-05-17!",
    ),
    ("one_word", "Simhash"),
    (
        "chinese",
        "今天纽约的天气真好啊，京华大酒店的张尧经理吃了一只北京烤鸭。后天纽约的天气不好，\
         昨天纽约的天气也不好，北京烤鸭真好吃。",
    ),
    ("one_character", "字"),
    (
        "mixed",
        "用 Rust 1.95 写的 simhash：近似重複文書を検出します (k = 3), см. README.",
    ),
    (
        "japanese",
        "カーネルは、メモリーを管理する。ｶｰﾈﾙも同じです。葛\u{e0100}城市の人々",
    ),
    ("thai", "ภาษาไทยเขียนโดยไม่เว้นวรรคระหว่างคำ ๑๒๓"),
    (
        "composed",
        "Ｃａｆé cafe\u{301} ﬁne STRASSE Straße İstanbul ΟΔΟΣ ½ ①",
    ),
    ("emoji", "👩‍👩‍👧‍👦 family 👍🏽 ok 🇩🇪 5️⃣"),
    ("numbers", "1 2 3 1 2 3 3.14 1,000,000 0x1f ٣٤ १२ 〇 7"),
];

/// Every id of the grammar; of the 1000 widths of `tfidf`, five.
fn ids() -> Vec<String> {
    let mut ids = Vec::new();
    for features in ["words", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "jieba"] {
        for weight in ["logtf", "tf", "binary"] {
            ids.extend(["xxh3", "fnv1a"].map(|hash| format!("{features}-{weight}-{hash}/1")));
        }
    }
    for top in [1, 10, 20, 50, 1000] {
        ids.extend(["xxh3", "fnv1a"].map(|hash| format!("jieba-tfidf{top}-{hash}/1")));
    }
    ids
}

/// One line of the file for each scheme that is compiled in, and each text.
fn computed() -> BTreeMap<(String, String), String> {
    let mut lines = BTreeMap::new();
    for id in ids() {
        let scheme: Scheme = match id.parse() {
            Err(ParseSchemeError::NotCompiledIn { .. }) if cfg!(not(feature = "jieba")) => continue,
            parsed => parsed.unwrap(),
        };
        for (name, text) in TEXTS {
            let fingerprint = scheme
                .fingerprint(text)
                .map(|fingerprint| fingerprint.to_string());
            lines.insert(
                (id.clone(), name.into()),
                fingerprint.unwrap_or_else(|| "none".into()),
            );
        }
    }
    lines
}

fn read(path: &Path) -> BTreeMap<(String, String), String> {
    let file = std::fs::read_to_string(path).unwrap();
    file.lines()
        .map(|line| {
            let fields: Vec<_> = line.split('\t').map(str::to_owned).collect();
            let [id, name, fingerprint] = fields.try_into().expect("three fields");
            ((id, name), fingerprint)
        })
        .collect()
}

fn write(path: &Path, lines: &BTreeMap<(String, String), String>) {
    let wanted = ids().len() * TEXTS.len();
    assert_eq!(
        lines.len(),
        wanted,
        "schemes are missing: add --all-features"
    );
    let mut file = String::new();
    for ((id, name), fingerprint) in lines {
        writeln!(file, "{id}\t{name}\t{fingerprint}").unwrap();
    }
    std::fs::write(path, file).unwrap();
}

#[test]
fn no_fingerprint_has_changed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden.tsv");
    let computed = computed();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        write(&path, &computed);
    }
    let mut golden = read(&path);
    assert_eq!(golden.len(), ids().len() * TEXTS.len());
    golden.retain(|(id, _), _| cfg!(feature = "jieba") || !id.starts_with("jieba"));
    for (line, fingerprint) in &golden {
        assert_eq!(computed.get(line), Some(fingerprint), "{line:?}");
    }
    assert_eq!(computed.len(), golden.len());
}
