//! A name for each path.

use std::collections::{BTreeMap, BTreeSet};

/// The names of kernels at paths, none of them `taken` by anything else: the kernel's own where it is alone in having it, else all of the
/// path, else that with a number.
pub(super) fn names(paths: &BTreeSet<String>, taken: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for name in [own as fn(&str) -> &str, |path| path] {
        let mut wanted: BTreeMap<String, Vec<&String>> = BTreeMap::new();
        for path in paths.iter().filter(|path| !names.contains_key(*path)) {
            wanted.entry(symbol(name(path))).or_default().push(path);
        }
        for (name, paths) in wanted {
            if let [path] = paths[..]
                && !taken.contains(name.as_str())
                && used.insert(name.clone())
            {
                names.insert(path.clone(), name);
            }
        }
    }
    for path in paths {
        if names.contains_key(path) {
            continue;
        }
        let numbered = (2_u64..).map(|number| format!("{}_{number}", symbol(path)));
        let mut free = numbered.filter(|name| !taken.contains(name.as_str()) && used.insert(name.clone()));
        names.extend(free.next().map(|name| (path.clone(), name)));
    }
    names
}

/// The kernel's name in a path, with an instance's arguments.
pub(crate) fn own(path: &str) -> &str {
    // What stands in an instance's arguments may be paths, too.
    let modules = path.split('<').next().unwrap_or(path);
    modules.rfind("::").and_then(|at| path.get(at + 2..)).unwrap_or(path)
}

/// A text in the letters, digits and underscores that PTX takes.
fn symbol(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let symbol = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    match symbol.starts_with(|first: char| first.is_ascii_digit()) || symbol.is_empty() {
        true => format!("kernel_{symbol}"),
        false => symbol,
    }
}
