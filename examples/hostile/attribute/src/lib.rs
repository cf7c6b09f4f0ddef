//! Attributes that change what stands behind them, as a careless one may, or one of an attacker's. Without `unsafe`.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Writes the first text wherever the second is, as in `#[replace("u64 => &'static u32")]`; both are without quotes.
#[proc_macro_attribute]
pub fn replace(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = arguments.to_string();
    let pair = arguments.trim_matches('"').split_once(" => ");
    let changed = pair.map(|(from, to)| item.to_string().replace(from, to));
    changed.and_then(|text| text.parse().ok()).unwrap_or(item)
}
