//! Peers in C++: libraries that `xtask` compiles of `cpp/`.

use std::env;
use std::ffi::{c_int, c_void};

use anyhow::Context;
use libloading::Library;

use crate::algorithm::Algorithm;
use crate::arena::{Arena, UPPER};
use crate::contestant::Contestant;
use crate::value::{Number, Value};

/// The peers, and the variables that have the paths of their libraries.
const LIBRARIES: [(&str, &str); 3] = [
    ("Thrust, OpenMP", "GRIDWRIGHT_RACES_THRUST_OPENMP"),
    ("Thrust, TBB", "GRIDWRIGHT_RACES_THRUST_TBB"),
    ("C++17, TBB", "GRIDWRIGHT_RACES_STANDARD"),
];

/// What all functions are: elements, results, how many elements, a parameter; and how many results there are.
type Function = unsafe extern "C" fn(*const c_void, *mut c_void, usize, *const c_void) -> usize;

/// A peer's library.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    library: &'static Library,
}

/// `Bins` of `values.h`.
#[repr(C)]
struct Bins<T> {
    lower: T,
    upper: T,
    counts: *mut u32,
    len: usize,
}

/// All peers, and why those aren't there that aren't.
pub(crate) fn find(threads: usize) -> Vec<(&'static str, anyhow::Result<Peer>)> {
    let libraries = LIBRARIES.into_iter();
    libraries.map(|(name, variable)| (name, Peer::load(name, variable, threads))).collect()
}

impl Peer {
    fn load(name: &'static str, variable: &str, threads: usize) -> anyhow::Result<Self> {
        let path = env::var_os(variable).with_context(|| format!("{variable} isn't set"))?;
        // SAFETY: `xtask` makes it of `cpp/`, which has no initialisers but C++'s and OpenMP's or TBB's own. It stays loaded: their
        // threads wait in it.
        let library: &Library = Box::leak(Box::new(unsafe { Library::new(path)? }));
        // SAFETY: each source of `cpp/` has such a function.
        let set = unsafe { library.get::<unsafe extern "C" fn(c_int)>(b"peer_threads\0")? };
        // SAFETY: any number will do.
        unsafe { set(threads.try_into().unwrap_or(1)) };
        Ok(Self { name, library })
    }

    fn function<T: Value>(&self, algorithm: Algorithm) -> anyhow::Result<Function> {
        let name = format!("{}_{}\0", algorithm.name(), T::NAME.trim_end_matches('s'));
        // SAFETY: all functions of `cpp/` have this type.
        Ok(*unsafe { self.library.get::<Function>(name.as_bytes())? })
    }

    /// Whether it sorts pairs as keys and values.
    pub(crate) fn sorts_columns(&self) -> bool {
        self.name.starts_with("Thrust")
    }

    /// The peer in all but histograms.
    pub(crate) fn enter<T: Value>(
        &self,
        algorithm: Algorithm,
        way: &str,
    ) -> anyhow::Result<Contestant<'static, T>> {
        let function = self.function::<T>(algorithm)?;
        Ok(Contestant::new(self.name).way(way, move |Arena { x, y, limit, .. }: &mut Arena<T>| {
            // SAFETY: the function is for these elements: it reads as many as `x` has, and writes no more, as `y` has as many; a
            // selection reads its limit.
            unsafe { function(x.as_ptr().cast(), y.as_mut_ptr().cast(), x.len(), (&raw const *limit).cast()) }
        }))
    }

    pub(crate) fn histogram<T: Number>(&self) -> anyhow::Result<Contestant<'static, T>> {
        let function = self.function::<T>(Algorithm::Histogram)?;
        Ok(Contestant::new(self.name).way("", move |Arena { x, y, bins, .. }: &mut Arena<T>| {
            let [lower, upper] = [0, UPPER].map(T::of);
            let bins = Bins { lower, upper, counts: bins.as_mut_ptr(), len: bins.len() };
            // SAFETY: the function is for these elements: it reads as many as `x` has, may write as many to `y`, and writes so many bins.
            unsafe { function(x.as_ptr().cast(), y.as_mut_ptr().cast(), x.len(), (&raw const bins).cast()) }
        }))
    }
}
