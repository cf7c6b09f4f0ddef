//! What must not compile here either: `core` is another crate, and so are its `assert!` and `compile_error!`.

#[test]
fn refusals() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
