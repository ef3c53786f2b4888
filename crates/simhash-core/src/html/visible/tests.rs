use proptest::prelude::*;

use super::*;

fn text(html: &str) -> String {
    visible_text(html).text
}

#[test]
fn blocks_part_words_and_inline_elements_do_not() {
    assert_eq!(
        text("<p>one</p><p>t<b>w</b>o<br>three</p>four"),
        "one\ntwo\nthree\nfour"
    );
    assert_eq!(text("<table><tr><td>a<td>b</table>"), "a\nb");
    assert_eq!(text("a<my-element>b</my-element><wbr>c<img>d"), "abc\nd");
}

#[test]
fn white_space_is_collapsed() {
    assert_eq!(text("  a \r\n\t b<i> </i> c \x0c"), "a b c");
    assert_eq!(text("<p> </p> <div>\n</div>"), "");
    assert_eq!(text("a&nbsp;b&#32;&#10;c"), "a\u{a0}b c");
    assert_eq!(text("a\0b"), "ab");
}

#[test]
fn what_is_not_seen_is_dropped() {
    for html in [
        "a<script>x</script>b",
        "a<STYLE>x</b></Style>b",
        "a<noscript><p>x</p></noscript>b",
        "a<iframe>x</iframe>b",
        "a<template>x<template>y</template><script>'</template>'</script>z</template>b",
        "a<svg><title>x</title><style>y<z></style><svg/><svg></svg>w</svg>b",
    ] {
        assert_eq!(text(html), "a\nb", "{html}");
    }
    assert_eq!(text("a<!-- x --><!doctype x><?x?></ x>b"), "ab");
    assert_eq!(text("<img alt=x title=y>"), "");
}

#[test]
fn an_open_drawing_ends_at_the_next_html_tag() {
    assert_eq!(text("a<svg><g>x<p>b</svg>c"), "a\nb\nc");
    assert_eq!(text("a<svg><![CDATA[<p>x]]>y</svg>b"), "a\nb");
    assert_eq!(text("a<svg/>b<![CDATA[x]]>c"), "a\nbc");
}

#[test]
fn formulas_are_text() {
    assert_eq!(
        text("E=<math><mi>m</mi><msup>c<mn>2</mn></msup></math>!"),
        "E=mc2!"
    );
}

#[test]
fn a_character_next_to_a_stray_angle_bracket_stays_whole() {
    assert_eq!(
        text("1<é <字<p></é>x<textarea></é<字"),
        "1<é <字\nx\n</é<字"
    );
}

#[test]
fn raw_content_that_is_seen_is_kept() {
    assert_eq!(text("a<textarea>b<c>&amp;</textarea>d"), "a\nb<c>&\nd");
    assert_eq!(text("a<xmp>b<c>&amp;</xmp>d"), "a\nb<c>&amp;\nd");
    assert_eq!(text("a<plaintext>b</plaintext>"), "a\nb</plaintext>");
}

#[test]
fn the_first_title_with_words_is_the_title() {
    let title = |html| visible_text(html).title;
    assert_eq!(
        title("<title> a&amp;b\n c </title><title>d</title>"),
        Some("a&b c".into())
    );
    assert_eq!(title("<title> </title><title>d</title>"), Some("d".into()));
    assert_eq!(title("<svg><title>a</title></svg>"), None);
    assert_eq!(title("<template><title>a</title></template>"), None);
    assert_eq!(text("<title>a</title>b"), "b");
}

#[test]
fn stray_end_tags_are_harmless() {
    assert_eq!(text("</template></svg></math></script></title>a"), "a");
}

#[test]
fn nesting_and_attributes_cost_linear_time() {
    let deep = "<div><b>".repeat(200_000) + "x";
    assert_eq!(text(&deep), "x");
    let many: String = (0..200_000).map(|number| format!(" a{number}")).collect();
    assert_eq!(text(&format!("<p{many}>x")), "x");
    assert_eq!(text(&"<a '".repeat(200_000)), "");
    assert_eq!(text(&"<title><script><!--".repeat(100_000)), "");
}

proptest! {
    #[test]
    fn no_page_panics_and_text_is_collapsed(
        page in prop_oneof![
            any::<String>(),
            "(<|</|>|<svg|<template>|<title>|<math>|<p>|<!\\[CDATA\\[|\\]\\]>|/>| |a|&amp;|&){0,40}",
        ]
    ) {
        let Page { title, text } = visible_text(&page);
        for shown in title.iter().chain([&text]) {
            prop_assert_eq!(shown.trim_matches([' ', '\n']), shown.as_str());
            prop_assert!(!["  ", " \n", "\n ", "\n\n", "\t", "\r", "\0"].iter().any(|gap| shown.contains(gap)));
        }
    }

    #[test]
    fn text_without_markup_is_its_own_text(words in prop::collection::vec("[a-z字;#]{1,5}", 0..20)) {
        prop_assert_eq!(text(&words.join("\t\n ")), words.join(" "));
    }
}
