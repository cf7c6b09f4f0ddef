//! PTX of several modules made one: what one declares another defines.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// How a name is known to other modules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Linkage {
    /// Declared, and defined elsewhere.
    Extern,
    /// Defined for all.
    Visible,
    /// Defined for all, and the first definition is taken.
    Weak,
    /// Known in its module only.
    Local,
}

/// A directive of a module, to the semicolon or brace that ends it.
struct Statement<'a> {
    text: &'a str,
    /// The name that it declares or defines.
    name: Option<(&'a str, Linkage)>,
    /// A declaration of a function whose body follows elsewhere.
    is_prototype: bool,
}

/// Links modules. The error is a text as a linker's log has it.
pub(crate) fn link(parts: &[String]) -> Result<String, String> {
    let modules: Vec<Vec<Statement<'_>>> = parts.iter().map(|part| statements(part)).collect();
    let mut defined = HashSet::new();
    for (name, linkage) in modules.iter().flatten().filter(|of| !of.is_prototype).filter_map(|of| of.name) {
        let first = linkage == Linkage::Extern || linkage == Linkage::Local || defined.insert(name);
        if !first && linkage == Linkage::Visible {
            return Err(format!("error: Multiple definition of '{name}'"));
        }
    }
    let mut text = head(&modules);
    let mut written = HashSet::new();
    let mut taken: HashSet<String> = defined.iter().map(|name| (*name).to_owned()).collect();
    for module in &modules {
        let mut renamed = HashMap::new();
        for (name, _) in
            module.iter().filter_map(|of| of.name).filter(|(_, linkage)| *linkage == Linkage::Local)
        {
            if !renamed.contains_key(name) && !taken.insert(name.to_owned()) {
                let new =
                    (1..).map(|number| format!("{name}__{number}")).find(|new| taken.insert(new.clone()));
                renamed.extend(new.map(|new| (name, new)));
            }
        }
        for statement in module {
            let is_written = match statement.name {
                None => !is_head(statement.text),
                // What is defined nowhere is the emulator's to know, as `vprintf`.
                Some((name, Linkage::Extern)) => !defined.contains(name) && written.insert((name, true)),
                Some((name, Linkage::Weak)) => statement.is_prototype || written.insert((name, false)),
                Some(_) => true,
            };
            if is_written {
                push_renamed(&mut text, statement.text, &renamed);
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// The newest version and target of all modules.
fn head(modules: &[Vec<Statement<'_>>]) -> String {
    let newest = |directive: &str| {
        let texts = modules.iter().flatten().filter_map(|of| of.text.strip_prefix(directive)).map(str::trim);
        texts.max_by_key(|text| numbers(text)).map(str::to_owned).unwrap_or_default()
    };
    let mut text = String::new();
    for directive in [".version", ".target", ".address_size"] {
        let value = newest(directive);
        if !value.is_empty() {
            _ = writeln!(text, "{directive} {value}");
        }
    }
    text
}

fn is_head(text: &str) -> bool {
    [".version", ".target", ".address_size"].iter().any(|directive| text.starts_with(directive))
}

fn numbers(text: &str) -> Vec<u32> {
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.filter_map(|part| part.parse().ok()).collect()
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '%'
}

/// Adds a text with some names replaced.
fn push_renamed(to: &mut String, text: &str, renamed: &HashMap<&str, String>) {
    if renamed.is_empty() {
        to.push_str(text);
        return;
    }
    let mut rest = text;
    while !rest.is_empty() {
        let starts = rest.starts_with(is_of_name);
        let end = rest.find(|c| is_of_name(c) != starts).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        to.push_str(renamed.get(word).map_or(word, String::as_str));
        rest = behind;
    }
}

/// The statements of a module, without comments between them.
fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = after_blanks(rest);
        if rest.is_empty() {
            return found;
        }
        let (statement, behind) = rest.split_at(length(rest));
        found.push(read(statement.trim_end()));
        rest = behind;
    }
}

fn after_blanks(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let comment = if rest.starts_with("//") {
            rest.find('\n').map(|end| end + 1)
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            return rest;
        };
        rest = comment.and_then(|end| rest.get(end..)).unwrap_or_default().trim_start();
    }
}

/// Bytes of the statement that a text begins with.
fn length(text: &str) -> usize {
    let first = text.split(char::is_whitespace).next().unwrap_or_default();
    if matches!(first, ".version" | ".target" | ".address_size" | ".file") {
        return text.find('\n').map_or(text.len(), |end| end + 1);
    }
    // A variable's initialiser has braces, and a semicolon behind them.
    let head = text.split(['{', ';', '=']).next().unwrap_or_default();
    let has_body = head
        .split(|c: char| c.is_whitespace() || c == '(')
        .any(|word| matches!(word, ".func" | ".entry" | ".section"));
    let mut depth = 0_usize;
    let mut characters = text.char_indices();
    while let Some((place, c)) = characters.next() {
        match c {
            '"' => _ = characters.by_ref().find(|(_, c)| *c == '"'),
            '/' if text[place..].starts_with("//") => _ = characters.by_ref().find(|(_, c)| *c == '\n'),
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && has_body {
                    return place + 1;
                }
            }
            ';' if depth == 0 => return place + 1,
            _ => {}
        }
    }
    text.len()
}

fn read(text: &str) -> Statement<'_> {
    let is_prototype = text.ends_with(';');
    let name = named(text);
    let is_function =
        name.is_some() && text.split(['{', ';']).next().is_some_and(|head| head.contains(".func"));
    Statement { text, name, is_prototype: is_prototype && is_function }
}

