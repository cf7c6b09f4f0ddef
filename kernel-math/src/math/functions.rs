/// A family of functions: a trait with a method for each, and a function of the same name that calls it.
macro_rules! functions {
    (
        $(#[$family_doc:meta])*
        trait $family:ident;
        $(
            $(#[$doc:meta])*
            fn $name:ident($x:ident $(, $argument:ident: $type:tt)*) -> $result:tt;
        )*
    ) => {
        $(#[$family_doc])*
        pub trait $family: $crate::math::functions::Sealed {
            $(
                #[doc = concat!("As the function [`", stringify!($name), "`](fn@", stringify!($name), ").")]
                fn $name(self $(, $argument: $type)*) -> $result;
            )*
        }

        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<Float: $family>($x: Float $(, $argument: functions!(@of Float $type))*) -> functions!(@of Float $result) {
                $family::$name($x $(, $argument)*)
            }
        )*
    };
    (@of $float:ident Self) => { $float };
    (@of $float:ident (Self, Self)) => { ($float, $float) };
    (@of $float:ident (Self, i32)) => { ($float, i32) };
    (@of $float:ident i32) => { i32 };
}

pub(super) use functions;

/// The floats that have functions: nobody else adds any.
pub trait Sealed: Copy {}

impl Sealed for f32 {}
impl Sealed for f64 {}
