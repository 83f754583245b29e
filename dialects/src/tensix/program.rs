//! `tensix.program`: the code of a tile's five RISC-V cores, with control flow.
//!
//! Checked by the verifiers: a region holds what its core can do; control flow is structured and over 32-bit integers,
//! constants fit into 32 bits; instructions and their operands exist; tensors exist; B releases the other cores
//! once, and pushes only before; operands that have limits keep them if they are constants. Not checked: what only running the
//! program shows; other operands that have limits ([`limit`]) are for those to check who make code of the program.

use super::{arch, below, field, number, row, unsigned, word, THREAD_OPS};
use crate::mlir::{
    AttributeValue, Location, NewOp, Op, Rewriter, Scalar, ScalarType, Sign, Type, Value, WalkOrder,
};
use std::fmt;
pub use tessera_isa_tensix::tile::Argument;
use tessera_isa_tensix::{noc, tile, Arch, Field, Instruction};

/// What stands in programs only.
pub(super) const OPS: [&str; 9] = [
    "tensix.push",
    "tensix.argument",
    "tensix.await",
    "tensix.noc_read",
    "tensix.noc_write",
    "tensix.noc_send",
    "tensix.noc_post",
    "tensix.noc_wait",
    "tensix.release",
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

    /// Its number among the cores of a tile, as in [`tile::CORES`].
    pub fn number(self) -> usize {
        match self {
            Core::Unpack => tile::B + 1,
            Core::Math => tile::B + 2,
            Core::Pack => tile::B + 3,
            Core::Read => tile::NC,
            Core::Write => tile::B,
        }
    }

    /// The initiator of the NoC that it uses, if it has one for itself (rulings 2.2).
    pub fn initiator(self) -> Option<u32> {
        match self {
            Core::Write => Some(0),
            Core::Read => Some(1),
            Core::Pack => Some(2),
            Core::Unpack => Some(3),
            Core::Math => None,
        }
    }

    /// Whether it has a thread of the coprocessor.
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

/// The argument that a `tensix.argument` is.
///
/// # Errors
/// What the verifier says about it.
pub fn argument(op: Op) -> Result<Argument, String> {
    let kind = op.string("kind").unwrap_or_default();
    let value = op
        .attribute("number")
        .map(|value| unsigned(kind, value))
        .transpose()?;
    match (kind, value) {
        ("base", Some(tensor)) => Ok(Argument::Base(tensor)),
        ("imm", Some(value)) => Ok(Argument::Imm(value)),
        ("peer", Some(tile)) => Ok(Argument::Peer(tile)),
        ("first", None) => Ok(Argument::First),
        ("last", None) => Ok(Argument::Last),
        ("base" | "imm" | "peer", None) => Err(format!("'{kind}' requires a number")),
        ("first" | "last", Some(_)) => Err(format!("'{kind}' takes no number")),
        _ => Err(format!(
            "has no kind '{kind}'; there are base, imm, first, last and peer"
        )),
    }
}

/// Where an operation stands in a program.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The program.
    pub program: Op<'a>,
    /// The core whose region it stands in.
    pub core: Core,
    /// The operation directly in that region that it is, or is inside of.
    pub outermost: Op<'a>,
}

