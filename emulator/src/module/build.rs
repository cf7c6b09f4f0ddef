//! Makes a module of syntax.

use std::collections::{BTreeSet, HashMap};

use super::{Entry, Image, Initialiser, ModuleVariable, Parameter, Reference, Registers, limits};
use crate::instruction::{FunctionCode, FunctionShape, Names, ParameterSlot, Pool, Symbol, decode};
use crate::parse::ParseError;
use crate::parse::syntax::{Body, Function, Initial, Number, Operand, Space, Type, Unit, Variable};

/// Numbers that a function's own variables have in the module, by name and block.
type Scoped<'s> = HashMap<(&'s str, u32), u32>;

pub(super) fn build(unit: &Unit<'_>) -> Result<Image, ParseError> {
    let mut names = Names::default();
    let mut sources: Vec<&Variable<'_>> = Vec::new();
    for variable in &unit.variables {
        // A declaration and its definition are one variable.
        match names.variables.get(variable.name) {
            Some(&(number, _)) if variable.is_extern || sources[number as usize].is_extern => {
                if !variable.is_extern {
                    sources[number as usize] = variable;
                }
            }
            Some(_) => return Err(twice(variable.line, variable.name)),
            None => {
                names.variables.insert(variable.name, (sources.len() as u32, variable.space));
                sources.push(variable);
            }
        }
    }
    let mut functions: Vec<&Function<'_>> = Vec::new();
    for function in &unit.functions {
        match names.functions.get(function.name) {
            Some(&number) if function.body.is_none() || functions[number as usize].body.is_none() => {
                if function.body.is_some() {
                    functions[number as usize] = function;
                }
            }
            Some(_) => return Err(twice(function.line, function.name)),
            None => {
                names.functions.insert(function.name, functions.len() as u32);
                functions.push(function);
            }
        }
    }
    for &(name, other, line) in &unit.aliases {
        let target = names.functions.get(other).copied();
        let target = target.ok_or_else(|| ParseError::new(line, format!("`{other}` isn't declared")))?;
        names.functions.insert(name, target);
    }
    names.shapes = functions.iter().map(|function| shape(function)).collect();
    let mut scoped: Vec<Scoped<'_>> = Vec::new();
    for function in &functions {
        let mut own = Scoped::new();
        for variable in function.body.iter().flat_map(|body| &body.variables) {
            if matches!(variable.space, Space::Global | Space::Const | Space::Shared) {
                own.insert((variable.name, variable.scope), sources.len() as u32);
                sources.push(variable);
            }
        }
        scoped.push(own);
    }

    let mut pool = Pool::default();
    let mut accesses = 0;
    let mut decoded = Vec::with_capacity(functions.len());
    for (function, scoped) in functions.iter().zip(&scoped) {
        decoded.push(match &function.body {
            Some(body) => decode(function, body, &names, &mut pool, &mut accesses, scoped)?,
            None => FunctionCode::new(function.name, false, false),
        });
    }
    let mut first_ops = Vec::with_capacity(decoded.len());
    let mut total = 0_u32;
    for function in &decoded {
        first_ops.push(total);
        total += function.ops.len() as u32;
    }
    let variables = sources.iter().map(|source| variable(source, &names)).collect::<Result<Vec<_>, _>>()?;
    let mut entries = Vec::new();
    for (number, function) in functions.iter().enumerate() {
        if function.is_entry && function.body.is_some() {
            let entry = entry(number as u32, function, &decoded, &variables)?;
            if let Some(text) = limits::exceeded(&entry, unit.version) {
                return Err(ParseError::new(function.line, text));
            }
            entries.push(entry);
        }
    }
    Ok(Image {
        version: unit.version,
        target: unit.target.to_owned(),
        entries,
        functions: decoded,
        first_ops,
        variables,
        pool,
        files: unit.files.iter().map(|(number, path)| (*number, (*path).to_owned())).collect(),
        locations: unit.locations.clone(),
        accesses,
        uses_workspace: unit
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
            .any(reads_workspace),
    })
}

fn reads_workspace(body: &Body<'_>) -> bool {
    let is_half = |operand: &Operand<'_>| matches!(operand, Operand::Name("%envreg1" | "%envreg2"));
    body.instructions.iter().flat_map(|instruction| &instruction.operands).any(is_half)
}

fn twice(line: u32, name: &str) -> ParseError {
    ParseError::new(line, format!("`{name}` is there twice"))
}

