//! `tensix.program`: the code of a tile's five RISC-V cores, with control flow.
//!
//! Checked by the verifiers: a region holds what its core can do; control flow is structured and
//! over 32-bit integers, constants fit into 32 bits; instructions and their operands exist; tensors
//! exist; core B releases the other cores once, and pushes only before that; constant operands
//! respect their limits. Not checked: properties that depend on execution. The code generator
//! checks the limits of other operands ([`limit`]).

use super::{
    arch, below, field, instruction_op, number, row, unsigned, word, AliasOp, ArgumentOp, AwaitOp,
    BroadcastOp, ClusterOp, CompiledOp, CountOp, LoadL1Op, NocMoveOp, NocOp, NocPostOp, NocReadOp,
    NocSendOp, NocWaitOp, NocWriteOp, PostOp, ProgramOp, PushOp, ReleaseOp, SettleL1Op, StoreL1Op,
    StoreMopCfgOp, THREAD_OPS,
};
use crate::arith::ConstantOp;
use crate::mlir::attribute_key::{AttributeKey, Int};
use crate::mlir::{
    AttributeValue, Location, NamedOp, NewOp, Op, OpView, Rewriter, Scalar, ScalarType, Sign, Type,
    Value, WalkOrder,
};
use crate::scf::{ForOp, IfOp, YieldOp};
use std::fmt;
pub use tessera_isa_tensix::tile::Argument;
use tessera_isa_tensix::worker_grid::GROUPS;
use tessera_isa_tensix::{noc, tile, Arch, Field, Instruction};

/// Operations that are allowed in programs only.
pub(super) const OPS: [&str; 12] = [
    PushOp::NAME,
    ArgumentOp::NAME,
    AwaitOp::NAME,
    NocReadOp::NAME,
    NocWriteOp::NAME,
    NocSendOp::NAME,
    NocPostOp::NAME,
    NocWaitOp::NAME,
    LoadL1Op::NAME,
    StoreL1Op::NAME,
    SettleL1Op::NAME,
    ReleaseOp::NAME,
];
/// The cores, in the order of their regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Core {
    /// T0.
    Unpack,
    /// T1.
    Math,
    /// T2.
    Pack,
    /// NC.
    Read,
    /// B.
    Write,
}

impl Core {
    /// Every core, in the order of their regions.
    pub const ALL: [Core; 5] = [
        Core::Unpack,
        Core::Math,
        Core::Pack,
        Core::Read,
        Core::Write,
    ];

    /// Returns its index in [`tile::CORES`].
    pub fn number(self) -> usize {
        match self {
            Core::Unpack => tile::B + 1,
            Core::Math => tile::B + 2,
            Core::Pack => tile::B + 3,
            Core::Read => tile::NC,
            Core::Write => tile::B,
        }
    }

    /// Returns its NoC initiator, if it has one.
    pub fn initiator(self) -> Option<u32> {
        match self {
            Core::Write => Some(0),
            Core::Read => Some(1),
            Core::Pack => Some(2),
            Core::Unpack => Some(3),
            Core::Math => None,
        }
    }

    /// Returns whether it controls a thread of the coprocessor.
    pub fn has_thread(self) -> bool {
        matches!(self, Core::Unpack | Core::Math | Core::Pack)
    }
}

impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Core::Unpack => "unpack",
            Core::Math => "math",
            Core::Pack => "pack",
            Core::Read => "read",
            Core::Write => "write",
        })
    }
}

/// The kinds of arguments that have a number.
const NUMBERED: [&str; 9] = [
    "base", "imm", "peer", "passes", "extent", "place", "leads", "leader", "group",
];

