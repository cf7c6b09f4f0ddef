//! A generic kernel as its carrier describes it: see `expand::open`, which writes what is read here.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, LitBool, LitInt, LitStr, Result, Token, Type, parenthesized};

use crate::model::{Contraction, FirstElement, IndexWidth, Level};

/// All that an instance needs of a generic kernel, but for types and code.
pub(crate) struct Description {
    pub(crate) level: Level,
    pub(crate) is_unsafe: bool,
    pub(crate) index: IndexWidth,
    pub(crate) contraction: Contraction,
    pub(crate) has_cpu_code: bool,
    /// The axes of the declared block; 0 without one.
    pub(crate) axes: usize,
    pub(crate) has_max_threads: bool,
    pub(crate) has_min_groups: bool,
    pub(crate) first_element: Option<FirstElement>,
    pub(crate) parameters: Vec<Described>,
    pub(crate) conditions: Vec<DescribedCondition>,
}

/// A parameter.
pub(crate) struct Described {
    pub(crate) name: Ident,
    pub(crate) kind: DescribedKind,
    /// The type, of the framework's names and the list's.
    pub(crate) ty: Type,
}

/// What the type's spelling doesn't tell.
pub(crate) enum DescribedKind {
    /// The spelling tells all.
    Spelled,
    Number,
    Value,
    Fixed,
    Placed,
    Surface(usize),
}

/// A condition, by its text.
pub(crate) struct DescribedCondition {
    /// Its function's number, where that is the generic kernel's.
    pub(crate) function: Option<usize>,
    pub(crate) text: LitStr,
}

impl Parse for Description {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let is_unsafe = input.parse::<Option<Token![unsafe]>>()?.is_some();
        let level = level(input, is_unsafe)?;
        let index = one_of(&next(input)?, [("u64", IndexWidth::Bits64), ("u32", IndexWidth::Bits32)])?;
        let contraction = one_of(&next(input)?, [("off", Contraction::Off), ("on", Contraction::On)])?;
        next(input)?;
        let has_cpu_code = one_of(&input.call(Ident::parse_any)?, [("on", true), ("off", false)])?;
        next(input)?;
        let axes = number(input)?;
        next(input)?;
        let has_max_threads = input.parse::<LitBool>()?.value;
        next(input)?;
        let has_min_groups = input.parse::<LitBool>()?.value;
        next(input)?;
        let first_element = match input.call(Ident::parse_any)?.to_string().as_str() {
            "slice" => Some(FirstElement::OfSlice),
            "at" => Some(FirstElement::At { parameter: number(input)?, axes: number(input)? }),
            "none" => None,
            _ => return Err(input.error(UNKNOWN)),
        };
        input.parse::<Token![,]>()?;
        let (parameters, conditions);
        parenthesized!(parameters in input);
        input.parse::<Token![,]>()?;
        parenthesized!(conditions in input);
        let parameters = Punctuated::<Described, Token![,]>::parse_terminated(&parameters)?;
        let conditions = Punctuated::<DescribedCondition, Token![,]>::parse_terminated(&conditions)?;
        Ok(Self {
            level,
            is_unsafe,
            index,
            contraction,
            has_cpu_code,
            axes,
            has_max_threads,
            has_min_groups,
            first_element,
            parameters: parameters.into_iter().collect(),
            conditions: conditions.into_iter().collect(),
        })
    }
}

/// About a word that no kernel's macro says.
const UNKNOWN: &str = "no kernel's macro says this";

/// What a word stands for.
fn one_of<T, const N: usize>(word: &Ident, meanings: [(&str, T); N]) -> Result<T> {
    let meaning = meanings.into_iter().find(|(name, _)| word == name);
    meaning.map(|(_, meaning)| meaning).ok_or_else(|| Error::new(word.span(), UNKNOWN))
}

/// The word behind a comma.
fn next(input: ParseStream<'_>) -> Result<Ident> {
    input.parse::<Token![,]>()?;
    input.call(Ident::parse_any)
}

fn number(input: ParseStream<'_>) -> Result<usize> {
    input.parse::<LitInt>()?.base10_parse()
}

fn level(input: ParseStream<'_>, is_unsafe: bool) -> Result<Level> {
    let word = input.call(Ident::parse_any)?;
    Ok(match word.to_string().as_str() {
        "thread" if is_unsafe => Level::UnsafeThread,
        "thread" => Level::Thread,
        "group" if input.peek(Token![,]) => Level::Group(None),
        "group" => Level::Group(Some(input.parse()?)),
        "cluster" => Level::Cluster,
        "grid" => Level::Grid,
        _ => return Err(Error::new(word.span(), "no level")),
    })
}

impl Parse for Described {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let word = input.call(Ident::parse_any)?;
        let kind = match word.to_string().as_str() {
            "number" => DescribedKind::Number,
            "value" => DescribedKind::Value,
            "fixed" => DescribedKind::Fixed,
            "placed" => DescribedKind::Placed,
            "surface" => DescribedKind::Surface(number(input)?),
            "spelled" => DescribedKind::Spelled,
            _ => return Err(Error::new(word.span(), UNKNOWN)),
        };
        Ok(Self { name, kind, ty: input.parse()? })
    }
}

impl Parse for DescribedCondition {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = input.call(Ident::parse_any)?;
        let function = match word.to_string().as_str() {
            "free" => Some(number(input)?),
            "fixed" => None,
            _ => return Err(Error::new(word.span(), UNKNOWN)),
        };
        Ok(Self { function, text: input.parse()? })
    }
}
