use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    let tiles = g.tiled::<8>();
    g.each((), |t, ()| {
        if t.lane() == 0 {
            tiles.each_tile((), |_, ()| {});
        }
    });
}

fn main() {}
