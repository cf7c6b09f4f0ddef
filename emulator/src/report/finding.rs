//! One thing that a check found.

use std::fmt;

/// A place in the source that was compiled to PTX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file, as the compiler wrote it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

/// Which memory an access was to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Space {
    /// A device's memory, with constants and mapped host memory.
    Global,
    /// A workgroup's memory.
    Shared,
    /// A thread's memory.
    Local,
    /// The parameters of the launch.
    Parameter,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Global => "global",
            Self::Shared => "workgroup",
            Self::Local => "local",
            Self::Parameter => "parameter",
        })
    }
}

/// An allocation near an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// Where the allocation begins.
    pub address: u64,
    /// The allocation's size in bytes.
    pub bytes: u64,
    /// The allocation's name, if it is a variable of a module.
    pub name: Option<String>,
}

/// An access to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryAccess {
    /// The memory's kind.
    pub space: Space,
    /// The address; in workgroup, local and parameter memory an offset.
    pub address: u64,
    /// The size in bytes.
    pub size: u32,
    /// Whether the access was a write.
    pub is_write: bool,
    /// The allocation that holds the address, or else the nearest. In workgroup and local memory, and for parameters, all of it.
    pub nearest: Option<Allocation>,
}

impl fmt::Display for MemoryAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { space, address, size, is_write, nearest } = self;
        let verb = if *is_write { "write" } else { "read" };
        write!(f, "{verb} of {size} bytes at {address:#x} of {space} memory")?;
        let Some(Allocation { address: start, bytes, name }) = nearest else { return Ok(()) };
        let name = name.as_deref().map(|name| format!(" of `{name}`")).unwrap_or_default();
        let end = start.saturating_add(*bytes);
        if address < start {
            write!(f, ", {} bytes in front of the {bytes}{name} at {start:#x}", start - address)
        } else if *address >= end {
            write!(f, ", {} bytes behind the end of the {bytes}{name} at {start:#x}", address - end)
        } else {
            write!(f, ", byte {} of the {bytes}{name} at {start:#x}", address - start)
        }
    }
}

