use gridwright::prelude::*;

operator! {
    struct Scale<T> { by: T } = |x: T| -> T { x * by };
}

fn main() {}