/// Returns the kind of a `tensix.argument`.
///
/// # Errors
/// The error message of the verifier.
pub fn argument(op: ArgumentOp) -> Result<Argument, String> {
    let kind = op.kind().unwrap_or_default();
    let value = ArgumentOp::NUMBER.attribute(*op);
    let value = value.map(|value| unsigned(kind, value)).transpose()?;
    match (kind, value) {
        ("base", Some(tensor)) => Ok(Argument::Base(tensor)),
        ("imm", Some(value)) => Ok(Argument::Imm(value)),
        ("peer", Some(tile)) => Ok(Argument::Peer(tile)),
        ("passes", Some(axis)) => Ok(Argument::Passes(axis)),
        ("extent", Some(axis)) => Ok(Argument::Extent(axis)),
        ("place", Some(axis)) => Ok(Argument::Place(axis)),
        ("leads", Some(group)) => Ok(Argument::Leads(group)),
        ("leader", Some(group)) => Ok(Argument::Leader(group)),
        ("group", Some(group)) => Ok(Argument::Group(group)),
        ("first", None) => Ok(Argument::First),
        ("last", None) => Ok(Argument::Last),
        ("first" | "last", Some(_)) => Err(format!("'{kind}' takes no number")),
        _ if NUMBERED.contains(&kind) => Err(format!("'{kind}' requires a number")),
        _ => Err(format!(
            "has no kind '{kind}'; there are {}, first and last",
            NUMBERED.join(", ")
        )),
    }
}

/// Position of an operation in a program.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The program.
    pub program: ProgramOp<'a>,
    /// The core whose region contains it.
    pub core: Core,
    /// The top-level operation of that region that is, or contains, the operation.
    pub outermost: Op<'a>,
}

impl<'a> Position<'a> {
    /// Returns the position of an operation, or `None` outside programs.
    pub fn find(op: Op<'a>) -> Option<Self> {
        let mut outermost = op;
        let program = loop {
            let parent = outermost.parent()?;
            if let Some(program) = parent.dyn_cast::<ProgramOp>() {
                break program;
            }
            outermost = parent;
        };
        let block = outermost.block();
        let region = program
            .regions()
            .into_iter()
            .position(|region| region.blocks().first().copied() == block)?;
        let core = Core::ALL.get(region).copied()?;
        Some(Self {
            program,
            core,
            outermost,
        })
    }
}

/// Verifies `tensix.program`.
pub(super) fn verify(program: ProgramOp) -> Result<(), String> {
    let arch = program.arch().unwrap_or_default();
    arch.parse::<Arch>().map_err(|error| error.to_string())?;
    number(*program, ProgramOp::ARGUMENTS)?;
    if number(*program, ProgramOp::WORK)? == 0 {
        return Err("work is 0; expects at least 1".into());
    }
    grid(program)?;
    super::require_implemented(CompiledOp::view(*program))?;
    let releases = program
        .children()
        .into_iter()
        .filter(|op| op.isa::<ReleaseOp>());
    match releases.count() {
        1 => {}
        0 => {
            return Err("has no tensix.release in write; the other cores would never start".into())
        }
        count => {
            return Err(format!(
                "has {count} tensix.release; the other cores start once"
            ))
        }
    }
    program
        .walk(WalkOrder::Pre)
        .into_iter()
        .skip(1)
        .try_for_each(require_known)
}

/// Checks that a program may contain an operation.
fn require_known(op: Op) -> Result<(), String> {
    let name = op.name();
    if name.starts_with("tensix.") {
        return Ok(());
    }
    let place = || {
        let place = op.place();
        place
            .map(|place| format!(" (at {place})"))
            .unwrap_or_default()
    };
    let control = matches!(name, ForOp::NAME | IfOp::NAME | YieldOp::NAME);
    if !control && !name.starts_with("arith.") {
        return Err(format!(
            "contains '{name}'; a program is made of tensix and arith operations, scf.for and scf.if{}",
            place()
        ));
    }
    let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
    let arguments = blocks.flat_map(|block| block.arguments());
    let values = op.operands().into_iter().chain(op.results());
    for r#type in values.chain(arguments).map(Value::r#type) {
        if !is_number(r#type) {
            return Err(format!(
                "contains '{name}' on {type}; the cores compute with index and i32, which have 32 bits, and i1{}",
                place()
            ));
        }
    }
    if let Some(constant) = op.dyn_cast::<ConstantOp>() {
        let value = constant.value().and_then(AttributeValue::integer);
        let fits = value.is_some_and(|value| (i32::MIN.into()..=u32::MAX.into()).contains(&value));
        if !fits {
            return Err(format!(
                "contains a constant that does not fit into 32 bits{}",
                place()
            ));
        }
    }
    Ok(())
}

