//! Shows that an insert under `Durability::Sync` returns after a real sync:
//!
//! ```text
//! cargo build -p simhash-store --example sync_insert
//! strace -f -e trace=fdatasync,fsync,write target/debug/examples/sync_insert sync.store
//! ```
//!
//! Between the writes of "inserting" and "inserted" stands an `fdatasync`.

use std::env;
use std::error::Error;
use std::io::{self, Write};

use simhash_store::{Config, Durability, Fingerprint};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: sync_insert STORE")?;
    let store = Config::new("example/1")
        .durability(Durability::Sync)
        .open_or_create(path)?;
    let next = store.stats()?.operations;
    for number in next..next + 3 {
        let mut stdout = io::stdout();
        writeln!(stdout, "inserting {number}")?;
        store.insert(&number.to_be_bytes(), Fingerprint::from_bits(number))?;
        writeln!(stdout, "inserted {number}")?;
    }
    store.close()?;
    Ok(())
}
