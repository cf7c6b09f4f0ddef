use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group) {
    g.each_warp((), |w, ()| {
        let values = w.private(1);
        let active = w.coalesced(&w.map((), |t, ()| t.lane() > 3));
        w.each(&values, |_, values| {
            let _ = active.len() as u32 + *values;
        });
    });
}

fn main() {}
