//! The peer in C: the functions of `kernels.c`, compiled when the bench runs.

use std::ffi::c_void;

use anyhow::Context;
use gridwright_measured::compiled;
use libloading::Library;

/// A function of `kernels.c`: the arrays, the scalars and the sizes.
pub(crate) type Function = unsafe extern "C" fn(*const *mut c_void, *const f32, *const usize);

/// What the source is compiled with, beside what all are: nothing, and what a vector of `expf` takes.
const FLAGS: [&[&str]; 2] = [&[], &["-ffast-math"]];

/// The libraries, each with the name of its flags.
pub(crate) struct Peers(Vec<(String, &'static Library)>);

impl Peers {
    /// Compiles them.
    ///
    /// # Errors
    /// Without a compiler, or one that knows OpenMP.
    pub(crate) fn compile() -> anyhow::Result<Self> {
        let libraries = FLAGS.iter().map(|flags| {
            let name = ["C", flags.first().copied().unwrap_or("")].join(" ").trim().to_owned();
            Ok((name, compiled::library(include_str!("kernels.c"), flags)?))
        });
        Ok(Self(libraries.collect::<anyhow::Result<_>>()?))
    }

    /// The functions of a name.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) fn functions(&self, name: &str) -> anyhow::Result<Vec<(String, Function)>> {
        let of = |(flags, library): &(String, &'static Library)| {
            // SAFETY: all functions of `kernels.c` have this type.
            let function = unsafe { library.get::<Function>(name.as_bytes()) };
            Ok((flags.clone(), *function.with_context(|| format!("no function {name}"))?))
        };
        self.0.iter().map(of).collect()
    }
}

/// Numbers of one type, as C gets them.
#[derive(Clone)]
pub(crate) enum Array {
    F32(Vec<f32>),
    U32(Vec<u32>),
    I32(Vec<i32>),
}

impl Array {
    pub(crate) fn pointer(&mut self) -> *mut c_void {
        match self {
            Self::F32(numbers) => numbers.as_mut_ptr().cast(),
            Self::U32(numbers) => numbers.as_mut_ptr().cast(),
            Self::I32(numbers) => numbers.as_mut_ptr().cast(),
        }
    }

    pub(crate) fn values(&self) -> Vec<f64> {
        match self {
            Self::F32(numbers) => numbers.iter().map(|&x| f64::from(x)).collect(),
            Self::U32(numbers) => numbers.iter().map(|&x| f64::from(x)).collect(),
            Self::I32(numbers) => numbers.iter().map(|&x| f64::from(x)).collect(),
        }
    }
}
