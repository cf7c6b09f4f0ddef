use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, found: &[u32]) {
    g.each_warp((), |w, ()| {
        let mine = w.map((), |t, ()| found[t.index()] == 1);
        w.each((), |t, ()| {
            if t.lane() == 0 {
                let _ = w.any(&mine);
            }
        });
    });
}

fn main() {}
