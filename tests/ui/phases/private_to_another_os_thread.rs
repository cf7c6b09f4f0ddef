use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let value = g.private(0);
    std::thread::scope(|scope| {
        scope.spawn(|| drop(value));
    });
}

fn main() {}
