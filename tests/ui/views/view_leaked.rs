use gridwright::prelude::*;

#[gpu_kernel]
fn leak(t: Thread, y: PerThread<[f32]>) {
    let forever: &'static mut PerThread<'static, [f32]> = Box::leak(Box::new(y));
    forever.get_mut(t);
}

fn main() {}
