//! Functions of numbers that give the same on the CPU and on GPUs: [`math`] of real numbers, [`int`] of integers, [`random`] numbers, and
//! floats of 16 bits, [`F16`] and [`Bf16`].
//!
//! They are what [Gridwright](https://docs.rs/gridwright)'s kernels compute with, and know nothing of kernels: no thread, no group, no memory but
//! their arguments. So any program may call them on the host, where `gridwright-math` is all that it needs:
//!
//! ```
//! use gridwright_math::random::{Philox, unit_f32};
//! use gridwright_math::{F16, math};
//!
//! // Inlined, and without branches: where the target has fused multiply-adds, this loop becomes SIMD code.
//! let x: Vec<f32> = (0..1000).map(|i| -0.01 * i as f32).collect();
//! let y: Vec<f32> = x.iter().map(|&x| math::exp(x)).collect();
//! assert!(y.iter().zip(&x).all(|(y, x)| (y - x.exp()).abs() <= 2.0 * f32::EPSILON * y));
//!
//! // The number at any position of any stream, without a state.
//! let words = Philox::new(1, 2).at(1_000_000);
//! assert!((0.0..1.0).contains(&unit_f32(words[0])));
//!
//! // Rounded once, as a GPU's instruction does.
//! assert_eq!((F16::from_f32(0.1) * F16::from_f32(3.0)).to_f32(), 0.299_804_69);
//! ```
//!
//! What differs between targets is in `arch`, one module a target, and nowhere else. The crate allocates nothing.
//!
//! | feature | what it adds |
//! |---|---|
//! | `half` | conversions of `f16` and `bf16` of the crate `half` |
//! | `num-traits` | the traits `Num`, `FloatCore` and others of the crate `num-traits` for [`F16`] and [`Bf16`] |
//! | `rand` | the traits of `rand_core` for [`Philox`](random::Philox), so that `rand`'s distributions can draw from it |

#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch))]
#![cfg_attr(
    any(target_arch = "nvptx64", target_arch = "amdgpu"),
    feature(
        core_intrinsics,
        link_llvm_intrinsics,
        // Methods of floats that std has.
        rustc_attrs,
        f16,
        repr_simd
    )
)]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), allow(internal_features))]

mod arch;
mod half_float;
pub mod int;
pub mod math;
pub mod random;
mod unfused;

pub use half_float::{Bf16, Bf16x2, F16, F16x2};
pub use unfused::{Unfused, unfused_mul};
