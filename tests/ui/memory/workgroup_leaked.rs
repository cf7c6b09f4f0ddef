use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(_g: &Group, w: Workgroup<[f32]>) {
    let _forever: &'static mut Workgroup<'static, [f32]> = Box::leak(Box::new(w));
}

fn main() {}
