use gridwright::prelude::*;

#[host_only(cpu)]
fn helper() {}

fn main() {}
