use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    std::thread::scope(|scope| {
        scope.spawn(|| g.each((), |_, ()| {}));
    });
}

fn main() {}
