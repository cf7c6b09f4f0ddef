use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    keep(g);
}

fn keep<S: GroupShape>(_: &'static Group<'static, S>) {}

fn main() {}