/// Returns whether the cores can compute with values of a type.
fn is_number(r#type: Type) -> bool {
    match r#type.scalar() {
        Some(Scalar::Index) => true,
        Some(Scalar::Integer { width, sign }) => matches!(width, 1 | 32) && sign == Sign::Signless,
        _ => false,
    }
}

/// Verifies a tensix operation inside a program.
pub(super) fn verify_op(op: Op, at: Position) -> Result<(), String> {
    verify_alone(op, at)?;
    require_within_limit(op)
}

fn verify_alone(op: Op, at: Position) -> Result<(), String> {
    let name = op.name();
    if THREAD_OPS.contains(&name) {
        require_thread(at)?;
        return super::entry(op).map(drop);
    }
    match name {
        PushOp::NAME => {
            push(PushOp::view(op))?;
            require_pushes(at)
        }
        ArgumentOp::NAME => match argument(ArgumentOp::view(op))? {
            Argument::Base(tensor) => {
                let tensors = number(*at.program, ProgramOp::ARGUMENTS)?;
                if tensor >= tensors {
                    return Err(format!(
                        "is where tensor {tensor} begins, but the program has only {tensors}"
                    ));
                }
                Ok(())
            }
            Argument::Passes(axis)
            | Argument::Extent(axis)
            | Argument::Place(axis)
            | Argument::Leads(axis)
            | Argument::Leader(axis)
            | Argument::Group(axis) => {
                if at.program.grid().is_none() {
                    return Err("concerns a grid of tiles, but the program has no grid".into());
                }
                if axis as usize >= GROUPS {
                    return Err(format!("is of axis {axis}, but a grid has axes 0 and 1"));
                }
                Ok(())
            }
            Argument::Imm(_) | Argument::First | Argument::Last | Argument::Peer(_) => Ok(()),
        },
        PostOp::NAME | AwaitOp::NAME => control_line(op).map(drop),
        NocReadOp::NAME | NocWriteOp::NAME => {
            require_noc(op, at)?;
            page_bytes(op)?;
            moved_bytes(op).map(drop)
        }
        NocSendOp::NAME => {
            require_noc(op, at)?;
            page_bytes(op).map(drop)
        }
        NocPostOp::NAME => {
            require_noc(op, at)?;
            control_line(op).map(drop)
        }
        NocWaitOp::NAME => require_noc(op, at),
        LoadL1Op::NAME | StoreL1Op::NAME => l1_bytes(op).map(drop),
        SettleL1Op::NAME => Ok(()),
        ReleaseOp::NAME => require_boot(op, at),
        _ if row(name).is_some() => {
            super::entry(op)?;
            require_pushes(at)
        }
        _ => Err("is in a 'tensix.program', but belongs to the lists of a 'tensix.kernel'".into()),
    }
}

/// Checks that a constant operand does not exceed its limit.
fn require_within_limit(op: Op) -> Result<(), String> {
    let Some(limit) = limit(op)? else {
        return Ok(());
    };
    let constant = op.operand(limit.operand).and_then(Value::defining_op);
    let constant = constant.and_then(Op::dyn_cast::<ConstantOp>);
    let value = constant.and_then(|constant| constant.value()?.integer());
    match value {
        Some(value) if !(0..=limit.most.into()).contains(&value) => Err(limit.exceeded_by(value)),
        _ => Ok(()),
    }
}

