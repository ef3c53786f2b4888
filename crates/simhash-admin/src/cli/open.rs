//! Opening the store that a command works on.

use std::path::Path;

use simhash_core::Scheme;
use simhash_store::{Config, Durability, Error, Store};

use crate::exit::Failure;

/// Opens an existing store, whatever its scheme.
///
/// # Errors
/// Those of [`Config::open`].
pub fn existing(path: &Path) -> Result<Store, Failure> {
    Ok(Config::stored_scheme().open(path)?)
}

/// Opens a store for writing, or creates it with `scheme` or else the default
/// one. A store that exists must have `scheme`, if one is given.
///
/// # Errors
/// Those of [`Config::open`] and [`Config::create`].
pub fn or_create(
    path: &Path,
    scheme: Option<&Scheme>,
    k: u32,
    durability: Durability,
) -> Result<Store, Failure> {
    let with_scheme = |scheme: &Scheme| {
        let config = Config::new(scheme.to_string());
        config.k(k).durability(durability).open_or_create(path)
    };
    let store = match scheme {
        Some(scheme) => with_scheme(scheme),
        None => {
            let stored = Config::stored_scheme().k(k).durability(durability);
            match stored.open(path) {
                Err(Error::NotAStore { .. }) => with_scheme(&Scheme::default()),
                opened => opened,
            }
        }
    };
    Ok(store?)
}

/// The scheme of an open store, to fingerprint texts with.
///
/// # Errors
/// [`Failure::ForeignScheme`] when another program has made up its own.
pub fn scheme_of(store: &Store) -> Result<Scheme, Failure> {
    let scheme = store.scheme().parse();
    scheme.map_err(|_| Failure::ForeignScheme {
        scheme: store.scheme().to_owned(),
    })
}