/// The other thread of a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// The thread's workgroup.
    pub group: [u32; 3],
    /// The thread in its workgroup.
    pub thread: [u32; 3],
    /// The line of the PTX that it was at.
    pub line: u32,
    /// Where that line came from.
    pub source: Option<SourceLocation>,
    /// Whether the access was a write.
    pub is_write: bool,
    /// Whether the access was atomic, or of a form that doesn't race with atomics.
    pub is_atomic: bool,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingKind {
    /// An access outside of all allocations. Ends the launch.
    OutOfBounds(MemoryAccess),
    /// An address that isn't a multiple of the size. Ends the launch.
    Misaligned(MemoryAccess),
    /// An access to memory that was freed. Ends the launch.
    UseAfterFree(MemoryAccess),
    /// An access to the workgroup memory of a group of the cluster that has ended. Ends the launch.
    GroupEnded {
        /// An offset in that group's memory.
        access: MemoryAccess,
        /// The group that has ended.
        group: [u32; 3],
    },
    /// A write to constants. Ends the launch.
    ReadOnly(MemoryAccess),
    /// A read of memory that nothing wrote.
    Uninitialised(MemoryAccess),
    /// Two threads accessed the same memory, one of them wrote, and nothing ordered them.
    Race {
        /// The later of the two accesses.
        access: MemoryAccess,
        /// Whether the access was atomic, or of a form that doesn't race with atomics.
        is_atomic: bool,
        /// The thread of the earlier access.
        other: Box<Party>,
    },
    /// A barrier of aligned form was reached by the lanes of one warp at different instructions.
    DivergentBarrier {
        /// The line of the PTX that other lanes of the warp were at.
        other_line: u32,
    },
    /// An operation on matrices needs lanes that have exited.
    ExitedMembers {
        /// The members that the operation names, one bit a lane.
        members: u32,
        /// One bit for each named lane that has exited.
        exited: u32,
    },
    /// A lane executes an operation of a warp whose members don't name it.
    NotAMember {
        /// The members that the operation names, one bit a lane.
        members: u32,
    },
    /// A shuffle read from a lane that didn't take part, or has exited.
    InactiveSource {
        /// The lane.
        lane: u32,
    },
    /// An integer was divided by zero, and the quotient or the remainder was used. The place is that of the division.
    DivisionByZero,
    /// No thread can go on: each waits for others. Ends the launch.
    Deadlock {
        /// Up to four lines of the PTX that threads wait at, and how many wait there.
        waiting: Vec<(u32, u32)>,
    },
    /// The kernel executed `trap`. Ends the launch.
    Trap,
    /// The kernel executed `brkpt`. Ends the launch.
    Breakpoint,
    /// `__assertfail` was called. Ends the launch.
    Assertion {
        /// What the kernel says failed, with its file and line.
        message: String,
    },
    /// A call of an address that isn't a function's, or whose parameters differ. Ends the launch.
    IllegalCall {
        /// The address that was called.
        address: u64,
    },
    /// More local memory than the launch allows a thread. Ends the launch.
    StackOverflow {
        /// Bytes that a thread may have.
        limit: u64,
    },
    /// A kernel was given a number that isn't the texture or the surface that it takes. Ends the launch.
    TextureObject {
        /// The number that was given.
        object: u64,
        /// What is wrong with the number.
        problem: &'static str,
    },
    /// An access beyond a surface's edges, or at a byte that isn't a multiple of its size. Ends the launch.
    OutsideSurface {
        /// The column in bytes, the row, and the plane or layer.
        at: [i32; 3],
        /// Width, height, and depth or layers, in texels.
        extent: [u32; 3],
    },
    /// A barrier in workgroup memory (`mbarrier`), or a bulk copy that it counts, was used against its rules. Ends the launch.
    Mbarrier {
        /// An offset in workgroup memory.
        address: u64,
        /// What is wrong.
        problem: &'static str,
    },
    /// A copy was given the address of a map of a tensor where there is none that the driver encoded, or a kernel wrote to one what it
    /// can't have. Ends the launch.
    TensorMap {
        /// The map's address.
        address: u64,
    },
    /// A group ended while a bulk copy to its memory was on its way.
    CopyOutlivesGroup {
        /// The bytes of the copy.
        bytes: u64,
    },
    /// A warp executed more instructions than the launch allows. Ends the launch.
    InstructionLimit {
        /// Instructions of one warp.
        limit: u64,
    },
}