fn require_thread(at: Position) -> Result<(), String> {
    if at.core.has_thread() {
        return Ok(());
    }
    Err(format!(
        "is in {}, but only the cores of unpack, math and pack have a thread of the coprocessor",
        at.core
    ))
}

/// Checks that a core can push instructions at a position: core B only while it owns thread 0.
fn require_pushes(at: Position) -> Result<(), String> {
    if at.core != Core::Write {
        return require_thread(at);
    }
    let released_later =
        std::iter::successors(Some(at.outermost), |op| op.next()).any(|op| op.isa::<ReleaseOp>());
    if released_later {
        return Ok(());
    }
    Err("is after tensix.release, where thread 0 is no longer that of write".into())
}

fn require_noc(op: Op, at: Position) -> Result<(), String> {
    noc(op)?;
    if at.core.initiator().is_some() {
        return Ok(());
    }
    Err(format!(
        "is in {}, whose core has no initiator of the NoC; the others have one each",
        at.core
    ))
}

fn require_boot(op: Op, at: Position) -> Result<(), String> {
    if at.core == Core::Write && at.outermost == op {
        return Ok(());
    }
    Err("must be in write, outside of loops and branches".into())
}

/// Returns the L1 address of the counter of a `tensix.post`, `tensix.await` or `tensix.noc_post`.
///
/// # Errors
/// The error message of the verifier.
pub fn control_line(op: Op) -> Result<u32, String> {
    let lines = tile::LINES.len() as u32 / tile::LINE;
    Ok(tile::LINES.start + tile::LINE * below(op, CountOp::COUNTER, lines)?)
}

/// Returns the page size of a `tensix.noc_read` or `tensix.noc_write`, or the bytes that a
/// `tensix.noc_send` moves.
///
/// # Errors
/// The error message of the verifier.
pub fn page_bytes(op: Op) -> Result<u32, String> {
    aligned_bytes(op, NocMoveOp::BYTES, noc::LONGEST)
}

/// Returns the bytes that a `tensix.noc_read` or `tensix.noc_write` moves: the page, or the part of
/// it with the given length.
///
/// # Errors
/// The error message of the verifier.
pub fn moved_bytes(op: Op) -> Result<u32, String> {
    let page = page_bytes(op)?;
    match NocReadOp::LENGTH.attribute(op) {
        None => Ok(page),
        Some(_) => aligned_bytes(op, NocReadOp::LENGTH, page),
    }
}

/// Returns a number of bytes that the NoC can move, at most `most`.
fn aligned_bytes(op: Op, key: AttributeKey<Int<32>>, most: u32) -> Result<u32, String> {
    let bytes = below(op, key, most + 1)?;
    if bytes == 0 || bytes % noc::ALIGNMENT != 0 {
        let (name, alignment) = (key.name(), noc::ALIGNMENT);
        return Err(format!(
            "{name} is {bytes}, but must be a multiple of {alignment}"
        ));
    }
    Ok(bytes)
}

/// Returns the number of the NoC of a `tensix.noc_*` operation.
///
/// # Errors
/// The error message of the verifier.
pub fn noc(op: Op) -> Result<u32, String> {
    match NocOp::NOC.attribute(op) {
        None => Ok(0),
        Some(_) => below(op, NocOp::NOC, noc::NOCS),
    }
}

/// Returns whether a `tensix.noc_send` or `tensix.noc_post` goes to a group of tiles.
pub fn is_broadcast(op: Op) -> bool {
    BroadcastOp::BROADCAST.attribute(op).is_some()
}

