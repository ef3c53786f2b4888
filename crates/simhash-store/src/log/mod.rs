//! The log: every operation, in the order that threads saw. It is the only
//! truth; tables and key index are derived from it.

pub(crate) mod commit;
pub(crate) mod read;
