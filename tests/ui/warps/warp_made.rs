use gridwright::prelude::*;

fn make<'w, S: GroupShape>(_: &Warp<'w, S>) -> Warp<'w, S> {
    Warp { team: todo!(), _brand: todo!() }
}

fn main() {}
