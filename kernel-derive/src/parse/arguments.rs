//! The arguments of `#[gpu_kernel(...)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Path, Result, Token, parenthesized};

use super::{Entry, demands};
use crate::messages;
use crate::model::{Contraction, Demands, IndexWidth};
use crate::report::Report;

/// What was written between the parentheses of the attribute.
pub(crate) struct Arguments {
    pub(crate) root: Path,
    pub(crate) index: IndexWidth,
    pub(crate) contraction: Contraction,
    /// Where it is said that the kernel has no code for the CPU.
    pub(crate) cpu_off: Option<Span>,
    pub(crate) demands: Demands,
    pub(crate) requires: Option<Expr>,
    pub(crate) instances: Option<Instances>,
}

/// `instances(...)`, before its entries are held against the generic parameters.
pub(crate) struct Instances {
    /// The key, for errors about the whole.
    pub(crate) span: Span,
    /// Entries; none if they don't parse, which is reported.
    pub(crate) entries: Option<Vec<Entry>>,
    /// The list ends with `..`: others may be made elsewhere.
    pub(crate) is_open: bool,
}

/// Parses the attribute's arguments; one that doesn't parse is reported and left out.
pub(crate) fn arguments(tokens: TokenStream, report: &mut Report) -> Arguments {
    let mut arguments = Arguments {
        root: super::default_root(),
        index: IndexWidth::Bits32,
        contraction: Contraction::On,
        cpu_off: None,
        demands: Demands::default(),
        requires: None,
        instances: None,
    };
    let parsed = (|input: ParseStream<'_>| {
        let mut keys = Vec::new();
        while !input.is_empty() {
            if let Err(error) = argument(input, &mut arguments, &mut keys) {
                report.push(error);
                super::skip_argument(input);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    })
    .parse2(tokens);
    if let Err(error) = parsed {
        report.push(error);
    }
    arguments
}

fn argument(input: ParseStream<'_>, arguments: &mut Arguments, keys: &mut Vec<Ident>) -> Result<()> {
    let key =
        input.call(Ident::parse_any).map_err(|error| Error::new(error.span(), messages::not_a_key()))?;
    if keys.contains(&key) {
        return Err(Error::new(key.span(), messages::repeated_key(&key)));
    }
    match key.to_string().as_str() {
        "requires" => {
            input.parse::<Token![=]>()?;
            arguments.requires = Some(input.parse()?);
        }
        "instances" => {
            let span = key.span();
            let instances = arguments.instances.insert(Instances { span, entries: None, is_open: false });
            let (entries, is_open) = self::instances(input)?;
            (instances.entries, instances.is_open) = (Some(entries), is_open);
        }
        "index" => {
            input.parse::<Token![=]>()?;
            arguments.index = index(input)?;
        }
        "block" => {
            input.parse::<Token![=]>()?;
            arguments.demands.block = Some(demands::block(input)?);
        }
        "max_threads" => {
            input.parse::<Token![=]>()?;
            arguments.demands.max_threads = Some(input.parse()?);
        }
        "min_groups" => {
            input.parse::<Token![=]>()?;
            arguments.demands.min_groups = Some(input.parse()?);
        }
        "fp_contract" => {
            input.parse::<Token![=]>()?;
            arguments.contraction = contraction(input)?;
        }
        "cpu" => {
            input.parse::<Token![=]>()?;
            let is_on = one_of(input, &[("on", true), ("off", false)], messages::CPU)?;
            arguments.cpu_off = (!is_on).then(|| key.span());
        }
        "crate" => {
            input.parse::<Token![=]>()?;
            arguments.root = input.call(Path::parse_mod_style)?;
        }
        _ => return Err(Error::new(key.span(), messages::unknown_key(&key))),
    }
    // A key counts as given only once its value is understood.
    keys.push(key);
    Ok(())
}

/// The entries, and whether `..` is behind them.
fn instances(input: ParseStream<'_>) -> Result<(Vec<Entry>, bool)> {
    let content;
    parenthesized!(content in input);
    let entries = entries(&content);
    // What is left would be reported once more.
    content.parse::<TokenStream>()?;
    entries
}

fn entries(content: ParseStream<'_>) -> Result<(Vec<Entry>, bool)> {
    let mut entries = Vec::new();
    while !content.is_empty() {
        if content.peek(Token![..]) {
            content.parse::<Token![..]>()?;
            return match content.is_empty() {
                true => Ok((entries, true)),
                false => Err(content.error(messages::OPEN_NOT_LAST)),
            };
        }
        entries.push(content.parse()?);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok((entries, false))
}

fn index(input: ParseStream<'_>) -> Result<IndexWidth> {
    one_of(input, &[("u32", IndexWidth::Bits32), ("u64", IndexWidth::Bits64)], messages::INDEX)
}

fn contraction(input: ParseStream<'_>) -> Result<Contraction> {
    one_of(input, &[("on", Contraction::On), ("off", Contraction::Off)], messages::FP_CONTRACT)
}

/// What the word that follows stands for; `wrong` is the message about any other.
fn one_of<T: Copy>(input: ParseStream<'_>, words: &[(&str, T)], wrong: &str) -> Result<T> {
    let at = input.span();
    let word: Ident = input.parse().map_err(|_| Error::new(at, wrong))?;
    let found = words.iter().find(|(name, _)| word == name);
    found.map(|&(_, meaning)| meaning).ok_or_else(|| Error::new(word.span(), wrong))
}
