//! Where key and text stand in an object.

/// The names of the fields that hold key and text, and which text wins.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The key.
    pub id: String,
    /// The key, when the first is missing.
    pub url: String,
    /// Plain text.
    pub text: String,
    /// HTML, of which the visible text counts.
    pub html: String,
    /// When both are there, HTML wins over plain text.
    pub prefer_html: bool,
}

impl Default for Fields {
    /// The names that most collections use.
    fn default() -> Fields {
        Fields {
            id: "id".to_owned(),
            url: "url".to_owned(),
            text: "text".to_owned(),
            html: "html".to_owned(),
            prefer_html: false,
        }
    }
}