fn shape(function: &Function<'_>) -> FunctionShape {
    let sizes = |variables: &[Variable<'_>]| variables.iter().map(|variable| variable.bytes as u32).collect();
    FunctionShape {
        is_defined: function.body.is_some(),
        parameters: sizes(&function.parameters),
        results: sizes(&function.results),
    }
}

fn variable(source: &Variable<'_>, names: &Names<'_>) -> Result<ModuleVariable, ParseError> {
    let mut built = ModuleVariable {
        name: source.name.to_owned(),
        space: source.space,
        bytes: source.bytes,
        alignment: source.alignment,
        is_extern: source.is_extern,
        is_managed: source.is_managed,
        unsized_array: source.unsized_array,
        initial: Vec::new(),
        addresses: Vec::new(),
        reference: Reference::of(source)?,
    };
    let size = source.element.bytes() as usize;
    for value in &source.initial {
        let at = built.initial.len();
        match value {
            Initial::Number(number) => {
                let bits = bits(*number, source.element);
                built.initial.extend_from_slice(&bits.to_le_bytes()[..size.min(8)]);
            }
            Initial::Address(name, addend, mask) => {
                let symbol = match (names.variables.get(name), names.functions.get(name)) {
                    (Some(&(number, _)), _) => Symbol::Variable(number),
                    (None, Some(&number)) => Symbol::Function(number),
                    _ => return Err(ParseError::new(source.line, format!("`{name}` isn't declared"))),
                };
                let shift = mask.map_or(0, u64::trailing_zeros);
                if shift >= 64 {
                    return Err(ParseError::new(source.line, "a mask of no bits"));
                }
                built.addresses.push(Initialiser { at, symbol, addend: *addend, shift, bytes: size });
                built.initial.resize(at + size, 0);
            }
        }
    }
    if built.initial.len() as u64 > source.bytes && !source.unsized_array {
        return Err(ParseError::new(
            source.line,
            format!("`{}` has a longer initialiser than it is", source.name),
        ));
    }
    built.bytes = built.bytes.max(built.initial.len() as u64);
    Ok(built)
}

fn bits(number: Number, ty: Type) -> u64 {
    match (number, ty) {
        (Number::Single(bits), Type::Float(64)) => f64::from(f32::from_bits(bits)).to_bits(),
        (Number::Single(bits), _) => bits.into(),
        (Number::Double(bits), Type::Float(32)) => (f64::from_bits(bits) as f32).to_bits().into(),
        (Number::Double(bits), _) => bits,
        (Number::Integer(value), Type::Float(32)) => (value as i64 as f32).to_bits().into(),
        (Number::Integer(value), Type::Float(64)) => (value as i64 as f64).to_bits(),
        (Number::Integer(value), _) => value,
    }
}

fn entry(
    number: u32,
    source: &Function<'_>,
    functions: &[FunctionCode],
    variables: &[ModuleVariable],
) -> Result<Entry, ParseError> {
    let code = &functions[number as usize];
    let mut reached = BTreeSet::from([number]);
    let mut named = BTreeSet::new();
    let mut open = vec![number];
    while let Some(function) = open.pop() {
        for symbol in &functions[function as usize].uses {
            match *symbol {
                Symbol::Variable(variable) => {
                    named.insert(variable);
                }
                Symbol::Function(callee) => {
                    if reached.insert(callee) {
                        open.push(callee);
                    }
                }
                Symbol::Parameter(_) => {}
            }
        }
    }
    // Addresses of functions may also be in tables.
    let mut shared = Vec::new();
    let mut end = 0_u64;
    let mut dynamic_alignment = 1;
    let in_shared = |number: &&u32| variables[**number as usize].space == Space::Shared;
    for &number in named.iter().filter(in_shared) {
        let variable = &variables[number as usize];
        if variable.unsized_array {
            dynamic_alignment = dynamic_alignment.max(variable.alignment);
        } else {
            let offset = end.next_multiple_of(variable.alignment.into());
            end = offset + variable.bytes;
            shared.push((number, offset as u32));
        }
        if end > u64::from(u32::MAX) / 2 {
            return Err(ParseError::new(
                source.line,
                format!("`{}`: too much workgroup memory", source.name),
            ));
        }
    }
    let dynamic_shared = (end as u32).next_multiple_of(dynamic_alignment);
    shared.extend(
        named.iter().filter(in_shared).filter_map(|&number| {
            variables[number as usize].unsized_array.then_some((number, dynamic_shared))
        }),
    );
    let in_constants = |number: &&u32| variables[**number as usize].space == Space::Const;
    let constant_bytes = named.iter().filter(in_constants).fold(0_u64, |end, &number| {
        let variable = &variables[number as usize];
        end.next_multiple_of(variable.alignment.into()).saturating_add(variable.bytes)
    });
    let finest = |of: fn(&FunctionCode) -> u32| functions.iter().map(of).min().unwrap_or(4);
    let slot = |slot: &ParameterSlot| Parameter {
        offset: slot.offset as usize,
        size: slot.bytes as usize,
        alignment: slot.alignment as usize,
    };
    let [predicates, b16, b32, b64] = code.declared;
    Ok(Entry {
        name: code.name.clone(),
        function: number,
        parameters: code.parameters.iter().map(slot).collect(),
        required_block: source.required_block,
        max_block: source.max_block,
        min_groups: source.min_groups,
        cluster: source.cluster,
        shared_bytes: end as u32,
        local_bytes: code.local_bytes,
        constant_bytes: u32::try_from(constant_bytes).unwrap_or(u32::MAX),
        registers: Registers { predicates, b16, b32, b64 },
        shared,
        dynamic_shared,
        finest_shared: finest(|function| function.finest_shared),
        finest_global: finest(|function| function.finest_global),
        missing: reached
            .iter()
            .filter(|&&function| !functions[function as usize].is_defined)
            .map(|&function| functions[function as usize].name.clone())
            .collect(),
    })
}
