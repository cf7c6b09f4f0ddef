/// Tuples of up to eight items that a warp, a group of a cluster or a grid's group takes: a macro that implements a trait for one gets `A 0, B 1, …`.
macro_rules! tuples_of_items {
    ($implement:ident) => {
        gridwright_core::for_tuples!(8, $implement);
    };
}
pub(crate) use tuples_of_items;

/// Tuples of up to sixteen views, in the same way.
macro_rules! tuples_of_views {
    ($implement:ident) => {
        gridwright_core::for_tuples!(16, $implement);
    };
}
pub(crate) use tuples_of_views;

/// Tuples of more elements than there are loops for, up to twice as many: a macro that implements a trait for one gets its first elements in
/// pairs and the rest alone, together as many as the longest loop takes, `[[A a] [I i]] [B b] … [H h]`. Loops cost a compiler much, and what
/// calls one with pairs little.
macro_rules! tuples_in_pairs {
    (8, $implement:ident) => {
        crate::tuples::tuples_in_pairs! {
            @ $implement []
            [[Aa a] [Ba b] [Ca c] [Da d] [Ea e] [Fa f] [Ga g] [Ha h]]
            [[Ia i] [Ja j] [Ka k] [La l] [Ma m] [Na n] [Oa o] [Pa p]]
        }
    };
    (12, $implement:ident) => {
        crate::tuples::tuples_in_pairs! {
            @ $implement []
            [[Aa a] [Ba b] [Ca c] [Da d] [Ea e] [Fa f] [Ga g] [Ha h] [Ia i] [Ja j] [Ka k] [La l]]
            [[Ma m] [Na n] [Oa o] [Pa p] [Qa q] [Ra r] [Sa s] [Ta t] [Ua u] [Va v] [Wa w] [Xa x]]
        }
    };
    (@ $implement:ident [$($pair:tt)*] [$single:tt $($singles:tt)*] [$more:tt $($left:tt)*]) => {
        $implement!([$($pair)* [$single $more]] [$($singles)*]);
        crate::tuples::tuples_in_pairs!(@ $implement [$($pair)* [$single $more]] [$($singles)*] [$($left)*]);
    };
    (@ $implement:ident [$($pair:tt)*] [] []) => {};
}
pub(crate) use tuples_in_pairs;
