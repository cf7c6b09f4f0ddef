use gridwright::prelude::*;

#[derive(KernelArg, Clone, Copy)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

#[gpu_kernel]
fn shown(t: Thread, point: Point, x: &[f32]) {
    gpu_println!(t, "{}", point);
    gpu_println!(t, "{}", x);
    gpu_println!(t, "{}", x.get(t.index()));
}

fn text<'a>(t: Thread, text: &'a str) {
    gpu_println!(t, "{}", text);
}

fn main() {}
