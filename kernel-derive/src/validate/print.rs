//! The format of `gpu_println!`.

use crate::messages;
use crate::parse::Print;
use crate::report::Report;

/// The most arguments: `Line::MOST_ARGUMENTS` of `gridwright-core`.
const MOST: usize = 16;

/// Checks the format, and that it has a `{}` for each argument.
pub(crate) fn print(print: &Print, report: &mut Report) {
    let format = print.format.value();
    match placeholders(&format) {
        Err(message) => report.error(&print.format, message),
        Ok(count) if count != print.arguments.len() => {
            report.error(&print.format, messages::placeholders(count, print.arguments.len()));
        }
        Ok(count) if count > MOST => report.error(&print.format, messages::too_many_printed(count, MOST)),
        Ok(_) => {}
    }
}

/// How many `{}` a format has.
fn placeholders(format: &str) -> Result<usize, String> {
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
                |end| messages::placeholder_with_more(&mark[..=end]),
            ));
        }
        // A mark is two bytes.
        rest = &mark[2..];
    }
    Ok(count)
}
