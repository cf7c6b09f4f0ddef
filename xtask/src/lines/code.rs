//! What of a file is code: neither comments nor blank lines.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, anyhow, ensure};
use proc_macro2::{TokenStream, TokenTree};

/// The code of a text in Rust.
#[derive(Debug, Default)]
pub(super) struct Rust {
    lines: BTreeSet<usize>,
    unsafe_words: usize,
}

impl Rust {
    /// # Errors
    /// Where the text has no tokens of Rust's.
    pub(super) fn read(text: &str) -> anyhow::Result<Self> {
        let tokens = text.parse().map_err(|error: proc_macro2::LexError| anyhow!("{error}"))?;
        let mut code = Self::default();
        code.add(tokens);
        Ok(code)
    }

    /// The number of lines on which there is code.
    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// How often the code says `unsafe`.
    pub(super) fn unsafe_words(&self) -> usize {
        self.unsafe_words
    }

    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            let span = token.span();
            match token {
                // A doc comment is an attribute to the lexer.
                _ if span.source_text().is_some_and(|text| text.starts_with('/') && text.len() > 1) => {}
                TokenTree::Group(group) => {
                    self.lines.extend([group.span_open().start().line, group.span_close().end().line]);
                    self.add(group.stream());
                }
                token => {
                    self.lines.extend(span.start().line..=span.end().line);
                    self.unsafe_words +=
                        usize::from(matches!(&token, TokenTree::Ident(word) if word == "unsafe"));
                }
            }
        }
    }
}

/// The lines of code in a file of CUDA, C++ or C, by the C compiler, which strips comments.
///
/// # Errors
/// Where there is no compiler `cc`, or it refuses the file.
pub(super) fn lines_of_cuda(file: &Path) -> anyhow::Result<usize> {
    let mut command = Command::new("cc");
    command.args(["-x", "c++", "-fpreprocessed", "-dD", "-E", "-P"]).arg(file);
    let output = command.output().context("lines of CUDA are counted by `cc`, which can't be started")?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
    let code = String::from_utf8_lossy(&output.stdout);
    Ok(code.lines().filter(|line| !line.trim().is_empty()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> usize {
        Rust::read(text).unwrap().lines()
    }

    #[test]
    fn comments_and_blank_lines_are_no_code() {
        assert_eq!(lines("//! Docs.\n\n/// More.\nfn f() {\n}\n"), 2);
        assert_eq!(lines("/** Docs.\n*/ fn f() {} /* a /* b */\nx\n*/ fn g() {\n\n}\n"), 3);
        assert_eq!(lines("let a = \"one\n  two\";\nlet b = x / y;\n"), 3);
        assert_eq!(lines(""), 0);
        let error = Rust::read("let a = \"").unwrap_err().to_string();
        assert!(error.contains("parse"), "{error}");
    }

    #[test]
    fn words_are_whole_and_of_the_code() {
        let text = "// unsafe\n/// unsafe\nunsafe { f(\"unsafe\") }\nlet is_unsafe = unsafe{x};\n";
        assert_eq!(Rust::read(text).unwrap().unsafe_words(), 2);
    }

    #[test]
    fn the_c_compiler_counts_cuda() {
        let file = tempfile::NamedTempFile::with_suffix(".cu").unwrap();
        let text = "#include <a.h>\n// one\n\n/* two\n\n three */\n__global__ void k() { // four\n  f<<<1, 2>>>(\"//\"); }\n";
        std::fs::write(file.path(), text).unwrap();
        assert_eq!(lines_of_cuda(file.path()).unwrap(), 3);
        assert!(lines_of_cuda(Path::new("/no/such/file.cu")).is_err());
    }
}
