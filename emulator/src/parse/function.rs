//! Entries and functions: their heads, and the statements of their bodies.

use super::ParseError;
use super::lexer::Token;
use super::syntax::{
    Body, Cluster, Function, Instruction, Label, Location, Number, Prototype, Space, Targets, Variable,
};
use super::unit::Parser;
use super::vectors;

impl<'s> Parser<'s> {
    /// Parses an entry or a function, behind `.entry` or `.func`.
    pub(super) fn function(&mut self, is_entry: bool) -> Result<Function<'s>, ParseError> {
        let line = self.line();
        let results = if !is_entry && self.peek() == Token::Punctuation(b'(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        let name = self.word()?;
        let parameters =
            if self.peek() == Token::Punctuation(b'(') { self.parameters()? } else { Vec::new() };
        let mut function = Function {
            name,
            is_entry,
            results,
            parameters,
            required_block: None,
            max_block: None,
            min_groups: None,
            cluster: Cluster::default(),
            body: None,
            line,
        };
        loop {
            match self.peek() {
                Token::Punctuation(b';') => {
                    self.advance();
                    return Ok(function);
                }
                Token::Punctuation(b'{') => {
                    function.body = Some(self.body()?);
                    return Ok(function);
                }
                Token::Word(word) => {
                    self.advance();
                    match word {
                        ".reqntid" => function.required_block = Some(self.dimensions()?),
                        ".maxntid" => function.max_block = Some(self.dimensions()?),
                        ".minnctapersm" => function.min_groups = Some(self.dimensions()?[0]),
                        ".maxnctapersm" | ".maxnreg" => {
                            self.dimensions()?;
                        }
                        ".noreturn" => {}
                        ".reqnctapercluster" => function.cluster.required = Some(self.dimensions()?),
                        ".maxclusterrank" => {
                            function.cluster.most_groups = Some(self.dimensions()?[0]);
                        }
                        ".explicitcluster" => function.cluster.is_explicit = true,
                        ".blocksareclusters" => function.cluster.grid_counts_clusters = true,
                        // Which registers a callee keeps is nothing that PTX can see.
                        ".abi_preserve" | ".abi_preserve_control" => {
                            self.number()?;
                        }
                        ".pragma" => self.skip_statement()?,
                        // `.func name (…) .noreturn .attribute(.unified(1, 2))`
                        ".attribute" => {
                            self.skip_list()?;
                        }
                        _ => return Err(self.error(format!("`{word}` of `{name}` isn't understood"))),
                    }
                }
                // A declaration may lack its semicolon before the next directive in old texts.
                _ => return Err(self.unexpected("a body")),
            }
        }
    }

    fn dimensions(&mut self) -> Result<[u32; 3], ParseError> {
        let mut dimensions = [1; 3];
        for (axis, dimension) in dimensions.iter_mut().enumerate() {
            if axis > 0 && !self.accept(b',') {
                break;
            }
            *dimension = match self.number()? {
                Number::Integer(value) if value <= u64::from(u32::MAX) => value as u32,
                _ => return Err(self.error("a dimension out of range")),
            };
        }
        Ok(dimensions)
    }

