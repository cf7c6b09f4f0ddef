//! Which files differ from a commit.

use std::collections::BTreeSet;
use std::path::Path;

use crate::call::Call;

/// Why git can't say which files differ.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unknown {
    #[error("--changed asks git: {0:#}; or name the part that changed with --area")]
    NoGit(anyhow::Error),
    /// A folder that is no repository, with what git says of it.
    #[error(
        "--changed asks git, and this folder isn't a repository of it: name the part that changed with --area ({0})"
    )]
    NoRepository(String),
    #[error(
        "git knows no commit `{0}`: --changed takes a branch, a tag or a commit, and is HEAD without one"
    )]
    NoCommit(String),
    /// A command that failed, with what git says.
    #[error("{0}: {1}")]
    Failed(String, String),
}

/// The files that differ between a commit and what is on disk, those that git doesn't know yet among them: paths from the root, which is
/// the workspace's.
///
/// # Errors
/// Without git, outside a repository, or where there is no such commit.
pub(super) fn since(root: &Path, reference: &str) -> Result<BTreeSet<String>, Unknown> {
    let commit = format!("{reference}^{{commit}}");
    let commit = match git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]) {
        Ok(commit) => commit.trim().to_owned(),
        Err(Unknown::NoGit(error)) => return Err(Unknown::NoGit(error)),
        Err(_) => {
            return Err(match git(root, &["rev-parse", "--git-dir"]) {
                Ok(_) => Unknown::NoCommit(reference.to_owned()),
                Err(Unknown::Failed(_, said)) => Unknown::NoRepository(said),
                Err(other) => other,
            });
        }
    };
    // Between zeros, since git puts names with other letters than ASCII's into quotes.
    let mut files = git(root, &["diff", "--name-only", "--no-renames", "--relative", "-z", &commit, "--"])?;
    files.push_str(&git(root, &["ls-files", "--others", "--exclude-standard", "-z"])?);
    Ok(files.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String, Unknown> {
    let call = Call::in_folder(root, "git").arguments(arguments);
    let output = call.output().map_err(Unknown::NoGit)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Unknown::Failed(call.to_string(), said));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::{Unknown, since};

    fn git(root: &Path, arguments: &[&str]) {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let done = Command::new("git").args(who).args(arguments).current_dir(root).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet"]);
        for name in ["kept", "changed", "removed"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "--quiet", "--message", "first"]);
        folder
    }

    #[test]
    fn what_is_changed_added_or_removed_and_not_committed_counts() {
        let repository = repository();
        let root = repository.path();
        assert!(since(root, "HEAD").unwrap().is_empty());
        fs::write(root.join("changed"), "other").unwrap();
        fs::remove_file(root.join("removed")).unwrap();
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("folder/größer"), "new").unwrap();
        fs::write(root.join("staged"), "new").unwrap();
        git(root, &["add", "staged"]);
        let changed = since(root, "HEAD").unwrap();
        assert_eq!(Vec::from_iter(changed), ["changed", "folder/größer", "removed", "staged"]);
        // Of a workspace that is a folder of a larger repository.
        let below = since(&root.join("folder"), "HEAD").unwrap();
        assert_eq!(Vec::from_iter(below), ["größer"]);
    }

    #[test]
    fn a_reference_that_is_also_a_file_is_the_reference() {
        let repository = repository();
        let root = repository.path();
        git(root, &["branch", "changed"]);
        assert!(since(root, "changed").unwrap().is_empty());
    }

    #[test]
    fn a_commit_that_is_not_there_is_told() {
        let repository = repository();
        for reference in ["nowhere", "--all", ""] {
            let error = since(repository.path(), reference).unwrap_err();
            assert!(matches!(&error, Unknown::NoCommit(name) if name == reference), "{error}");
            assert!(error.to_string().starts_with(&format!("git knows no commit `{reference}`")), "{error}");
        }
    }

    #[test]
    fn a_repository_without_commits_has_no_head() {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet"]);
        assert!(matches!(since(folder.path(), "HEAD"), Err(Unknown::NoCommit(_))));
    }

    #[test]
    fn outside_of_git_it_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let error = since(folder.path(), "HEAD").unwrap_err();
        assert!(matches!(error, Unknown::NoRepository(_)), "{error}");
        assert!(error.to_string().contains("this folder isn't a repository of it"), "{error}");
    }
}
