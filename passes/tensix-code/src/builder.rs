//! Builder of programs on virtual registers.

use std::collections::HashMap;

use crate::schedule::conditional_groups;
use crate::virtual_inst::{Condition, Op, Operand, Reg, VirtualInst};

/// A program under construction.
#[derive(Clone, Debug, Default)]
pub struct SfpuBuilder {
    pub(crate) items: Vec<VirtualInst>,
    registers: usize,
    /// Whether appended instructions execute under a condition.
    is_conditional: bool,
    /// Whether instructions of two vectors alternate.
    pub(crate) is_paired: bool,
}

impl SfpuBuilder {
    fn register(&mut self) -> Reg {
        self.registers += 1;
        Reg(self.registers - 1)
    }

    /// Appends an operation that writes a new register.
    fn push_new(&mut self, op: Op, reads: Vec<Operand>) -> Reg {
        let dest = self.register();
        self.items.push(VirtualInst {
            dest: Some(dest),
            reads,
            reads_dest: op.reads_dest(),
            ..VirtualInst::new(op)
        });
        dest
    }

    /// Appends an operation that updates a copy of `d`. The copy is free if `d` has no later use.
    fn push_update(&mut self, op: Op, reads: Vec<Operand>, d: Operand) -> Reg {
        let dest = self.copy(d);
        self.items.push(VirtualInst {
            dest: Some(dest),
            reads,
            reads_dest: true,
            ..VirtualInst::new(op)
        });
        dest
    }

    /// Copies `a` to a new register.
    pub fn copy(&mut self, a: impl Into<Operand>) -> Reg {
        match a.into() {
            Operand::Constant(number) => self.constant(number),
            a => self.push_new(Op::Copy, vec![a]),
        }
    }

    /// Loads a constant into all lanes.
    pub fn constant(&mut self, number: u32) -> Reg {
        self.push_new(Op::Constant(number), vec![])
    }

    /// Loads from a row of Dst.
    pub fn load(&mut self, row: u32) -> Reg {
        self.push_new(Op::Load(row), vec![])
    }

    /// Stores `a` to a row of Dst.
    pub fn store(&mut self, a: impl Into<Operand>, row: u32) {
        self.items.push(VirtualInst {
            reads: vec![a.into()],
            ..VirtualInst::new(Op::Store(row))
        });
    }

    /// Computes `a · b + c`.
    pub fn mad(
        &mut self,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
        c: impl Into<Operand>,
    ) -> Reg {
        self.push_new(Op::Mad, vec![a.into(), b.into(), c.into()])
    }

    /// Computes `a + b`.
    pub fn add(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.push_new(Op::Add, vec![a.into(), b.into()])
    }

    /// Computes `a · b`.
    pub fn mul(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        self.push_new(Op::Mul, vec![a.into(), b.into()])
    }

    /// Evaluates a polynomial in `x` by Horner's rule, the coefficient of the highest power first.
    pub fn horner(&mut self, coefficients: &[f32], x: Reg) -> Reg {
        let [first, second, rest @ ..] = coefficients else {
            unreachable!("polynomials have two coefficients at least")
        };
        let mut sum = self.mad(*first, x, *second);
        for coefficient in rest {
            sum = self.mad(sum, x, *coefficient);
        }
        sum
    }

    /// Appends an operation of one operand.
    pub fn unary(&mut self, op: Op, a: impl Into<Operand>) -> Reg {
        self.push_new(op, vec![a.into()])
    }

    /// Computes `-a`.
    pub fn negate(&mut self, a: impl Into<Operand>) -> Reg {
        self.unary(Op::Negate, a)
    }

    /// Computes `|a|` of a float.
    pub fn magnitude(&mut self, a: impl Into<Operand>) -> Reg {
        self.unary(Op::SetSign(false), a)
    }

    /// Appends an operation on `a` and a copy of `d`.
    pub fn binary(&mut self, op: Op, a: impl Into<Operand>, d: impl Into<Operand>) -> Reg {
        self.push_update(op, vec![a.into()], d.into())
    }

    /// Shifts `a` left, or right if `by` is negative.
    pub fn shift_by(&mut self, a: impl Into<Operand>, by: i8) -> Reg {
        self.push_update(Op::ShiftBy(by), vec![], a.into())
    }