impl<'a> Position<'a> {
    /// Where an operation stands, if it stands in a program.
    pub fn of(op: Op<'a>) -> Option<Self> {
        let mut outermost = op;
        let program = loop {
            let parent = outermost.parent()?;
            if parent.is("tensix.program") {
                break parent;
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

/// The rule of `tensix.program`.
pub(super) fn verify(program: Op) -> Result<(), String> {
    let arch = program.string("arch").unwrap_or_default();
    arch.parse::<Arch>().map_err(|error| error.to_string())?;
    number(program, "arguments")?;
    if number(program, "work")? == 0 {
        return Err("work is 0, but there must be a piece of it".into());
    }
    super::require_implemented(program)?;
    let releases = program
        .children()
        .into_iter()
        .filter(|op| op.is("tensix.release"));
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
    let control = matches!(name, "scf.for" | "scf.if" | "scf.yield");
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
    if name == "arith.constant" {
        let value = op.attribute("value").and_then(AttributeValue::integer);
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

/// Whether a core computes with numbers of a type.
fn is_number(r#type: Type) -> bool {
    match r#type.scalar() {
        Some(Scalar::Index) => true,
        Some(Scalar::Integer { width, sign }) => matches!(width, 1 | 32) && sign == Sign::Signless,
        _ => false,
    }
}

/// The rule of an operation of ours inside a program.
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
        "tensix.push" => {
            push(op)?;
            require_pushes(at)
        }
        "tensix.argument" => match argument(op)? {
            Argument::Base(tensor) => {
                let tensors = number(at.program, "arguments")?;
                if tensor >= tensors {
                    return Err(format!(
                        "is where tensor {tensor} begins, but the program has only {tensors}"
                    ));
                }
                Ok(())
            }
            _ => Ok(()),
        },
        "tensix.post" | "tensix.await" => control_line(op).map(drop),
        "tensix.noc_read" | "tensix.noc_write" => {
            require_noc(at)?;
            page_bytes(op).map(drop)
        }
        "tensix.noc_send" => {
            require_noc(at)?;
            page_bytes(op).map(drop)
        }
        "tensix.noc_post" => {
            require_noc(at)?;
            control_line(op).map(drop)
        }
        "tensix.noc_wait" => require_noc(at),
        "tensix.release" => require_boot(op, at),
        _ if row(name).is_some() => {
            super::entry(op)?;
            require_pushes(at)
        }
        _ => Err(
            "stands in a 'tensix.program', but belongs to the lists of a 'tensix.kernel'".into(),
        ),
    }
}

/// Checks that the operand of an operation that has a limit keeps it, if it is a constant.
fn require_within_limit(op: Op) -> Result<(), String> {
    let Some(limit) = limit(op)? else {
        return Ok(());
    };
    let constant = op.operand(limit.operand).and_then(Value::defining_op);
    let constant = constant.filter(|constant| constant.is("arith.constant"));
    let value = constant.and_then(|constant| constant.attribute("value")?.integer());
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
        "stands in {}, but only the cores of unpack, math and pack have a thread of the coprocessor",
        at.core
    ))
}

/// Checks that a core pushes instructions where an operation stands: B only while it has thread 0 for itself.
fn require_pushes(at: Position) -> Result<(), String> {
    if at.core != Core::Write {
        return require_thread(at);
    }
    let released_later =
        std::iter::successors(Some(at.outermost), |op| op.next()).any(|op| op.is("tensix.release"));
    if released_later {
        return Ok(());
    }
    Err("stands behind tensix.release, where thread 0 is no longer that of write".into())
}

fn require_noc(at: Position) -> Result<(), String> {
    if at.core.initiator().is_some() {
        return Ok(());
    }
    Err(format!(
        "stands in {}, whose core has no initiator of the NoC; the others have one each",
        at.core
    ))
}

fn require_boot(op: Op, at: Position) -> Result<(), String> {
    if at.core == Core::Write && at.outermost == op {
        return Ok(());
    }
    Err("must stand in write, outside of loops and branches".into())
}

/// The L1 address of the counter of a `tensix.post`, `tensix.await` or `tensix.noc_post`.
///
/// # Errors
/// What the verifier says about it.
pub fn control_line(op: Op) -> Result<u32, String> {
    let lines = tile::LINES.len() as u32 / tile::LINE;
    Ok(tile::LINES.start + tile::LINE * below(op, "counter", lines)?)
}

/// The bytes that a `tensix.noc_read`, `tensix.noc_write` or `tensix.noc_send` moves.
///
/// # Errors
/// What the verifier says about them.
pub fn page_bytes(op: Op) -> Result<u32, String> {
    let bytes = below(op, "bytes", noc::LONGEST + 1)?;
    if bytes == 0 || bytes % noc::ALIGNMENT != 0 {
        return Err(format!(
            "bytes is {bytes}, but must be a multiple of {}",
            noc::ALIGNMENT
        ));
    }
    Ok(bytes)
}

/// Transactions of each core.
pub const TRANSACTIONS: u32 = noc::TRANSACTIONS / 4;

/// How large an operand may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit<'a> {
    /// The number of the operand.
    pub operand: usize,
    /// What it is.
    pub name: &'a str,
    /// The largest value that it may have.
    pub most: u32,
}

impl Limit<'_> {
    /// What is wrong with an operation whose operand is one of these.
    pub fn exceeded_by(&self, values: impl fmt::Display) -> String {
        let Limit { name, most, .. } = self;
        format!("{name} would be {values}, but must be 0 to {most}")
    }
}

