use gridwright::memory::Vector;

fn first(x: Vector<f32, 3>) -> f32 {
    x[0]
}

fn main() {}
