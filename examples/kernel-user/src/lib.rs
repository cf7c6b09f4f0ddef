//! Uses a library of kernels with types and operators of its own. The tests run all of it on the device that `GRIDWRIGHT_DEVICE` names, by
//! default the CPU.

mod colour;

pub use colour::Colour;

use gridwright::prelude::*;
use gridwright_kernel_library::{elements, levels, tiles};

// ANCHOR: operators
operator! {
    /// How bright a colour is, of the most that there is.
    pub struct Brightness {
        /// What counts as one.
        pub most: f32,
    } = |colour: Colour| -> f32 {
        (0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue) / most
    };

    /// Adds two values.
    pub struct Sum = for<T: core::ops::Add<Output = T>> |a: T, b: T| -> T { a + b };

    /// The value that is further from zero.
    pub struct Further = |a: f32, b: f32| -> f32 { if a.abs() < b.abs() { b } else { a } };
}
// ANCHOR_END: operators

// ANCHOR: instances
instance! {
    /// The brightness of each colour.
    pub kernel brightness = gridwright_kernel_library::map<Colour, f32, Brightness>;

    /// A transposed picture.
    pub kernel transpose_colours = tiles::transpose<Colour, 8>;
}

instance! { impl gridwright_kernel_library::Total<f32> for Sum; }
instance! { impl gridwright_kernel_library::Total<f32> for Further }
// ANCHOR_END: instances

instance! {
    /// Of two values, the one further from zero.
    pub kernel add_further = elements::r#loop<f32, Further>;
    /// Sums of three neighbours.
    pub kernel sums_of_three = elements::sums_of<3>;
    /// Sums of eight neighbours: a constant may be an expression.
    pub kernel sums_of_eight = elements::sums_of::<{ 2 * 4 }>;
    /// A product and a sum, each rounded.
    pub kernel product_and_sum_f64 = elements::product_and_sum<f64>;
    /// The others of a warp.
    pub kernel others_of_warp = levels::others_of_warp<i32>;
    /// All colours, turned.
    pub kernel turn_colours = levels::turn<Colour>;
    /// Elements of the neighbour group.
    pub kernel neighbours = levels::neighbours<u64>;
    /// One colour everywhere.
    pub kernel fill_colours = levels::fill<Colour>;
}
