use gridwright::prelude::*;

#[gpu_kernel]
fn shown(t: Thread) {
    gpu_println!("thread {}", t.index());
    gpu_println!(t);
    gpu_println!();
    let format = "thread {}";
    gpu_println!(t, format, t.index());
}

fn main() {}
