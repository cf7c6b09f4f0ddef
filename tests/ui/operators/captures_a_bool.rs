use gridwright::prelude::*;

operator! {
    struct Signed { negative: bool } = |x: f32| -> f32 { if negative { -x } else { x } };
}

fn main() {}
