//! Readers of compiled GPU kernels: PTX, NVIDIA's cubins, and, with the feature `code-object`, AMD's code objects.
//!
//! [`Image::read`] takes any of them and gives what all have: the architecture, and each entry's name and parameters.
//! [`ptx`], [`cubin`] and `code_object` give what one format has. [`occupancy`] counts how many workgroups run at the same time, and [`ptxas`] says what NVIDIA's
//! compiler of PTX is known to get wrong. [`executed`] reads what launches on the emulator executed of PTX, by line. Nothing is run or loaded, no driver is needed, and no bytes make
//! a reader panic.
//!
//! ```
//! use gridwright_image::{Format, Image};
//!
//! let ptx = ".version 8.3\n.target sm_80\n.entry saxpy(.param .f32 a, .param .u64 x) { ret; }";
//! let image = Image::read(ptx.as_bytes())?;
//! assert_eq!((image.format, &*image.architecture), (Format::Ptx, "sm_80"));
//! let saxpy = image.entry("saxpy").unwrap();
//! assert_eq!(saxpy.parameters.iter().map(|p| (p.offset, p.size)).collect::<Vec<_>>(), [(0, 4), (8, 8)]);
//! # Ok::<(), gridwright_image::ImageError>(())
//! ```

#![forbid(unsafe_code)]

#[cfg(feature = "code-object")]
pub mod code_object;
pub mod cubin;
mod error;
pub mod executed;
mod image;
pub mod occupancy;
pub mod ptx;
pub mod ptxas;

pub use error::ImageError;
pub use image::{Entry, Format, Image, Parameter};
