use gridwright::prelude::*;

struct Anything;

impl gridwright::launch::Pass<&'static [f32]> for Anything {}

fn main() {}
