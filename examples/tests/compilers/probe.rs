//! A probe: a small function that a compiler is known to get wrong, or one of its kind, as a kernel and on the host.

/// How many numbers the table has that functions may read.
pub(crate) const TABLE: usize = 256;

/// What a function gets: two numbers of its own, one that is the same for all threads, and a table.
#[cfg(not(gridwright_device))]
pub(crate) type Function = fn(u64, u64, u64, &[u64; TABLE]) -> u64;

/// A function and its kernel.
#[cfg(not(gridwright_device))]
pub(crate) struct Probe {
    pub(crate) name: &'static str,
    pub(crate) function: Function,
    /// Whether the common number is looked at.
    pub(crate) is_of_common: bool,
    pub(crate) launch: fn(&gridwright::Device, &crate::run::Arguments<'_>) -> crate::run::Result<Vec<u64>>,
}

/// Functions of two numbers, then perhaps of the common one and the table: for each a kernel of its name, and a row of `PROBES`.
macro_rules! probes {
    ($($(#[$note:meta])* fn $name:ident($a:ident, $b:ident $(, $n:ident $(, $m:ident)?)?) $body:block)*) => {
        $(
            $(#[$note])*
            #[inline(always)]
            #[allow(unused_variables, reason = "few look at all")]
            fn $name($a: u64, $b: u64, n: u64, m: &[u64; $crate::probe::TABLE]) -> u64 {
                $(let $n = n; $(let $m = m;)?)?
                $body
            }

            mod $name {
                use gridwright::prelude::*;

                #[gpu_kernel]
                pub(super) fn $name(
                    t: Thread,
                    n: u64,
                    m: &[[u64; $crate::probe::TABLE]],
                    x: &[[u64; 2]],
                    mut y: PerThread<[u64]>,
                ) {
                    if let Some(y) = y.get_mut(t) {
                        let [a, b] = x[t.index()];
                        *y = super::$name(a, b, n, &m[0]);
                    }
                }
            }
        )*

        #[cfg(not(gridwright_device))]
        pub(crate) const PROBES: &[$crate::probe::Probe] = &[$($crate::probe::Probe {
            name: stringify!($name),
            function: $name,
            is_of_common: !stringify!($($n)?).is_empty(),
            launch: |device, arguments| {
                let mut y = arguments.stream.alloc_zeroed::<u64>(arguments.x.len())?;
                let config = gridwright::LaunchConfig::threads(arguments.x.len());
                let kernel = $name::$name::load(device)?;
                kernel.launch(arguments.stream, config, (arguments.n, arguments.m, arguments.x, &mut y))?;
                arguments.stream.download(&y)
            },
        }),*];
    };
}

pub(crate) use probes;
