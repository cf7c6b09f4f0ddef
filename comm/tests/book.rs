//! The book's chapter has what the model prints.

#[path = "../examples/scaling_model.rs"]
#[allow(dead_code, reason = "its `main` is the example's")]
mod scaling_model;

#[test]
fn the_books_table_is_what_the_model_prints() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src/tutorial/distributed.md");
    let page = std::fs::read_to_string(page).expect("the chapter");
    assert!(page.contains(&scaling_model::tables()), "{}", scaling_model::tables());
}
