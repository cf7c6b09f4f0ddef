use gridwright::prelude::*;

fn make<'w, S: GroupShape>(_: &Warp<'w, S>) -> Warp<'w, S> {
    Warp { context: todo!(), _brand: todo!() }
}

fn main() {}
