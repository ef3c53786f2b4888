//! The real binary, as its users and their scripts see it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod command;
mod damage;
mod durability;
mod examples;
mod help;
mod inputs;
mod malformed;
mod outcomes;
mod pipes;
mod query;
mod store_errors;
