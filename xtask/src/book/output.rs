//! What a command printed, kept in a document between two comments.

use std::path::Path;

use anyhow::{Context, ensure};
use fs_err as fs;

const END: &str = "<!-- the end of that output -->\n";

/// What becomes of a document with a command's output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// The output is written into it.
    Written,
    /// It must have the output already.
    Checked,
}

impl Page {
    /// `put` gives the document with the output of `command`, from that which there is, below `root`.
    ///
    /// # Errors
    /// Where the document can't be read or written, or should have had the output, and those of `put`.
    pub(crate) fn hold(
        self,
        root: &Path,
        document: &str,
        command: &str,
        put: impl FnOnce(&str) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        let path = root.join(document);
        let text = fs::read_to_string(&path)?;
        let updated = put(&text).with_context(|| format!("in {document}"))?;
        match self {
            Self::Written => {
                fs::write(&path, updated)?;
                println!("wrote the output of `{command}` into {document}");
            }
            Self::Checked => {
                ensure!(text == updated, "{document} hasn't what `{command}` prints now: run it");
            }
        }
        Ok(())
    }
}

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
    use super::{Page, replace};

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
    fn a_document_is_written_and_then_found_right() {
        let root = tempfile::tempdir().unwrap();
        fs_err::write(root.path().join("a.md"), DOCUMENT).unwrap();
        let hold = |page: Page, name: &str| {
            page.hold(root.path(), name, "a", |text| replace(text, "a", |_| Ok("new\n".into())))
        };
        assert!(hold(Page::Checked, "a.md").unwrap_err().to_string().contains("run it"));
        hold(Page::Written, "a.md").unwrap();
        hold(Page::Checked, "a.md").unwrap();
        assert!(hold(Page::Written, "b.md").unwrap_err().to_string().contains("b.md"));
    }

    #[test]
    fn a_document_without_a_place_is_an_error() {
        let put =
            |document: &str| replace(document, "a", |_| Ok(String::new())).map_err(|error| error.to_string());
        assert!(put("# Title\n").unwrap_err().contains("`a`"));
        assert!(put("<!-- the output of `a` -->\nold\n").unwrap_err().contains("the end"));
    }
}
