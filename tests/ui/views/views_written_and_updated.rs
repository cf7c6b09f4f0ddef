use gridwright::prelude::*;

#[gpu_kernel]
fn kernel(g: &Group, mut w: Workgroup<[u32]>) {
    g.each((w.atomic(), w.elements()), |t, (all, slot)| {
        all.fetch_add(t, 0, *slot);
    });
}

fn main() {}
