//! The families of UI tests: the folders of `tests/ui`, each with a test of its name.

use std::collections::BTreeSet;

use anyhow::ensure;
use itertools::Itertools;

use crate::checked;
use crate::workspace::Workspace;

/// The target of tests.
pub(super) const TEST: &str = "ui";

/// The test that folders are families.
const FOLDERS: &str = "each_folder_is_a_family";

/// Folder of the families, from the workspace's root.
const FOLDER: &str = "tests/ui";

/// The family that a file is of: `views` of `tests/ui/views/view_leaked.rs`. What lies beside the folders is of none.
pub(super) fn of(path: &str) -> Option<&str> {
    let (family, _) = path.strip_prefix(FOLDER)?.strip_prefix('/')?.split_once('/')?;
    Some(family)
}

/// Fails at a name that is no family's.
///
/// # Errors
/// With the names that there are.
pub(super) fn check(workspace: &Workspace, names: &[String]) -> anyhow::Result<()> {
    let all = all(workspace)?;
    for name in names {
        ensure!(all.contains(name), "no family `{name}` of UI tests; there are {}", all.join(", "));
    }
    Ok(())
}

/// Tests families, in one process: each waits for the folder that all are compiled in.
pub(super) fn run(workspace: &Workspace, names: &BTreeSet<String>) -> anyhow::Result<()> {
    checked::test(workspace, &[TEST]).arguments(["--", "--exact", FOLDERS]).arguments(names).run()
}

/// Whether there is such a family: a file that a change removed may have been its last.
pub(super) fn exists(workspace: &Workspace, name: &str) -> bool {
    workspace.root.join(FOLDER).join(name).is_dir()
}

/// The names of all families, sorted.
fn all(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let entries = fs_err::read_dir(workspace.root.join(FOLDER))?;
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    Ok(folders.filter_map(|folder| folder.file_name().into_string().ok()).sorted().collect())
}

#[cfg(test)]
mod tests {
    use super::{all, check, exists, of};
    use crate::workspace::Workspace;

    #[test]
    fn a_file_is_of_the_family_whose_folder_it_lies_in() {
        assert_eq!(of("tests/ui/views/view_leaked.stderr"), Some("views"));
        assert_eq!(of("tests/ui/view_leaked.rs"), None);
        assert_eq!(of("tests/ui.rs"), None);
        assert_eq!(of("tests/launch.rs"), None);
    }

    #[test]
    fn a_family_that_is_not_there_is_told_with_those_that_are() {
        let workspace = Workspace::find().unwrap();
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        check(&workspace, &names(&["views", "launch"])).unwrap();
        let error = check(&workspace, &names(&["views", "viws"])).unwrap_err().to_string();
        assert!(error.starts_with("no family `viws` of UI tests; there are attributes, "), "{error}");
        assert_eq!(all(&workspace).unwrap().join(", "), error.split_once("there are ").unwrap().1);
        assert!(exists(&workspace, "views") && !exists(&workspace, "viws"));
    }
}
