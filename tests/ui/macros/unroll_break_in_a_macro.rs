use gridwright::unroll;

macro_rules! stop {
    () => {
        break
    };
}

fn main() {
    loop {
        unroll!(for i in 0..4 {
            if i == 2 {
                stop!();
            }
        });
    }
}
