use gridwright::prelude::*;

operator! {
    struct Scale { by: f32 } = move |x: f32| -> f32 { x * by };
}

fn main() {}