/// The operand of an operation that would be cut, or would name what another core has, if it were too large.
///
/// # Errors
/// What the verifier says about the operation.
pub fn limit(op: Op) -> Result<Option<Limit>, String> {
    let transaction = |operand| Limit {
        operand,
        name: "transaction",
        most: TRANSACTIONS - 1,
    };
    Ok(Some(match op.name() {
        "tensix.push" => Limit {
            operand: 0,
            name: op.string("field").unwrap_or_default(),
            most: push(op)?.most,
        },
        "tensix.noc_read" | "tensix.noc_write" | "tensix.noc_send" => transaction(3),
        "tensix.noc_post" => transaction(1),
        "tensix.noc_wait" => transaction(0),
        _ => return Ok(None),
    }))
}

/// What a `tensix.push` pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// The word, with zero for the operand that is computed.
    pub word: u32,
    /// The lowest bit of that operand.
    pub low: u32,
    /// The largest value that it may have.
    pub most: u32,
}

/// What a `tensix.push` pushes.
///
/// # Errors
/// What the verifier says about it.
pub fn push(op: Op) -> Result<Push, String> {
    let name = op.string("instruction").unwrap_or_default();
    let row = row(&format!("tensix.{name}"))
        .filter(|row| row.mnemonic.to_ascii_lowercase() == name)
        .ok_or_else(|| format!("there is no instruction '{name}'"))?;
    let computed = op.string("field").unwrap_or_default();
    let arch = arch(op);
    let fields: Vec<_> = computed
        .split('.')
        .map(|name| field(row, arch, name))
        .collect::<Result<_, _>>()?;
    let (low, holds) = adjacent(&fields)?;
    let constants = op
        .attribute("constants")
        .and_then(AttributeValue::entries)
        .unwrap_or_default();
    let is_computed = |name: &str| fields.iter().any(|field| field.name == name);
    if let Some((name, _)) = constants.iter().find(|(name, _)| is_computed(name)) {
        return Err(format!("operand '{name}' is both computed and constant"));
    }
    let word = word(row, arch, &constants)?;
    let most = match op.attribute("below") {
        None => holds,
        Some(below) => match unsigned("below", below)? {
            0 => return Err("below is 0, which no value is".into()),
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

/// The lowest bit of fields next to each other, the highest first, and the largest value that they hold together.
fn adjacent(fields: &[&Field]) -> Result<(u32, u32), String> {
    for pair in fields.windows(2) {
        let [above, below] = [pair[0], pair[1]];
        if above.low != below.low + below.width {
            return Err(format!(
                "'{}' does not lie right above '{}'; they are bits {} and {}",
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

/// The instruction that an operation pushes, if it is one without computed operands.
pub fn constant_instruction(op: Op) -> Option<Instruction> {
    let row = row(op.name())?;
    let arch = arch(op);
    let word = word(row, arch, &op.attributes()).ok()?;
    Instruction::decode(arch, word).ok()
}

/// Describes the operations of a program, for passes to insert.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    location: Location<'a>,
}

impl<'r, 'a> Builder<'r, 'a> {
    /// A builder of operations at a location.
    pub fn new(rewriter: &'r Rewriter<'a>, location: Location<'a>) -> Self {
        Self { rewriter, location }
    }

    /// A program with empty regions.
    pub fn program(
        self,
        name: &str,
        implements: &str,
        arch: Arch,
        (arguments, work): (u32, u32),
    ) -> NewOp<'a> {
        let context = self.rewriter.context();
        let program = self
            .op("program")
            .attribute("sym_name", context.string_attribute(name))
            .attribute("implements", context.symbol_attribute(implements))
            .attribute("arch", context.string_attribute(arch.name()))
            .attribute("arguments", self.integer(32, arguments))
            .attribute("work", self.integer(32, work));
        Core::ALL.iter().fold(program, |op, _| op.region([]))
    }

    /// Another name for code that was written before.
    pub fn alias(self, name: &str, implements: &str, code: &str) -> NewOp<'a> {
        let context = self.rewriter.context();
        self.op("alias")
            .attribute("sym_name", context.string_attribute(name))
            .attribute("implements", context.symbol_attribute(implements))
            .attribute("code", context.symbol_attribute(code))
    }

    /// A cluster of programs, with its rings (see [`super::cluster`]).
    pub fn cluster(
        self,
        name: &str,
        implements: &str,
        arch: Arch,
        (arguments, work): (u32, u32),
        (tiles, rings): (&[String], &[[u32; 4]]),
    ) -> NewOp<'a> {
        let context = self.rewriter.context();
        let tiles: Vec<_> = tiles
            .iter()
            .map(|tile| context.symbol_attribute(tile))
            .collect();
        let ring =
            |ring: &[u32; 4]| context.array_attribute(&ring.map(|number| self.integer(64, number)));
        let rings: Vec<_> = rings.iter().map(ring).collect();
        self.op("cluster")
            .attribute("sym_name", context.string_attribute(name))
            .attribute("implements", context.symbol_attribute(implements))
            .attribute("arch", context.string_attribute(arch.name()))
            .attribute("arguments", self.integer(32, arguments))
            .attribute("work", self.integer(32, work))
            .attribute("tiles", context.array_attribute(&tiles))
            .attribute("rings", context.array_attribute(&rings))
    }

    /// The operation of an instruction.
    pub fn instruction(self, instruction: impl Into<Instruction>) -> NewOp<'a> {
        let instruction = instruction.into();
        let op = self.op(&instruction.row().mnemonic.to_ascii_lowercase());
        let operands = instruction.set_operands().into_iter();
        operands.fold(op, |op, (name, value)| {
            op.attribute(name, self.integer(64, value))
        })
    }

    /// `tensix.store_mop_cfg`
    pub fn store_mop_cfg(self, index: u8, value: u32) -> NewOp<'a> {
        self.op("store_mop_cfg")
            .attribute("index", self.integer(32, index.into()))
            .attribute("value", self.integer(64, value))
    }

    /// `tensix.push` of a value that is less than `below`; the other operands are constants.
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
        let push = self
            .op("push")
            .operands([value])
            .attribute("instruction", context.string_attribute(instruction))
            .attribute("field", context.string_attribute(field))
            .attribute("below", self.integer(64, below));
        if constants.is_empty() {
            return push;
        }
        push.attribute("constants", context.dictionary_attribute(&constants))
    }

    /// `tensix.argument`
    pub fn argument(self, argument: Argument) -> NewOp<'a> {
        let (kind, number) = argument.parts();
        let context = self.rewriter.context();
        let op = self
            .op("argument")
            .results([context.index()])
            .attribute("kind", context.string_attribute(kind));
        match number {
            Some(number) => op.attribute("number", self.integer(64, number)),
            None => op,
        }
    }

    /// `tensix.post`
    pub fn post(self, counter: u16) -> NewOp<'a> {
        self.op("post")
            .attribute("counter", self.integer(32, counter.into()))
    }

    /// `tensix.await`
    pub fn r#await(self, counter: u16, at_least: Value<'a>) -> NewOp<'a> {
        self.op("await")
            .operands([at_least])
            .attribute("counter", self.integer(32, counter.into()))
    }

    /// `tensix.noc_read`
    pub fn noc_read(self, operands: PageMove<'a>) -> NewOp<'a> {
        self.page_move("noc_read", operands)
    }

    /// `tensix.noc_write`
    pub fn noc_write(self, operands: PageMove<'a>) -> NewOp<'a> {
        self.page_move("noc_write", operands)
    }

    fn page_move(self, name: &str, operands: PageMove<'a>) -> NewOp<'a> {
        let PageMove {
            page,
            base,
            bytes,
            l1,
            transaction,
        } = operands;
        self.op(name)
            .operands([page, base, l1, transaction])
            .attribute("bytes", self.integer(32, bytes))
    }

    /// `tensix.noc_send`
    pub fn noc_send(
        self,
        bytes: u32,
        from: Value<'a>,
        to: Value<'a>,
        peer: Value<'a>,
        transaction: Value<'a>,
    ) -> NewOp<'a> {
        self.op("noc_send")
            .operands([from, to, peer, transaction])
            .attribute("bytes", self.integer(32, bytes))
    }

    /// `tensix.noc_post`
    pub fn noc_post(self, counter: u16, peer: Value<'a>, transaction: Value<'a>) -> NewOp<'a> {
        self.op("noc_post")
            .operands([peer, transaction])
            .attribute("counter", self.integer(32, counter.into()))
    }

    /// `tensix.noc_wait`
    pub fn noc_wait(self, transaction: Value<'a>) -> NewOp<'a> {
        self.op("noc_wait").operands([transaction])
    }

    /// `tensix.release`
    pub fn release(self) -> NewOp<'a> {
        self.op("release")
    }

    fn op(self, name: &str) -> NewOp<'a> {
        NewOp::new(&format!("tensix.{name}"), self.location)
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
    /// Where its tensor begins, in each bank.
    pub base: Value<'a>,
    /// The bytes of a page.
    pub bytes: u32,
    /// The address in L1.
    pub l1: Value<'a>,
    /// The transaction that it is counted for.
    pub transaction: Value<'a>,
}
