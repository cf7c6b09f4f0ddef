//! Where mdBook is.

use std::path::PathBuf;

use crate::call::Call;
use crate::workspace::Workspace;

/// What the book is written for, and what is installed.
const VERSION: &str = "0.5.4";

/// The one on `PATH`, else one below `target` that cargo installs.
pub(super) fn find(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let on_path = PathBuf::from("mdbook");
    if Call::new(workspace, &on_path).arguments(["--version"]).works() {
        return Ok(on_path);
    }
    let root = workspace.metadata.target_directory.as_std_path().join("mdbook");
    let program = root.join("bin/mdbook");
    if !program.exists() {
        println!("installing mdBook {VERSION} below {}", root.display());
        let install = Call::cargo(workspace, "install mdbook --locked --version").arguments([VERSION]);
        install.arguments(["--root"]).arguments([root]).run()?;
    }
    Ok(program)
}
