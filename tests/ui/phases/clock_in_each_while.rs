use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.each_while((), |t, ()| t.clock() < 1000);
}

fn main() {}
