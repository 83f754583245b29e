//! The code of one RISC-V core under construction: `scf` loops around instructions that are pushed
//! and words that are waited for.
//!
//! What a core counts from one turn of a loop to the next, its *state*, goes through every loop as
//! a carried value.

use std::collections::HashMap;

use tessera_dialects::arith::{self, ConstantOp};
use tessera_dialects::mlir::{At, Block, Location, NewOp, Op, Rewriter, Type, Value};
use tessera_dialects::scf;
use tessera_dialects::tensix::program::{Argument, Builder, PageMove};
use tessera_dialects::tensix::{PollSemOp, StoreSemGetOp};
use tessera_isa_tensix::cfg::{ConfigField, Field, Place as FieldPlace, ThreadField};
use tessera_isa_tensix::table::{
    Instruction, Nop, Rmwcib0, Rmwcib1, Rmwcib2, Rmwcib3, Setc16, Setdmareg, Stallwait, Wrcfg,
};
use tessera_isa_tensix::Arch;

use super::expr::{Arith, Expr, Var};
use super::plan::{LocationId, Loop, Tensor};
use super::resources::StallCondition;

/// The first GPR that configuration values pass through; those below hold values that a kernel
/// keeps.
pub const SCRATCH_GPR: u32 = 16;

/// Which two numbers a comparison tells apart.
#[derive(Clone, Copy)]
pub enum Compare {
    /// The same or not.
    Equal = 0,
    /// The first is less.
    Less = 2,
}

/// Code of one core.
pub struct CodeBuilder<'r, 'a> {
    /// The chip that it is for.
    pub arch: Arch,
    rewriter: &'r Rewriter<'a>,
    locations: &'r [Location<'a>],
    at: At<'a>,
    location: Location<'a>,
    vars: HashMap<Var, Value<'a>>,
    /// What the core counts.
    pub state: Vec<Value<'a>>,
}

impl<'r, 'a> CodeBuilder<'r, 'a> {
    /// Code at the end of a region's block.
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

    /// Says where in the source what follows comes from.
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

    /// Where the chip has a field of the configuration.
    fn field_place<const THREAD: bool>(&self, field: Field<THREAD>) -> FieldPlace {
        let location = field.on(self.arch);
        location.unwrap_or_else(|| panic!("{} has no {}", self.arch, field.name))
    }

    /// A value in a field's place, other bits zero.
    pub fn field_bits<const THREAD: bool>(&self, field: Field<THREAD>, value: u32) -> u32 {
        self.field_place(field).put(value)
    }

    /// Lets the units that `blocks` says wait until something holds.
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

    /// Pushes an instruction of which one operand, 0 as given, is computed, and is less than
    /// `below`.
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

    /// Pushes an instruction that sets half a GPR to a value of 16 bits.
    pub fn set_half_gpr(&self, reg_index_16b: u32, value: Value<'a>) {
        let set = Setdmareg {
            reg_index_16b,
            ..Setdmareg::default()
        };
        self.push_computed(set, "payload_sig_sel_size.payload_sig_sel", value, 1 << 16);
    }

