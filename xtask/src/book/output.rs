//! What a command printed, kept in a document between two comments.

use anyhow::Context;

const END: &str = "<!-- the end of that output -->\n";

/// The document with another output of the command in its place. `output` is given what stands there.
///
/// # Errors
/// Where the document has no place for the command's output, and those of `output`.
pub(crate) fn replace(
    document: &str,
    command: &str,
    output: impl FnOnce(&str) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    let begin = format!("<!-- the output of `{command}` -->\n");
    let (before, rest) = document.split_once(&begin).with_context(|| format!("there is no {begin}"))?;
    let (old, after) = rest.split_once(END).with_context(|| format!("there is no {END}"))?;
    Ok(format!("{before}{begin}{}{END}{after}", output(old)?))
}

#[cfg(test)]
mod tests {
    use super::replace;

    const DOCUMENT: &str = "# Title\n<!-- the output of `a` -->\nold\n<!-- the end of that output -->\n\
        <!-- the output of `b` -->\nkept\n<!-- the end of that output -->\nrest\n";

    #[test]
    fn only_that_command_s_output_is_replaced() {
        let text = replace(DOCUMENT, "a", |old| {
            assert_eq!(old, "old\n");
            Ok("new\n".into())
        });
        assert_eq!(text.unwrap(), DOCUMENT.replace("old", "new"));
    }

    #[test]
    fn a_document_without_a_place_is_an_error() {
        let put =
            |document: &str| replace(document, "a", |_| Ok(String::new())).map_err(|error| error.to_string());
        assert!(put("# Title\n").unwrap_err().contains("`a`"));
        assert!(put("<!-- the output of `a` -->\nold\n").unwrap_err().contains("the end"));
    }
}
