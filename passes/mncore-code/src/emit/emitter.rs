//! One item of an iteration as an expression or MV instruction: operands, destinations, addresses.

use tessera_isa_mncore::ast::{
    self, Expression, Forward, Input, L1Operand, MemoryOperand, Modify, MvMemory, MvOperand,
    Output, Pattern, PeOperands, Transfer,
};
use tessera_isa_mncore::diagnostic::Span;
use tessera_isa_mncore::memory::{Bank, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;

use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{
    Dest, Item, Masking, Move, MoveMemory, MovePlace, Op, Operand, Place, Source, Target, Value,
};
use tessera_mncore_ir::schedule::{Register, Schedule};

use super::packet::{EmitError, Issue};

/// Converts items to expressions under a schedule.
pub(crate) struct Emitter<'a> {
    body: &'a Body,
    schedule: &'a Schedule,
    source: ReadSource,
    /// Of each value, its first writer, and whether other items write it, too.
    writers: Vec<(usize, bool)>,
}

/// The source from which an emitter reads values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadSource {
    /// Where the schedule places them.
    AsScheduled,
    /// Registers wherever they are assigned, regardless of steps.
    Registers,
    /// Forwarding registers, regardless of steps; for constants, too.
    ForwardingRegisters,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(body: &'a Body, schedule: &'a Schedule) -> Self {
        Emitter::with_source(body, schedule, ReadSource::AsScheduled)
    }

    /// Creates an emitter that reads values from the given source.
    pub(crate) fn with_source(body: &'a Body, schedule: &'a Schedule, source: ReadSource) -> Self {
        let mut writers = vec![(usize::MAX, false); body.values.len()];
        for (number, item) in body.items.iter().enumerate() {
            for value in item.writes() {
                let (writer, again) = &mut writers[value.0 as usize];
                if *writer == usize::MAX {
                    *writer = number;
                } else {
                    *again = true;
                }
            }
        }
        Emitter {
            body,
            schedule,
            source,
            writers,
        }
    }

    /// Returns the loop.
    pub(crate) fn body(&self) -> &'a Body {
        self.body
    }

    /// Returns the expression of an item in an iteration, whether or not its guards hold; `None`
    /// for an MV instruction.
    pub(crate) fn expression(
        &self,
        number: usize,
        iteration: u64,
        index: &[u32],
    ) -> Result<Option<Expression>, EmitError> {
        let one = ItemEmitter {
            emitter: self,
            number,
            iteration,
            index,
        };
        match &self.body.items[number] {
            Item { op: Op::Mv(_), .. } => Ok(None),
            item => one.expression(item).map(Some),
        }
    }

    /// Returns the MV instruction of an item in an iteration.
    pub(crate) fn mv(&self, number: usize, index: &[u32]) -> Option<ast::Mv> {
        let one = ItemEmitter {
            emitter: self,
            number,
            iteration: 0,
            index,
        };
        match &self.body.items[number].op {
            Op::Mv(transfer) => Some(one.transfer(transfer)),
            _ => None,
        }
    }

    /// Returns whether an item reads a value from a forwarding register: as scheduled, in the step
    /// after it is written. The other [`ReadSource`]s disregard steps.
    ///
    /// A value that is partly overwritten under a mask is complete only in its register.
    pub(crate) fn is_forwarded(&self, value: Value, reader: usize) -> bool {
        let (writer, again) = self.writers[value.0 as usize];
        let at = &self.schedule.at;
        match self.source {
            ReadSource::AsScheduled => {}
            ReadSource::Registers => return self.schedule.place(value).is_none(),
            ReadSource::ForwardingRegisters => return true,
        }
        self.body.kind(value).home != Home::Flags && !again && at[reader] == at[writer] + 1
    }

    /// Adds an item of an iteration to an issue packet if its guards hold.
    pub(super) fn emit_item(
        &self,
        number: usize,
        iteration: u64,
        index: &[u32],
        issue: &mut Issue,
    ) -> Result<(), EmitError> {
        let item = &self.body.items[number];
        if !item.issues(index) {
            return Ok(());
        }
        if item.line != 0 && !issue.lines.contains(&item.line) {
            issue.lines.push(item.line);
        }
        let one = ItemEmitter {
            emitter: self,
            number,
            iteration,
            index,
        };
        match &item.op {
            Op::Mv(transfer) => issue.moves.push(one.transfer(transfer)),
            _ => issue.expressions.push(one.expression(item)?),
        }
        Ok(())
    }
}

