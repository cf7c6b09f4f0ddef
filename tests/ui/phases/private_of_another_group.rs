use gridwright::prelude::*;

fn of_the_first<'a, S: GroupShape, Z: GroupShape>(_: &Group<'a, S>, b: &Group<'_, Z>) -> Private<'a, u32> {
    b.private(0)
}

fn main() {}
