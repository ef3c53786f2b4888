//! What all help ends with.

/// Ends the help of every command: its examples, then the exit codes.
macro_rules! after_help {
    ($examples:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "\n\nExit codes:",
            "\n    0  done",
            "\n    1  verify found damage",
            "\n    2  could not run: wrong arguments, store locked or damaged, disk full, ...",
            "\n    3  ran, but some inputs could not be used; each is reported on stderr",
            "\n  130  interrupted by Ctrl-C; the store is sound and holds what was done until then"
        )
    };
}
pub(super) use after_help;
