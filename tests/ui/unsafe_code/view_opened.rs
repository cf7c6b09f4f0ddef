use gridwright::prelude::*;
use gridwright::views::View;

#[gpu_kernel]
fn all_of_it(g: &Group, mut y: PerThread<[u32], Reversed>, w: Workgroup<[u32]>) {
    let (_everybodys, _) = y.elements_mut().open();
    let (_unguarded, _) = w.elements().open();
    g.each((), |_, ()| {});
}

fn main() {}
