# Commands for working on the project; `just --list` shows them.

# Run all tests.
test:
    cargo test --workspace

# Everything that must hold before a change lands.
ci:
    .ci/run

# Ingest the example documents into a new store and show what is near what.
demo:
    rm -rf demo.store
    cargo run --release --bin simhash-admin -- ingest demo.store examples/documents

# The store beside mih-rs, in one run; `just compare --documents 10000000`.
compare *arguments:
    cargo run --release -p simhash-benches --bin compare -- {{ arguments }}

# Precision and recall of schemes on labelled documents.
quality kit *arguments:
    cargo run --release -p simhash-benches --bin quality -- --kit {{ kit }} {{ arguments }}

# Statistics over repeated timings.
bench:
    cargo bench -p simhash-benches

# Licences, advisories, bans and sources of all dependencies.
deny:
    cargo deny check
