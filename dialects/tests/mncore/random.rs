//! Random loops that the assembler accepts: every opcode, every kind of operand.

use tessera_isa_mncore::ast::{Convert, Fixed, Mask, MatrixRows};
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::mv::{self, OperandForm as MvForm};
use tessera_isa_mncore::table::{AluKind, AluOp, L1bmOp, L2bmOp, MauOp, Rrn};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{
    Dest, Guard, Masking, Move, MoveMemory, MovePlace, Op, Operand, Place, Source, Target, Test,
    Value,
};
use tessera_mncore_ir::schedule::{Constant, Register, Schedule};

/// Lines that items stand for.
pub const LINES: u32 = 5;

/// A source of loops.
pub struct Random {
    state: u64,
    lines: u32,
}

impl Random {
    /// One that always gives the same.
    pub fn new(seed: u64) -> Self {
        Random {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            lines: 0,
        }
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as u32 % limit
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 0
    }

    fn choose<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize].clone()
    }

    /// A loop.
    pub fn body(&mut self) -> Body {
        let extents = |random: &mut Self| -> Vec<u32> {
            let count = random.below(3);
            (0..count).map(|_| random.below(3) + 1).collect()
        };
        let (outer, trip) = (extents(self), extents(self));
        let mut body = Body::new(&outer, &trip);
        body.min_ii = self.below(3) * 16;
        let flags = body.value(Width::Long, Home::Flags);
        let op = alu("lpassa");
        body.push(
            op,
            vec![self.place(Width::Long, &Body::default()).into()],
            vec![flags.into()],
        );
        for _ in 0..self.below(12) + 4 {
            self.item(&mut body);
            let item = body.items.len() - 1;
            body.items[item].when = self.guards(&body);
            body.items[item].line = self.line();
        }
        body
    }

    /// A line in the order in which lines come up, or none.
    fn line(&mut self) -> u32 {
        let line = self.below((self.lines + 2).min(LINES + 1));
        self.lines = self.lines.max(line);
        line
    }

    fn guards(&mut self, body: &Body) -> Vec<Guard> {
        let dimensions = body.dimensions() as u32;
        if dimensions == 0 || self.chance() {
            return Vec::new();
        }
        let guard = |random: &mut Self| Guard {
            dimension: random.below(dimensions) as usize,
            test: match random.below(5) {
                0 => Test::Is(random.below(3)),
                1 => Test::IsNot(random.below(3)),
                2 => Test::Below(random.below(4)),
                3 => Test::From(random.below(4)),
                _ => Test::Every(random.below(3) + 1, random.below(2)),
            },
        };
        (0..self.below(2) + 1).map(|_| guard(self)).collect()
    }

    /// An address of units of `unit` words, which stays below `128 · unit`.
    fn address(&mut self, unit: u32, body: &Body) -> Address {
        let steps: Vec<u32> = (0..body.dimensions())
            .map(|_| self.below(8) * unit)
            .collect();
        let moving = steps.iter().rposition(|&step| step != 0);
        let steps = &steps[..moving.map_or(0, |last| last + 1)];
        let address = Address::affine(self.below(32) * unit, steps);
        match self.below(3) {
            0 => address.with_ring(self.below(16) * unit, (self.below(31) + 1) * unit),
            _ => address,
        }
    }

    fn place(&mut self, width: Width, body: &Body) -> Place {
        let address = self.address(4, body);
        Place {
            stride: width.words() * self.choose(&[0, 1, 2]),
            ..Place::consecutive(self.choose(&Bank::ALL), width, address)
        }
    }

    /// A value of a width that is written already, if it is found.
    fn value(&mut self, width: Width, body: &Body) -> Option<Value> {
        let known = (0..body.values.len() as u32).map(Value);
        let fitting: Vec<Value> = known
            .filter(|&value| {
                let kind = body.kind(value);
                kind.width == width && !matches!(kind.home, Home::Flags | Home::Forward)
            })
            .collect();
        (!fitting.is_empty()).then(|| self.choose(&fitting))
    }

    fn operand(&mut self, width: Width, body: &Body) -> Operand {
        let source = match (self.below(4), self.value(width, body)) {
            (0, _) if width == Width::Long => Source::Constant(self.below(u32::MAX)),
            (1 | 2, Some(value)) => Source::Value(value),
            _ => Source::Memory(self.place(width, body)),
        };
        source.into()
    }

    /// Where a result goes; values are known from the next item on.
    fn dests(&mut self, width: Width, flags: bool, body: &mut Body) -> Vec<Dest> {
        let mut dests = Vec::new();
        for _ in 0..self.below(2) + 1 {
            let mask = match self.below(4) {
                0 => Some(Masking::Fixed(Mask {
                    entry: 16 + self.below(16) as u8,
                    wide: width == Width::Double,
                })),
                1 if width != Width::Double => Some(Masking::Flags(Value(0))),
                _ => None,
            };
            let over = self.value(width, body).filter(|&value| {
                mask.is_some()
                    && !dests
                        .iter()
                        .any(|dest: &Dest| dest.target == Target::Value(value))
            });
            let target = match (self.below(4), over) {
                (0, Some(value)) => Target::Value(value),
                (1, _) => Target::Memory(self.place(width, body)),
                (2, _) if flags => Target::Value(body.value(width, Home::Flags)),
                _ => {
                    let home = self.choose(&[
                        Home::Any,
                        Home::Forward,
                        Home::Bank(Bank::Grf1),
                        Home::Bank(Bank::Lm0),
                    ]);
                    Target::Value(body.value(width, home))
                }
            };
            dests.push(Dest { target, mask });
        }
        dests
    }

    fn item(&mut self, body: &mut Body) {
        match self.below(8) {
            0 | 1 => self.mau(body),
            2 | 3 => self.alu(body),
            4 => self.matrix(body),
            5 => self.l1bm(body),
            6 => self.l2bm(body),
            _ => self.mv(body),
        }
    }

    fn mau(&mut self, body: &mut Body) {
        let op = self.choose(&MauOp::all());
        let row = op.kind.row();
        let side = row.matrix.then(|| self.choose(&[Side::X, Side::Y]));
        let mut inputs = Vec::new();
        for &port in row.ports {
            let mut operand = self.operand(op.port_width(port), body);
            operand.negate = self.chance();
            inputs.push(operand);
        }
        if let (Precision::Single, "vadd", true) = (op.precision, row.stem, self.chance()) {
            inputs[1].convert = Convert::Widen;
        }
        let outputs = self.dests(op.result_width(), true, body);
        body.push(Op::Mau(op, side), inputs, outputs);
    }

    fn alu(&mut self, body: &mut Body) {
        let op = self.choose(&AluOp::all());
        let mut inputs = Vec::new();
        for _ in 0..op.kind.row().inputs {
            inputs.push(self.operand(Width::Long, body));
        }
        if !inputs.is_empty() && self.below(4) == 0 {
            let fixed = [
                Fixed::L2bId,
                Fixed::L1bId,
                Fixed::MabId,
                Fixed::PeId,
                Fixed::SubPeId,
                Fixed::Msb1,
            ];
            inputs[0] = Source::Fixed(self.choose(&fixed)).into();
        }
        let word = match op.kind {
            AluKind::Imm | AluKind::Immu => self.below(u32::MAX),
            _ => 0,
        };
        let outputs = self.dests(Width::Long, true, body);
        body.push(Op::Alu(op, word), inputs, outputs);
    }

    fn matrix(&mut self, body: &mut Body) {
        let precision = self.choose(&[
            Precision::Double,
            Precision::Single,
            Precision::Pseudo,
            Precision::Half,
        ]);
        let (half, read) = (precision == Precision::Half, self.chance());
        // A transposed read in half precision is always of two columns a cycle.
        let wide = half && (read || self.chance());
        let rows = MatrixRows {
            side: self.choose(&[Side::X, Side::Y]),
            first: self.below(2) as u8 * 2,
            wide,
        };
        let width = if wide { Width::Double } else { Width::Long };
        if !read {
            let input = self.operand(width, body);
            body.push(Op::Mwrite(precision, rows), vec![input], Vec::new());
        } else {
            let outputs = self.dests(width, false, body);
            body.push(Op::Mread(precision, rows), Vec::new(), outputs);
        }
    }

    fn l1bm(&mut self, body: &mut Body) {
        let op = self.choose(&L1bmOp::all());
        let address = self.address(64, body);
        let double = op.wide;
        let width = if double { Width::Double } else { Width::Long };
        if op.kind.row().down {
            let outputs = self.dests(width, false, body);
            body.push(Op::L1bm(op, address), Vec::new(), outputs);
        } else {
            let input = self.operand(width, body);
            body.push(Op::L1bm(op, address), vec![input], Vec::new());
        }
    }

    fn l2bm(&mut self, body: &mut Body) {
        let op = self.choose(&L2bmOp::all());
        let (l2, l1) = (self.address(64, body), self.address(64, body));
        body.push(Op::L2bm { op, l2, l1 }, Vec::new(), Vec::new());
    }

    fn mv(&mut self, body: &mut Body) {
        let tag = Address::fixed(self.below(255) + 1);
        if self.chance() {
            body.push(Op::Wait(tag), Vec::new(), Vec::new());
            return;
        }
        let row = self.choose(mv::rows());
        let group = self.below(4) as u8;
        let source = self.move_place(row.source.0, group, body);
        let target = self.move_place(row.target.0, group, body);
        let transfer = Move {
            mode: row.mode,
            rrn: row
                .mode
                .reduces()
                .then(|| self.choose(&Rrn::all().collect::<Vec<_>>())),
            words: row.mode.unit() * (self.below(4) + 1),
            tag,
            source,
            target,
        };
        body.push(Op::Mv(transfer), Vec::new(), Vec::new());
    }

    fn move_place(&mut self, form: MvForm, group: u8, body: &Body) -> MovePlace {
        let (memory, grouped, sided) = match form {
            MvForm::PdmOne => (MoveMemory::Pdm, true, false),
            MvForm::PdmAll => (MoveMemory::Pdm, false, false),
            MvForm::DramOne => (MoveMemory::Dram, true, false),
            MvForm::DramAll => (MoveMemory::Dram, false, false),
            MvForm::L2bmOne => (MoveMemory::L2bm, true, true),
            MvForm::L2bmSide => (MoveMemory::L2bm, false, true),
            MvForm::L2bmGroup => (MoveMemory::L2bm, true, false),
            MvForm::L2bmAll => (MoveMemory::L2bm, false, false),
        };
        let unit = if memory == MoveMemory::L2bm { 64 } else { 512 };
        MovePlace {
            memory,
            address: self.address(unit, body),
            group: grouped.then_some(group),
            l2b: sided.then(|| self.below(2) as u8),
        }
    }

    /// Steps and registers: any that can be said.
    pub fn schedule(&mut self, body: &Body) -> Schedule {
        let register = |random: &mut Self, home: Home| match home {
            Home::Flags => Register::Flags {
                first: random.below(7) as u8 + 1,
                slots: random.below(4) as u8 + 1,
            },
            _ if random.below(5) == 0 => Register::T,
            _ => Register::Words {
                bank: random.choose(&Bank::ALL),
                first: random.below(64) as u16 * 2,
                slots: random.below(3) as u16 + 1,
            },
        };
        Schedule {
            ii: self.below(7) + 1,
            at: body.items.iter().map(|_| self.below(20)).collect(),
            places: body
                .values
                .iter()
                .map(|kind| self.chance().then(|| register(self, kind.home)))
                .collect(),
            constants: (0..self.below(3))
                .map(|word| Constant {
                    word: word * 0x4000_0001,
                    bank: self.choose(&Bank::ALL),
                    address: self.below(200) as u16 * 2,
                })
                .collect(),
            reserved: Vec::new(),
        }
    }
}

/// An ALU opcode of a mnemonic.
fn alu(mnemonic: &str) -> Op {
    let op = AluOp::all()
        .into_iter()
        .find(|op| op.mnemonic() == mnemonic);
    Op::Alu(op.expect("it is a mnemonic"), 0)
}
