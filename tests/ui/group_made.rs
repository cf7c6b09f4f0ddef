use gridwright::prelude::*;

fn make<S: GroupShape>(g: &Group<'_, S>) {
    let copy = *g;
    let clone = g.clone();
    let made: Group<'_, S> = Group { team: todo!(), _brand: todo!() };
    drop((copy, clone, made));
}

fn main() {}
