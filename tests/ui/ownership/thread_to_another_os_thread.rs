use gridwright::prelude::*;

#[gpu_kernel]
fn send(t: Thread, mut y: PerThread<[f32]>) {
    std::thread::scope(|scope| {
        scope.spawn(|| y.get_mut(t).is_some());
    });
}

fn main() {}
