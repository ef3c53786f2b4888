use proptest::prelude::*;

use super::*;

/// Every id of the grammar, but only some of the 1000 widths of `tfidf`.
fn ids() -> Vec<String> {
    let mut recipes: Vec<String> = Vec::new();
    for features in ["words", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "jieba"] {
        recipes.extend(["logtf", "tf", "binary"].map(|weight| format!("{features}-{weight}")));
    }
    recipes.extend([1, 20, 1000].map(|top| format!("jieba-tfidf{top}")));
    recipes
        .iter()
        .flat_map(|recipe| ["xxh3", "fnv1a"].map(|hash| format!("{recipe}-{hash}/1")))
        .collect()
}

/// The schemes that are compiled in.
fn schemes() -> Vec<Scheme> {
    ids().iter().filter_map(|id| id.parse().ok()).collect()
}

#[test]
fn every_id_parses_and_prints_itself() {
    for id in ids() {
        match id.parse::<Scheme>() {
            Ok(scheme) => assert_eq!(scheme.to_string(), id),
            Err(error) => {
                let needs = ParseSchemeError::NotCompiledIn {
                    id: id.clone(),
                    cargo_feature: "jieba",
                };
                assert_eq!(error, needs);
                assert!(
                    id.starts_with("jieba") && cfg!(not(feature = "jieba")),
                    "{id}"
                );
            }
        }
    }
    assert_eq!(
        schemes().len(),
        if cfg!(feature = "jieba") { 60 } else { 48 }
    );
}

#[test]
fn wrong_ids_say_which_part_is_wrong() {
    let part = |id: &str| match id.parse::<Scheme>() {
        Err(ParseSchemeError::Unknown { part, .. }) => part,
        Err(ParseSchemeError::Syntax { .. }) => "syntax",
        Err(ParseSchemeError::TfIdfWithoutJieba { .. }) => "tfidf",
        other => panic!("{id}: {other:?}"),
    };
    let wrong = [
        ("", "syntax"),
        ("words", "syntax"),
        ("words-logtf/1", "syntax"),
        ("words-logtf-xxh3", "syntax"),
        ("words-logtf-xxh3-x/1", "syntax"),
        ("words-logtf-xxh3/", "version"),
        ("words-logtf-xxh3/2", "version"),
        ("words-logtf-xxh3/1/1", "version"),
        ("words-logtf-md5/1", "hash"),
        ("words-log-xxh3/1", "weight"),
        ("Words-logtf-xxh3/1", "features"),
        ("w1-logtf-xxh3/1", "features"),
        ("w9-logtf-xxh3/1", "features"),
        ("w02-logtf-xxh3/1", "features"),
        ("w+2-logtf-xxh3/1", "features"),
        ("w-logtf-xxh3/1", "features"),
        ("jieba-tfidf-xxh3/1", "weight"),
        ("jieba-tfidf0-xxh3/1", "weight"),
        ("jieba-tfidf020-xxh3/1", "weight"),
        ("jieba-tfidf1001-xxh3/1", "weight"),
        ("jieba-tfidf99999999999-xxh3/1", "weight"),
        ("words-tfidf20-xxh3/1", "tfidf"),
        ("w3-tfidf20-xxh3/1", "tfidf"),
    ];
    for (id, expected) in wrong {
        assert_eq!(part(id), expected, "{id:?}");
    }
}

#[test]
fn an_error_lists_what_is_known() {
    let error = "words-log-xxh3/1".parse::<Scheme>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "scheme \"words-log-xxh3/1\": unknown weight \"log\"; known are logtf, tf, binary, \
         tfidf1 to tfidf1000 (jieba only)"
    );
}

#[test]
fn the_catalogue_is_sound() {
    let catalogue = Scheme::catalogue();
    assert_eq!(catalogue[0].id, Scheme::default().to_string());
    for entry in catalogue {
        let compiled_in = entry.cargo_feature.is_none() || cfg!(feature = "jieba");
        assert_eq!(
            entry.id.parse::<Scheme>().is_ok(),
            compiled_in,
            "{}",
            entry.id
        );
        assert_eq!(
            entry.id.starts_with("jieba"),
            entry.cargo_feature == Some("jieba")
        );
    }
}

#[test]
fn a_text_shorter_than_a_shingle_is_one_shingle() {
    let scheme: Scheme = "w8-tf-xxh3/1".parse().unwrap();
    let features = scheme.features("only three words");
    assert_eq!(features.len(), 1);
    assert_eq!(features[0].text, "only three words");
    assert_eq!(
        scheme.fingerprint("only three words").unwrap().bits(),
        features[0].hash
    );
}

#[test]
fn a_scheme_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<Scheme>();
}

proptest! {
    #[test]
    fn no_text_panics_and_features_explain_the_fingerprint(
        text in prop_oneof!["\\PC{0,200}", any::<String>(), "[a-c字文かก .\u{301}]{0,60}"]
    ) {
        for scheme in schemes() {
            let mut sums = Accumulator::<i64>::new();
            let features = scheme.features(&text);
            // In another order than the fingerprint's own.
            for feature in features.iter().rev() {
                sums.add(feature.hash, feature.weight);
            }
            prop_assert_eq!(sums.fingerprint(), scheme.fingerprint(&text), "{}", scheme);
        }
    }

    #[test]
    fn the_order_of_words_does_not_matter_to_single_words(
        words in prop::collection::vec("[a-z]{1,4}", 0..30),
        cut in 0_usize..30,
    ) {
        let mut turned = words.clone();
        turned.rotate_left(cut.min(words.len()));
        let scheme = Scheme::default();
        prop_assert_eq!(scheme.fingerprint(&words.join(" ")), scheme.fingerprint(&turned.join(" ")));
    }

    #[test]
    fn no_text_is_mistaken_for_an_id(text in any::<String>()) {
        if let Ok(scheme) = text.parse::<Scheme>() {
            prop_assert_eq!(scheme.to_string(), text);
        }
    }
}
