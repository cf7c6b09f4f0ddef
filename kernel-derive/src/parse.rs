//! Tokens to syntax. Errors of the grammar are found here, those of meaning in `validate`.

mod arguments;
mod demands;
mod description;
mod foreign;
mod format;
mod function;
mod instance;
mod instances;
mod kernel_arg;
mod kernel_trait;
mod operator;
mod print;
mod unroll;

pub(crate) use self::arguments::{Arguments, Instances, arguments};
pub(crate) use self::description::{Described, DescribedCondition, DescribedKind, Description};
pub(crate) use self::foreign::{ForeignArguments, foreign_block};
pub(crate) use self::format::Format;
pub(crate) use self::function::{Function, function};
pub(crate) use self::instance::{Carried, Given, GivenTrait, InstanceCall, InstanceCalls};
pub(crate) use self::instances::{Argument, Entry};
pub(crate) use self::kernel_arg::options;
pub(crate) use self::kernel_trait::{DescribedTrait, KernelTrait, TraitKernel};
pub(crate) use self::operator::{Operator, Operators};
pub(crate) use self::print::Print;
pub(crate) use self::unroll::Unroll;

use syn::parse::ParseStream;
use syn::{Path, Token};

/// `gridwright`, where no `crate = path` names it.
pub(crate) fn default_root() -> Path {
    syn::parse_quote!(::gridwright)
}

/// Goes on behind the next comma, so that one bad argument doesn't hide errors in the others.
fn skip_argument(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        // A token tree always parses where the input isn't empty.
        let _ = input.parse::<proc_macro2::TokenTree>();
    }
}
