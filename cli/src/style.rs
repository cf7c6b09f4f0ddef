//! Colours. `anstream` leaves them out where the output is no terminal, or `NO_COLOR` is set.

use std::io::{ErrorKind, Write};

use anstyle::{AnsiColor, Style};
use clap::builder::Styles;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const TITLE: Style = Style::new().bold();

/// Styles of the help, as cargo's own help looks.
pub(crate) const HELP: Styles = Styles::styled()
    .header(GOOD)
    .usage(GOOD)
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(BAD)
    .valid(GOOD)
    .invalid(WARNING);

/// Writes to standard output. Where a reader has had enough, such as `head`, that is no error.
///
/// # Errors
/// Anything else that keeps it from being written.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    let mut output = anstream::stdout();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
