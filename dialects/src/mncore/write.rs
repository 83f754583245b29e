//! Creation of kernel and loop operations: the inverse of [`super::kernel`].

use std::collections::HashMap;

use tessera_isa_mncore::ast::{self, Convert, Fixed, Input, MatrixRows};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::l2bm::Direction;
use tessera_isa_mncore::table::L1bmOp;
use tessera_isa_mncore::Span;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{
    Dest, Guard, Item, Masking, MoveMemory, MovePlace, Op as ItemOp, Operand, Place, Source,
    Target, Test, Value,
};
use tessera_mncore_ir::kernel::{Stage, Tensor};
use tessera_mncore_ir::schedule::{Register, Report, Schedule};
use tessera_pto::kernel::Element;

use super::instruction::Family;
use super::place::{width_word, OperandPlace};
use super::{InstructionOp, IssuedOp, KernelOp, MvOp, PipelineOp, RepeatOp, WaitOp};
use crate::mlir::{self, At, Attribute, Block, ContextRef, Location, NamedOp, NewOp, Op, Rewriter};

/// Creates mncore operations.
pub struct Writer<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    /// The location of items without a line.
    location: Location<'a>,
    /// The source locations of lines 1, 2, … of items.
    lines: &'r [Location<'a>],
}

impl<'r, 'a> Writer<'r, 'a> {
    /// Returns a writer of items with these lines. `location` is the location of the kernel and of
    /// items without a line.
    pub fn new(
        rewriter: &'r Rewriter<'a>,
        location: Location<'a>,
        lines: &'r [Location<'a>],
    ) -> Self {
        Writer {
            rewriter,
            location,
            lines,
        }
    }

    fn context(&self) -> ContextRef<'a> {
        self.rewriter.context()
    }

    /// Creates an unscheduled `mncore.kernel` that reads the first `inputs` of its tensors.
    pub fn kernel(
        &self,
        at: At<'a>,
        name: &str,
        implements: &str,
        tensors: &[Tensor],
        inputs: usize,
        stages: &[Stage],
    ) -> Op<'a> {
        let tensors: Vec<_> = tensors.iter().map(|tensor| self.tensor(tensor)).collect();
        let context = self.context();
        let new = KernelOp::build(self.location)
            .with(context, KernelOp::SYM_NAME, name)
            .with(context, KernelOp::IMPLEMENTS, implements)
            .with(context, KernelOp::INPUTS, inputs as i64)
            .with(context, KernelOp::TENSORS, &tensors)
            .region([]);
        let made = self.rewriter.insert(at, new);
        self.stages(inside(made), stages);
        made
    }

    fn stages(&self, block: Block<'a>, stages: &[Stage]) {
        for stage in stages {
            match stage {
                Stage::Loop(name, body) => {
                    self.pipeline(At::End(block), name, body, None);
                }
                Stage::Repeat(count, stages) => {
                    let new = RepeatOp::build(self.location)
                        .with(self.context(), RepeatOp::COUNT, (*count).into())
                        .region([]);
                    let made = self.rewriter.insert(At::End(block), new);
                    self.stages(inside(made), stages);
                }
            }
        }
    }

    fn tensor(&self, tensor: &Tensor) -> Attribute<'a> {
        let context = self.context();
        let element = match tensor.kind.element {
            Element::F32 => context.f32(),
            Element::Bf16 => context.bf16(),
            Element::I32 => context.integer(32),
        };
        let shape = [tensor.kind.matrices, tensor.kind.rows, tensor.kind.columns].map(u64::from);
        let r#type = context.tensor(&shape, element, None);
        let mut entries = vec![
            ("argument", self.i64(tensor.argument as u32)),
            ("type", context.type_attribute(r#type)),
            ("layout", self.text(&tensor.layout.to_string())),
        ];
        let view = tensor
            .view
            .as_ref()
            .map(|view| self.text(&view.to_string()));
        entries.extend(view.map(|view| ("view", view)));
        context.dictionary_attribute(&entries)
    }

    /// Creates the `mncore.pipeline` of a loop, with its schedule if it has one.
    pub fn pipeline(
        &self,
        at: At<'a>,
        name: &str,
        body: &Body,
        scheduled: Option<(&Schedule, &Report)>,
    ) -> Op<'a> {
        let context = self.context();
        let mut new =
            PipelineOp::build(self.location).with(context, PipelineOp::NAME_ATTRIBUTE, name);
        if !body.trip.is_empty() {
            let trip: Vec<i64> = body.trip.iter().copied().map(i64::from).collect();
            new = new.with(context, PipelineOp::TRIP, &trip);
        }
        if body.min_ii > 0 {
            new = new.with(context, PipelineOp::MIN_II, body.min_ii.into());
        }
        if let Some((schedule, report)) = scheduled {
            let stages = schedule.length().div_ceil(schedule.ii.max(1)).max(1);
            new = new
                .with(context, PipelineOp::II, schedule.ii.into())
                .with(context, PipelineOp::STAGES, stages.into())
                .with(context, PipelineOp::MII, report.mii.into())
                .with(context, PipelineOp::BOUND_BY, &report.bound_by.to_string());
            if !schedule.constants.is_empty() {
                let constants = self.constants(schedule);
                new = new.with(context, PipelineOp::CONSTANTS, &constants);
            }
        }
        let made = self.rewriter.insert(at, new.region([]));
        let mut items = Items {
            writer: self,
            body,
            schedule: scheduled.map(|(schedule, _)| schedule),
            values: HashMap::new(),
        };
        for (number, item) in body.items.iter().enumerate() {
            items.write(inside(made), number, item);
        }
        made
    }

    fn constants(&self, schedule: &Schedule) -> Vec<Attribute<'a>> {
        let constants = schedule.constants.iter().map(|constant| {
            let memory = constant.bank.letter();
            let place = OperandPlace::new(memory, u32::from(constant.address).into());
            self.context().dictionary_attribute(&[
                ("word", self.i64(constant.word)),
                ("place", self.place(&place)),
            ])
        });
        constants.collect()
    }

    fn place(&self, spot: &OperandPlace) -> Attribute<'a> {
        spot.parts().attribute(self.context())
    }

    fn text(&self, text: &str) -> Attribute<'a> {
        self.context().string_attribute(text)
    }

    fn i64(&self, value: u32) -> Attribute<'a> {
        let context = self.context();
        context.integer_attribute(context.integer(64), value.into())
    }
}

