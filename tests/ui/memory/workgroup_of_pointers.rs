use gridwright::prelude::*;

fn pointers(_w: &Workgroup<[*const f32]>) {}

fn niches(_w: &Workgroup<[[Option<f32>; 4]; 4]>) {}

fn main() {}
