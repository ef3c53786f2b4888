//! The same documents by every way in.

use std::io::Write;

use serde_json::{Value, json};

use crate::command::{Dir, run, run_with, unlike_documents, unlike_text};

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn zst(data: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(data, 1).unwrap()
}

fn xz(data: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn fingerprints(args: &[&str], stdin: &[u8]) -> Vec<Value> {
    let args = [&["fingerprint", "--json"], args].concat();
    run_with(args, stdin).expect(0).json()
}

#[test]
fn compression_and_stdin_make_no_difference() {
    let dir = Dir::new();
    let lines = unlike_documents(700);
    let plain = fingerprints(&[&dir.file("a.jsonl", &lines)], b"");
    assert_eq!(plain.len(), 700);
    let several_members = [
        gzip(&lines.as_bytes()[..999]),
        gzip(&lines.as_bytes()[999..]),
    ]
    .concat();
    let packed = [zst(lines.as_bytes()), xz(lines.as_bytes()), several_members];
    for (index, data) in packed.iter().enumerate() {
        // Known by its content: the name says nothing.
        let file = dir.file(&format!("packed-{index}"), data);
        assert_eq!(fingerprints(&[&file], b""), plain);
        assert_eq!(fingerprints(&["-"], data), plain);
        assert_eq!(fingerprints(&[], data), plain);
    }
    assert_eq!(fingerprints(&[], lines.as_bytes()), plain);
    dir.file("folder/a/1.jsonl.gz", gzip(&lines.as_bytes()[..0]));
    dir.file("folder/a/2.ndjson.xz", &packed[1]);
    assert_eq!(fingerprints(&[&dir.path("folder")], b""), plain);
}

#[test]
fn folders_give_their_files_sorted_with_paths_as_keys() {
    let dir = Dir::new();
    for name in [
        "site/b.txt",
        "site/a/z.html",
        "site/a.md",
        "site/B.text.zst",
    ] {
        dir.file(name, unlike_text(name.len()));
    }
    dir.file("site/image.png", b"\x89PNG");
    dir.file("site/a/data.bin", b"?");
    let run = run(["ingest", &dir.store(), &dir.path("site"), "--json"]).expect(0);
    let keys: Vec<Value> = run.json().iter().map(|line| line["key"].clone()).collect();
    let expected = ["B.text.zst", "a/z.html", "a.md", "b.txt"];
    assert_eq!(
        keys,
        expected.map(|name| json!(dir.path(&format!("site/{name}"))))
    );
    let skipped = run
        .stderr
        .lines()
        .find(|line| line.starts_with("skipped files"));
    assert!(skipped.unwrap().ends_with(" 2"), "{}", run.stderr);
}

#[test]
fn a_page_counts_by_its_title_and_visible_text() {
    let dir = Dir::new();
    let text = unlike_text(1);
    let page = format!("<!doctype html><title>The title</title><p class=x>{text}");
    let html = fingerprints(&[&dir.file("page.html", &page)], b"");
    let plain = fingerprints(&[&dir.file("page.txt", format!("The title\n{text}"))], b"");
    let line = json!({"id": "a", "html": page}).to_string();
    let jsonl = fingerprints(&[], line.as_bytes());
    assert_eq!(html[0]["fingerprint"], plain[0]["fingerprint"]);
    assert_eq!(jsonl[0]["fingerprint"], plain[0]["fingerprint"]);
    let source = fingerprints(&["--format", "text", &dir.path("page.html")], b"");
    assert_ne!(source[0]["fingerprint"], plain[0]["fingerprint"]);
}

#[test]
fn stdin_is_recognised_and_has_the_key_it_is_given() {
    let text = unlike_text(2);
    let page = format!("\n <p>{text}</p>");
    let html = fingerprints(&["-", "--stdin-key", "https://a.example/"], page.as_bytes());
    let plain = fingerprints(&[], text.as_bytes());
    assert_eq!(html[0]["key"], "https://a.example/");
    assert_eq!(plain[0]["key"], "-");
    assert_eq!(html[0]["fingerprint"], plain[0]["fingerprint"]);
}

#[test]
fn nothing_on_stdin_is_no_document() {
    let empty: [Value; 0] = [];
    assert_eq!(fingerprints(&[], b""), empty);
    assert_eq!(fingerprints(&[], b"\n \n"), empty);
}

#[test]
fn fields_can_be_named_and_html_preferred() {
    let (text, other) = (unlike_text(3), unlike_text(4));
    let line = json!({"docno": 7, "body": text, "page": format!("<p>{other}")}).to_string();
    let names = [
        "--id-field",
        "docno",
        "--text-field",
        "body",
        "--html-field",
        "page",
    ];
    let expected = |text: &str| fingerprints(&[], text.as_bytes())[0]["fingerprint"].clone();
    let by_text = fingerprints(&names, line.as_bytes());
    assert_eq!(
        by_text,
        [json!({"key": "7", "fingerprint": expected(&text)})]
    );
    let by_html = fingerprints(&[&names[..], &["--prefer-html"]].concat(), line.as_bytes());
    assert_eq!(by_html[0]["fingerprint"], expected(&other));
}

#[test]
fn schemes_differ_and_every_listed_one_works() {
    let schemes = run(["schemes", "--json"]).expect(0).json();
    assert_eq!(
        schemes[0]["id"], "words-logtf-xxh3/1",
        "the default is first"
    );
    let text = unlike_text(5) + "网页去重是搜索引擎的一项基本工作";
    let by_scheme: Vec<Value> = schemes
        .iter()
        .map(|scheme| {
            let id = scheme["id"].as_str().unwrap();
            fingerprints(&["--scheme", id], text.as_bytes())[0]["fingerprint"].clone()
        })
        .collect();
    assert_eq!(
        by_scheme[0],
        fingerprints(&[], text.as_bytes())[0]["fingerprint"]
    );
    assert!(by_scheme.iter().all(Value::is_string), "{by_scheme:?}");
    assert_ne!(by_scheme[0], by_scheme[1]);
    let people = run(["schemes"]).expect(0).stdout;
    assert_eq!(people.lines().count(), schemes.len());
}

#[test]
fn fingerprints_for_people_are_one_line_a_document() {
    let dir = Dir::new();
    let (full, empty) = (dir.file("a.txt", unlike_text(6)), dir.file("b.txt", "..."));
    let json = fingerprints(&[&full, &empty], b"");
    assert_eq!(json[1]["fingerprint"], Value::Null);
    let hex = json[0]["fingerprint"].as_str().unwrap();
    let people = run(["fingerprint", &full, &empty]).expect(0).stdout;
    assert_eq!(
        people,
        format!("{hex}  {full}\nempty             {empty}\n")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_name_that_is_not_utf8_is_a_key_like_any_other() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = Dir::new();
    let folder = dir.path("odd");
    std::fs::create_dir(&folder).unwrap();
    let path = std::path::Path::new(&folder).join(OsStr::from_bytes(b"\xff.txt"));
    std::fs::write(&path, unlike_text(7)).unwrap();
    let ingest = run(["ingest", &dir.store(), &folder, "--json"]).expect(0);
    assert_eq!(ingest.json()[0]["key"], format!("{folder}/\u{fffd}.txt"));
    let store = simhash_store::Config::stored_scheme()
        .open(dir.store())
        .unwrap();
    assert!(store.contains(path.as_os_str().as_bytes()).unwrap());
}
