//! Finds mdBook, or installs it.

use std::path::PathBuf;

use crate::call::Call;
use crate::workspace::Workspace;

/// Version that the book is written for, and that is installed.
const VERSION: &str = "0.5.4";

/// The mdBook on `PATH`, else one below `target` that cargo installs.
pub(super) fn find(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let on_path = PathBuf::from("mdbook");
    if Call::new(workspace, &on_path).arguments(["--version"]).works() {
        return Ok(on_path);
    }
    let root = workspace.target("mdbook");
    let program = root.join("bin/mdbook");
    if !program.exists() {
        println!("installing mdBook {VERSION} below {}", root.display());
        let install = Call::cargo(workspace, "install mdbook --locked --version").arguments([VERSION]);
        install.arguments(["--root"]).arguments([root]).run()?;
    }
    Ok(program)
}
