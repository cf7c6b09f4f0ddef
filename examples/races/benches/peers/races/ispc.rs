//! The peer in ISPC: the functions of `kernels.ispc`, compiled when the bench runs, of which each of rayon's threads calls one for its part.

use std::ffi::c_void;

use libloading::Library;

use super::compiled;
use super::contestant::Contestant;
use super::on_arrays::{Arguments, Call, on_arrays};
use super::problem::Problem;

/// A function of `kernels.ispc`: the arrays, the scalars, the size, the number of the part, and that of parts.
type Function = unsafe extern "C" fn(*const *mut c_void, *const f32, u64, u64, u64);

/// What the source is compiled with.
const FLAGS: [&[&str]; 2] = [&[], &["--opt=fast-math"]];

/// The libraries, one for each of the flags.
pub(crate) struct Ispc {
    libraries: Vec<&'static Library>,
    /// What the compiler says that it is.
    pub(crate) version: String,
}

impl Ispc {
    /// Compiles them. None where no `ispc` is on the path.
    ///
    /// # Errors
    /// Where it doesn't compile them.
    pub(crate) fn compile() -> anyhow::Result<Option<Self>> {
        let Some(version) = compiled::version_of_ispc() else { return Ok(None) };
        let libraries =
            FLAGS.iter().map(|flags| compiled::library_of_ispc(include_str!("../kernels.ispc"), flags));
        Ok(Some(Self { libraries: libraries.collect::<anyhow::Result<_>>()?, version }))
    }

    /// Who takes part in a row. Nobody where `kernels.ispc` has no such function.
    pub(crate) fn enter<'p>(&self, problem: &'p Problem) -> Option<Box<dyn Contestant + 'p>> {
        let ways = self.libraries.iter().zip(FLAGS).map(|(library, flags)| {
            // SAFETY: all functions of `kernels.ispc` that have subjects' names have this type.
            let function = unsafe { library.get::<Function>(problem.subject.as_bytes()) };
            let function = *function.ok()?;
            let call = move |arguments: &Arguments<'_>| {
                rayon::broadcast(|thread| {
                    let (arrays, scalars) = (arguments.arrays.as_ptr(), arguments.scalars.as_ptr());
                    let [size, part, parts] =
                        [arguments.size, thread.index(), thread.num_threads()].map(|number| number as u64);
                    // SAFETY: the function takes the arrays and scalars of its subject, which these are, and writes a part of the results that no
                    // other thread writes.
                    unsafe { function(arrays, scalars, size, part, parts) };
                });
            };
            Some((flags.join(" "), Box::new(call) as Call<'p>))
        });
        // SAFETY: the functions are the subject's, and all threads are done when a broadcast returns.
        Some(unsafe { on_arrays(problem, ways.collect::<Option<_>>()?) })
    }
}
