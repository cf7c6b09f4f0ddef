//! The rules on small books, and on pages that break them.

use super::{Files, Line, cells, check, lines, links, resolve, slug};

struct Book(Vec<(&'static str, &'static str)>);

impl Files for Book {
    fn text(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
    }

    fn exists(&self, path: &str) -> bool {
        self.text(path).is_some()
    }

    fn below<'f>(&'f self, folder: &'f str) -> Box<dyn Iterator<Item = (&'f str, &'f str)> + 'f> {
        Box::new(self.0.iter().copied().filter(move |(path, _)| path.starts_with(folder)))
    }
}

const LISTING: (&str, &str) =
    ("book/listings/tests/a.rs", "// ANCHOR: one\nfn one() {}\n// ANCHOR_END: one\n");

/// What is wrong with a book of one page, and one listing.
fn findings(page: &'static str) -> Vec<String> {
    let summary = ("book/src/SUMMARY.md", "- [Page](page.md)\n");
    check(&Book(vec![LISTING, summary, ("book/src/page.md", page), ("xtask/src/main.rs", "fn main() {}\n")]))
}

#[test]
fn a_page_with_a_listing_is_right() {
    let page = "# A page\n\n```rust\n{{#include ../listings/tests/a.rs:one}}\n```\n\n[up](#a-page), [all](SUMMARY.md)\n";
    assert_eq!(findings(page), Vec::<String>::new());
    let apart =
        "```rust\n{{#include ../listings/tests/a.rs:one}}\n\n{{#include ../listings/tests/a.rs:1:3}}\n```\n";
    assert_eq!(findings(apart), Vec::<String>::new());
}

#[test]
fn listings_that_nobody_compiles_are_found() {
    let use_it = "```rust\n{{#include ../listings/tests/a.rs:one}}\n```\n";
    let of = |more: &str| findings(format!("{use_it}{more}").leak());
    assert!(of("```rust\nfn two() {}\n```\n")[0].contains(":4: Rust that isn't included"));
    assert!(of("```rust,ignore\nfn two() {}\n```\n")[0].contains("Rust that isn't included"));
    assert!(of("{{#include ../listings/tests/a.rs:two}}\n")[0].contains("has no part `two`"));
    assert!(of("{{#include ../listings/tests/a.rs:1:9}}\n")[0].contains("has 3 lines, not 9"));
    assert!(
        of("{{#include ../listings/tests/b.rs:one}}\n")[0].contains("there is no book/listings/tests/b.rs")
    );
    assert!(of("{{#include ../../xtask/src/main.rs}}\n")[0].contains("isn't compiled by a test"));
    assert!(of("- a list\n\n  {{#include ../listings/tests/a.rs:one}}\n")[0].contains("behind spaces"));
    assert!(findings("nothing\n")[0].contains("no page includes `one`"));
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let use_it = "# A page\n{{#include ../listings/tests/a.rs:one}}\n";
    let of = |more: &str| findings(format!("{use_it}{more}").leak());
    assert!(of("[there](nowhere.md)\n")[0].contains("the link to nowhere.md leads nowhere"));
    assert!(of("[there](page.md#nothing)\n")[0].contains("has no heading #nothing"));
    assert!(of("[there](../../../outside)\n")[0].contains("leads nowhere"));
    assert_eq!(of("[there](https://example.org/x), `[no](link)`\n"), Vec::<String>::new());
    let lonely = [LISTING, ("book/src/SUMMARY.md", ""), ("book/src/page.md", "")];
    assert!(check(&Book(lonely.to_vec()))[0].contains("the page isn't in"));
}

#[test]
fn tables_show_what_listings_have() {
    let use_it = "{{#include ../listings/tests/a.rs:one}}\n\n| CUDA | Gridwright |\n|---|---|\n";
    let of = |more: &str| findings(format!("{use_it}{more}").leak());
    assert_eq!(of("| `void one()` | `fn one () { }` |\n"), Vec::<String>::new());
    assert!(of("| `void one()` | `fn three()` |\n")[0].contains(":5: `fn three()` isn't in a listing"));
    assert_eq!(cells("| Gridwright |\n|---|\n| `a \\| b`, `c` |\n"), [(2, "a | b".into()), (2, "c".into())]);
}

#[test]
fn pages_are_read_by_lines() {
    let found: Vec<_> = lines("text\n```c\nint x;\n```\n").into_iter().map(|(_, line)| line).collect();
    assert_eq!(found, [Line::Text("text"), Line::Fence { language: "c", listing: false }]);
    assert_eq!(links("[a](b) and [c](d#e)"), ["b", "d#e"]);
    assert_eq!(resolve("book/src/a/b.md", "../c.md#d").as_deref(), Some("book/src/c.md#d"));
    assert_eq!(resolve("a.md", "../../b"), None);
    assert_eq!(slug(" What isn't `promised`, yet"), "what-isnt-promised-yet");
}
