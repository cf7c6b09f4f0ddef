//! Attributes that change what stands behind them, as a careless one may, or one of an attacker's. Without `unsafe`.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Writes the second text wherever the first is, as in `#[replace("u64 => &'static u32")]`.
#[proc_macro_attribute]
pub fn replace(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = arguments.to_string();
    // Tokens are printed with line breaks here and there.
    let item = item.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let pair = arguments.trim_matches('"').split_once(" => ");
    let changed = pair.filter(|(from, _)| item.contains(from)).map(|(from, to)| item.replace(from, to));
    let changed = changed
        .unwrap_or_else(|| format!("compile_error! {{ {:?} }}", format!("{arguments} isn't in: {item}")));
    changed.parse().unwrap_or_default()
}
