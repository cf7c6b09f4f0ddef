//! What of a file is code: neither comments nor blank lines.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, anyhow};
use proc_macro2::{TokenStream, TokenTree};

use crate::call::Call;

/// How many lines of a text in Rust have code, and how often that says `unsafe`.
pub(super) fn of_rust(text: &str) -> anyhow::Result<(usize, usize)> {
    let tokens = text.parse().map_err(|error: proc_macro2::LexError| anyhow!("{error}"))?;
    let (mut lines, mut unsafe_words) = (BTreeSet::new(), 0);
    add(tokens, &mut lines, &mut unsafe_words);
    Ok((lines.len(), unsafe_words))
}

fn add(tokens: TokenStream, lines: &mut BTreeSet<usize>, unsafe_words: &mut usize) {
    for token in tokens {
        let span = token.span();
        match token {
            // A doc comment is an attribute to the lexer.
            _ if span.source_text().is_some_and(|text| text.starts_with('/') && text.len() > 1) => {}
            TokenTree::Group(group) => {
                lines.extend([group.span_open().start().line, group.span_close().end().line]);
                add(group.stream(), lines, unsafe_words);
            }
            token => {
                lines.extend(span.start().line..=span.end().line);
                *unsafe_words += usize::from(matches!(&token, TokenTree::Ident(word) if word == "unsafe"));
            }
        }
    }
}

/// The lines of code in a file of CUDA, C++ or C, by the C compiler, which strips comments.
///
/// # Errors
/// Where there is no compiler `cc`, or it refuses the file.
pub(super) fn lines_of_cuda(file: &Path) -> anyhow::Result<usize> {
    let call = Call::in_folder(".", "cc").arguments(["-x", "c++", "-fpreprocessed", "-dD", "-E", "-P"]);
    let code = call.arguments([file]).printed().context("lines of CUDA are counted by `cc`")?;
    Ok(String::from_utf8_lossy(&code).lines().filter(|line| !line.trim().is_empty()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> usize {
        of_rust(text).unwrap().0
    }

    #[test]
    fn comments_and_blank_lines_are_no_code() {
        assert_eq!(lines("//! Docs.\n\n/// More.\nfn f() {\n}\n"), 2);
        assert_eq!(lines("/** Docs.\n*/ fn f() {} /* a /* b */\nx\n*/ fn g() {\n\n}\n"), 3);
        assert_eq!(lines("let a = \"one\n  two\";\nlet b = x / y;\n"), 3);
        assert_eq!(lines(""), 0);
        let error = of_rust("let a = \"").unwrap_err().to_string();
        assert!(error.contains("parse"), "{error}");
    }

    #[test]
    fn words_are_whole_and_of_the_code() {
        let text = "// unsafe\n/// unsafe\nunsafe { f(\"unsafe\") }\nlet is_unsafe = unsafe{x};\n";
        assert_eq!(of_rust(text).unwrap().1, 2);
    }

    #[test]
    fn the_c_compiler_counts_cuda() {
        let file = tempfile::NamedTempFile::with_suffix(".cu").unwrap();
        let text = "#include <a.h>\n// one\n\n/* two\n\n three */\n__global__ void k() { // four\n  f<<<1, 2>>>(\"//\"); }\n";
        fs_err::write(file.path(), text).unwrap();
        assert_eq!(lines_of_cuda(file.path()).unwrap(), 3);
        assert!(lines_of_cuda(Path::new("/no/such/file.cu")).is_err());
    }
}
