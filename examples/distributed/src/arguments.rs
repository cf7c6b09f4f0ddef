use anyhow::{Context, bail};

/// Numbers of the command line, or those that a program has without.
///
/// # Errors
/// What is no number, zero, or one too many.
pub fn numbers<const N: usize>(defaults: [usize; N], what: &str) -> anyhow::Result<[usize; N]> {
    let mut numbers = defaults;
    let mut places = numbers.iter_mut();
    for argument in std::env::args().skip(1) {
        let place = places.next().with_context(|| format!("`{argument}` is one too many: {what}"))?;
        *place = argument.parse().with_context(|| format!("`{argument}` is no number: {what}"))?;
        if *place == 0 {
            bail!("`{argument}` is none: {what}");
        }
    }
    Ok(numbers)
}
