//! A kernel and a test for each function.

/// Functions of one argument, and then of two: the kernel, what it calls, the exact function, where it is interesting, the largest
/// error that is promised, CUDA's, and, if there is one, the range that the promise leaves out.
macro_rules! functions {
    (
        $float:ident
        one: {
        $($one:ident = $of_one:expr, $exact_of_one:expr, $range:expr, $bound_of_one:literal, $cuda_of_one:literal
            $(, except $except:expr)?;)*
        }
        two: {
        $($two:ident = $of_two:expr, $exact_of_two:expr, [$($ranges:expr),*], $bound_of_two:literal, $cuda_of_two:literal;)*
        }
    ) => {
        $(
            #[gpu_kernel(requires = x.len() == out.len())]
            fn $one(t: Thread, x: &[$float], mut out: PerThread<[$float]>) {
                if let Some(out) = out.get_mut(t) {
                    *out = $of_one(x[t.index()]);
                }
            }
        )*
        $(
            #[gpu_kernel(requires = x.len() == out.len() && y.len() == out.len())]
            fn $two(t: Thread, x: &[$float], y: &[$float], mut out: PerThread<[$float]>) {
                if let Some(out) = out.get_mut(t) {
                    *out = $of_two(x[t.index()], y[t.index()]);
                }
            }
        )*

        #[cfg(not(gridwright_device))]
        mod tests {
            use crate::measure::{Arguments, Function, measure};
            use crate::reference::*;

            $(
                #[test]
                fn $one() -> Result<(), gridwright::Error> {
                    measure(&Function {
                        name: stringify!($one),
                        bound: $bound_of_one,
                        cuda: $cuda_of_one,
                        arguments: Arguments::One($exact_of_one, $range),
                        except: None$(.or(Some($except)))?,
                        launch: |device, stream, config, [x, _], out| {
                            super::$one::load(device)?.launch(stream, config, (x, out))
                        },
                    })
                }
            )*
            $(
                #[test]
                fn $two() -> Result<(), gridwright::Error> {
                    measure(&Function {
                        name: stringify!($two),
                        bound: $bound_of_two,
                        cuda: $cuda_of_two,
                        arguments: Arguments::Two($exact_of_two, [$($ranges),*]),
                        except: None,
                        launch: |device, stream, config, [x, y], out| {
                            super::$two::load(device)?.launch(stream, config, (x, y, out))
                        },
                    })
                }
            )*
        }
    };
}

pub(crate) use functions;
