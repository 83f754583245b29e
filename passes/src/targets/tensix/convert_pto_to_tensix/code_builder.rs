//! Builder of the code of one RISC-V core: `scf` loops around pushed instructions, waits and data
//! movement.
//!
//! A core's *state* is the list of values that it updates in every iteration, such as step counts
//! and slot offsets. All loops carry the whole state as iteration arguments.

use std::collections::HashMap;

use tessera_dialects::arith::{self, ConstantOp};
use tessera_dialects::mlir::{At, Block, Location, NewOp, Op, Rewriter, Type, Value};
use tessera_dialects::scf;
use tessera_dialects::tensix::program::{Argument, Builder, PageMove};
use tessera_dialects::tensix::{PollSemOp, StoreSemGetOp};
use tessera_isa_tensix::cfg::{ConfigField, Field, FieldPlace, ThreadField};
use tessera_isa_tensix::table::{
    Instruction, Nop, Rmwcib0, Rmwcib1, Rmwcib2, Rmwcib3, Setc16, Setdmareg, Stallwait, Wrcfg,
};
use tessera_isa_tensix::Arch;

use super::expr::{Arith, Expr, Var};
use super::plan::{LocationId, Loop, Tensor};
use super::resources::StallCondition;

/// First of the GPRs through which configuration values pass. Lower GPRs hold values for the whole
/// kernel.
pub const SCRATCH_GPR: u32 = 16;

/// Comparison predicate, numbered as in `arith.cmpi`.
#[derive(Clone, Copy)]
pub enum Compare {
    /// Equal.
    Equal = 0,
    /// Signed less than.
    Less = 2,
}

/// Builder of one core's code.
pub struct CodeBuilder<'r, 'a> {
    /// The target chip.
    pub arch: Arch,
    rewriter: &'r Rewriter<'a>,
    locations: &'r [Location<'a>],
    at: At<'a>,
    location: Location<'a>,
    vars: HashMap<Var, Value<'a>>,
    /// The loop-carried state of the core.
    pub state: Vec<Value<'a>>,
}

