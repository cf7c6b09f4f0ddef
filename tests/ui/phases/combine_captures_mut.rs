use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut out: PerGroup<[u32]>) {
    let values = g.map((), |t, ()| t.index() as u32);
    let mut calls = 0;
    let sum = g.reduce(&values, |a, b| {
        calls += 1;
        a + b
    });
    out.set(g, sum + calls);
}

fn main() {}
