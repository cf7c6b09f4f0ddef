//! The rules on small books, and on pages that break them.

use super::{Files, Line, cells, check, lines, links, resolve, slug, written};

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
    let page = "# A page\n\n<!-- listing ../listings/tests/a.rs:one -->\n```rust\nfn one() {}\n```\n\n[up](#a-page), [all](SUMMARY.md)\n";
    assert_eq!(findings(page), Vec::<String>::new());
    let apart = "<!-- listing ../listings/tests/a.rs:one, ../listings/tests/a.rs:2:2 -->\n```rust\nfn one() {}\n\nfn one() {}\n```\n";
    assert_eq!(findings(apart), Vec::<String>::new());
}

#[test]
fn listings_that_nobody_compiles_are_found() {
    let use_it = "<!-- listing ../listings/tests/a.rs:one -->\n```rust\nfn one() {}\n```\n";
    let of = |more: &str| findings(format!("{use_it}{more}").leak());
    let listing = |what: &str| of(&format!("<!-- listing {what} -->\n```rust\n```\n"));
    assert!(of("```rust\nfn two() {}\n```\n")[0].contains(":5: Rust that isn't of a file"));
    assert!(of("```rust,ignore\nfn two() {}\n```\n")[0].contains("Rust that isn't of a file"));
    assert!(listing("../listings/tests/a.rs:two")[0].contains("has no part `two`"));
    assert!(listing("../listings/tests/a.rs:1:9")[0].contains("has 3 lines, not 1:9"));
    assert!(listing("../listings/tests/b.rs:one")[0].contains("there is no book/listings/tests/b.rs"));
    assert!(listing("../../xtask/src/main.rs")[0].contains("isn't compiled by a test"));
    assert!(listing("../listings/tests/a.rs:one")[0].contains("isn't what its file has"));
    assert!(of("<!-- listing ../listings/tests/a.rs:one -->\n")[0].contains("no block of code"));
    assert!(
        of("- a list\n\n  <!-- listing ../listings/tests/a.rs:one -->\n  ```rust\n  ```\n")[0]
            .contains("spaces")
    );
    assert!(of("{{#include ../listings/tests/a.rs:one}}\n")[0].contains("mdBook's own words"));
    assert!(findings("nothing\n")[0].contains("no page shows `one`"));
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let use_it = "# A page\n<!-- listing ../listings/tests/a.rs:one -->\n```rust\nfn one() {}\n```\n";
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
    let use_it = "<!-- listing ../listings/tests/a.rs:one -->\n```rust\nfn one() {}\n```\n\n| CUDA | Gridwright |\n|---|---|\n";
    let of = |more: &str| findings(format!("{use_it}{more}").leak());
    assert_eq!(of("| `void one()` | `fn one () { }` |\n"), Vec::<String>::new());
    assert!(of("| `void one()` | `fn three()` |\n")[0].contains(":8: `fn three()` isn't in a listing"));
    assert_eq!(cells("| Gridwright |\n|---|\n| `a \\| b`, `c` |\n"), [(2, "a | b".into()), (2, "c".into())]);
}

#[test]
fn listings_are_written_flush_left_and_without_marks() {
    let file = (
        "tests/b.rs",
        "fn f() {\n    // ANCHOR: all\n    if a {\n        // ANCHOR: inner\n        b();\n\n        // ANCHOR_END: inner\n    }\n    // ANCHOR_END: all\n}\n",
    );
    let book = Book(vec![file]);
    let page = "<!-- listing ../../tests/b.rs:all -->\n```rust\nold\n```\nrest\n<!-- listing ../../tests/b.rs:inner -->\n```rust\n```\n";
    assert_eq!(
        written(&book, "book/src/page.md", page),
        "<!-- listing ../../tests/b.rs:all -->\n```rust\nif a {\n    b();\n\n}\n```\nrest\n<!-- listing ../../tests/b.rs:inner -->\n```rust\nb();\n```\n"
    );
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