    fn parameters(&mut self) -> Result<Vec<Variable<'s>>, ParseError> {
        self.require(b'(')?;
        let mut parameters = Vec::new();
        while !self.accept(b')') {
            if !parameters.is_empty() {
                self.require(b',')?;
            }
            match self.word()? {
                ".param" => parameters.extend(self.variables(Space::Parameter, false, 0)?),
                ".reg" => {
                    let mut parameter = self.register_parameter()?;
                    parameter.space = Space::Register;
                    parameters.push(parameter);
                }
                word => return Err(self.error(format!("`{word}` of a parameter isn't understood"))),
            }
        }
        Ok(parameters)
    }

    /// `.u32 name`, a parameter in a register.
    fn register_parameter(&mut self) -> Result<Variable<'s>, ParseError> {
        let mut declared = self.variables(Space::Parameter, false, 0)?;
        declared.pop().ok_or_else(|| self.unexpected("a parameter"))
    }

    fn body(&mut self) -> Result<Body<'s>, ParseError> {
        let mut body = Body { parents: vec![0], ..Body::default() };
        let mut scope = 0_u32;
        let mut location = 0_u32;
        self.require(b'{')?;
        loop {
            match self.peek() {
                Token::Punctuation(b'{') => {
                    self.advance();
                    body.parents.push(scope);
                    scope = (body.parents.len() - 1) as u32;
                }
                Token::Punctuation(b'}') => {
                    self.advance();
                    if scope == 0 {
                        vectors::expand(&mut body);
                        return Ok(body);
                    }
                    scope = body.parents[scope as usize];
                }
                Token::Punctuation(b';') => self.advance(),
                Token::Punctuation(b'@') => {
                    self.advance();
                    let negated = self.accept(b'!');
                    let guard = (self.word()?, negated);
                    let instruction = self.instruction(Some(guard), location, scope)?;
                    body.instructions.push(instruction);
                }
                Token::Word(word) => {
                    if self.peek_ahead(1) == Token::Punctuation(b':') {
                        self.advance();
                        self.advance();
                        self.label(word, scope, &mut body)?;
                    } else if let Some(directive) = word.strip_prefix('.') {
                        self.advance();
                        match directive {
                            "reg" => body.variables.extend(self.declaration(Space::Register, scope)?),
                            "local" => body.variables.extend(self.declaration(Space::Local, scope)?),
                            "shared" => body.variables.extend(self.declaration(Space::Shared, scope)?),
                            "param" => body.variables.extend(self.declaration(Space::Parameter, scope)?),
                            "global" => body.variables.extend(self.declaration(Space::Global, scope)?),
                            "const" => body.variables.extend(self.declaration(Space::Const, scope)?),
                            "loc" => location = self.location()?,
                            "pragma" => self.skip_statement()?,
                            _ => return Err(self.error(format!("`{word}` in a function isn't understood"))),
                        }
                    } else {
                        let instruction = self.instruction(None, location, scope)?;
                        body.instructions.push(instruction);
                    }
                }
                _ => return Err(self.unexpected("a statement")),
            }
        }
    }

    fn declaration(&mut self, space: Space, scope: u32) -> Result<Vec<Variable<'s>>, ParseError> {
        let variables = self.variables(space, false, scope)?;
        self.require(b';')?;
        Ok(variables)
    }

    fn label(&mut self, name: &'s str, scope: u32, body: &mut Body<'s>) -> Result<(), ParseError> {
        match self.peek() {
            Token::Word(".branchtargets") => {
                self.advance();
                let mut labels = vec![self.word()?];
                while self.accept(b',') {
                    labels.push(self.word()?);
                }
                body.targets.push(Targets { name, labels });
                self.require(b';')
            }
            Token::Word(".callprototype") => {
                self.advance();
                let results =
                    if self.peek() == Token::Punctuation(b'(') { self.parameters()? } else { Vec::new() };
                self.word()?;
                let parameters =
                    if self.peek() == Token::Punctuation(b'(') { self.parameters()? } else { Vec::new() };
                body.prototypes.push(Prototype { name, results, parameters });
                self.skip_statement()
            }
            Token::Word(".calltargets") => {
                self.advance();
                let mut labels = vec![self.word()?];
                while self.accept(b',') {
                    labels.push(self.word()?);
                }
                body.callees.push(Targets { name, labels });
                self.require(b';')
            }
            _ => {
                let at = body.instructions.len() as u32;
                body.labels.push(Label { name, scope, at, line: self.line() });
                Ok(())
            }
        }
    }

    fn instruction(
        &mut self,
        guard: Option<(&'s str, bool)>,
        location: u32,
        scope: u32,
    ) -> Result<Instruction<'s>, ParseError> {
        let line = self.line();
        let opcode = self.word()?;
        let mut operands = Vec::new();
        self.is_call = opcode == "call" || opcode.starts_with("call.");
        while !self.accept(b';') {
            if !operands.is_empty() {
                self.require(b',')?;
            }
            operands.push(self.operand(0)?);
        }
        Ok(Instruction { guard, opcode, operands, line, location, scope })
    }

    /// Parses a place in the source, behind `.loc`: `file line column`, and where it was inlined, which
    /// isn't kept.
    pub(super) fn location(&mut self) -> Result<u32, ParseError> {
        let mut parts = [0_u32; 3];
        for part in &mut parts {
            *part = match self.number()? {
                Number::Integer(value) => u32::try_from(value).unwrap_or(0),
                _ => return Err(self.error("a `.loc` with something else than integers")),
            };
        }
        if self.accept(b',') {
            self.require_word("function_name")?;
            self.operand(0)?;
            self.require(b',')?;
            self.require_word("inlined_at")?;
            for _ in 0..3 {
                self.number()?;
            }
        }
        // Line 0 stands for code that no line of the source asked for.
        if parts[1] == 0 {
            return Ok(0);
        }
        Ok(self.add_location(Location { file: parts[0], line: parts[1], column: parts[2] }))
    }
}
