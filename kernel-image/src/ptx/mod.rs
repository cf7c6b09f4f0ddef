//! PTX text, as far as declarations go: entries with their parameters, variables with their values, and what is declared
//! `.extern`. Bodies are skipped.
//!
//! The language is described in NVIDIA's manual, *Parallel Thread Execution ISA*:
//! <https://docs.nvidia.com/cuda/parallel-thread-execution/>.

mod declaration;
mod parts;
#[cfg(test)]
mod tests;
mod tokens;

use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use declaration::{Declaration, declaration, number};
pub use parts::parts;
use tokens::{Token, tokens};

use crate::{Entry, Format, Image, ImageError, Parameter};

/// The most bytes that a variable's value is read to, 1 MiB. Arrays of tables are larger; nobody needs their bytes.
const MOST_VALUE: usize = 1 << 20;

type Tokens<'t> = Peekable<IntoIter<Token<'t>>>;

/// A module of PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module<'t> {
    /// The version of the language: `8.3`.
    pub version: &'t str,
    /// What the module was compiled for: `sm_80`.
    pub architecture: &'t str,
    /// The kernels, in the order of the text.
    pub entries: Vec<EntryPoint<'t>>,
    /// The functions that are defined in the module and are no kernels.
    pub functions: Vec<Function<'t>>,
    /// The variables of the module that are defined in it.
    pub variables: Vec<Variable<'t>>,
    /// The names of functions and variables that are declared and defined elsewhere.
    pub externals: Vec<&'t str>,
}

/// A kernel in PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint<'t> {
    /// The kernel's name for the driver.
    pub name: &'t str,
    /// The kernel's parameters in order.
    pub parameters: Vec<Parameter>,
    /// Where the kernel's directives stand in the text, such as `.maxntid`: bytes from its start, behind the
    /// parameters.
    pub directives: usize,
    /// Where the kernel stands in the text, from its linkage (`.visible`) to the end of its body: bytes from
    /// the text's start.
    pub place: Range<usize>,
}

/// A function in PTX that kernels call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function<'t> {
    /// The function's name.
    pub name: &'t str,
    /// Where the function stands in the text, from its linkage to the end of its body: bytes from the text's start.
    pub place: Range<usize>,
}

/// A variable of a module and its initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable<'t> {
    /// The variable's name.
    pub name: &'t str,
    /// Where the variable stands in the text, from its linkage (`.visible`) to its `;`: bytes from the
    /// text's start.
    pub place: Range<usize>,
    declared: Vec<&'t str>,
    values: Vec<&'t str>,
}

impl<'t> Module<'t> {
    /// Reads a module.
    ///
    /// ```
    /// use gridwright_image::ptx::Module;
    ///
    /// let module = Module::read(
    ///     ".version 8.3\n.target sm_90a\n.extern .func helper();\n.global .u32 table[2] = {7, 8};\n.entry k() { ret; }",
    /// )?;
    /// assert_eq!((module.version, module.architecture), ("8.3", "sm_90a"));
    /// assert_eq!(module.externals, ["helper"]);
    /// assert_eq!(module.variables[0].bytes()?, [7, 0, 0, 0, 8, 0, 0, 0]);
    /// # Ok::<(), gridwright_image::ImageError>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageError::Malformed`]: text that has no `.version` and `.target`, that ends within a declaration, or an entry with a
    /// parameter of unknown size.
    pub fn read(text: &'t str) -> Result<Self, ImageError> {
        let mut tokens = tokens(text).into_iter().peekable();
        let (mut version, mut architecture) = (None, None);
        let mut module = Self {
            version: "",
            architecture: "",
            entries: vec![],
            functions: vec![],
            variables: vec![],
            externals: vec![],
        };
        let mut linkage: Option<Token<'_>> = None;
        while let Some(token) = tokens.next() {
            match token.text {
                ".version" => version = tokens.next(),
                ".target" => architecture = tokens.next(),
                ".visible" | ".weak" | ".common" | ".extern" => {
                    linkage = Some(token);
                    continue;
                }
                ".entry" => module.entries.push(entry(linkage.unwrap_or(token).at, &mut tokens)?),
                ".func" => {
                    let (name, end) = function(&mut tokens)?;
                    if is_extern(linkage) {
                        module.externals.push(name);
                    } else if let Some(end) = end {
                        module.functions.push(Function { name, place: linkage.unwrap_or(token).at..end });
                    }
                }
                ".global" | ".const" => {
                    let variable = variable(linkage.unwrap_or(token).at, &mut tokens)?;
                    if is_extern(linkage) {
                        module.externals.push(variable.name);
                    } else {
                        module.variables.push(variable);
                    }
                }
                "{" => {
                    skip_block(&mut tokens)?;
                }
                ";" => {}
                // Neither ends what the linkage is of.
                _ => continue,
            }
            linkage = None;
        }
        module.version = version.ok_or_else(|| malformed("it has no `.version`"))?.text;
        module.architecture = architecture.ok_or_else(|| malformed("it has no `.target`"))?.text;
        Ok(module)
    }
}