    /// Returns the lesser and the greater of two floats, in total order.
    pub fn sort(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> [Reg; 2] {
        let (greater, lesser) = (self.copy(a), self.copy(b));
        self.items.push(VirtualInst {
            dest: Some(lesser),
            other: Some(greater),
            reads_dest: true,
            ..VirtualInst::new(Op::Sort)
        });
        [lesser, greater]
    }

    /// Returns the lesser of two floats, in total order.
    pub fn min(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        match (a.into(), b.into()) {
            (a, b @ Operand::Constant(_)) => self.push_update(Op::Min, vec![b], a),
            (a, b) => self.sort(a, b)[0],
        }
    }

    /// Returns the greater of two floats, in total order.
    pub fn max(&mut self, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        match (a.into(), b.into()) {
            (a, b @ Operand::Constant(_)) => self.push_update(Op::Max, vec![b], a),
            (a, b) => self.sort(a, b)[1],
        }
    }

    /// Appends `body` for the lanes in which `a` satisfies a condition. The body may only change
    /// registers that were written before.
    pub fn when(
        &mut self,
        condition: Condition,
        a: impl Into<Operand>,
        body: impl FnOnce(&mut Self),
    ) {
        self.begin_when(condition, a);
        body(self);
        self.end_when();
    }

    /// Restricts the following instructions, up to [`end_when`](Self::end_when), to lanes in which
    /// `a` also satisfies a condition.
    pub fn begin_when(&mut self, condition: Condition, a: impl Into<Operand>) {
        self.is_conditional = true;
        self.items.push(VirtualInst {
            reads: vec![a.into()],
            ..VirtualInst::new(Op::If(condition))
        });
    }

    /// Restricts the following instructions to lanes in which the integer difference `a - d` is (or
    /// is not) negative. The copy of `d` must precede the first condition.
    pub fn begin_when_difference(&mut self, negative: bool, a: impl Into<Operand>, copy_of_d: Reg) {
        self.is_conditional = true;
        self.items.push(VirtualInst {
            dest: Some(copy_of_d),
            reads: vec![a.into()],
            reads_dest: true,
            ..VirtualInst::new(Op::IntSubIf { negative })
        });
    }

    /// Restricts the following instructions to lanes in which `a` is negative or +0, as an integer.
    pub fn begin_when_not_positive(&mut self, a: Reg) {
        self.begin_when_sum(a, -1, true);
    }

    /// Restricts the following instructions to lanes in which the sum of the integer `a` and a
    /// constant of 12 bits is (or is not) negative.
    pub fn begin_when_sum(&mut self, a: Reg, number: i16, negative: bool) {
        let dest = self.register();
        self.is_conditional = true;
        self.items.push(VirtualInst {
            dest: Some(dest),
            reads: vec![a.into()],
            ..VirtualInst::new(Op::IntAddNumberIf { number, negative })
        });
    }

    /// Ends the conditions: all lanes execute again.
    pub fn end_when(&mut self) {
        self.is_conditional = false;
        self.items.push(VirtualInst::new(Op::EndIf));
    }

    /// Writes the result of an operation to `dest`, in the executing lanes.
    pub fn set(&mut self, dest: Reg, op: Op, reads: Vec<Operand>) {
        self.items.push(VirtualInst {
            dest: Some(dest),
            reads,
            reads_dest: self.is_conditional || op.reads_dest(),
            ..VirtualInst::new(op)
        });
    }

    /// Copies `a` to `dest`, in the executing lanes.
    pub fn assign(&mut self, dest: Reg, a: impl Into<Operand>) {
        match a.into() {
            Operand::Constant(number) => self.set(dest, Op::Constant(number), vec![]),
            a => self.set(dest, Op::Copy, vec![a]),
        }
    }

    /// Returns a program that does the same for two vectors, the second one `rows` rows of Dst
    /// behind the first. Instructions of both alternate, so that they wait less for one another.
    /// Those under a condition stay together.
    pub(crate) fn paired(mut self, rows: u32) -> Self {
        let second: Vec<VirtualInst> = self
            .items
            .iter()
            .map(|item| item.moved(self.registers, rows))
            .collect();
        let groups = conditional_groups(&self.items);
        let mut first = std::mem::take(&mut self.items)
            .into_iter()
            .zip(groups)
            .peekable();
        let mut second = second.into_iter();
        while let Some((item, group)) = first.next() {
            let mut length = 1;
            self.items.push(item);
            while let Some((item, _)) = first.next_if(|(_, next)| group.is_some() && *next == group)
            {
                length += 1;
                self.items.push(item);
            }
            self.items.extend(second.by_ref().take(length));
        }
        self.registers *= 2;
        self.is_paired = true;
        self
    }

    /// Returns a program that loads operands right before they are used, and again before uses that
    /// are more than `distance` items from the previous one. It needs fewer LRegs, and often no
    /// copies. Programs store nothing to a row that they load later, except before all uses of what
    /// they load.
    pub(crate) fn with_late_loads(mut self, distance: usize) -> Self {
        let items = std::mem::take(&mut self.items);
        let groups = conditional_groups(&items);
        let rows = loaded_rows(&items);
        // The register that holds an operand, and the item that used it last.
        let mut current: HashMap<Reg, (Reg, usize)> = HashMap::new();
        for (number, mut item) in items.iter().cloned().enumerate() {
            if matches!(item.dest, Some(dest) if rows.contains_key(&dest)) {
                continue;
            }
            // Operands of a conditional group are loaded in front of it.
            let uses = match groups[number] {
                Some(first) if first < number => 0..0,
                Some(first) => first..items.len(),
                None => number..number + 1,
            };
            let same = uses.take_while(|other| groups[*other] == groups[number]);
            for read in same.flat_map(|other| items[other].inputs()) {
                let Some(&row) = rows.get(&read) else {
                    continue;
                };
                let near = current.get(&read);
                let near = near.filter(|(_, last)| number - last <= distance);
                let reg = near.map_or_else(|| self.load(row), |(reg, _)| *reg);
                current.insert(read, (reg, number));
            }
            for read in &mut item.reads {
                if let Operand::Reg(reg) = read {
                    if let Some((loaded, last)) = current.get_mut(reg) {
                        *last = number;
                        *read = Operand::Reg(*loaded);
                    }
                }
            }
            self.items.push(item);
        }
        self
    }
}

/// Returns the rows of Dst in registers that nothing but a load writes.
fn loaded_rows(items: &[VirtualInst]) -> HashMap<Reg, u32> {
    let mut rows = HashMap::new();
    let mut written: HashMap<Reg, usize> = HashMap::new();
    for item in items {
        for output in item.outputs() {
            *written.entry(output).or_default() += 1;
        }
        if let (Op::Load(row), Some(dest)) = (item.op, item.dest) {
            rows.insert(dest, row);
        }
    }
    rows.retain(|reg, _| written[reg] == 1);
    rows
}
