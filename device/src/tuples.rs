/// Tuples of up to eight items that a phase takes: a macro that implements a trait for one gets `A 0, B 1, …`.
macro_rules! tuples_of_items {
    ($implement:ident) => {
        gridwright_core::for_tuples!(8, $implement);
    };
}
pub(crate) use tuples_of_items;
