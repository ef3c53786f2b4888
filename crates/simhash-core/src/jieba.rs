//! Chinese words and keywords by jieba's dictionary (feature `jieba`).
//!
//! The dictionary and its IDF table are loaded once per process, at first use; that takes some
//! tenths of a second and stays in memory.

use std::sync::LazyLock;

use jieba_rs::{Jieba, KeywordExtract, TfIdf};

use crate::text::{CharKind, Run, Runs, terms as plain_terms};

static DICTIONARY: LazyLock<Jieba> = LazyLock::new(Jieba::new);
static TF_IDF: LazyLock<TfIdf> = LazyLock::new(TfIdf::default);

/// The terms of a text in [normal form](crate::text::normalise): runs of Chinese characters
/// are cut by jieba (its most probable route through the dictionary, with its hidden Markov
/// model for words the dictionary lacks), all other text as by [`terms`](crate::text::terms).
///
/// ```
/// use simhash_core::{jieba, text};
///
/// assert_eq!(jieba::terms("我们中出了一个叛徒 v2"), ["我们", "中出", "了", "一个", "叛徒", "v2"]);
/// ```
#[must_use]
pub fn terms(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for Run { text, inside } in Runs::new(text, CharKind::is_han) {
        if inside {
            let tokens = DICTIONARY
                .cut(text, true)
                .into_iter()
                .map(|token| token.word);
            // A mark that jieba cuts off its character is no word.
            found.extend(tokens.filter(|word| is_word(word)));
        } else {
            found.extend(plain_terms(text));
        }
    }
    found
}

/// The keywords of a text in normal form with their TF-IDF weights, heaviest first, at most
/// `top`: jieba's extraction with its own IDF table and stop words, cut without the hidden
/// Markov model, words of two characters and more that hold a letter or a digit. Equal weights
/// are in order of the words.
///
/// ```
/// use simhash_core::jieba;
///
/// let keywords = jieba::keywords("今天纽约的天气真好啊,昨天纽约的天气也不好", 2);
/// let words: Vec<_> = keywords.iter().map(|(word, _)| word.as_str()).collect();
/// assert_eq!(words, ["纽约", "天气"]);
/// assert!(jieba::keywords(" ... \n\n ... ", 2).is_empty());
/// ```
#[must_use]
pub fn keywords(text: &str, top: usize) -> Vec<(String, f64)> {
    // All of them: jieba also takes white space and dashes for keywords, which would use up `top`.
    let keywords = TF_IDF.extract_keywords(&DICTIONARY, text, usize::MAX, Vec::new());
    keywords
        .into_iter()
        .filter(|keyword| is_word(&keyword.keyword))
        .map(|keyword| (keyword.keyword, keyword.weight))
        .take(top)
        .collect()
}

fn is_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
