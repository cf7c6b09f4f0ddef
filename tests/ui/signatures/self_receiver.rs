use gridwright::prelude::*;

struct Solver;

impl Solver {
    #[gpu_kernel]
    fn step(&self, t: Thread, x: &[f32]) {}
}

fn main() {}
