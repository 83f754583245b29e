//! A generator of random bodies: arithmetic on values and on words of local memories and register
//! files, transfers to and from L1BM, matrix registers, masks.

use tessera_isa_mncore::ast::MatrixRows;
use tessera_isa_mncore::memory::{Bank, Precision, Side, Width};
use tessera_isa_mncore::table::l1bm::L1bmKind;
use tessera_isa_mncore::table::{AluKind, MauKind, MauOp};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{
    Dest, Guard, Masking, Op, Operand, Place, Source, Target, Test, Value,
};

use super::{alu, l1bm, mau};
use tessera_test_support::random::Rng;

/// A value that can be read.
#[derive(Clone, Copy)]
struct Known {
    value: Value,
    width: Width,
    guarded: bool,
    /// The item that writes it, where only the next may read it.
    forward: Option<usize>,
}

/// Generates bodies.
pub struct Maker<'a> {
    rng: &'a mut Rng,
    body: Body,
    known: Vec<Known>,
    flags: Vec<(Value, bool)>,
    guard: Option<Guard>,
    /// Whether the current item issues in some iterations only.
    guarded: bool,
    /// The bank whose words the body may address, besides local memories.
    named: [bool; 2],
    /// The banks that the current item addresses.
    taken: Vec<Bank>,
}

/// Returns a random body of at most `most` items.
pub fn body(rng: &mut Rng, most: usize, iterations: bool) -> Body {
    let (outer, trip): (&[u32], &[u32]) = match rng.below(4) {
        _ if !iterations => (&[], &[]),
        0 => (&[], &[3, 4]),
        1 => (&[2], &[5]),
        _ => (&[], &[9]),
    };
    let dimensions = outer.len() + trip.len();
    let guard = rng.percent(40).then(|| Guard {
        dimension: rng.below(dimensions.max(1)),
        test: rng.pick(&[
            Test::Is(0),
            Test::IsNot(0),
            Test::Every(2, 1),
            Test::Below(2),
            Test::From(1),
        ]),
    });
    let guard = guard.filter(|_| dimensions > 0);
    let named = [rng.percent(30), rng.percent(30)];
    let count = 2 + rng.below(most - 1);
    let mut maker = Maker {
        body: Body::new(outer, trip),
        rng,
        known: Vec::new(),
        flags: Vec::new(),
        guard,
        guarded: false,
        named,
        taken: Vec::new(),
    };
    for _ in 0..count {
        maker.item();
    }
    maker.body
}

