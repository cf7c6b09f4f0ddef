//! A kernel and a test for the rows of one kind and type.

/// Rows, as `name: value;`. The kernel's name is the test's. `words` is how many of an answer's words there are.
macro_rules! rows {
    ($kernel:ident: $number:ty, words $count:literal, |$a:ident, $b:ident, $c:ident| { $($name:ident: $value:expr;)* }) => {
        mod $kernel {
            use gridwright::prelude::*;
            #[allow(unused_imports, reason = "not all rows take them")]
            use gridwright::math;

            use crate::answer::{Answer, Words};
            use crate::operand::Operand;

            #[allow(non_camel_case_types, reason = "they are named as methods")]
            #[derive(Clone, Copy)]
            enum Row {
                $($name,)*
            }

            /// The answer of the row of a number.
            #[inline(always)]
            #[allow(unused_variables, reason = "rows take one to three numbers")]
            fn answer(number: usize, [$a, $b, $c]: [$number; 3]) -> Words {
                $(
                    if number == Row::$name as usize {
                        return Answer::words($value);
                    }
                )*
                [u64::MAX; 3]
            }

            /// All rows on all inputs: a row's answers lie one behind the other.
            #[gpu_kernel]
            pub(crate) fn $kernel(
                t: Thread,
                inputs: &[[<$number as Operand>::Raw; 3]],
                mut answers: PerThread<[[u64; $count]]>,
            ) {
                if let Some(out) = answers.get_mut(t) {
                    let raw = inputs[t.index() % inputs.len()];
                    let words = answer(t.index() / inputs.len(), raw.map(<$number>::of_raw));
                    *out = core::array::from_fn(|word| words[word]);
                }
            }

            #[cfg(not(gridwright_device))]
            #[test]
            fn device_and_host_agree() -> Result<(), gridwright::Error> {
                crate::compare::compare::<$number, $count>(
                    &[$(stringify!($name),)*],
                    answer,
                    |device, stream, config, inputs, answers| {
                        $kernel::load(device)?.launch(stream, config, (inputs, answers))
                    },
                )
            }
        }
    };
}

pub(crate) use rows;
