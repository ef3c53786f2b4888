//! Visible text of HTML pages, and their encoding (feature `html`).
//!
//! ```
//! use simhash_core::{Scheme, html};
//!
//! let bytes = b"<title>Caf\xe9</title><p>Opening <b>hou</b>rs:<br>8 &ndash; 20<script>track()</script>";
//! let page = html::visible_text(&html::decode(bytes, Some("iso-8859-1")));
//! assert_eq!(page.title.as_deref(), Some("Café"));
//! assert_eq!(page.text, "Opening hours:\n8 – 20");
//! assert!(Scheme::default().fingerprint(&page.text).is_some());
//! ```

mod charset;
mod collapsed;
mod declared;
mod elements;
mod tokens;
mod visible;

pub use charset::decode;
pub use visible::{Page, visible_text};
