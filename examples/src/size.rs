/// A size on the command line, for clap: a number up to `MOST`, so that a sample asks for no more memory than machines
/// have. A launch refuses zero by itself.
///
/// ```
/// use clap::Parser;
/// use gridwright_examples::up_to;
///
/// #[derive(Parser)]
/// struct Options {
///     #[arg(long, default_value_t = 1000, value_parser = up_to::<4096>)]
///     rows: usize,
/// }
///
/// assert_eq!(Options::parse_from(["sample"]).rows, 1000);
/// assert!(Options::try_parse_from(["sample", "--rows", "4097"]).is_err());
/// ```
///
/// # Errors
/// For what isn't a number, or is a greater one.
pub fn up_to<const MOST: usize>(text: &str) -> Result<usize, String> {
    let size = text.parse().map_err(|error| format!("{error}"))?;
    if size <= MOST { Ok(size) } else { Err(format!("at most {MOST}")) }
}
