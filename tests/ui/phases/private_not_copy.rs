use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.private(String::new());
    g.map((), |t, ()| vec![t.index()]);
}

fn main() {}
