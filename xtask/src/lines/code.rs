//! What of a file is code: neither comments nor blank lines.

/// The languages that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    /// CUDA, C++ and C.
    Cuda,
}

/// The lines of code in a text.
pub(super) fn lines(text: &str, language: Language) -> usize {
    code(text, language).lines().filter(|line| !line.trim().is_empty()).count()
}

/// How often a text has a word in its code.
pub(super) fn words(text: &str, language: Language, word: &str) -> usize {
    let code = code(text, language);
    code.split(|c: char| !is_of_a_name(c)).filter(|found| *found == word).count()
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text without its comments. What stands in quotes is blotted out.
fn code(text: &str, language: Language) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest, language == Language::Rust)
        } else {
            0
        };
        if skipped > 0 {
            // A comment parts what it stands between, and lines are counted.
            code.push(' ');
            code.extend(rest[..skipped].chars().filter(|&c| c == '\n'));
            rest = &rest[skipped..];
            continue;
        }
        let is_raw = language == Language::Rust && !code.ends_with(is_of_a_name);
        let quoted = if is_raw && let Some(length) = raw_string(rest) {
            length
        } else if c == '"' {
            closed(rest, '"')
        } else if c == '\'' {
            character(rest)
        } else {
            0
        };
        let length = quoted.max(c.len_utf8());
        if quoted > 0 {
            code.extend(rest[..length].chars().map(|c| if c.is_whitespace() { c } else { '"' }));
        } else {
            code.push(c);
        }
        rest = &rest[length..];
    }
    code
}

/// The length of the comment that a text begins with. Rust's may lie in each other.
fn comment(text: &str, is_nested: bool) -> usize {
    let (mut at, mut depth) = (2, 1);
    while depth > 0 && at < text.len() {
        let rest = &text.as_bytes()[at..];
        let step = match rest {
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            [b'/', b'*', ..] if is_nested => {
                depth += 1;
                2
            }
            _ => 1,
        };
        at += step;
    }
    // The end of a text that isn't one of a character: of a comment that nobody closed.
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// The length of what a text begins with, up to a quote like its first character that no backslash is before.
fn closed(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length of the character in quotes that a text begins with; 0 if it is a lifetime, or a mark between digits.
fn character(text: &str) -> usize {
    let mut after = text.chars().skip(1);
    match (after.next(), after.next()) {
        (Some('\\'), _) | (_, Some('\'')) => closed(text, '\''),
        _ => 0,
    }
}

/// The length of the raw string that a text begins with.
fn raw_string(text: &str) -> Option<usize> {
    let from_marks =
        text.strip_prefix("br").or_else(|| text.strip_prefix("cr")).or_else(|| text.strip_prefix('r'))?;
    let marks = from_marks.len() - from_marks.trim_start_matches('#').len();
    let inside = from_marks[marks..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(marks));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(text.len() - inside.len() + length)
}

#[cfg(test)]
mod tests {
    use super::Language::{Cuda, Rust};
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_no_code() {
        let text = "// one\n\n  \t\n/* two\n\n three */\nint x; // four\n/* five */ int y;\n";
        assert_eq!(lines(text, Cuda), 2);
        assert_eq!(lines("//! Docs.\n\n/// More.\nfn f() {\n}\n", Rust), 2);
        assert_eq!(lines("", Rust), 0);
    }

    #[test]
    fn comments_lie_in_each_other_in_rust_only() {
        let text = "/* a /* b */\nx\n*/ y\n";
        assert_eq!((lines(text, Rust), lines(text, Cuda)), (1, 2));
    }

    #[test]
    fn a_comment_of_many_lines_may_begin_and_end_beside_code() {
        assert_eq!(lines("int x; /* a\nb\nc */ int y;\n", Cuda), 2);
        assert_eq!(lines("x /* nobody closes it ä\nä", Cuda), 1);
    }

    #[test]
    fn what_stands_in_quotes_begins_no_comment() {
        assert_eq!(lines("f(\"//\");\ng('\"'); // \"\nh(\"\\\"/*\");\ni();\n", Cuda), 4);
        assert_eq!(lines("let a = r#\"\"/*\"#;\nlet b = '\\'';\nlet c: &'a str = \"/*\";\nd();\n", Rust), 4);
        assert_eq!(lines("let a = \"one\n\n  two\";\n", Rust), 2);
    }

    #[test]
    fn words_are_whole_and_of_the_code() {
        let text = "// unsafe\n/// unsafe\nunsafe { f(\"unsafe\") }\nlet is_unsafe = unsafe{x};\n";
        assert_eq!(words(text, Rust, "unsafe"), 2);
    }
}
