//! Lowers one core's region to a function of `func`, `scf`, `arith` and LLVM operations.
//!
//! The function is built beside the program. Operations of the tensix dialect become the inline
//! assembly of [`super::sequences`]; all others are copied. Locations of the function are numbers,
//! encoded as lines of a file with the function's name. [`Lowering::origins`] maps them to the
//! original operations. Functions with equal code are therefore textually equal, and each keeps its
//! own source locations.

use std::collections::HashMap;

use tessera_dialects::mlir::{
    At, Block, Location, NamedOp, NewOp, Op, OpView, Reported, Rewriter, Type, Value,
};
use tessera_dialects::tensix::entry;
use tessera_dialects::tensix::program::{self, Argument, Core, Limit, TRANSACTIONS};
use tessera_dialects::tensix::ProgramOp;
use tessera_dialects::{arith, func, llvm, scf, tensix};
use tessera_isa_tensix::list::Entry;
use tessera_isa_tensix::{noc, tile, Arch};

use super::range_analysis::RangeAnalysis;
use super::sequences::{self, Address, Asm, Move};
use super::strided_interval::StridedInterval;

/// The lowered function of a core.
pub(super) struct Lowered<'a> {
    pub(super) function: Op<'a>,
    /// The words of its argument block.
    pub(super) arguments: Vec<Argument>,
    /// The operation of each location number; the first is the program.
    pub(super) origins: Vec<Op<'a>>,
    pub(super) runs: Runs,
}

/// What the initiator's registers hold after a read, besides addresses: the number of the NoC, the
/// transaction and the bytes.
type ReadRegisters<'a> = (u32, Option<Value<'a>>, u32);

/// Number of instructions pushed by one piece of inline assembly, by the location number of the
/// first. The location numbers of a run are consecutive. Runs are merged because LLVM is slow per
/// piece of assembly and kernels push many instructions.
pub(super) type Runs = HashMap<u32, u32>;

/// Builds the function of `core`, named `name`, before its program.
pub(super) fn lower<'a>(
    (program, arch): (ProgramOp<'a>, Arch),
    core: Core,
    name: &str,
    rewriter: &Rewriter<'a>,
) -> Result<Lowered<'a>, Reported> {
    let context = rewriter.context();
    let pointers = context.parse_type("!llvm.ptr");
    let pointers =
        pointers.ok_or_else(|| program.error("internal error: there is no LLVM dialect"))?;
    let number = |number| context.file_location(name, number, 0);
    let function = func::FuncOp::build(number(0))
        .with(context, func::FuncOp::SYM_NAME, name)
        .with(
            context,
            func::FuncOp::FUNCTION_TYPE,
            context.function(&[], &[]),
        )
        .region([]);
    let function = rewriter.insert(At::Before(*program), function);
    let mut lowering = Lowering {
        rewriter,
        arch,
        core,
        name,
        location: number(0),
        words: context.integer(32),
        pointers,
        values: HashMap::new(),
        arguments: Vec::new(),
        origins: vec![*program],
        runs: Runs::new(),
        latest_read: None,
        ranges: RangeAnalysis::new(program),
    };
    let body = |op: Op<'a>, region: usize| {
        let block = op.regions().get(region)?.blocks().first().copied();
        block
    };
    let region = Core::ALL.iter().position(|other| *other == core);
    let (Some(from), Some(to)) = (
        region.and_then(|region| body(*program, region)),
        body(function, 0),
    ) else {
        return Err(program.error(format!("has no code for {core}")));
    };
    lowering.block(from, to)?;
    lowering.location = number(0);
    lowering.end(to);
    rewriter.insert(At::End(to), func::ReturnOp::build(number(0)));
    Ok(Lowered {
        function,
        arguments: lowering.arguments,
        origins: lowering.origins,
        runs: lowering.runs,
    })
}

