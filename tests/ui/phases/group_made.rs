use gridwright::prelude::*;

fn make<'k, S: GroupShape>(_: &Group<'k, S>) -> Group<'k, S> {
    Group { context: todo!(), _brand: todo!() }
}

fn main() {}