impl From<Module<'_>> for Image {
    fn from(module: Module<'_>) -> Self {
        let entry = |entry: EntryPoint<'_>| Entry { name: entry.name.into(), parameters: entry.parameters };
        let entries = module.entries.into_iter().map(entry).collect();
        Self { format: Format::Ptx, architecture: module.architecture.into(), entries }
    }
}

impl Variable<'_> {
    /// The initial value. What isn't given is zero.
    ///
    /// ```
    /// use gridwright_image::ptx::Module;
    ///
    /// let module = Module::read(".version 8.3 .target sm_80 .const .b8 some[4] = {1, 0xff};")?;
    /// assert_eq!(module.variables[0].bytes()?, [1, 255, 0, 0]);
    /// # Ok::<(), gridwright_image::ImageError>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageError::Malformed`]: a value of other things than integers, such as addresses, one that doesn't fit the variable, or
    /// one of more than 1 MiB.
    pub fn bytes(&self) -> Result<Vec<u8>, ImageError> {
        let declared = declaration(&self.declared).map_err(|e| malformed(format!("a variable: {e}")))?;
        let wrong = || malformed(format!("the value of `{}` can't be read", self.name));
        let element = declared.element as usize;
        let count = usize::try_from(declared.count).map_err(|_| wrong())?;
        let length = count.checked_mul(element).filter(|n| *n <= MOST_VALUE).ok_or_else(wrong)?;
        let mut bytes = Vec::with_capacity(length);
        let mut negative = false;
        for word in self.values.iter().filter(|w| !matches!(**w, "{" | "}" | ",")) {
            if *word == "-" {
                negative = true;
                continue;
            }
            let value = number(word).ok_or_else(wrong)?;
            let value = if negative { value.wrapping_neg() } else { value };
            negative = false;
            bytes.extend(value.to_le_bytes().get(..element).ok_or_else(wrong)?);
        }
        if bytes.len() > length {
            return Err(wrong());
        }
        bytes.resize(length, 0);
        Ok(bytes)
    }
}

fn malformed(reason: impl Into<String>) -> ImageError {
    ImageError::malformed(Format::Ptx, reason)
}

fn is_extern(linkage: Option<Token<'_>>) -> bool {
    linkage.is_some_and(|token| token.text == ".extern")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%'))
}

