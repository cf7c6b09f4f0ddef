//! `cargo xtask book`: builds the book with mdBook and checks its pages. What needs no mdBook is in [`source`], and a rule of
//! `tidy`.

mod built;
mod mdbook;
pub(crate) mod output;
mod render;
pub(crate) mod source;

use clap::Args;

use crate::call::Call;
use crate::tidy;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Options {
    /// Lays each page out in headless Chromium too, as on a desktop and on a phone, and fails where it is too wide.
    #[arg(long)]
    render: bool,
    /// Writes the listings into the pages, as the files have them, and does no more.
    #[arg(long)]
    listings: bool,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    if options.listings {
        return tidy::write_listings(workspace);
    }
    tidy::check_book(workspace)?;
    let mdbook = mdbook::find(workspace)?;
    Call::new(workspace, mdbook).arguments(["build", "book"]).run()?;
    // Where `book.toml` says.
    let folder = workspace.root.join("target/book");
    let pages = built::pages(&folder)?;
    built::check(&folder, &pages)?;
    println!("{} pages: {}", pages.len(), folder.join("index.html").display());
    if options.render {
        render::check(workspace, &folder, &pages)?;
    }
    Ok(())
}

/// The step of `cargo xtask test`.
pub(crate) fn test(workspace: &Workspace) -> anyhow::Result<()> {
    run(workspace, &Options { render: render::is_possible(workspace), listings: false })
}
