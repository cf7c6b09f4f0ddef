//! `cargo xtask gallery`: pictures that examples make on the CPU, and the page of the book that shows them.

mod pictures;
#[cfg(test)]
mod tests;

use fs_err as fs;

use anyhow::ensure;

use crate::call::Call;
use crate::workspace::Workspace;
use pictures::{PICTURES, Picture};

const FOLDER: &str = "book/src/gallery";
const PAGE: &str = "book/src/gallery.md";

/// The most bytes of a picture: the repository keeps them all.
const MOST: u64 = 60_000;

/// Makes the pictures and writes the page.
///
/// # Errors
/// Where an example fails, or its picture is too large.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let folder = workspace.root.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for picture in PICTURES {
        let path = folder.join(picture.file());
        let call = Call::cargo(workspace, "run --release --package gridwright-examples --bin");
        let call = call.arguments([picture.example(), "--"]).arguments(picture.arguments.split(' '));
        let call = call.arguments(["--output".as_ref(), path.as_os_str()]);
        let call = call.variable("GRIDWRIGHT_DEVICE", "cpu");
        println!("$ {call}");
        call.run()?;
        let bytes = fs::metadata(&path)?.len();
        ensure!(bytes <= MOST, "{} has {bytes} bytes, of {MOST} at most: make it smaller", picture.file());
    }
    fs::write(workspace.root.join(PAGE), page())?;
    println!("wrote {PAGE} and {} pictures", PICTURES.len());
    Ok(())
}

/// The page's text.
fn page() -> String {
    let head = "# Gallery\n\nWhat some of the examples draw. Each is one file, kernel and host, and checks what it computes before it \
                writes the picture.\n`cargo xtask gallery` makes them all.\n";
    PICTURES.iter().map(section).fold(head.into(), |page, section| page + &section)
}

fn section(picture: &Picture) -> String {
    let Picture { path, arguments, shows } = picture;
    let (example, file) = (picture.example(), picture.file());
    format!(
        "\n## [`{example}`](../../examples/src/{path}.rs)\n\n{shows}\n\n![{example}](gallery/{file})\n\n```sh\n\
         cargo run --release -p gridwright-examples --bin {example} -- \\\n    {arguments} --output {file}\n```\n"
    )
}
