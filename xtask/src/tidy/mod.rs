//! `cargo xtask tidy`: the house rules that neither the compiler nor clippy knows. One file a rule or a
//! family; each is also an ordinary test.

mod book;
mod code;
mod contract;
mod docs;
mod edges;
mod glossary;
mod layers;
mod lines;
mod manifests;
mod markers;
mod paths;
mod profiles;
mod programs;
mod prose;
mod readme;
mod roots;
mod safety;
mod size;
mod stale;
#[cfg(test)]
mod tests;
mod times;
mod tree;
mod uses;
mod vendors;

use anyhow::ensure;

use crate::workspace::Workspace;
use tree::Tree;

/// What a rule looks at.
struct Subject<'s> {
    workspace: &'s Workspace,
    tree: &'s Tree,
}

/// What is wrong, and where.
type Findings = Vec<String>;

/// A rule in words, and what finds where it is broken.
type Rule = (&'static str, fn(&Subject<'_>) -> anyhow::Result<Findings>);

const RULES: &[Rule] = &[
    ("crates depend only on those below", edges::check),
    ("modules of the host and of the emulator name only those below", layers::check),
    ("manifests are complete", manifests::check),
    ("programs are built as tests where they have some", programs::check),
    ("what the compiler runs is built once", profiles::check),
    ("roots of crates and modules have docs", docs::check),
    ("roots of libraries hold no code", roots::check),
    ("unsafe code says why it is sound", safety::check),
    ("nothing is left undone", markers::check),
    ("files are short", size::check),
    ("no paths of one machine", paths::check),
    ("the README's program is the crate's", readme::check),
    ("the book's listings are tested, and its links lead somewhere", book::check),
    ("sentences are short, documents link to what is there, and comments stand alone", prose::check),
    ("no stale expectations of UI tests", stale::check),
    ("the table of lines is up to date", lines::check),
    ("the table of times is that of the record", times::check),
    ("public names are made of the glossary's words", glossary::check),
    ("vendors' modules have the same functions", vendors::check),
    ("`arch` has what its list says, and nobody else asks for the target", contract::check),
];

pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let tree = Tree::read(&workspace.root)?;
    let subject = Subject { workspace, tree: &tree };
    let mut broken = 0;
    for (name, check) in RULES {
        let findings = check(&subject)?;
        println!("{} {name}", if findings.is_empty() { "ok    " } else { "BROKEN" });
        findings.iter().for_each(|finding| println!("       {finding}"));
        broken += usize::from(!findings.is_empty());
    }
    ensure!(broken == 0, "{broken} of {} rules are broken", RULES.len());
    Ok(())
}

/// Writes the listings into the book's pages.
pub(crate) fn write_listings(workspace: &Workspace) -> anyhow::Result<()> {
    let tree = Tree::read(&workspace.root)?;
    for path in book::write_listings(&Subject { workspace, tree: &tree })? {
        println!("wrote {path}");
    }
    Ok(())
}

/// The book's rule alone.
pub(crate) fn check_book(workspace: &Workspace) -> anyhow::Result<()> {
    let tree = Tree::read(&workspace.root)?;
    let findings = book::check(&Subject { workspace, tree: &tree })?;
    ensure!(findings.is_empty(), "the book's sources:\n{}", findings.join("\n"));
    Ok(())
}
