use gridwright::prelude::*;

operator! { struct Double = |x| -> f32 { x + x }; }
operator! { struct Halve = |x: f32| { x / 2.0 }; }
operator! { struct Third = |x: f32| -> f32 x / 3.0; }
operator! { struct Zero = || -> f32 { 0.0 }; }

fn main() {}
