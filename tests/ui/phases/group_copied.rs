use gridwright::prelude::*;

fn copy<'k, S: GroupShape>(g: &Group<'k, S>) -> Group<'k, S> {
    *g
}

fn main() {}
