//! The crates that sources name where the device build sees them.

use std::collections::{BTreeMap, BTreeSet};

/// Names of crates, by the paths of the modules that name them; the root's path is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) BTreeMap<String, BTreeSet<String>>);

impl Names {
    /// Whether device code names a crate. With `modules`, they are all of that.
    pub(crate) fn hold(&self, name: &str, modules: &[String]) -> bool {
        let is_inside = |path: &str, module: &String| {
            path.strip_prefix(module.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let all = !modules.iter().any(|module| self.0.contains_key(module));
        let mut seen = self.0.iter().filter(|(path, _)| all || modules.iter().any(|m| is_inside(path, m)));
        seen.any(|(_, names)| names.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn of_named_modules_those_inside_count() {
        let names = [("", "a"), ("kernels", "b"), ("kernels::deep", "c"), ("kernels_of_others", "d")];
        let names = Names(
            names.map(|(path, name)| (path.to_owned(), [name.to_owned()].into())).into_iter().collect(),
        );
        let held = |modules: &[&str]| {
            let modules: Vec<_> = modules.iter().map(|&m| m.to_owned()).collect();
            ["a", "b", "c", "d"].map(|name| names.hold(name, &modules))
        };
        assert_eq!(held(&[]), [true; 4]);
        assert_eq!(held(&["kernels"]), [false, true, true, false]);
        assert_eq!(held(&["absent"]), [true; 4], "of a target that has none of them the root counts");
    }
}