/// An item in an iteration.
struct ItemEmitter<'a> {
    emitter: &'a Emitter<'a>,
    number: usize,
    iteration: u64,
    index: &'a [u32],
}

impl ItemEmitter<'_> {
    fn expression(&self, item: &Item) -> Result<Expression, EmitError> {
        let span = Span::default();
        let inputs = || item.inputs.iter().map(|input| self.input(input));
        let outputs = || self.outputs(item);
        let op = match &item.op {
            Op::Mau(op, matrix) => ast::Op::Mau(ast::Mau {
                op: *op,
                matrix: *matrix,
                inputs: inputs().collect::<Result<_, _>>()?,
                outputs: outputs()?,
            }),
            Op::Alu(op, immediate) => ast::Op::Alu(ast::Alu {
                op: *op,
                immediate: *immediate,
                inputs: inputs().collect::<Result<_, _>>()?,
                outputs: outputs()?,
            }),
            Op::Mwrite(precision, matrix) => ast::Op::Mwrite {
                precision: *precision,
                input: self.input(&item.inputs[0])?,
                matrix: *matrix,
            },
            Op::Mread(precision, matrix) => ast::Op::Mread {
                precision: *precision,
                matrix: *matrix,
                outputs: outputs()?,
            },
            Op::L1bm(op, address) => ast::Op::L1bm(ast::L1bm {
                op: *op,
                l1: L1Operand::Address(address.eval(self.index) as u16),
                pe: if L1bmKind::row(op.kind).down {
                    PeOperands::Down(outputs()?)
                } else {
                    PeOperands::Up(self.input(&item.inputs[0])?)
                },
            }),
            Op::L2bm { op, l2, l1 } => ast::Op::L2bm {
                op: *op,
                l2: l2.eval(self.index) as u16,
                l1: l1.eval(self.index) as u16,
            },
            Op::Wait(tag) => ast::Op::Wait(tag.eval(self.index) as u8),
            Op::Mv(_) => unreachable!("MV instructions are not expressions"),
        };
        Ok(Expression {
            span,
            op,
            zero_flush: None,
        })
    }

    fn input(&self, operand: &Operand) -> Result<Input, EmitError> {
        let source = match &operand.source {
            Source::Memory(place) => ast::Source::Memory(self.place(place)?),
            Source::Value(value) => self.read(*value)?,
            Source::Constant(_) if self.emitter.source == ReadSource::ForwardingRegisters => {
                ast::Source::Forward(ast::Forward::Alu)
            }
            Source::Constant(word) => {
                let found = self.emitter.schedule.constant(*word);
                let constant = found.ok_or(EmitError::NoConstant {
                    word: *word,
                    item: self.number,
                })?;
                ast::Source::Memory(memory_operand(
                    constant.bank,
                    Width::Long,
                    constant.address,
                    0,
                ))
            }
            Source::Fixed(fixed) => ast::Source::Fixed(*fixed),
        };
        Ok(Input {
            span: Span::default(),
            source,
            negate: operand.negate,
            convert: operand.convert,
        })
    }

    /// Returns the source operand of a value.
    fn read(&self, value: Value) -> Result<ast::Source, EmitError> {
        let (writer, _) = self.emitter.writers[value.0 as usize];
        if self.emitter.is_forwarded(value, self.number) {
            return Ok(ast::Source::Forward(forwarding_register(
                &self.emitter.body.items[writer].op,
            )));
        }
        match self.emitter.schedule.place(value) {
            Some(register @ Register::Words { bank, .. }) => {
                let width = self.emitter.body.kind(value).width;
                let address = register.address(width, self.iteration);
                Ok(ast::Source::Memory(memory_operand(
                    bank,
                    width,
                    address,
                    width.words(),
                )))
            }
            Some(Register::T) => Ok(ast::Source::T),
            Some(Register::Flags { .. }) | None => Err(EmitError::NoRegister {
                value: value.0,
                writer,
                item: self.number,
            }),
        }
    }

    /// Returns the destinations of an item. `$nowrite` excludes other destinations and is used only
    /// if none of the item's values has a register.
    fn outputs(&self, item: &Item) -> Result<Vec<Output>, EmitError> {
        let mut outputs = Vec::with_capacity(item.outputs.len());
        for dest in &item.outputs {
            outputs.push(self.output(dest)?);
        }
        let writes = |output: &Output| output.target != ast::Target::Nowrite;
        if outputs.iter().any(writes) {
            outputs.retain(writes);
        } else if let Some(one) = outputs.first_mut() {
            // There is nothing that a mask could keep.
            one.mask = None;
            outputs.truncate(1);
        }
        Ok(outputs)
    }

    fn output(&self, dest: &Dest) -> Result<Output, EmitError> {
        let target = match &dest.target {
            Target::Memory(place) => ast::Target::Memory(self.place(place)?),
            Target::Value(value) => match self.emitter.schedule.place(*value) {
                None => ast::Target::Nowrite,
                Some(Register::T) => ast::Target::T,
                Some(register @ Register::Flags { .. }) => {
                    ast::Target::MaskRegister(register.address(Width::Single, self.iteration) as u8)
                }
                Some(register @ Register::Words { bank, .. }) => {
                    let width = self.emitter.body.kind(*value).width;
                    let address = register.address(width, self.iteration);
                    ast::Target::Memory(memory_operand(bank, width, address, width.words()))
                }
            },
        };
        let mask = match &dest.mask {
            None => None,
            Some(Masking::Fixed(mask)) => Some(*mask),
            Some(Masking::Flags(value)) => {
                let register = self.emitter.schedule.place(*value);
                let register = register.ok_or(EmitError::NoRegister {
                    value: value.0,
                    writer: self.emitter.writers[value.0 as usize].0,
                    item: self.number,
                })?;
                let entry = register.address(Width::Single, self.iteration) as u8;
                Some(ast::Mask { entry, wide: false })
            }
        };
        Ok(Output {
            span: Span::default(),
            target,
            mask,
        })
    }

    fn place(&self, place: &Place) -> Result<MemoryOperand, EmitError> {
        let address = place.address.eval(self.index);
        let size = u32::from(place.bank.words());
        if address >= size {
            return Err(EmitError::Address {
                item: self.number,
                address,
                memory: place.bank.name(),
                size,
            });
        }
        Ok(memory_operand(
            place.bank,
            place.width,
            address as u16,
            place.stride,
        ))
    }

    fn transfer(&self, transfer: &Move) -> ast::Mv {
        let place = |place: &MovePlace| {
            let address = place.address.eval(self.index);
            MvOperand {
                span: Span::default(),
                memory: match place.memory {
                    MoveMemory::Pdm => MvMemory::Pdm(address),
                    MoveMemory::Dram => MvMemory::Dram(address),
                    MoveMemory::L2bm => MvMemory::L2bm(address as u16),
                },
                group: place.group,
                l2b: place.l2b,
            }
        };
        ast::Mv {
            transfer: Some(Transfer {
                mode: transfer.mode,
                rrn: transfer.rrn,
                words: transfer.words,
                tag: Some(transfer.tag.eval(self.index) as u8),
                priority: 0,
                per_entry: None,
                source: place(&transfer.source),
                target: place(&transfer.target),
            }),
        }
    }
}

/// Returns an operand in a PE memory.
fn memory_operand(bank: Bank, width: Width, base: u16, stride: u16) -> MemoryOperand {
    MemoryOperand {
        bank,
        width,
        pattern: Pattern::Stride { base, stride },
        modify: Modify::None,
    }
}

/// Returns the forwarding register that receives an operation's result.
fn forwarding_register(op: &Op) -> Forward {
    match op {
        Op::Alu(..) => Forward::Alu,
        Op::L1bm(..) => Forward::L1bm,
        Op::Mread(..) => Forward::Mread,
        _ => Forward::Mau,
    }
}