/// Returns rows and columns of the grid of pieces of a program, if it has one.
///
/// # Errors
/// The error message of the verifier.
pub fn grid(program: ProgramOp) -> Result<Option<[u32; 2]>, String> {
    let Some(grid) = program.grid() else {
        return Ok(None);
    };
    let extents: Vec<u32> = grid.iter().filter_map(|k| u32::try_from(*k).ok()).collect();
    let work = number(*program, ProgramOp::WORK)?;
    match extents[..] {
        [rows, columns]
            if rows
                .checked_mul(columns)
                .is_some_and(|of| of > 0 && work % of == 0) =>
        {
            Ok(Some([rows, columns]))
        }
        _ => Err(format!(
            "has grid {grid:?}, but expects rows and columns of pieces, whose product divides the \
             work {work}"
        )),
    }
}

/// Returns the bytes that a `tensix.load_l1` or `tensix.store_l1` moves.
///
/// # Errors
/// The error message of the verifier.
pub fn l1_bytes(op: Op) -> Result<u32, String> {
    match number(op, LoadL1Op::BYTES)? {
        bytes @ (2 | 4) => Ok(bytes),
        bytes => Err(format!("bytes is {bytes}, but must be 2 or 4")),
    }
}

/// Transactions of each core.
pub const TRANSACTIONS: u32 = noc::TRANSACTIONS / 4;

/// The maximum of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit<'a> {
    /// The index of the operand.
    pub operand: usize,
    /// Its name, for messages.
    pub name: &'a str,
    /// Its maximum.
    pub most: u32,
}

impl Limit<'_> {
    /// Returns the error message for values out of range.
    pub fn exceeded_by(&self, values: impl fmt::Display) -> String {
        let Limit { name, most, .. } = self;
        format!("{name} would be {values}, but must be 0 to {most}")
    }
}

/// Returns the limited operand of an operation, if it has one. A larger value would be truncated,
/// or would access a resource of another core.
///
/// # Errors
/// The error message of the verifier.
pub fn limit(op: Op) -> Result<Option<Limit>, String> {
    let transaction = |operand| Limit {
        operand,
        name: "transaction",
        most: TRANSACTIONS - 1,
    };
    Ok(Some(match op.name() {
        PushOp::NAME => {
            let op = PushOp::view(op);
            Limit {
                operand: 0,
                name: op.field().unwrap_or_default(),
                most: push(op)?.most,
            }
        }
        NocReadOp::NAME | NocWriteOp::NAME | NocSendOp::NAME => transaction(3),
        NocPostOp::NAME => transaction(1),
        NocWaitOp::NAME => transaction(0),
        _ => return Ok(None),
    }))
}

/// The instruction word of a `tensix.push`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// The word with zero in the computed field.
    pub word: u32,
    /// The lowest bit of the computed field.
    pub low: u32,
    /// Its maximum.
    pub most: u32,
}

/// Returns the instruction word of a `tensix.push`.
///
/// # Errors
/// The error message of the verifier.
pub fn push(op: PushOp) -> Result<Push, String> {
    let name = op.instruction().unwrap_or_default();
    let row = row(&format!("tensix.{name}"))
        .filter(|row| row.mnemonic.to_ascii_lowercase() == name)
        .ok_or_else(|| format!("unknown instruction '{name}'"))?;
    let computed = op.field().unwrap_or_default();
    let arch = arch(*op);
    let fields: Vec<_> = computed
        .split('.')
        .map(|name| field(row, arch, name))
        .collect::<Result<_, _>>()?;
    let (low, holds) = adjacent(&fields)?;
    let constants = op.constants().unwrap_or_default();
    let is_computed = |name: &str| fields.iter().any(|field| field.name == name);
    if let Some((name, _)) = constants.iter().find(|(name, _)| is_computed(name)) {
        return Err(format!("operand '{name}' is both computed and constant"));
    }
    let word = word(row, arch, &constants)?;
    let most = match PushOp::BELOW.attribute(*op) {
        None => holds,
        Some(below) => match unsigned(PushOp::BELOW.name(), below)? {
            0 => return Err("below is 0; expects a positive bound".into()),
            below if below - 1 > holds => {
                return Err(format!(
                    "below is {below}, but {computed} holds 0 to {holds}"
                ))
            }
            below => below - 1,
        },
    };
    Ok(Push { word, low, most })
}

