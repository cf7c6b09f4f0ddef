use gridwright::prelude::*;

struct ToTheFirst;

fn slice(_y: &PerThread<[f32], ToTheFirst>) {}

fn wrong_shape(_y: &PerThread<Matrix<f32>, Reversed>) {}

fn main() {}
