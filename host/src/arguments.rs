use gridwright_core::{Param, ParamList, Refused};

use crate::accesses::Accesses;
use crate::pass::{Destination, Pass};
use crate::{Device, Error};

/// A tuple of arguments that a kernel with the parameters `P` can be launched with.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn scale(t: Thread, by: f32, mut x: PerThread<[f32]>) {
/// #     if let Some(x) = x.get_mut(t) {
/// #         *x *= by;
/// #     }
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// # let mut x = stream.upload(&[1.0_f32, 2.0])?;
/// // fn scale(t: Thread, by: f32, mut x: PerThread<[f32]>)
/// scale::load(&device)?.launch(&stream, LaunchConfig::threads(2), (3.0, &mut x))?;
/// # assert_eq!(stream.download(&x)?, [3.0, 6.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Safety
/// As for [`Pass`], for each element.
///
/// # From CUDA
/// `void** args` of `cudaLaunchKernel`. Number, types and memory are checked here.
#[diagnostic::on_unimplemented(
    message = "the kernel takes the arguments `{P}`, but was given `{Self}`",
    label = "wrong number of arguments",
    note = "the arguments are a tuple with one element a parameter, the thread or the group and workgroup memory left \
            out: `(a, &x, &mut y)`; a single one is `(a,)`"
)]
pub unsafe trait Arguments<P: ParamList> {
    #[doc(hidden)]
    fn pass(
        self,
        kernel: &'static str,
        parameters: &[&'static str],
        device: &Device,
        accesses: &mut Accesses,
    ) -> Result<P::Raw, Error>;
}

// SAFETY: there is nothing to pass.
unsafe impl<A> Arguments<Refused> for A {
    fn pass(self, _: &'static str, _: &[&'static str], _: &Device, _: &mut Accesses) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! tuple {
    ($($param:ident $argument:ident $i:tt),*) => {
        // SAFETY: each element's own promise.
        unsafe impl<$($param: Param, $argument: Pass<$param>),*> Arguments<($($param,)*)> for ($($argument,)*) {
            #[allow(unused_variables, clippy::unused_unit)]
            fn pass(
                self,
                kernel: &'static str,
                parameters: &[&'static str],
                device: &Device,
                accesses: &mut Accesses,
            ) -> Result<($($param::Raw,)*), Error> {
                let name = |i: usize| parameters.get(i).copied().unwrap_or("?");
                Ok(($(self.$i.pass(&mut Destination { kernel, parameter: name($i), device, accesses })?,)*))
            }
        }
    };
}

gridwright_core::for_tuples!(24, tuple, types);