/// Returns the type of values.
fn value_type(context: ContextRef<'_>) -> mlir::Type<'_> {
    let r#type = context.parse_type("!mncore.value");
    r#type.expect("every context knows the dialect")
}

/// Returns the block of a region that was made with one.
fn inside(op: Op<'_>) -> Block<'_> {
    op.body().expect("a region made with a block has it")
}

/// Creates the operations of a loop.
struct Items<'w, 'r, 'a> {
    writer: &'w Writer<'r, 'a>,
    body: &'w Body,
    schedule: Option<&'w Schedule>,
    /// The current SSA value of each IR value.
    values: HashMap<Value, mlir::Value<'a>>,
}

/// The operands and attributes of an operation under construction.
#[derive(Default)]
struct Gathered<'a> {
    operands: Vec<mlir::Value<'a>>,
    inputs: Vec<Attribute<'a>>,
    outputs: Vec<Attribute<'a>>,
    /// The IR values of the results.
    written: Vec<Value>,
}

impl<'a> Items<'_, '_, 'a> {
    fn write(&mut self, block: Block<'a>, number: usize, item: &Item) {
        let (family, opcode) = spelled(&item.op);
        let line = (item.line as usize).checked_sub(1);
        let location = line.and_then(|line| self.writer.lines.get(line).copied());
        let mut new = NewOp::new(family.op(), location.unwrap_or(self.writer.location));
        let context = self.writer.context();
        let mut written = Vec::new();
        match &item.op {
            ItemOp::Wait(tag) => new = new.with(context, WaitOp::TAG, self.tag(tag)),
            ItemOp::Mv(transfer) => {
                new = new
                    .with(context, MvOp::OPCODE, &opcode)
                    .with(context, MvOp::TAG, self.tag(&transfer.tag))
                    .with(context, MvOp::FROM, self.move_place(&transfer.source))
                    .with(context, MvOp::TO, self.move_place(&transfer.target));
            }
            _ => {
                let gathered = self.gather(item);
                let results = gathered.written.len();
                new = new
                    .operands(gathered.operands)
                    .with(context, InstructionOp::OPCODE, &opcode)
                    .with(context, InstructionOp::INPUTS, &gathered.inputs)
                    .with(context, InstructionOp::OUTPUTS, &gathered.outputs)
                    .results(std::iter::repeat_n(value_type(context), results));
                written = gathered.written;
            }
        }
        if !item.when.is_empty() {
            let guards: Vec<_> = item.when.iter().map(|guard| self.guard(guard)).collect();
            new = new.with(context, IssuedOp::WHEN, &guards);
        }
        if let Some(schedule) = self.schedule {
            new = new.with(context, IssuedOp::AT, schedule.at[number].into());
        }
        let made = self.writer.rewriter.insert(At::End(block), new);
        self.values.extend(written.into_iter().zip(made.results()));
    }

