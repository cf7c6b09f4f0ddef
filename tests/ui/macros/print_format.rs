use gridwright::prelude::*;

#[gpu_kernel]
fn shown(t: Thread, x: f32) {
    gpu_println!(t, "x = {}, y = {}", x);
    gpu_println!(t, "x", x);
    gpu_println!(t, "{} and {}", x, x, x);
    gpu_println!(t, "{x}");
    gpu_println!(t, "{:?}", x);
    gpu_println!(t, "{:.3}", x);
    gpu_println!(t, "{0}", x);
    gpu_println!(t, "one }");
    gpu_println!(t, "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x);
}

fn main() {}
