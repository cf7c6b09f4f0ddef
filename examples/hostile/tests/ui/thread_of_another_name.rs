//! Types by the names of the levels that are others.
use gridwright::prelude::*;

mod names {
    pub struct Thread<'a>(pub &'a ());
    pub type Group<'a, S> = gridwright::warp::Warp<'a, S>;
}

use names::{Group, Thread};

#[gpu_kernel]
fn of_a_thread(_t: Thread<'_>) {}

#[gpu_kernel]
fn of_a_group(_g: &Group) {}

fn main() {}
