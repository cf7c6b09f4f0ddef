use gridwright::prelude::*;

fn helper<S: GroupShape>(g: &Group<'_, S>, w: &mut Workgroup<[u32]>, sums: &Private<u32>) {
    g.each(w.elements_mut(), |_, slot| *slot = g.reduce(sums, u32::max));
    g.each((), |t, ()| nested(g, t));
}

fn nested<S: GroupShape>(g: &Group<'_, S>, t: Thread) {
    if t.index() == 0 {
        g.each((), |_, ()| {});
    }
}

fn main() {}