    /// Returns the operands of an item in assembler order.
    fn gather(&self, item: &Item) -> Gathered<'a> {
        let mut all = Gathered::default();
        let place = |spot: &OperandPlace| self.entry(&[("place", self.writer.place(spot))]);
        match &item.op {
            ItemOp::Mau(_, Some(side)) => {
                let name = self.writer.text(&format!("l{}", side.letter()));
                all.inputs.push(self.entry(&[("name", name)]));
            }
            ItemOp::Alu(op, word) if op.kind.is_immediate() => {
                all.inputs
                    .push(self.entry(&[("constant", self.writer.i64(*word))]));
            }
            ItemOp::Mread(_, rows) => all.inputs.push(place(&matrix_rows(*rows))),
            ItemOp::L1bm(op, address) if op.kind.row().down => {
                all.inputs.push(place(&l1_place(op, address)));
            }
            ItemOp::L2bm { op, l2, l1 } => {
                let (lc, lb) = ("lc", "lb");
                let (from, to) = match op.kind.row().flow {
                    Direction::Down => ((lc, l2), (lb, l1)),
                    Direction::Up => ((lb, l1), (lc, l2)),
                    Direction::Across => ((lb, l2), (lb, l1)),
                };
                all.inputs
                    .push(place(&OperandPlace::new(from.0, from.1.clone())));
                all.outputs
                    .push(place(&OperandPlace::new(to.0, to.1.clone())));
            }
            _ => {}
        }
        for operand in &item.inputs {
            self.input(operand, &mut all);
        }
        for dest in &item.outputs {
            self.output(dest, &mut all);
        }
        match &item.op {
            ItemOp::Mwrite(_, rows) => all.outputs.push(place(&matrix_rows(*rows))),
            ItemOp::L1bm(op, address) if !op.kind.row().down => {
                all.outputs.push(place(&l1_place(op, address)));
            }
            _ => {}
        }
        all
    }

    fn entry(&self, entries: &[(&str, Attribute<'a>)]) -> Attribute<'a> {
        self.writer.context().dictionary_attribute(entries)
    }

    fn unit(&self) -> Attribute<'a> {
        self.writer.context().unit_attribute()
    }

    /// Returns the current SSA value. In a checked body, every value is written before it is read.
    fn value(&self, value: Value) -> mlir::Value<'a> {
        self.values[&value]
    }

    fn input(&self, operand: &Operand, all: &mut Gathered<'a>) {
        let source = match &operand.source {
            Source::Memory(place) => ("place", self.writer.place(&pe_place(place))),
            Source::Value(value) => {
                all.operands.push(self.value(*value));
                ("value", self.unit())
            }
            Source::Constant(word) => ("constant", self.writer.i64(*word)),
            Source::Fixed(fixed) => ("name", self.writer.text(&fixed_name(*fixed))),
        };
        let mut entries = vec![source];
        if operand.negate {
            entries.push(("negate", self.unit()));
        }
        match operand.convert {
            Convert::None => {}
            Convert::Widen => entries.push(("convert", self.writer.text("widen"))),
            Convert::Narrow => entries.push(("convert", self.writer.text("narrow"))),
        }
        all.inputs.push(self.entry(&entries));
    }

    fn output(&self, dest: &Dest, all: &mut Gathered<'a>) {
        let mut entries = Vec::new();
        match &dest.target {
            Target::Memory(place) => entries.push(("place", self.writer.place(&pe_place(place)))),
            Target::Value(value) => {
                let kind = self.body.kind(*value);
                entries.push(("width", self.writer.text(width_word(kind.width))));
                entries.push(("home", self.writer.text(&home_word(kind.home))));
                if let Some(&over) = self.values.get(value) {
                    all.operands.push(over);
                    entries.push(("into", self.unit()));
                }
                let register = self.schedule.and_then(|schedule| schedule.place(*value));
                entries.extend(
                    register
                        .map(|register| self.register(register))
                        .unwrap_or_default(),
                );
                all.written.push(*value);
            }
        }
        match &dest.mask {
            None => {}
            Some(Masking::Fixed(mask)) => {
                entries.push(("mask", self.writer.text(&mask.to_string())))
            }
            Some(Masking::Flags(value)) => {
                all.operands.push(self.value(*value));
                entries.push(("mask", self.unit()));
            }
        }
        all.outputs.push(self.entry(&entries));
    }

    fn register(&self, register: Register) -> Vec<(&'static str, Attribute<'a>)> {
        let (memory, first, slots) = match register {
            Register::T => return vec![("in", self.writer.text("t"))],
            Register::Words { bank, first, slots } => (bank.letter().to_string(), first, slots),
            Register::Flags { first, slots } => ("omr".into(), first.into(), slots.into()),
        };
        let place = self
            .writer
            .place(&OperandPlace::new(memory, u32::from(first).into()));
        let mut entries = vec![("in", place)];
        if slots != 1 {
            entries.push(("slots", self.writer.i64(slots.into())));
        }
        entries
    }

    fn tag(&self, tag: &Address) -> Attribute<'a> {
        self.writer.place(&OperandPlace::new("i", tag.clone()))
    }

    fn move_place(&self, place: &MovePlace) -> Attribute<'a> {
        let memory = match place.memory {
            MoveMemory::Pdm => "p",
            MoveMemory::Dram => "d",
            MoveMemory::L2bm => "lc",
        };
        self.writer.place(&OperandPlace {
            group: place.group,
            l2b: place.l2b,
            ..OperandPlace::new(memory, place.address.clone())
        })
    }

    fn guard(&self, guard: &Guard) -> Attribute<'a> {
        let (test, value, rest) = match guard.test {
            Test::Is(value) => ("is", value, None),
            Test::IsNot(value) => ("is_not", value, None),
            Test::Below(value) => ("below", value, None),
            Test::From(value) => ("from", value, None),
            Test::Every(count, rest) => ("every", count, Some(rest)),
        };
        let mut entries = vec![
            ("dimension", self.writer.i64(guard.dimension as u32)),
            ("test", self.writer.text(test)),
            ("value", self.writer.i64(value)),
        ];
        entries.extend(rest.map(|rest| ("rest", self.writer.i64(rest))));
        self.entry(&entries)
    }
}

