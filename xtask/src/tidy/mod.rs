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
mod vendors;

use anyhow::bail;

use crate::workspace::Workspace;
use tree::Tree;

/// What a rule looks at.
struct Subject<'s> {
    workspace: &'s Workspace,
    tree: &'s Tree,
}

/// What is wrong, and where.
type Findings = Vec<String>;

struct Rule {
    name: &'static str,
    check: fn(&Subject<'_>) -> anyhow::Result<Findings>,
}

const RULES: &[Rule] = &[
    Rule { name: "crates depend only on those below", check: edges::check },
    Rule { name: "modules of the host and of the emulator name only those below", check: layers::check },
    Rule { name: "manifests are complete", check: manifests::check },
    Rule { name: "programs are built as tests where they have some", check: programs::check },
    Rule { name: "what the compiler runs is built once", check: profiles::check },
    Rule { name: "roots of crates and modules have docs", check: docs::check },
    Rule { name: "roots of libraries hold no code", check: roots::check },
    Rule { name: "unsafe code says why it is sound", check: safety::check },
    Rule { name: "nothing is left undone", check: markers::check },
    Rule { name: "files are short", check: size::check },
    Rule { name: "no paths of one machine", check: paths::check },
    Rule { name: "the README's program is the crate's", check: readme::check },
    Rule { name: "the book's listings are tested, and its links lead somewhere", check: book::check },
    Rule {
        name: "sentences are short, documents link to what is there, and comments stand alone",
        check: prose::check,
    },
    Rule { name: "no stale expectations of UI tests", check: stale::check },
    Rule { name: "the table of lines is up to date", check: lines::check },
    Rule { name: "the table of times is that of the record", check: times::check },
    Rule { name: "public names are made of the glossary's words", check: glossary::check },
    Rule { name: "vendors' modules have the same functions", check: vendors::check },
    Rule {
        name: "`arch` has what its list says, and nobody else asks for the target",
        check: contract::check,
    },
];

pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let tree = Tree::read(&workspace.root)?;
    let subject = Subject { workspace, tree: &tree };
    let mut broken = 0;
    for rule in RULES {
        let findings = (rule.check)(&subject)?;
        println!("{} {}", if findings.is_empty() { "ok    " } else { "BROKEN" }, rule.name);
        for finding in &findings {
            println!("       {finding}");
        }
        broken += usize::from(!findings.is_empty());
    }
    if broken > 0 {
        bail!("{broken} of {} rules are broken", RULES.len());
    }
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
    if !findings.is_empty() {
        bail!("the book's sources:\n{}", findings.join("\n"));
    }
    Ok(())
}
