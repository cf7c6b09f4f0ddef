//! What must not compile, and what the compiler says. One file a rule, named for it.
//!
//! After a change of a message, `TRYBUILD=overwrite cargo test --all-features --test ui` writes the new text: read it as a
//! user would.

#[test]
fn refusals() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
