//! The schemes that are recommended, and for what.

use super::Scheme;

/// A recommended scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CatalogueEntry {
    /// Its id.
    pub id: &'static str,
    /// What it is good for, in one line.
    pub description: &'static str,
    /// The cargo feature of this crate that it needs, if any.
    pub cargo_feature: Option<&'static str>,
}

const fn entry(id: &'static str, description: &'static str) -> CatalogueEntry {
    CatalogueEntry {
        id,
        description,
        cargo_feature: None,
    }
}

const fn jieba(id: &'static str, description: &'static str) -> CatalogueEntry {
    CatalogueEntry {
        id,
        description,
        cargo_feature: Some("jieba"),
    }
}

static CATALOGUE: [CatalogueEntry; 8] = [
    entry(
        "words-logtf-xxh3/1",
        "The default: words of any language, weighted ln(1 + tf), numbers half; k = 3.",
    ),
    entry(
        "w2-logtf-xxh3/1",
        "Pairs of words: stricter than single words; best with k = 6 to 8.",
    ),
    entry(
        "w3-logtf-xxh3/1",
        "Triples of words: hardly a false match at small k; best with k = 7 to 10.",
    ),
    entry(
        "words-binary-xxh3/1",
        "The set of words, however often each occurs.",
    ),
    entry(
        "words-tf-fnv1a/1",
        "Raw frequencies and FNV-1a, as plain simhash has it; many false matches.",
    ),
    jieba(
        "jieba-logtf-xxh3/1",
        "As the default, with Chinese cut into dictionary words.",
    ),
    jieba(
        "jieba-tfidf20-xxh3/1",
        "The 20 leading keywords of a Chinese text by TF-IDF.",
    ),
    jieba(
        "jieba-tfidf50-xxh3/1",
        "The 50 leading keywords of a Chinese text by TF-IDF.",
    ),
];

impl Scheme {
    /// The recommended schemes, the default first. Many more ids are valid: see [`Scheme`].
    ///
    /// ```
    /// use simhash_core::Scheme;
    ///
    /// let ready = Scheme::catalogue().iter().filter(|entry| entry.cargo_feature.is_none());
    /// for entry in ready {
    ///     assert!(entry.id.parse::<Scheme>().is_ok());
    /// }
    /// ```
    #[must_use]
    pub fn catalogue() -> &'static [CatalogueEntry] {
        &CATALOGUE
    }
}
