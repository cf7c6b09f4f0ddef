//! The formats of `gpu_println!` and of `format!` in kernels.

use syn::LitStr;

use crate::messages;
use crate::parse::{Format, Print};
use crate::report::Report;

/// The most arguments: `Line::MOST_ARGUMENTS` of `gridwright-core`.
const MOST: usize = 16;

/// Checks the format, and that it has a `{}` for each argument.
pub(crate) fn print(print: &Print, report: &mut Report) {
    let count = arguments("gpu_println!", &print.format, print.arguments.len(), report);
    if count > MOST {
        report.error(&print.format, messages::too_many_printed(count, MOST));
    }
}

/// Checks the format of a text, and that it has a `{}` for each argument.
pub(crate) fn format(format: &Format, report: &mut Report) {
    arguments("format!", &format.format, format.arguments.len(), report);
}

/// How many arguments a format has, or none where that is wrong.
fn arguments(name: &str, format: &LitStr, given: usize, report: &mut Report) -> usize {
    match placeholders(name, &format.value()) {
        Err(message) => report.error(format, message),
        Ok(count) if count != given => report.error(format, messages::placeholders(count, given)),
        Ok(count) => return count,
    }
    0
}

/// How many `{}` a format has.
fn placeholders(name: &str, format: &str) -> Result<usize, String> {
    let mut count = 0;
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        let mark = &rest[at..];
        if mark.starts_with("{}") {
            count += 1;
        } else if !mark.starts_with("{{") && !mark.starts_with("}}") {
            let end = mark.find('}').filter(|_| mark.starts_with('{'));
            return Err(end.map_or_else(
                || messages::LONE_BRACE.to_owned(),
                |end| messages::placeholder_with_more(name, &mark[..=end]),
            ));
        }
        // A mark is two bytes.
        rest = &mark[2..];
    }
    Ok(count)
}