    /// A number.
    pub fn constant(&self, value: i64) -> Value<'a> {
        let context = self.rewriter.context();
        let value = context.integer_attribute(self.index(), value);
        let op = self.op(ConstantOp::NAME, |op| {
            op.with(context, ConstantOp::VALUE, value)
                .results([self.index()])
        });
        op.results()[0]
    }

    /// Arithmetic.
    pub fn arith(&self, op: Arith, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        self.op(op.name(), |op| op.operands([a, b]).results([self.index()]))
            .results()[0]
    }

    /// The larger number.
    pub fn max(&self, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let larger = |op: NewOp<'a>| op.operands([a, b]).results([self.index()]);
        self.op(arith::MaxSIOp::NAME, larger).results()[0]
    }

    /// A number and a constant.
    pub fn arith_const(&self, op: Arith, a: Value<'a>, b: i64) -> Value<'a> {
        self.arith(op, a, self.constant(b))
    }

    /// The value of an expression.
    pub fn expr(&self, expr: &Expr) -> Value<'a> {
        match expr {
            Expr::Constant(value) => self.constant(*value),
            Expr::Var(var) => self.vars[var],
            Expr::Binary(op, a, b) => self.arith(*op, self.expr(a), self.expr(b)),
        }
    }

    /// A truth.
    pub fn compare(&self, compare: Compare, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let context = self.rewriter.context();
        let op = self.op(arith::CmpIOp::NAME, |op| {
            op.operands([a, b])
                .with(context, arith::CmpIOp::PREDICATE, compare as i64)
                .results([context.integer(1)])
        });
        op.results()[0]
    }

    /// Both truths.
    pub fn and(&self, a: Value<'a>, b: Value<'a>) -> Value<'a> {
        let truth = self.rewriter.context().integer(1);
        self.op(arith::AndIOp::NAME, |op| {
            op.operands([a, b]).results([truth])
        })
        .results()[0]
    }

    /// `a + by`, or 0 if that is `end`.
    pub fn advance_cyclic(&self, a: Value<'a>, by: u32, end: u32) -> Value<'a> {
        let next = self.arith_const(Arith::Add, a, by.into());
        let ends = self.compare(Compare::Equal, next, self.constant(end.into()));
        let op = self.op(arith::SelectOp::NAME, |op| {
            op.operands([ends, self.constant(0), next])
                .results([self.index()])
        });
        op.results()[0]
    }

    /// A loop. The state goes through it.
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

    /// A loop of so many turns.
    pub fn repeat(&mut self, turns: u32, body: impl FnOnce(&mut Self)) {
        if turns == 1 {
            return body(self);
        }
        let bounds = [0, turns, 1].map(|bound| self.constant(bound.into()));
        self.for_loop(bounds, |code, _| body(code));
    }

    /// A loop of the plan.
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

    /// Gives a loop variable its value.
    pub fn bind_var(&mut self, var: Var, value: Value<'a>) {
        self.vars.insert(var, value);
    }

    /// The opposite of a truth.
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

    /// What is done if something holds. It does not change the state.
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

    /// A word of the core's arguments.
    pub fn argument(&self, argument: Argument) -> Value<'a> {
        self.insert(self.builder().argument(argument)).results()[0]
    }

    /// Begins to move a page of a tensor from DRAM to L1.
    pub fn noc_read(&self, page: &Expr, tensor: Tensor, l1: Value<'a>, transaction: Value<'a>) {
        let page = self.page_move(page, tensor, l1, transaction);
        self.insert(self.builder().noc_read(page));
    }

    /// Begins to move a page of a tensor from L1 to DRAM.
    pub fn noc_write(&self, page: &Expr, tensor: Tensor, l1: Value<'a>, transaction: Value<'a>) {
        let page = self.page_move(page, tensor, l1, transaction);
        self.insert(self.builder().noc_write(page));
    }

    /// Moves a page of a tensor from DRAM to L1.
    pub fn fetch_page(&self, page: Value<'a>, tensor: Tensor, l1: Value<'a>) {
        let transaction = self.constant(0);
        let page = self.page(page, tensor, l1, transaction);
        self.insert(self.builder().noc_read(page));
        self.wait_for_transaction(transaction);
    }

    /// Moves a page of a tensor from L1 to DRAM.
    pub fn write_page(&self, page: Value<'a>, tensor: Tensor, l1: Value<'a>) {
        let transaction = self.constant(0);
        let page = self.page(page, tensor, l1, transaction);
        self.insert(self.builder().noc_write(page));
        self.wait_for_transaction(transaction);
    }

    /// A word of L1, or half of one.
    pub fn load_l1(&self, address: Value<'a>, bytes: u32) -> Value<'a> {
        self.insert(self.builder().load_l1(address, bytes))
            .results()[0]
    }

    /// Stores a word to L1, or its lower half.
    pub fn store_l1(&self, value: Value<'a>, address: Value<'a>, bytes: u32) {
        self.insert(self.builder().store_l1(value, address, bytes));
    }

    /// Waits until what was stored to L1 is there; a word at an address becomes 0.
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
        PageMove {
            page,
            base: self.argument(Argument::Base(tensor.arg.into())),
            bytes: tensor.element.tile_bytes(),
            l1,
            transaction,
        }
    }

    /// Begins to move bytes from L1 to that of another tile of the cluster.
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

    /// Begins to add one to a counter in the L1 of another tile of the cluster.
    pub fn noc_post(&self, counter: u16, peer: u32) {
        let peer = self.argument(Argument::Peer(peer));
        self.insert(self.builder().noc_post(counter, peer, self.constant(0)));
    }

    /// Waits until all moves of a transaction have ended.
    pub fn wait_for_transaction(&self, transaction: Value<'a>) {
        self.insert(self.builder().noc_wait(transaction));
    }

    /// Lets the other cores start.
    pub fn release(&self) {
        self.insert(self.builder().release());
    }

    /// Adds one to a counter in L1.
    pub fn post(&self, counter: u16) {
        self.insert(self.builder().post(counter));
    }

    /// Waits for a counter in L1.
    pub fn wait_for_counter(&self, counter: u16, at_least: Value<'a>) {
        self.insert(self.builder().r#await(counter, at_least));
    }

    /// Waits until a semaphore that an instruction posts is 1, and takes it.
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

    /// Writes the configuration word that holds `field`.
    pub fn configure(&self, field: ConfigField, value: u32) {
        self.set_gpr(SCRATCH_GPR, value);
        self.configure_from(field, SCRATCH_GPR);
    }

    /// Writes a field, and leaves the rest of its word to other threads.
    pub fn configure_field(&self, field: ConfigField, value: u32) {
        self.configure_bits(
            field,
            self.field_place(field).mask(),
            self.field_bits(field, value),
        );
    }

    /// Writes the masked bits of the word that holds `field`, byte by byte, and leaves the others
    /// to other threads.
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

    /// Writes four configuration words, the first of which holds `field` and is a multiple of four.
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

    /// The instruction that writes four configuration words from four GPRs.
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

    /// The same with a value that is computed.
    pub fn configure_thread_with(&self, field: ThreadField, value: Value<'a>) {
        let instruction = Setc16 {
            setc16_reg: self.field_place(field).addr32(),
            setc16_value: 0,
        };
        let below = self.field_place(field).max() + 1;
        self.push_computed(instruction, "setc16_value", value, below);
    }

    /// Lets the last configuration write take effect: the instruction right after WRCFG may not use
    /// its word.
    pub fn settle_config(&self) {
        self.push(Nop {});
    }
}