/// Returns the lowest bit and the maximum of adjacent fields, which are given from the highest to
/// the lowest.
fn adjacent(fields: &[&Field]) -> Result<(u32, u32), String> {
    for pair in fields.windows(2) {
        let [above, below] = [pair[0], pair[1]];
        if above.low != below.low + below.width {
            return Err(format!(
                "'{}' is not directly above '{}'; they are bits {} and {}",
                above.name,
                below.name,
                above.bits(),
                below.bits()
            ));
        }
    }
    let low = fields.last().map_or(0, |field| field.low);
    let width: u32 = fields.iter().map(|field| field.width).sum();
    Ok((low, (1 << width) - 1))
}

/// Returns the instruction that an operation pushes, if it has no computed operands.
pub fn constant_instruction(op: Op) -> Option<Instruction> {
    let row = row(op.name())?;
    let arch = arch(op);
    let word = word(row, arch, &op.attributes()).ok()?;
    Instruction::decode(arch, word).ok()
}

/// Builder of program operations, which passes insert.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    location: Location<'a>,
}

impl<'r, 'a> Builder<'r, 'a> {
    /// Returns a builder of operations at a location.
    pub fn new(rewriter: &'r Rewriter<'a>, location: Location<'a>) -> Self {
        Self { rewriter, location }
    }

