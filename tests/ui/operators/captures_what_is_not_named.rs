use gridwright::prelude::*;

pub fn scale(by: f32) {
    operator! {
        struct Scale = |x: f32| -> f32 { x * by };
    }
}

fn main() {}