/// Returns the operation for an item, and its opcode with parameters.
fn spelled(op: &ItemOp) -> (Family, String) {
    let matrix = |precision: &Precision, stem: &str| format!("{}{stem}", precision.letter());
    match op {
        ItemOp::Mau(op, _) => (Family::Mau, op.mnemonic()),
        ItemOp::Alu(op, _) if op.takes_mantissa() => {
            (Family::Alu, format!("{}/{}", op.mnemonic(), op.mantissa))
        }
        ItemOp::Alu(op, _) => (Family::Alu, op.mnemonic()),
        ItemOp::Mwrite(precision, _) => (Family::Mwrite, matrix(precision, "mwrite")),
        ItemOp::Mread(precision, _) => (Family::Mread, matrix(precision, "mread")),
        ItemOp::L1bm(op, _) => (Family::L1bm, op.mnemonic()),
        ItemOp::L2bm { op, .. } => (Family::L2bm, op.mnemonic()),
        ItemOp::Wait(_) => (Family::Wait, "wait".into()),
        ItemOp::Mv(transfer) => {
            let rrn = transfer.rrn.map(|rrn| rrn.mnemonic()).unwrap_or_default();
            let stem = transfer.mode.row().stem;
            (Family::Mv, format!("{stem}{rrn}/n{}", transfer.words))
        }
    }
}

/// Formats rows of a matrix register.
fn matrix_rows(rows: MatrixRows) -> OperandPlace {
    let width = if rows.wide { "ll" } else { "l" };
    OperandPlace::new(
        format!("{width}{}", rows.side.letter()),
        u32::from(rows.first).into(),
    )
}

/// Formats a place in L1BM.
fn l1_place(op: &L1bmOp, address: &Address) -> OperandPlace {
    let wide = op.wide && !op.halves_result();
    OperandPlace::new(if wide { "llb" } else { "lb" }, address.clone())
}

/// Formats a place in a PE memory.
fn pe_place(place: &Place) -> OperandPlace {
    OperandPlace {
        stride: place.stride,
        ..OperandPlace::new(
            format!("{}{}", place.width.prefix(), place.bank.letter()),
            place.address.clone(),
        )
    }
}

fn home_word(home: Home) -> String {
    match home {
        Home::Forward => "forward".into(),
        Home::Any => "any".into(),
        Home::Flags => "flags".into(),
        Home::Bank(bank) => bank.letter().into(),
    }
}

/// Formats a fixed value in assembler syntax, without `$`.
fn fixed_name(fixed: Fixed) -> String {
    let input = Input {
        span: Span::default(),
        source: ast::Source::Fixed(fixed),
        negate: false,
        convert: Convert::None,
    };
    input.to_string().trim_start_matches('$').to_owned()
}