fn named(text: &str) -> Option<(&str, Linkage)> {
    let head = text.split(['{', ';', '=']).next()?;
    let has =
        |directive: &str| head.split(|c: char| c.is_whitespace() || c == '(').any(|word| word == directive);
    let linkage = if has(".extern") {
        Linkage::Extern
    } else if has(".weak") || has(".common") {
        Linkage::Weak
    } else if has(".visible") {
        Linkage::Visible
    } else {
        Linkage::Local
    };
    let name = if has(".func") {
        let (_, behind) = head.split_once(".func")?;
        let behind = behind.trim_start();
        // A result in parentheses stands before the name.
        let behind = if behind.starts_with('(') { behind.split_once(')')?.1 } else { behind };
        behind.trim_start().split(|c| !is_of_name(c)).next()?
    } else if has(".entry") {
        let (_, behind) = head.split_once(".entry")?;
        behind.trim_start().split(|c| !is_of_name(c)).next()?
    } else if has(".global") || has(".const") || has(".shared") || has(".tex") {
        let before = head.split('[').next()?;
        before.split_whitespace().next_back()?
    } else {
        return None;
    };
    (!name.is_empty() && name.chars().all(is_of_name)).then_some((name, linkage))
}

#[cfg(test)]
mod tests {
    use super::link;

    const CALLER: &str = ".version 7.0\n.target sm_80\n.address_size 64\n\n// calls\n.extern .func (.param .b32 r) f\n(\n.param .b32 a\n)\n;\n.global .align 4 .b8 text[4] = {1, 2, 3, 0};\n.visible .entry k(.param .u64 a)\n{\n{\n.reg .b64 %rd<2>; mov.u64 %rd1, text;\n}\nret; // }\n}\n";
    const CALLED: &str = ".version 8.4\n.target sm_75\n.address_size 64\n.global .b8 text[4];\n.visible .func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b64 %rd<2>; mov.u64 %rd1, text; ret;\n}\n";

    fn both(first: &str, second: &str) -> Result<String, String> {
        link(&[first.to_owned(), second.to_owned()])
    }

    #[test]
    fn what_is_declared_is_defined_and_local_names_stay_apart() {
        let text = both(CALLER, CALLED).unwrap();
        assert!(text.starts_with(".version 8.4\n.target sm_80\n.address_size 64\n"), "{text}");
        assert_eq!((text.matches(".extern").count(), text.matches(".func").count()), (0, 1), "{text}");
        assert!(
            text.contains(".global .b8 text__1[4];") && text.contains("mov.u64 %rd1, text__1;"),
            "{text}"
        );
        assert!(text.contains("mov.u64 %rd1, text;"), "{text}");
    }

    #[test]
    fn what_is_defined_twice_is_an_error_but_for_weak_definitions() {
        assert_eq!(both(CALLED, CALLED).unwrap_err(), "error: Multiple definition of 'f'");
        let weak = CALLED.replace(".visible", ".weak");
        assert_eq!(both(&weak, &weak).unwrap().matches(".func").count(), 1);
    }

    #[test]
    fn what_is_defined_nowhere_stays_declared_once() {
        let printing = ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n";
        assert_eq!(both(printing, printing).unwrap().matches("vprintf").count(), 1);
    }
}