impl Maker<'_> {
    fn item(&mut self) {
        self.guarded = self.guard.is_some() && self.rng.percent(30);
        self.taken.clear();
        match self.rng.below(20) {
            0..=3 => self.load(),
            4..=8 => self.arithmetic(),
            9..=12 => self.mau(),
            13 => self.down(),
            14 => self.up(),
            15..=16 => self.store(),
            17 => self.masked(),
            _ => self.matrix(),
        }
        // What only the next item could read was that one's last chance.
        let last = self.body.items.len() - 1;
        self.known
            .retain(|known| known.forward.is_none_or(|writer| writer == last));
    }

    fn push(&mut self, op: Op, inputs: Vec<Operand>, outputs: Vec<Dest>) {
        let guard = self.guard.filter(|_| self.guarded);
        self.body.push(op, inputs, outputs).when.extend(guard);
    }

    fn dimensions(&self) -> usize {
        self.body.dimensions()
    }

    /// Returns a random address in single words for accesses of this width.
    fn address(&mut self, width: Width) -> Address {
        let unit = u32::from(width.words());
        let steps: Vec<u32> = (0..self.dimensions())
            .map(|_| unit * self.rng.pick(&[0, 1, 2, 4, 4, 4, 8]))
            .collect();
        let base = unit * self.rng.below(16) as u32;
        match self.rng.percent(30) {
            true => Address::affine(base, &steps).with_ring(64, self.rng.pick(&[16, 32, 64])),
            false => Address::affine(base, &steps),
        }
    }

    fn place(&mut self, width: Width) -> Place {
        let mut banks = vec![Bank::Lm0, Bank::Lm1, Bank::Lm1];
        banks.extend(self.named[0].then_some(Bank::Grf0));
        banks.extend(self.named[1].then_some(Bank::Grf1));
        banks.retain(|bank| !self.taken.contains(bank));
        // A third operand of a product may find no bank free: then it is no good body, which is
        // told.
        let bank = if banks.is_empty() {
            Bank::Lm0
        } else {
            self.rng.pick(&banks)
        };
        self.taken.push(bank);
        let place = Place::consecutive(bank, width, self.address(width));
        match self.rng.percent(20) {
            true => Place {
                stride: width.words() * self.rng.pick(&[0, 2, 3]),
                ..place
            },
            false => place,
        }
    }

    /// Returns a random operand of this width.
    fn operand(&mut self, width: Width) -> Operand {
        let fits = |known: &&Known, guarded| known.width == width && (guarded || !known.guarded);
        let known: Vec<Known> = self
            .known
            .iter()
            .filter(|known| fits(known, self.guarded))
            .copied()
            .collect();
        if !known.is_empty() && self.rng.percent(75) {
            let recent = known.len().saturating_sub(6);
            let at = recent + self.rng.below(known.len() - recent);
            return known[at].value.into();
        }
        match self.rng.percent(40) && width == Width::Long {
            true => Source::Constant(0x3f00_0000 + 0x10_0000 * self.rng.below(5) as u32).into(),
            false => self.place(width).into(),
        }
    }

    /// Creates a value to write.
    fn value(&mut self, width: Width) -> Value {
        let home = match self.rng.below(20) {
            0 => Home::Bank(Bank::Lm1),
            1 => Home::Bank(Bank::Grf0),
            2 => Home::Bank(Bank::Grf1),
            3 => Home::Forward,
            _ => Home::Any,
        };
        let value = self.body.value(width, home);
        self.known.push(Known {
            value,
            width,
            guarded: self.guarded,
            forward: (home == Home::Forward).then_some(self.body.items.len()),
        });
        value
    }

    fn load(&mut self) {
        let from = self.place(Width::Long);
        let to = self.value(Width::Long);
        self.push(
            alu(AluKind::Passa, Some(Precision::Int)),
            vec![from.into()],
            vec![to.into()],
        );
    }

    fn arithmetic(&mut self) {
        let kind = self.rng.pick(&[
            AluKind::Add,
            AluKind::Xor,
            AluKind::Sub,
            AluKind::And,
            AluKind::Inc,
            AluKind::Max,
        ]);
        let mut inputs = vec![self.operand(Width::Long)];
        if kind != AluKind::Inc {
            inputs.push(self.operand(Width::Long));
        }
        let mut outputs: Vec<Dest> = vec![self.value(Width::Long).into()];
        if self.rng.percent(20) {
            let flags = self.body.value(Width::Long, Home::Flags);
            self.flags.push((flags, self.guarded));
            outputs.push(flags.into());
        }
        self.push(alu(kind, Some(Precision::Int)), inputs, outputs);
    }

    fn mau(&mut self) {
        let kind = self
            .rng
            .pick(&[MauKind::Vfma, MauKind::Vmul, MauKind::Vadd, MauKind::Vpassa]);
        let inputs = kind.row().ports.len();
        let inputs = (0..inputs).map(|_| self.operand(Width::Long)).collect();
        let output = self.value(Width::Long);
        self.push(mau(kind, Precision::Single), inputs, vec![output.into()]);
    }

    fn l1_address(&mut self, unit: u32) -> Address {
        let steps: Vec<u32> = (0..self.dimensions())
            .map(|_| unit * self.rng.pick(&[0, 1, 4, 8]))
            .collect();
        Address::affine(unit * self.rng.below(8) as u32, &steps).with_ring(0, 16 * unit)
    }

    fn down(&mut self) {
        let kind = self.rng.pick(&[L1bmKind::Broadcast, L1bmKind::Distribute]);
        let address = self.l1_address(64);
        let output: Dest = match self.rng.percent(50) {
            true => self.value(Width::Long).into(),
            false => self.place(Width::Long).into(),
        };
        self.push(l1bm(kind, false, address), vec![], vec![output]);
    }

    fn up(&mut self) {
        let kind = self.rng.pick(&[L1bmKind::Pick, L1bmKind::Collect]);
        let address = self.l1_address(64);
        let input = self.operand(Width::Long);
        if !matches!(input.source, Source::Constant(_)) {
            self.push(l1bm(kind, false, address), vec![input], vec![]);
        } else {
            self.load();
        }
    }

    fn store(&mut self) {
        let input = self.operand(Width::Long);
        let to = self.place(Width::Long);
        self.push(
            alu(AluKind::Passa, Some(Precision::Int)),
            vec![input],
            vec![to.into()],
        );
    }

    /// Adds a masked write, to memory or to an existing value.
    fn masked(&mut self) {
        let Some(&(flags, guarded)) = self.flags.last() else {
            return self.arithmetic();
        };
        self.guarded |= guarded;
        let input = self.operand(Width::Long);
        let any = self.known.iter().rev().find(|known| {
            known.forward.is_none() && known.width == Width::Long && known.guarded == self.guarded
        });
        let target = match any {
            Some(known) if self.rng.percent(60) && input.source != Source::Value(known.value) => {
                Target::Value(known.value)
            }
            _ => Target::Memory(self.place(Width::Long)),
        };
        let output = Dest {
            target,
            mask: Some(Masking::Flags(flags)),
        };
        self.push(
            alu(AluKind::Passa, Some(Precision::Int)),
            vec![input],
            vec![output],
        );
    }

    fn matrix(&mut self) {
        let side = self.rng.pick(&[Side::X, Side::Y]);
        if self.rng.percent(50) {
            let rows = MatrixRows {
                side,
                first: self.rng.pick(&[0, 4]),
                wide: false,
            };
            let input = self.operand(Width::Long);
            return self.push(Op::Mwrite(Precision::Pseudo, rows), vec![input], vec![]);
        }
        let op = MauOp {
            kind: MauKind::Mfma,
            precision: Precision::Pseudo,
            half: None,
            narrow: false,
        };
        let inputs = vec![self.operand(Width::Long), self.operand(Width::Long)];
        let output = self.value(Width::Long);
        self.push(Op::Mau(op, Some(side)), inputs, vec![output.into()]);
    }
}
