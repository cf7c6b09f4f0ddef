use gridwright::prelude::*;

struct Anything;

impl gridwright::Pass<&'static [f32]> for Anything {}

fn main() {}