impl FindingKind {
    /// A short name: findings of one name at one instruction are counted together.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::OutOfBounds(_) => "out of bounds",
            Self::Misaligned(_) => "misaligned",
            Self::UseAfterFree(_) => "use after free",
            Self::GroupEnded { .. } => "group ended",
            Self::ReadOnly(_) => "write to constants",
            Self::Uninitialised(_) => "uninitialised",
            Self::Race { .. } => "race",
            Self::DivergentBarrier { .. } => "divergent barrier",
            Self::ExitedMembers { .. } => "exited members",
            Self::NotAMember { .. } => "not a member",
            Self::InactiveSource { .. } => "inactive source",
            Self::DivisionByZero => "division by zero",
            Self::Deadlock { .. } => "deadlock",
            Self::Trap => "trap",
            Self::Breakpoint => "breakpoint",
            Self::Assertion { .. } => "assertion",
            Self::IllegalCall { .. } => "illegal call",
            Self::StackOverflow { .. } => "stack overflow",
            Self::TextureObject { .. } => "wrong texture or surface",
            Self::OutsideSurface { .. } => "outside of a surface",
            Self::Mbarrier { .. } => "misused mbarrier",
            Self::TensorMap { .. } => "wrong tensor map",
            Self::CopyOutlivesGroup { .. } => "copy outlives its group",
            Self::InstructionLimit { .. } => "instruction limit",
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfBounds(access) => write!(f, "out of bounds: {access}"),
            Self::Misaligned(access) => write!(f, "misaligned: {access}"),
            Self::UseAfterFree(access) => write!(f, "use after free: {access}"),
            Self::GroupEnded { access, group } => {
                write!(f, "group {}, whose memory it is, has ended: {access}", Position(*group))
            }
            Self::ReadOnly(access) => write!(f, "write to constants: {access}"),
            Self::Uninitialised(access) => write!(f, "nothing wrote it before: {access}"),
            Self::Race { access, other, .. } => {
                let verb = if other.is_write { "write" } else { "read" };
                let (group, thread) = (Position(other.group), Position(other.thread));
                write!(f, "race: {access}, with the {verb} by group {group}, thread {thread}, at ")?;
                place(f, other.line, other.source.as_ref())
            }
            Self::DivergentBarrier { other_line } => {
                write!(f, "other lanes of the warp wait at a barrier at line {other_line} of the PTX")
            }
            Self::ExitedMembers { members, exited } => {
                write!(f, "members {members:#010x} name lanes that have exited: {exited:#010x}")
            }
            Self::NotAMember { members } => write!(f, "this lane isn't named by its members {members:#010x}"),
            Self::InactiveSource { lane } => write!(f, "shuffle from lane {lane}, which takes no part"),
            Self::DivisionByZero => f.write_str("integer division by zero"),
            Self::Deadlock { waiting } => {
                f.write_str("deadlock: ")?;
                for (number, (line, threads)) in waiting.iter().enumerate() {
                    let comma = if number > 0 { ", " } else { "" };
                    write!(f, "{comma}{threads} threads wait at line {line} of the PTX")?;
                }
                Ok(())
            }
            Self::Trap => f.write_str("trap"),
            Self::Breakpoint => f.write_str("breakpoint"),
            Self::Assertion { message } => write!(f, "assertion failed: {message}"),
            Self::IllegalCall { address } => {
                write!(f, "call of {address:#x}, which isn't a function of this form")
            }
            Self::StackOverflow { limit } => write!(f, "more than {limit} bytes of local memory"),
            Self::TextureObject { object, problem } => {
                write!(f, "the number {object:#x} of a texture or surface: {problem}")
            }
            Self::OutsideSurface { at: [x, y, z], extent: [width, height, depth] } => write!(
                f,
                "an access at byte {x}, row {y}, plane {z} of a surface of {width} by {height} by {depth} texels"
            ),
            Self::Mbarrier { address, problem } => {
                write!(f, "the barrier at {address:#x} of workgroup memory: {problem}")
            }
            Self::TensorMap { address } => {
                write!(
                    f,
                    "what is at {address:#x} isn't a tensor's map that the driver encoded, or can't be one"
                )
            }
            Self::CopyOutlivesGroup { bytes } => {
                write!(f, "the group ends while a copy of {bytes} bytes to its memory is on its way")
            }
            Self::InstructionLimit { limit } => write!(f, "a warp executed more than {limit} instructions"),
        }
    }
}

/// A finding: what, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was found.
    pub kind: FindingKind,
    /// The entry that was launched.
    pub kernel: String,
    /// The line of the PTX, from 1.
    pub line: u32,
    /// Where that line came from, if the PTX says.
    pub source: Option<SourceLocation>,
    /// The workgroup.
    pub group: [u32; 3],
    /// The thread in its workgroup.
    pub thread: [u32; 3],
    /// How often the finding was seen at this instruction.
    pub count: u64,
}

struct Position([u32; 3]);

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x}, {y}, {z})")
    }
}

fn place(f: &mut fmt::Formatter<'_>, line: u32, source: Option<&SourceLocation>) -> fmt::Result {
    write!(f, "line {line} of the PTX")?;
    match source {
        Some(source) => write!(f, " ({}:{}:{})", source.file, source.line, source.column),
        None => Ok(()),
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in `{}` at ", self.kind, self.kernel)?;
        place(f, self.line, self.source.as_ref())?;
        write!(f, ", group {}, thread {}", Position(self.group), Position(self.thread))?;
        if self.count > 1 { write!(f, ", {} times", self.count) } else { Ok(()) }
    }
}
