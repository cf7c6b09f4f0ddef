use gridwright_core::{LaunchConfig, Param, ParamList, Refused, Sets, Signature};

use super::argument::Offload;
use crate::launch::Prepared;
use crate::{Error, Stream};

/// A tuple of arguments that a kernel with the parameters `P` can be run with.
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
/// # let mut x = [1.0_f32, 2.0];
/// // fn scale(t: Thread, by: f32, mut x: PerThread<[f32]>)
/// scale::load(&device)?.run(&device, LaunchConfig::threads(2), (3.0, InOut(&mut x)))?;
/// # assert_eq!(x, [3.0, 6.0]);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the kernel takes the arguments `{P}`, but `run` was given `{Self}`",
    label = "wrong number of arguments",
    note = "the arguments are a tuple with one element a parameter, the thread or the group and workgroup memory left \
            out: `(a, &x, InOut(&mut y))`; a single one is `(InOut(&mut y),)`"
)]
pub trait OffloadArguments<P: ParamList>: Sized {
    /// Copies, launches, waits and copies back.
    ///
    /// # Safety
    /// If the kernel is unsafe, what its author asks of callers.
    #[doc(hidden)]
    unsafe fn launch_staged<K, W>(
        self,
        kernel: &Ready<'_, K>,
        stream: &Stream,
        config: LaunchConfig<W>,
    ) -> Result<(), Error>
    where
        K: Signature<Params = P>,
        W: Sets<K::Sizes>;
}

/// A kernel as `run` is given it, so that [`OffloadArguments`] can be named outside.
#[expect(missing_debug_implementations, reason = "nobody outside has one")]
pub struct Ready<'p, K>(pub(crate) &'p Prepared<K>);

impl<A> OffloadArguments<Refused> for A {
    unsafe fn launch_staged<K, W>(self, _: &Ready<'_, K>, _: &Stream, _: LaunchConfig<W>) -> Result<(), Error>
    where
        K: Signature<Params = Refused>,
        W: Sets<K::Sizes>,
    {
        Ok(())
    }
}

macro_rules! tuple {
    ($($param:ident $argument:ident $i:tt),*) => {
        impl<$($param: Param, $argument: Offload<$param>),*> OffloadArguments<($($param,)*)> for ($($argument,)*) {
            #[allow(unused_variables, unused_mut, clippy::unused_unit)]
            unsafe fn launch_staged<Run, W>(
                self,
                kernel: &Ready<'_, Run>,
                stream: &Stream,
                config: LaunchConfig<W>,
            ) -> Result<(), Error>
            where
                Run: Signature<Params = ($($param,)*)>,
                W: Sets<Run::Sizes>,
            {
                let mut staged = ($(self.$i.stage(stream)?,)*);
                // SAFETY: if the kernel is unsafe, the caller promises what its author asks; what is staged has the same lengths.
                unsafe { kernel.0.submit(stream, config, ($($argument::argument(&mut staged.$i),)*), true)? };
                stream.synchronize()?;
                $(self.$i.finish(stream, staged.$i)?;)*
                Ok(())
            }
        }
    };
}

gridwright_core::for_tuples!(24, tuple, types);
