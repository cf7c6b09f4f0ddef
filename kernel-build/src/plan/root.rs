//! The root file of a device crate: the target's own, or one that declares the modules which the package names as those of kernels.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::names::MODULES;

/// The root file of a device crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) path: PathBuf,
    /// What is written there, if it isn't the user's own.
    pub(crate) text: Option<String>,
}

/// The roots of a device package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Roots {
    /// That of the image's crate.
    pub(crate) image: Root,
    /// That of the package's library, where it is linked.
    pub(crate) library: Option<Root>,
}

impl Roots {
    /// The paths of the roots that are written, each with its text.
    pub(crate) fn generated(&self) -> impl Iterator<Item = (&Path, &str)> {
        let all = [Some(&self.image), self.library.as_ref()].into_iter().flatten();
        all.filter_map(|root| Some((root.path.as_path(), root.text.as_deref()?)))
    }
}

/// A module among others: the file that it has elsewhere than by default, and the modules that are written out inside it.
#[derive(Default)]
struct Node {
    is_named: bool,
    path: Option<PathBuf>,
    inside: BTreeMap<String, Node>,
}

/// The root of a target whose modules lie in these files. Where none of the names is one of them, it is the target's own root.
pub(super) fn root(
    source: &Path,
    modules: &BTreeMap<String, PathBuf>,
    names: &[String],
    generated: PathBuf,
) -> Root {
    let folder = source.parent().unwrap_or(Path::new(""));
    let mut tree = Node::default();
    for name in names {
        let Some(file) = modules.get(name) else { continue };
        let node =
            name.split("::").fold(&mut tree, |node, part| node.inside.entry(part.to_owned()).or_default());
        node.is_named = true;
        let default = name.split("::").fold(folder.to_owned(), |folder, part| folder.join(part));
        let is_there = *file == default.with_extension("rs") || *file == default.join("mod.rs");
        node.path = (!is_there).then(|| file.clone());
    }
    if tree.inside.is_empty() {
        return Root { path: source.to_owned(), text: None };
    }
    let mut text = String::from(
        "//! Made by gridwright-build: the modules that `modules` in [package.metadata.gridwright] names.\n\n\
         #![allow(unused_imports)]\n\n",
    );
    // In a module with a folder of its own, so that the others lie where they do for the host; `crate::` finds them all the same.
    let _ = writeln!(text, "#[path = {:?}]\nmod {MODULES} {{", folder.to_string_lossy());
    declare(&tree, 1, &mut text);
    let _ = writeln!(text, "}}\npub use {MODULES}::*;");
    Root { path: generated, text: Some(text) }
}

fn declare(node: &Node, depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    for (name, node) in &node.inside {
        if node.is_named {
            if let Some(path) = &node.path {
                let _ = writeln!(text, "{indent}#[path = {:?}]", path.to_string_lossy());
            }
            // What is inside, its own file declares.
            let _ = writeln!(text, "{indent}pub mod {name};");
        } else {
            let _ = writeln!(text, "{indent}pub mod {name} {{");
            declare(node, depth + 1, text);
            let _ = writeln!(text, "{indent}}}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::root;
    use std::path::Path;

    #[test]
    fn named_modules_are_declared_where_they_lie() {
        let files = [
            ("kernels", "/w/src/kernels.rs"),
            ("filters", "/w/src/filters/mod.rs"),
            ("filters::gpu", "/w/src/filters/gpu.rs"),
            ("far", "/w/elsewhere/far.rs"),
            ("host", "/w/src/host.rs"),
        ];
        let files = files.map(|(name, file)| (name.to_owned(), file.into())).into();
        let of = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            root(Path::new("/w/src/lib.rs"), &files, &names, "/out/root.rs".into())
        };
        let found = of(&["kernels", "filters::gpu", "far"]);
        assert_eq!(found.path, Path::new("/out/root.rs"));
        let text = found.text.unwrap();
        let expected = "#[path = \"/w/src\"]\nmod gridwright_modules {\n    #[path = \"/w/elsewhere/far.rs\"]\n    pub mod far;\n    \
                        pub mod filters {\n        pub mod gpu;\n    }\n    pub mod kernels;\n}\npub use gridwright_modules::*;\n";
        assert!(text.ends_with(expected), "{text}");
        // A module's own file declares what is inside it.
        assert!(of(&["filters", "filters::gpu"]).text.unwrap().contains("    pub mod filters;\n}"));
        // Of another target, which has none of them.
        let own = of(&["absent"]);
        assert_eq!((own.path.as_path(), own.text), (Path::new("/w/src/lib.rs"), None));
    }
}