/// `name ( parameters ) directives { body }`, after `.entry`, from `start` on.
fn entry<'t>(start: usize, tokens: &mut Tokens<'t>) -> Result<EntryPoint<'t>, ImageError> {
    let name = tokens.next().filter(|t| is_name(t.text)).ok_or_else(|| malformed("an entry has no name"))?;
    let (mut directives, name) = (name.end(), name.text);
    let mut parameters = Vec::new();
    let mut end = 0_u32;
    if tokens.next_if(|t| t.text == "(").is_some() {
        let mut open = true;
        while open {
            let mut words = Vec::new();
            open = loop {
                match tokens.next() {
                    Some(Token { text: ",", .. }) => break true,
                    Some(token @ Token { text: ")", .. }) => {
                        directives = token.end();
                        break false;
                    }
                    Some(word) => words.push(word.text),
                    None => return Err(malformed(format!("the parameters of `{name}` don't end"))),
                }
            };
            if words.is_empty() {
                continue;
            }
            let Declaration { element, count, alignment, .. } =
                declaration(&words).map_err(|e| malformed(format!("a parameter of `{name}`: {e}")))?;
            let too_large = || malformed(format!("the parameters of `{name}` are too large"));
            let size = count.checked_mul(element.into()).and_then(|size| u32::try_from(size).ok());
            let size = size.ok_or_else(too_large)?;
            let offset = end.checked_next_multiple_of(alignment).ok_or_else(too_large)?;
            end = offset.checked_add(size).ok_or_else(too_large)?;
            parameters.push(Parameter { offset, size });
        }
    }
    // Launch bounds and other directives stand between the parameters and the body.
    let end = loop {
        match tokens.next() {
            Some(Token { text: "{", .. }) => break skip_block(tokens)?,
            Some(token @ Token { text: ";", .. }) => break token.end(),
            Some(_) => {}
            None => return Err(malformed(format!("the entry `{name}` has no body"))),
        }
    };
    Ok(EntryPoint { name, parameters, directives, place: start..end })
}

/// `( result ) name ( parameters ) { body }` or with `;` at its end, after `.func`. With the name comes the end of the body, if there
/// is one.
fn function<'t>(tokens: &mut Tokens<'t>) -> Result<(&'t str, Option<usize>), ImageError> {
    let mut name = None;
    let mut depth = 0_usize;
    let end = loop {
        match tokens.next().map(|t| t.text) {
            Some("(") => depth += 1,
            Some(")") => depth = depth.saturating_sub(1),
            Some("{") => break Some(skip_block(tokens)?),
            Some(";") => break None,
            Some(word) if depth == 0 && name.is_none() && is_name(word) => name = Some(word),
            Some(_) => {}
            None => return Err(malformed("a function has no end")),
        }
    };
    Ok((name.ok_or_else(|| malformed("a function has no name"))?, end))
}

/// `.align 8 .b8 name[16] = {…};`, after `.global` or `.const`, from `start` on.
fn variable<'t>(start: usize, tokens: &mut Tokens<'t>) -> Result<Variable<'t>, ImageError> {
    let (mut declared, mut values) = (Vec::new(), Vec::new());
    let mut in_values = false;
    let end = loop {
        match tokens.next() {
            Some(token @ Token { text: ";", .. }) => break token.end(),
            Some(Token { text: "=", .. }) => in_values = true,
            Some(word) if in_values => values.push(word.text),
            Some(word) => declared.push(word.text),
            None => return Err(malformed("a variable has no end")),
        }
    };
    // Its type may be one whose size nobody knows, of a texture; only its bytes can't be had then.
    let mut names = declared.iter().filter(|word| is_name(word));
    let name = names.next().ok_or_else(|| malformed("a variable has no name"))?;
    Ok(Variable { name, place: start..end, declared, values })
}

/// Goes to the end of a block whose `{` is taken, and says where that is.
fn skip_block(tokens: &mut Tokens<'_>) -> Result<usize, ImageError> {
    let mut depth = 1_usize;
    loop {
        match tokens.next() {
            Some(Token { text: "{", .. }) => depth += 1,
            Some(token @ Token { text: "}", .. }) if depth == 1 => return Ok(token.end()),
            Some(Token { text: "}", .. }) => depth -= 1,
            Some(_) => {}
            None => return Err(malformed("a block has no end")),
        }
    }
}
