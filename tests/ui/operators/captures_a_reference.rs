use gridwright::prelude::*;

operator! {
    struct Look { table: &[f32], by: &f32 } = |i: u32| -> f32 { table[i as usize] * by };
}

fn main() {}
