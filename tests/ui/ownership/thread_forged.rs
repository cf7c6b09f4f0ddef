use gridwright::prelude::*;

fn forge() -> Thread<'static> {
    Thread { identity: todo!(), _brand: todo!() }
}

fn main() {}