    /// Returns a program with empty regions.
    pub fn program(
        self,
        name: &str,
        implements: &str,
        arch: Arch,
        (arguments, work): (u32, u32),
        grid: Option<[u32; 2]>,
    ) -> NewOp<'a> {
        let context = self.rewriter.context();
        let mut program = ProgramOp::build(self.location)
            .with(context, ProgramOp::SYM_NAME, name)
            .with(context, ProgramOp::IMPLEMENTS, implements)
            .with(context, ProgramOp::ARCH, arch.name())
            .with(context, ProgramOp::ARGUMENTS, arguments.into())
            .with(context, ProgramOp::WORK, work.into());
        if let Some(grid) = grid {
            program = program.with(context, ProgramOp::GRID, &grid.map(i64::from)[..]);
        }
        Core::ALL.iter().fold(program, |op, _| op.region([]))
    }

    /// Returns a `tensix.alias` of existing code.
    pub fn alias(self, name: &str, implements: &str, code: &str) -> NewOp<'a> {
        let context = self.rewriter.context();
        AliasOp::build(self.location)
            .with(context, AliasOp::SYM_NAME, name)
            .with(context, AliasOp::IMPLEMENTS, implements)
            .with(context, AliasOp::CODE, code)
    }

    /// Returns a cluster of programs, with its rings (see [`super::cluster`]).
    pub fn cluster(
        self,
        name: &str,
        implements: &str,
        arch: Arch,
        (arguments, work): (u32, u32),
        (tiles, rings): (&[String], &[[u32; 4]]),
    ) -> NewOp<'a> {
        let context = self.rewriter.context();
        let tiles: Vec<&str> = tiles.iter().map(String::as_str).collect();
        let ring =
            |ring: &[u32; 4]| context.array_attribute(&ring.map(|number| self.integer(64, number)));
        let rings: Vec<_> = rings.iter().map(ring).collect();
        ClusterOp::build(self.location)
            .with(context, ClusterOp::SYM_NAME, name)
            .with(context, ClusterOp::IMPLEMENTS, implements)
            .with(context, ClusterOp::ARCH, arch.name())
            .with(context, ClusterOp::ARGUMENTS, arguments.into())
            .with(context, ClusterOp::WORK, work.into())
            .with(context, ClusterOp::TILES, &tiles)
            .with(context, ClusterOp::RINGS, &rings)
    }

    /// Returns the operation of an instruction.
    pub fn instruction(self, instruction: impl Into<Instruction>) -> NewOp<'a> {
        instruction_op(self.rewriter, self.location, instruction.into())
    }

    /// Creates `tensix.store_mop_cfg`.
    pub fn store_mop_cfg(self, index: u8, value: u32) -> NewOp<'a> {
        let context = self.rewriter.context();
        StoreMopCfgOp::build(self.location)
            .with(context, StoreMopCfgOp::INDEX, index.into())
            .with(context, StoreMopCfgOp::VALUE, value.into())
    }

    /// Creates `tensix.push` of a value that is less than `below`; the other operands are
    /// constants.
    pub fn push(
        self,
        instruction: &str,
        field: &str,
        (value, below): (Value<'a>, u32),
        constants: &[(&str, u32)],
    ) -> NewOp<'a> {
        let context = self.rewriter.context();
        let constants: Vec<_> = constants
            .iter()
            .map(|&(name, value)| (name, self.integer(64, value)))
            .collect();
        let push = PushOp::build(self.location)
            .operands([value])
            .with(context, PushOp::INSTRUCTION, instruction)
            .with(context, PushOp::FIELD, field)
            .with(context, PushOp::BELOW, below.into());
        if constants.is_empty() {
            return push;
        }
        push.with(context, PushOp::CONSTANTS, &constants)
    }

    /// Creates `tensix.argument`.
    pub fn argument(self, argument: Argument) -> NewOp<'a> {
        let (kind, number) = argument.parts();
        let context = self.rewriter.context();
        let op = ArgumentOp::build(self.location)
            .results([context.index()])
            .with(context, ArgumentOp::KIND, kind);
        match number {
            Some(number) => op.with(context, ArgumentOp::NUMBER, number.into()),
            None => op,
        }
    }

    /// Creates `tensix.post`.
    pub fn post(self, counter: u16) -> NewOp<'a> {
        let context = self.rewriter.context();
        PostOp::build(self.location).with(context, PostOp::COUNTER, counter.into())
    }

    /// Creates `tensix.await`.
    pub fn r#await(self, counter: u16, at_least: Value<'a>) -> NewOp<'a> {
        let context = self.rewriter.context();
        AwaitOp::build(self.location).operands([at_least]).with(
            context,
            AwaitOp::COUNTER,
            counter.into(),
        )
    }

    /// Creates `tensix.noc_read`.
    pub fn noc_read(self, operands: PageMove<'a>) -> NewOp<'a> {
        self.page_move(NocReadOp::build(self.location), operands)
    }

    /// Creates `tensix.noc_write`.
    pub fn noc_write(self, operands: PageMove<'a>) -> NewOp<'a> {
        self.page_move(NocWriteOp::build(self.location), operands)
    }

    fn page_move(self, op: NewOp<'a>, operands: PageMove<'a>) -> NewOp<'a> {
        let PageMove {
            page,
            base,
            bytes,
            length,
            l1,
            transaction,
            noc,
        } = operands;
        let context = self.rewriter.context();
        let op = op.operands([page, base, l1, transaction]);
        let op = op.with(context, NocMoveOp::BYTES, bytes.into());
        let op = match length {
            None => op,
            Some(length) => op.with(context, NocReadOp::LENGTH, length.into()),
        };
        self.on_noc(op, noc)
    }

    /// Sets the NoC of an operation.
    fn on_noc(self, op: NewOp<'a>, noc: u32) -> NewOp<'a> {
        match noc {
            0 => op,
            noc => op.with(self.rewriter.context(), NocOp::NOC, noc.into()),
        }
    }

    /// Creates `tensix.noc_send`.
    pub fn noc_send(
        self,
        bytes: u32,
        from: Value<'a>,
        to: Value<'a>,
        peer: Value<'a>,
        transaction: Value<'a>,
    ) -> NewOp<'a> {
        NocSendOp::build(self.location)
            .operands([from, to, peer, transaction])
            .with(self.rewriter.context(), NocSendOp::BYTES, bytes.into())
    }

    /// Creates `tensix.noc_post`.
    pub fn noc_post(self, counter: u16, peer: Value<'a>, transaction: Value<'a>) -> NewOp<'a> {
        let context = self.rewriter.context();
        NocPostOp::build(self.location)
            .operands([peer, transaction])
            .with(context, NocPostOp::COUNTER, counter.into())
    }

    /// Creates the `tensix.noc_send` of bytes to the same address in all other tiles of a group,
    /// through the NoC with the group's number.
    pub fn noc_send_group(
        self,
        bytes: u32,
        l1: Value<'a>,
        (group, number): (Value<'a>, u32),
        transaction: Value<'a>,
    ) -> NewOp<'a> {
        let send = self.noc_send(bytes, l1, l1, group, transaction);
        let context = self.rewriter.context();
        self.on_noc(send, number)
            .with(context, BroadcastOp::BROADCAST, ())
    }

    /// Creates a `tensix.noc_post` to the leader of a group, through the NoC with the group's
    /// number.
    pub fn noc_post_leader(
        self,
        counter: u16,
        (leader, number): (Value<'a>, u32),
        transaction: Value<'a>,
    ) -> NewOp<'a> {
        self.on_noc(self.noc_post(counter, leader, transaction), number)
    }

    /// Creates a `tensix.noc_post` to all tiles of a group, through the NoC with the group's
    /// number.
    pub fn noc_post_group(
        self,
        counter: u16,
        group: (Value<'a>, u32),
        transaction: Value<'a>,
    ) -> NewOp<'a> {
        let context = self.rewriter.context();
        self.noc_post_leader(counter, group, transaction)
            .with(context, BroadcastOp::BROADCAST, ())
    }

    /// Creates `tensix.noc_wait`; `until` is the count of responses that is left.
    pub fn noc_wait(self, transaction: Value<'a>, until: Option<Value<'a>>, noc: u32) -> NewOp<'a> {
        let operands = [transaction].into_iter().chain(until);
        self.on_noc(NocWaitOp::build(self.location).operands(operands), noc)
    }

    /// Creates `tensix.load_l1`.
    pub fn load_l1(self, address: Value<'a>, bytes: u32) -> NewOp<'a> {
        LoadL1Op::build(self.location)
            .operands([address])
            .results([self.rewriter.context().index()])
            .with(self.rewriter.context(), LoadL1Op::BYTES, bytes.into())
    }

    /// Creates `tensix.store_l1`.
    pub fn store_l1(self, value: Value<'a>, address: Value<'a>, bytes: u32) -> NewOp<'a> {
        StoreL1Op::build(self.location)
            .operands([value, address])
            .with(self.rewriter.context(), StoreL1Op::BYTES, bytes.into())
    }

    /// Creates `tensix.settle_l1`.
    pub fn settle_l1(self, address: Value<'a>) -> NewOp<'a> {
        SettleL1Op::build(self.location).operands([address])
    }

    /// Creates `tensix.release`.
    pub fn release(self) -> NewOp<'a> {
        ReleaseOp::build(self.location)
    }

    fn integer(self, width: u32, value: u32) -> crate::mlir::Attribute<'a> {
        let context = self.rewriter.context();
        context.integer_attribute(context.integer(width), i64::from(value))
    }
}

/// The operands of a `tensix.noc_read` or `tensix.noc_write`.
#[derive(Clone, Copy, Debug)]
pub struct PageMove<'a> {
    /// The page.
    pub page: Value<'a>,
    /// The start address of its tensor in each bank.
    pub base: Value<'a>,
    /// The page size in bytes.
    pub bytes: u32,
    /// The bytes that are moved, if they are only a part of the page.
    pub length: Option<u32>,
    /// The address in L1.
    pub l1: Value<'a>,
    /// Its transaction identifier.
    pub transaction: Value<'a>,
    /// The number of the NoC.
    pub noc: u32,
}