struct Lowering<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    arch: Arch,
    core: Core,
    name: &'r str,
    /// Location of the operations being built.
    location: Location<'a>,
    /// `i32`, `!llvm.ptr`
    words: Type<'a>,
    pointers: Type<'a>,
    /// Maps values of the program to values of the function.
    values: HashMap<Value<'a>, Value<'a>>,
    arguments: Vec<Argument>,
    origins: Vec<Op<'a>>,
    runs: Runs,
    /// The read whose registers the initiator still holds, if the latest request was one.
    latest_read: Option<ReadRegisters<'a>>,
    /// Range analysis of the program.
    ranges: RangeAnalysis<'a>,
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers the operations of a block to the end of another.
    fn block(&mut self, from: Block<'a>, to: Block<'a>) -> Result<(), Reported> {
        let mut pushed = Vec::new();
        self.latest_read = None;
        for op in from.ops() {
            if let Some(word) = constant_push(op) {
                if pushed.is_empty() {
                    self.locate(op);
                } else {
                    self.origins.push(op);
                }
                pushed.push(word.map_err(|problem| op.error(problem))?);
                continue;
            }
            self.push(&mut pushed, to);
            self.locate(op);
            if op.name().starts_with("tensix.") {
                self.sequence(op, to).map_err(|problem| op.error(problem))?;
            } else {
                self.copy(op, to)?;
            }
        }
        self.push(&mut pushed, to);
        self.latest_read = None;
        Ok(())
    }

    /// Sets the location of what follows to an operation.
    fn locate(&mut self, op: Op<'a>) {
        let context = self.rewriter.context();
        self.location = context.file_location(self.name, self.origins.len(), 0);
        self.origins.push(op);
    }

    /// Builds the pushes of a run, which ends at the latest operation.
    fn push(&mut self, words: &mut Vec<u32>, to: Block<'a>) {
        if words.is_empty() {
            return;
        }
        let first = self.origins.len() - words.len();
        self.runs.insert(first as u32, words.len() as u32);
        self.asm(sequences::push(words), &[], At::End(to));
        words.clear();
    }

    /// Copies an operation of another dialect, with its regions.
    fn copy(&mut self, op: Op<'a>, to: Block<'a>) -> Result<(), Reported> {
        let mut copy = NewOp::new(op.name(), self.location)
            .operands(op.operands().into_iter().map(|value| self.value(value)))
            .results(op.results().into_iter().map(Value::r#type))
            .attributes(op.attributes());
        let regions = op.regions();
        for region in &regions {
            let arguments = region.blocks().first().map(|block| block.arguments());
            let arguments = arguments.unwrap_or_default().into_iter();
            let location = self.location;
            copy = copy.region(arguments.map(|argument| (argument.r#type(), location)));
        }
        let copy = self.rewriter.insert(At::End(to), copy);
        self.values
            .extend(op.results().into_iter().zip(copy.results()));
        for (from, to) in regions.into_iter().zip(copy.regions()) {
            let Some(to) = to.blocks().first().copied() else {
                continue;
            };
            match from.blocks().first() {
                Some(from) => {
                    self.values
                        .extend(from.arguments().into_iter().zip(to.arguments()));
                    self.block(*from, to)?;
                }
                // The missing else branch of an scf.if.
                None => {
                    let end = scf::YieldOp::build(self.location);
                    self.rewriter.insert(At::End(to), end);
                }
            }
        }
        Ok(())
    }

    /// Returns the value that a program's value was lowered to.
    fn value(&self, value: Value<'a>) -> Value<'a> {
        let built = self.values.get(&value);
        *built.expect("verified: a program reads only what it has defined before")
    }

    /// Lowers an operation of the tensix dialect.
    fn sequence(&mut self, op: Op<'a>, to: Block<'a>) -> Result<(), String> {
        let build = At::End(to);
        if let Some(limit) = program::limit(op)? {
            self.keep(op, limit, build)?;
        }
        match op.name() {
            tensix::PushOp::NAME => {
                let program::Push { word, low, .. } = program::push(tensix::PushOp::view(op))?;
                let value = self.operand(op, 0, build)?;
                let low = self.constant(low, build);
                let value = self.arith(arith::ShLIOp::NAME, value, low, build);
                let word = self.constant(word, build);
                let word = self.arith(arith::OrIOp::NAME, value, word, build);
                self.at_address(tile::PUSH, build, |address| {
                    (sequences::store(address.offset), vec![word])
                });
            }
            tensix::ArgumentOp::NAME => {
                let word =
                    self.argument(program::argument(tensix::ArgumentOp::view(op))?, build)?;
                let word = self.cast(word, self.rewriter.context().index(), build);
                self.values
                    .extend(op.result(0).map(|result| (result, word)));
            }
            tensix::AwaitOp::NAME => {
                let least = self.operand(op, 0, build)?;
                self.polls(
                    program::control_line(op)?,
                    least,
                    sequences::await_counter,
                    build,
                );
            }
            tensix::NocReadOp::NAME => self.page_move(op, Move::Read, build)?,
            tensix::NocWriteOp::NAME => self.page_move(op, Move::Write, build)?,
            tensix::NocSendOp::NAME => self.send(op, build)?,
            tensix::NocPostOp::NAME => self.noc_post(op, build)?,
            tensix::NocWaitOp::NAME => {
                let transaction = self.operand(op, 0, build)?;
                let own = TRANSACTIONS * self.initiator()?;
                let first =
                    noc_registers(program::noc(op)?) + noc::COUNTERS + 4 * (noc::OUTSTANDING + own);
                let address = self.element(first, transaction, 4, build);
                if op.operand_count() > 1 {
                    let until = self.operand(op, 1, build)?;
                    self.asm(sequences::poll_equal(), &[address, until], build);
                } else {
                    self.asm(sequences::poll_zero(), &[address], build);
                }
            }
            tensix::LoadL1Op::NAME => {
                let address = self.operand(op, 0, build)?;
                let asm = sequences::load_l1(program::l1_bytes(op)?);
                let loaded = self.asm_value(asm, &[address], build)?;
                let loaded = self.cast(loaded, self.rewriter.context().index(), build);
                self.values
                    .extend(op.result(0).map(|result| (result, loaded)));
            }
            tensix::StoreL1Op::NAME => {
                let value = self.operand(op, 0, build)?;
                let address = self.operand(op, 1, build)?;
                let asm = sequences::store_l1(program::l1_bytes(op)?);
                self.asm(asm, &[value, address], build);
            }
            tensix::SettleL1Op::NAME => {
                let address = self.operand(op, 0, build)?;
                self.asm(sequences::settle_l1(), &[address], build);
            }
            tensix::ReleaseOp::NAME => {
                let reset = Address::new(tile::SOFT_RESET);
                let registers = self.constant(tile::GPRS, build);
                let upper = self.constant(reset.upper, build);
                let sequence = sequences::release(self.arch, reset.offset);
                self.asm(sequence, &[registers, upper], build);
            }
            tensix::PostOp::NAME => {
                let line = Address::new(program::control_line(op)?);
                let upper = self.constant(line.upper, build);
                self.asm(sequences::post(line.offset), &[upper], build);
            }
            _ => self.entry(entry(op)?, build)?,
        }
        Ok(())
    }

    /// Builds a check that stops the core if an operand exceeds its limit, unless the range
    /// analysis excludes that.
    fn keep(&mut self, op: Op<'a>, limit: Limit, build: At<'a>) -> Result<(), String> {
        let value = op.operand(limit.operand);
        let numbers = value.map_or(StridedInterval::ANY, |value| self.ranges.range_of(value));
        if numbers.is_outside(limit.most) {
            return Err(limit.exceeded_by(numbers));
        }
        if !numbers.is_at_most(limit.most) {
            let value = self.operand(op, limit.operand, build)?;
            let most = self.constant(limit.most, build);
            self.asm(sequences::require_at_most(), &[value, most], build);
        }
        Ok(())
    }

    /// Lowers a list entry of a thread's core.
    fn entry(&mut self, entry: Entry, build: At<'a>) -> Result<(), String> {
        match entry {
            Entry::Push(word) => self.asm(sequences::push(&[word]), &[], build),
            Entry::MopCfg { index, value } => {
                let value = self.constant(value, build);
                self.at_address(tile::MOP_CFG + 4 * u32::from(index), build, |address| {
                    (sequences::store(address.offset), vec![value])
                });
            }
            Entry::WaitMop => self.waits(tile::MOP_DONE, build),
            Entry::WaitIdle => self.waits(tile::COPROCESSOR_DONE, build),
            Entry::SemPost(semaphore) => {
                let address = Address::new(semaphore_address(semaphore));
                let upper = self.constant(address.upper, build);
                self.asm(sequences::store_zero(address.offset), &[upper], build);
            }
            Entry::SemGet(semaphore) => {
                let one = self.constant(1, build);
                self.at_address(semaphore_address(semaphore), build, |address| {
                    (sequences::store(address.offset), vec![one])
                });
            }
            Entry::SemPoll { sem, at_least } => {
                let least = self.constant(at_least.into(), build);
                self.polls(semaphore_address(sem), least, sequences::poll, build);
            }
            Entry::Post { .. } | Entry::Wait { .. } => {
                return Err("belongs to the lists of a 'tensix.kernel'".into())
            }
        }
        Ok(())
    }

    /// Builds the end of the core's code.
    fn end(&mut self, to: Block<'a>) {
        let build = At::End(to);
        if self.core.has_thread() {
            self.waits(tile::COPROCESSOR_DONE, build);
        }
        let done = Address::new(tile::DONE);
        let upper = self.constant(done.upper, build);
        let end = sequences::end(self.core.number(), done.offset);
        self.asm(end, &[upper], build);
    }

    fn waits(&mut self, register: u32, build: At<'a>) {
        let address = Address::new(tile::PC_BUF + register);
        let upper = self.constant(address.upper, build);
        self.asm(sequences::wait(address.offset), &[upper], build);
    }

    fn polls(&mut self, address: u32, least: Value<'a>, sequence: fn(i32) -> Asm, build: At<'a>) {
        let address = Address::new(address);
        let upper = self.constant(address.upper, build);
        self.asm(sequence(address.offset), &[upper, least], build);
    }

    /// Builds a sequence whose last operand is an address.
    fn at_address(
        &mut self,
        address: u32,
        build: At<'a>,
        sequence: impl FnOnce(Address) -> (Asm, Vec<Value<'a>>),
    ) {
        let address = Address::new(address);
        let (asm, mut operands) = sequence(address);
        operands.push(self.constant(address.upper, build));
        self.asm(asm, &operands, build);
    }

    /// Builds a move of a page. Page p lies in bank p mod banks, at p div banks pages from the
    /// base.
    fn page_move(&mut self, op: Op<'a>, kind: Move, build: At<'a>) -> Result<(), String> {
        let page = self.operand(op, 0, build)?;
        let base = self.operand(op, 1, build)?;
        let l1 = self.operand(op, 2, build)?;
        let tag = self.tag(op, 3, build)?;
        let bytes = self.constant(program::page_bytes(op)?, build);
        let banks = self.constant(self.arch.dram_banks(), build);
        let bank = self.arith(arith::RemUIOp::NAME, page, banks, build);
        let row = self.arith(arith::DivUIOp::NAME, page, banks, build);
        let noc = program::noc(op)?;
        let entry = self.element(tile::banks(self.arch, noc), bank, 8, build);
        let upper = self.load(entry, build);
        let four = self.constant(4, build);
        let lower = self.arith(arith::AddIOp::NAME, entry, four, build);
        let lower = self.load(lower, build);
        let row = self.arith(arith::MulIOp::NAME, row, bytes, build);
        let offset = self.arith(arith::AddIOp::NAME, base, row, build);
        let lower = self.arith(arith::AddIOp::NAME, lower, offset, build);
        let length = program::moved_bytes(op)?;
        let registers = (noc, op.operand(3), length);
        let is_next = kind == Move::Read && self.latest_read == Some(registers);
        if is_next {
            let initiator = self.initiator_registers(noc, build)?;
            let operands = [initiator, lower, upper, l1];
            self.asm(sequences::noc_next_read(self.arch), &operands, build);
        } else {
            let length = self.constant(length, build);
            self.noc_move([lower, upper, l1, tag, length], (noc, kind), build)?;
        }
        self.latest_read = (kind == Move::Read).then_some(registers);
        Ok(())
    }

    /// Builds a NoC move between a remote address and L1.
    fn noc_move(
        &mut self,
        [lower, upper, l1, tag, bytes]: [Value<'a>; 5],
        (noc, kind): (u32, Move),
        build: At<'a>,
    ) -> Result<(), String> {
        self.latest_read = None;
        let own = self.own_upper_half(noc, build);
        let initiator = self.initiator_registers(noc, build)?;
        let operands = [initiator, lower, upper, l1, own, tag, bytes];
        self.asm(sequences::noc_request(self.arch, kind), &operands, build);
        Ok(())
    }

    fn send(&mut self, op: Op<'a>, build: At<'a>) -> Result<(), String> {
        let from = self.operand(op, 0, build)?;
        let to = self.operand(op, 1, build)?;
        let peer = self.operand(op, 2, build)?;
        let tag = self.tag(op, 3, build)?;
        let bytes = self.constant(program::page_bytes(op)?, build);
        let kind = match program::is_broadcast(op) {
            true => Move::Broadcast,
            false => Move::Write,
        };
        let how = (program::noc(op)?, kind);
        self.noc_move([to, peer, from, tag, bytes], how, build)
    }

    fn noc_post(&mut self, op: Op<'a>, build: At<'a>) -> Result<(), String> {
        self.latest_read = None;
        let line = program::control_line(op)?;
        let peer = self.operand(op, 0, build)?;
        let tag = self.tag(op, 1, build)?;
        let noc = program::noc(op)?;
        let own = self.own_upper_half(noc, build);
        let initiator = self.initiator_registers(noc, build)?;
        let answer = self.constant(tile::ANSWERS + 4 * self.core.number() as u32, build);
        let increment = self.constant(noc::increment(line), build);
        let line = self.constant(line, build);
        let operands = [initiator, line, peer, answer, own, tag, increment];
        let increment = sequences::noc_increment(self.arch, program::is_broadcast(op));
        self.asm(increment, &operands, build);
        Ok(())
    }

    /// Builds the packet tag of a transaction operand. Outstanding transactions are counted per
    /// tile, so each core uses its own numbers.
    fn tag(&mut self, op: Op<'a>, index: usize, build: At<'a>) -> Result<Value<'a>, String> {
        let transaction = self.operand(op, index, build)?;
        let first = self.constant(TRANSACTIONS * self.initiator()?, build);
        let transaction = self.arith(arith::AddIOp::NAME, transaction, first, build);
        let bit = self.constant(noc::TRANSACTION_BIT, build);
        Ok(self.arith(arith::ShLIOp::NAME, transaction, bit, build))
    }

    /// Builds the upper half of addresses in this tile's L1 on a NoC.
    fn own_upper_half(&mut self, noc: u32, build: At<'a>) -> Value<'a> {
        let own = self.constant(tile::own_address(self.arch, noc), build);
        self.load(own, build)
    }

    /// Builds the address of this core's initiator registers of a NoC.
    fn initiator_registers(&mut self, noc: u32, build: At<'a>) -> Result<Value<'a>, String> {
        let stride = noc::layout(self.arch).stride;
        Ok(self.constant(noc_registers(noc) + stride * self.initiator()?, build))
    }

    fn initiator(&self) -> Result<u32, String> {
        let initiator = self.core.initiator();
        initiator.ok_or_else(|| format!("is in {}, which has no initiator", self.core))
    }

    /// Builds the load of an argument word.
    fn argument(&mut self, argument: Argument, build: At<'a>) -> Result<Value<'a>, String> {
        let known = self.arguments.iter().position(|known| *known == argument);
        let slot = known.unwrap_or_else(|| {
            self.arguments.push(argument);
            self.arguments.len() - 1
        });
        if slot >= tile::ARG_WORDS {
            return Err(format!(
                "is the argument {} of {}, which has room for {} different ones",
                slot + 1,
                self.core,
                tile::ARG_WORDS
            ));
        }
        let block = tile::ARGS + (4 * tile::ARG_WORDS * self.core.number()) as u32;
        let address = self.constant(block + 4 * slot as u32, build);
        Ok(self.load(address, build))
    }

    /// Returns an operand as a word.
    fn operand(&mut self, op: Op<'a>, index: usize, build: At<'a>) -> Result<Value<'a>, String> {
        let value = op
            .operand(index)
            .ok_or_else(|| format!("internal error: has no operand #{index}"))?;
        let value = self.value(value);
        Ok(self.cast(value, self.words, build))
    }

    /// Builds the address of an array element.
    fn element(&mut self, first: u32, index: Value<'a>, bytes: u32, build: At<'a>) -> Value<'a> {
        let bytes = self.constant(bytes, build);
        let offset = self.arith(arith::MulIOp::NAME, index, bytes, build);
        let first = self.constant(first, build);
        self.arith(arith::AddIOp::NAME, first, offset, build)
    }

    /// Builds the load of a word that does not change while the program runs.
    fn load(&mut self, address: Value<'a>, build: At<'a>) -> Value<'a> {
        let context = self.rewriter.context();
        let pointer = llvm::IntToPtrOp::build(self.location)
            .operands([address])
            .results([self.pointers]);
        let pointer = self.rewriter.insert(build, pointer).results();
        let load = llvm::LoadOp::build(self.location)
            .operands(pointer)
            .results([self.words])
            .with(context, llvm::LoadOp::ALIGNMENT, 4)
            .with(context, llvm::LoadOp::INVARIANT, ());
        self.made(load, build)
    }

    fn constant(&mut self, value: u32, build: At<'a>) -> Value<'a> {
        let context = self.rewriter.context();
        let value = context.integer_attribute(self.words, i64::from(value as i32));
        let constant = arith::ConstantOp::build(self.location)
            .results([self.words])
            .with(context, arith::ConstantOp::VALUE, value);
        self.made(constant, build)
    }

    fn arith(&mut self, name: &str, a: Value<'a>, b: Value<'a>, build: At<'a>) -> Value<'a> {
        let op = NewOp::new(name, self.location)
            .operands([a, b])
            .results([self.words]);
        self.made(op, build)
    }

    /// Builds a cast between `index` and words.
    fn cast(&mut self, value: Value<'a>, to: Type<'a>, build: At<'a>) -> Value<'a> {
        let cast = arith::IndexCastOp::build(self.location)
            .operands([value])
            .results([to]);
        self.made(cast, build)
    }

    fn made(&mut self, op: NewOp<'a>, build: At<'a>) -> Value<'a> {
        let made = self.rewriter.insert(build, op).result(0);
        made.expect("was made with a result")
    }

    /// Builds a sequence whose result is used.
    fn asm_value(
        &mut self,
        asm: Asm,
        operands: &[Value<'a>],
        build: At<'a>,
    ) -> Result<Value<'a>, String> {
        let result = self.inline(asm, operands, build).result(0);
        result.ok_or_else(|| "internal error: has no result".into())
    }

    /// Builds a sequence.
    fn asm(&mut self, asm: Asm, operands: &[Value<'a>], build: At<'a>) {
        self.inline(asm, operands, build);
    }

    fn inline(&mut self, asm: Asm, operands: &[Value<'a>], build: At<'a>) -> Op<'a> {
        let context = self.rewriter.context();
        let constraints = asm.constraints(operands.len());
        let op = llvm::InlineAsmOp::build(self.location)
            .operands(operands.iter().copied())
            .results(asm.writes.then_some(self.words))
            .with(context, llvm::InlineAsmOp::ASM_STRING, &asm.text)
            .with(context, llvm::InlineAsmOp::CONSTRAINTS, &constraints)
            .with(context, llvm::InlineAsmOp::HAS_SIDE_EFFECTS, ());
        self.rewriter.insert(build, op)
    }
}

/// Returns the constant word that an operation pushes, if that is all it does.
fn constant_push(op: Op) -> Option<Result<u32, String>> {
    tessera_dialects::tensix::is_instruction(op).then(|| match entry(op)? {
        Entry::Push(word) => Ok(word),
        _ => Err("internal error: an instruction is not pushed".into()),
    })
}

/// Returns the address of the registers of a NoC.
fn noc_registers(noc: u32) -> u32 {
    match noc {
        0 => tile::NOC,
        _ => tile::NOC_1,
    }
}

fn semaphore_address(semaphore: u8) -> u32 {
    tile::PC_BUF + tile::SEMAPHORES.start + 4 * u32::from(semaphore)
}
