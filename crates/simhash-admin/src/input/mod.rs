//! From files, folders and standard input to documents.
//!
//! [`walk`] lists files in a fixed order, [`decompress`] and [`mod@format`] find
//! out what is in them, [`reader`] cuts them into [`chunk`]s of raw records;
//! [`document`] turns a record into a key and a text.

pub mod chunk;
mod decompress;
pub mod document;
pub mod format;
pub mod jsonl;
mod lines;
mod peek;
pub mod problem;
pub mod reader;
mod walk;
