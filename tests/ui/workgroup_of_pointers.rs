use gridwright::prelude::*;

fn helper<S: GroupShape>(g: &Group<'_, S>, w: &Workgroup<[*const f32]>, v: &Workgroup<[[Option<f32>; 4]; 4]>) {
    g.each((), |_, ()| drop((w, v)));
}

fn main() {}