impl<'r, 'a> CodeBuilder<'r, 'a> {
    /// Creates a builder that appends to `block`.
    pub fn new(
        arch: Arch,
        rewriter: &'r Rewriter<'a>,
        block: Block<'a>,
        location: Location<'a>,
        locations: &'r [Location<'a>],
    ) -> Self {
        CodeBuilder {
            arch,
            rewriter,
            locations,
            at: At::End(block),
            location,
            vars: HashMap::new(),
            state: Vec::new(),
        }
    }

    /// Sets the source location of the operations that follow.
    pub fn set_location(&mut self, location: LocationId) {
        self.location = self.locations[location];
    }

    /// Appends an operation.
    fn op(&self, name: &str, with: impl FnOnce(NewOp<'a>) -> NewOp<'a>) -> Op<'a> {
        self.insert(with(NewOp::new(name, self.location)))
    }

    fn index(&self) -> Type<'a> {
        self.rewriter.context().index()
    }

    fn builder(&self) -> Builder<'r, 'a> {
        Builder::new(self.rewriter, self.location)
    }

    fn insert(&self, op: NewOp<'a>) -> Op<'a> {
        self.rewriter.insert(self.at, op)
    }

    /// Returns the place of a configuration field on this chip.
    fn field_place<const THREAD: bool>(&self, field: Field<THREAD>) -> FieldPlace {
        let location = field.place_on(self.arch);
        location.unwrap_or_else(|| panic!("{} has no {}", self.arch, field.name))
    }

    /// Returns a configuration word with `value` in a field and all other bits zero.
    pub fn field_bits<const THREAD: bool>(&self, field: Field<THREAD>, value: u32) -> u32 {
        self.field_place(field).encode(value)
    }

    /// Pushes a STALLWAIT: the units in the mask `blocks` wait until all conditions hold.
    pub fn stall(&self, blocks: u32, until: &[StallCondition]) {
        self.push(Stallwait {
            stall_res: blocks,
            wait_res: until.iter().fold(0, |mask, one| mask | one.mask(self.arch)),
        });
    }

    /// Pushes an instruction.
    pub fn push(&self, instruction: impl Into<Instruction>) {
        self.insert(self.builder().instruction(instruction));
    }

    /// Pushes an instruction with one computed operand. Operand `field`, which must be 0 in
    /// `instruction`, gets `value`, which must be less than `below`.
    pub fn push_computed(
        &self,
        instruction: impl Into<Instruction>,
        field: &str,
        value: Value<'a>,
        below: u32,
    ) {
        let instruction = instruction.into();
        let mnemonic = instruction.row().mnemonic.to_ascii_lowercase();
        let constants = instruction.set_operands();
        let push = self.builder();
        self.insert(push.push(&mnemonic, field, (value, below), &constants));
    }

    /// Pushes an instruction that sets half of a GPR to a computed 16-bit value.
    pub fn set_half_gpr(&self, reg_index_16b: u32, value: Value<'a>) {
        let set = Setdmareg {
            reg_index_16b,
            ..Setdmareg::default()
        };
        self.push_computed(set, "payload_sig_sel_size.payload_sig_sel", value, 1 << 16);
    }

    /// Builds a constant.
    pub fn constant(&self, value: i64) -> Value<'a> {
        let context = self.rewriter.context();
        let value = context.integer_attribute(self.index(), value);
        let op = self.op(ConstantOp::NAME, |op| {
            op.with(context, ConstantOp::VALUE, value)
                .results([self.index()])
        });
        op.results()[0]
    }

    /// Builds an arithmetic operation.
    pub fn arith(&self, op: Arith, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        self.op(op.name(), |op| op.operands([a, b]).results([self.index()]))
            .results()[0]
    }

    /// Builds the signed maximum of two numbers.
    pub fn max(&self, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let larger = |op: NewOp<'a>| op.operands([a, b]).results([self.index()]);
        self.op(arith::MaxSIOp::NAME, larger).results()[0]
    }

    /// Builds the bits of a number under a mask.
    pub fn low_bits(&self, a: Value<'a>, mask: i64) -> Value<'a> {
        let operands = [a, self.constant(mask)];
        let masked = |op: NewOp<'a>| op.operands(operands).results([self.index()]);
        self.op(arith::AndIOp::NAME, masked).results()[0]
    }

    /// Builds an arithmetic operation with a constant right operand.
    pub fn arith_const(&self, op: Arith, a: Value<'a>, b: i64) -> Value<'a> {
        self.arith(op, a, self.constant(b))
    }

    /// Builds the computation of a plan's expression.
    pub fn expr(&self, expr: &Expr) -> Value<'a> {
        match expr {
            Expr::Constant(value) => self.constant(*value),
            Expr::Var(var) => self.vars[var],
            Expr::Binary(op, a, b) => self.arith(*op, self.expr(a), self.expr(b)),
        }
    }

    /// Builds a comparison.
    pub fn compare(&self, compare: Compare, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let context = self.rewriter.context();
        let op = self.op(arith::CmpIOp::NAME, |op| {
            op.operands([a, b])
                .with(context, arith::CmpIOp::PREDICATE, compare as i64)
                .results([context.integer(1)])
        });
        op.results()[0]
    }

    /// Builds the conjunction of two booleans.
    pub fn and(&self, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let truth = self.rewriter.context().integer(1);
        self.op(arith::AndIOp::NAME, |op| {
            op.operands([a, b]).results([truth])
        })
        .results()[0]
    }

    /// Builds `a + by`, or 0 if that equals `end`: the step of a cyclic counter. `a` and `end` must
    /// be multiples of `by`.
    pub fn advance_cyclic(&self, a: Value<'a>, by: u32, end: u32) -> Value<'a> {
        let next = self.arith_const(Arith::Add, a, by.into());
        let ends = self.compare(Compare::Equal, next, self.constant(end.into()));
        self.select(ends, self.constant(0), next)
    }

    /// Builds the choice of the first value if a condition holds, otherwise of the second.
    pub fn select(&self, condition: Value<'a>, yes: Value<'a>, no: Value<'a>) -> Value<'a> {
        let op = self.op(arith::SelectOp::NAME, |op| {
            op.operands([condition, yes, no]).results([self.index()])
        });
        op.results()[0]
    }

    /// Builds a loop with the given lower bound, upper bound and step. It carries the state.
    pub fn for_loop(&mut self, bounds: [Value<'a>; 3], body: impl FnOnce(&mut Self, Value<'a>)) {
        let index = self.index();
        let location = self.location;
        let types: Vec<_> = self.state.iter().map(|_| index).collect();
        let state = self.state.clone();
        let op = self.op(scf::ForOp::NAME, |op| {
            op.operands(bounds.into_iter().chain(state))
                .results(types.iter().copied())
                .region(
                    std::iter::once(index)
                        .chain(types.iter().copied())
                        .map(|t| (t, location)),
                )
        });
        let block = op.body().expect("the region was made with a block");
        let outside = std::mem::replace(&mut self.at, At::End(block));
        let arguments = block.arguments();
        self.state = arguments[1..].to_vec();
        body(self, arguments[0]);
        let state = self.state.clone();
        self.op(scf::YieldOp::NAME, |op| op.operands(state));
        self.at = outside;
        self.location = location;
        self.state = op.results();
    }

    /// Builds a loop with a constant trip count; no loop for a single iteration.
    pub fn repeat(&mut self, turns: u32, body: impl FnOnce(&mut Self)) {
        if turns == 1 {
            return body(self);
        }
        let bounds = [0, turns, 1].map(|bound| self.constant(bound.into()));
        self.for_loop(bounds, |code, _| body(code));
    }

    /// Builds a loop of the plan and binds its variable.
    pub fn emit_loop<T>(&mut self, of: &Loop<T>, body: impl FnOnce(&mut Self, &[T])) {
        self.set_location(of.location);
        let bounds = [
            self.expr(&of.low),
            self.expr(&of.high),
            self.constant(of.step),
        ];
        self.for_loop(bounds, |code, var| {
            code.vars.insert(of.var, var);
            body(code, &of.body);
        });
    }

    /// Binds a variable of the plan to a value.
    pub fn bind_var(&mut self, var: Var, value: Value<'a>) {
        self.vars.insert(var, value);
    }

    /// Builds the negation of a boolean.
    pub fn not(&self, a: Value<'a>) -> Value<'a> {
        let context = self.rewriter.context();
        let truth = context.integer(1);
        let yes = self.op(ConstantOp::NAME, |op| {
            op.with(context, ConstantOp::VALUE, context.bool_attribute(true))
                .results([truth])
        });
        self.op(arith::XOrIOp::NAME, |op| {
            op.operands([a, yes.results()[0]]).results([truth])
        })
        .results()[0]
    }

    /// Builds an `scf.if` without else. State changes inside of it are discarded.
    pub fn if_then(&mut self, condition: Value<'a>, body: impl FnOnce(&mut Self)) {
        let op = self.op(scf::IfOp::NAME, |op| {
            op.operands([condition]).region([]).empty_region()
        });
        let block = op.body().expect("the region was made with a block");
        let outside = std::mem::replace(&mut self.at, At::End(block));
        let state = self.state.clone();
        body(self);
        self.op(scf::YieldOp::NAME, |op| op);
        self.state = state;
        self.at = outside;
    }

    /// Builds a load of a word of the core's arguments.
    pub fn argument(&self, argument: Argument) -> Value<'a> {
        self.insert(self.builder().argument(argument)).results()[0]
    }

    /// Starts an asynchronous move of a page of a tensor from DRAM to L1 through a NoC.
    pub fn noc_read(
        &self,
        noc: u32,
        page: &Expr,
        tensor: Tensor,
        l1: Value<'a>,
        transaction: Value<'a>,
    ) {
        let page = self.page_move(page, tensor, l1, transaction);
        self.insert(self.builder().noc_read(PageMove { noc, ..page }));
    }

    /// Starts an asynchronous move of a page of a tensor from L1 to DRAM.
    pub fn noc_write(&self, page: &Expr, tensor: Tensor, l1: Value<'a>, transaction: Value<'a>) {
        let page = self.page_move(page, tensor, l1, transaction);
        self.insert(self.builder().noc_write(page));
    }

    /// Starts an asynchronous move of `length` bytes of a page, from a computed offset on, from
    /// DRAM to L1.
    pub fn noc_read_part(
        &self,
        page: (&Expr, Tensor),
        part: (Value<'a>, u32),
        l1: Value<'a>,
        transaction: Value<'a>,
    ) {
        let part = self.part_move(page, part, l1, transaction);
        self.insert(self.builder().noc_read(part));
    }

    /// Starts an asynchronous move of `length` bytes of a page, from a computed offset on, from L1
    /// to DRAM.
    pub fn noc_write_part(
        &self,
        page: (&Expr, Tensor),
        part: (Value<'a>, u32),
        l1: Value<'a>,
        transaction: Value<'a>,
    ) {
        let part = self.part_move(page, part, l1, transaction);
        self.insert(self.builder().noc_write(part));
    }

    fn part_move(
        &self,
        (page, tensor): (&Expr, Tensor),
        (offset, length): (Value<'a>, u32),
        l1: Value<'a>,
        transaction: Value<'a>,
    ) -> PageMove<'a> {
        let page = self.page_move(page, tensor, l1, transaction);
        PageMove {
            base: self.arith(Arith::Add, page.base, offset),
            length: Some(length),
            ..page
        }
    }

    /// Moves a page of a tensor from DRAM to L1 and waits for it.
    pub fn fetch_page(&self, page: Value<'a>, tensor: Tensor, l1: Value<'a>) {
        let transaction = self.constant(0);
        let page = self.page(page, tensor, l1, transaction);
        self.insert(self.builder().noc_read(page));
        self.wait_for_transaction(transaction);
    }

    /// Moves a page of a tensor from L1 to DRAM and waits for it.
    pub fn write_page(&self, page: Value<'a>, tensor: Tensor, l1: Value<'a>) {
        let transaction = self.constant(0);
        let page = self.page(page, tensor, l1, transaction);
        self.insert(self.builder().noc_write(page));
        self.wait_for_transaction(transaction);
    }

    /// Loads a word of L1, or a half word.
    pub fn load_l1(&self, address: Value<'a>, bytes: u32) -> Value<'a> {
        self.insert(self.builder().load_l1(address, bytes))
            .results()[0]
    }

    /// Stores a word to L1, or its lower half.
    pub fn store_l1(&self, value: Value<'a>, address: Value<'a>, bytes: u32) {
        self.insert(self.builder().store_l1(value, address, bytes));
    }

    /// Waits until all earlier stores to L1 are visible. Clears the word at `address`.
    pub fn settle_l1(&self, address: Value<'a>) {
        self.insert(self.builder().settle_l1(address));
    }

    fn page_move(
        &self,
        page: &Expr,
        tensor: Tensor,
        l1: Value<'a>,
        transaction: Value<'a>,
    ) -> PageMove<'a> {
        self.page(self.expr(page), tensor, l1, transaction)
    }

    fn page(
        &self,
        page: Value<'a>,
        tensor: Tensor,
        l1: Value<'a>,
        transaction: Value<'a>,
    ) -> PageMove<'a> {
        let argument = tensor.argument().expect("pages are in DRAM");
        PageMove {
            page,
            base: self.argument(Argument::Base(argument.into())),
            bytes: tensor.element.tile_bytes(),
            length: None,
            l1,
            transaction,
            noc: 0,
        }
    }

    /// Starts an asynchronous move from L1 to the L1 of another tile of the cluster.
    pub fn noc_send(
        &self,
        bytes: u32,
        from: Value<'a>,
        to: Value<'a>,
        peer: Value<'a>,
        transaction: Value<'a>,
    ) {
        self.insert(self.builder().noc_send(bytes, from, to, peer, transaction));
    }

    /// Starts an atomic increment of a counter in the L1 of another tile of the cluster, as part of
    /// transaction 0.
    pub fn noc_post(&self, counter: u16, peer: u32) {
        let peer = self.argument(Argument::Peer(peer));
        self.insert(self.builder().noc_post(counter, peer, self.constant(0)));
    }

    /// Starts an asynchronous move from L1 to the same address in all other tiles of a group.
    pub fn noc_send_group(&self, group: u32, bytes: u32, l1: Value<'a>, transaction: i64) {
        let to = (self.argument(Argument::Group(group)), group);
        let transaction = self.constant(transaction);
        let send = self.builder().noc_send_group(bytes, l1, to, transaction);
        self.insert(send);
    }

    /// Starts an atomic increment of a counter in the L1 of the leader of a group.
    pub fn noc_post_leader(&self, group: u32, counter: u16, transaction: i64) {
        let leader = (self.argument(Argument::Leader(group)), group);
        let transaction = self.constant(transaction);
        let post = self.builder().noc_post_leader(counter, leader, transaction);
        self.insert(post);
    }

    /// Starts an atomic increment of a counter in the L1 of all tiles of a group.
    pub fn noc_post_group(&self, group: u32, counter: u16, transaction: i64) {
        let to = (self.argument(Argument::Group(group)), group);
        let transaction = self.constant(transaction);
        let post = self.builder().noc_post_group(counter, to, transaction);
        self.insert(post);
    }

    /// Waits until all moves of a transaction through NoC 0 have completed.
    pub fn wait_for_transaction(&self, transaction: Value<'a>) {
        self.wait_for_transaction_on(0, transaction);
    }

    /// Waits until all moves of a transaction through a NoC have completed.
    pub fn wait_for_transaction_on(&self, noc: u32, transaction: Value<'a>) {
        self.insert(self.builder().noc_wait(transaction, None, noc));
    }

    /// Waits until all targets of the first `count` broadcasts of a transaction have responded.
    /// Every one of them counts down the NIU's counter of 8 bits, the broadcast up.
    pub fn wait_for_broadcasts(
        &self,
        group: u32,
        transaction: i64,
        count: Value<'a>,
        targets: Value<'a>,
    ) {
        let each = self.arith(Arith::Sub, self.constant(1), targets);
        let left = self.arith(Arith::Mul, count, each);
        let left = self.low_bits(left, 0xff);
        let transaction = self.constant(transaction);
        let wait = self.builder().noc_wait(transaction, Some(left), group);
        self.insert(wait);
    }

    /// Takes the other cores out of reset.
    pub fn release(&self) {
        self.insert(self.builder().release());
    }

    /// Increments a counter in this tile's L1.
    pub fn post(&self, counter: u16) {
        self.insert(self.builder().post(counter));
    }

    /// Waits until a counter in this tile's L1 reaches `at_least`.
    pub fn wait_for_counter(&self, counter: u16, at_least: Value<'a>) {
        self.insert(self.builder().r#await(counter, at_least));
    }

    /// Makes the RISC-V core wait until a hardware semaphore is posted, and decrement it.
    pub fn acquire_semaphore(&self, semaphore: u8) {
        let context = self.rewriter.context();
        self.op(PollSemOp::NAME, |op| {
            op.with(context, PollSemOp::SEMAPHORE, semaphore.into())
                .with(context, PollSemOp::AT_LEAST, 1)
        });
        self.op(StoreSemGetOp::NAME, |op| {
            op.with(context, StoreSemGetOp::SEMAPHORE, semaphore.into())
        });
    }

    /// Sets a GPR to a constant.
    pub fn set_gpr(&self, gpr: u32, value: u32) {
        for (reg_index_16b, bits) in [(2 * gpr, value & 0xffff), (2 * gpr + 1, value >> 16)] {
            self.push(Setdmareg {
                payload_sig_sel_size: bits >> 14,
                payload_sig_sel: bits & 0x3fff,
                set_signals_mode: 0,
                reg_index_16b,
            });
        }
    }

    /// Writes the configuration word that holds `field`. Overwrites [`SCRATCH_GPR`].
    pub fn configure(&self, field: ConfigField, value: u32) {
        self.set_gpr(SCRATCH_GPR, value);
        self.configure_from(field, SCRATCH_GPR);
    }

    /// Writes one field without changing the rest of its word, which other threads may write.
    pub fn configure_field(&self, field: ConfigField, value: u32) {
        self.configure_bits(
            field,
            self.field_place(field).mask(),
            self.field_bits(field, value),
        );
    }

    /// Writes the masked bits of the word that holds `field`, byte by byte (RMWCIB), without
    /// changing the others.
    pub fn configure_bits(&self, field: ConfigField, mask: u32, word: u32) {
        let cfg_reg_addr = self.field_place(field).addr32();
        let bytes = mask.to_le_bytes().into_iter().zip(word.to_le_bytes());
        for (byte, (mask, data)) in bytes.enumerate().filter(|(_, (mask, _))| *mask != 0) {
            let [mask, data] = [mask, data].map(u32::from);
            let instruction: Instruction = match byte {
                0 => Rmwcib0 {
                    mask,
                    data,
                    cfg_reg_addr,
                }
                .into(),
                1 => Rmwcib1 {
                    mask,
                    data,
                    cfg_reg_addr,
                }
                .into(),
                2 => Rmwcib2 {
                    mask,
                    data,
                    cfg_reg_addr,
                }
                .into(),
                _ => Rmwcib3 {
                    mask,
                    data,
                    cfg_reg_addr,
                }
                .into(),
            };
            self.push(instruction);
        }
    }

    /// Writes four consecutive configuration words. The first one holds `field`, and its address is
    /// a multiple of four. Overwrites [`SCRATCH_GPR`] and the three GPRs after it.
    pub fn configure4(&self, field: ConfigField, values: [u32; 4]) {
        for (gpr, value) in (SCRATCH_GPR..).zip(values) {
            self.set_gpr(gpr, value);
        }
        self.push(self.wrcfg4(field, SCRATCH_GPR));
    }

    /// Writes the configuration word that holds `field` from a GPR.
    pub fn configure_from(&self, field: ConfigField, gpr: u32) {
        self.push(Wrcfg {
            gpr_address: gpr,
            wr128b: 0,
            cfg_reg: self.field_place(field).addr32(),
        });
    }

    /// Returns the instruction that writes four configuration words from four GPRs.
    pub fn wrcfg4(&self, field: ConfigField, gpr: u32) -> Wrcfg {
        Wrcfg {
            gpr_address: gpr,
            wr128b: 1,
            cfg_reg: self.field_place(field).addr32(),
        }
    }

    /// Writes the word of this thread's configuration that holds `field`.
    pub fn configure_thread(&self, field: ThreadField, value: u32) {
        self.push(Setc16 {
            setc16_reg: self.field_place(field).addr32(),
            setc16_value: value,
        });
    }

    /// Writes the word of this thread's configuration that holds `field`, with a computed value.
    pub fn configure_thread_with(&self, field: ThreadField, value: Value<'a>) {
        let instruction = Setc16 {
            setc16_reg: self.field_place(field).addr32(),
            setc16_value: 0,
        };
        let below = self.field_place(field).max() + 1;
        self.push_computed(instruction, "setc16_value", value, below);
    }

    /// Pushes a NOP after a configuration write: the instruction right after WRCFG must not use the
    /// written word.
    pub fn settle_config(&self) {
        self.push(Nop {});
    }
}
