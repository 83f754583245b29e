//! The reductions of a kernel: their order and the instructions that combine elements.

use tessera_isa_mncore::memory::{Precision, Width};
use tessera_isa_mncore::table::{AluKind, AluOp, MauKind, MauOp, Rrn, RrnKind};
use tessera_pto::kernel::{Axis, Reduce, TensorType};

use crate::compile::error::{unsupported, CompileError};
use crate::compile::stages::line;
use crate::functions::Function;
use crate::raise::{BroadcastView, Expr, ExprKind, Store};
use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::{Dest, Op, Operand, Place};

/// A reduction of a kernel.
pub(crate) struct Reduction<'a> {
    pub expr: &'a Expr,
    pub reduce: Reduce,
    /// The number of elements that it combines.
    pub extent: u32,
    pub of: &'a Expr,
    /// The length of the longest chain of reductions on which it depends.
    pub level: usize,
    /// Whether it runs along the other axis, across the results of the first ones.
    pub is_across: bool,
}

/// Returns the distinct reductions of a store, and the axis of the first ones.
pub(crate) fn reductions<'a>(
    store: &'a Store,
    tensors: &[TensorType],
) -> Result<(Axis, Vec<Reduction<'a>>), CompileError> {
    let mut all: Vec<(Axis, Reduction)> = Vec::new();
    store.value.visit(&mut |expr| {
        let ExprKind::Reduce {
            reduce,
            axis,
            extent,
            of,
        } = &expr.kind
        else {
            return;
        };
        if all.iter().any(|(_, other)| other.expr == expr) {
            return;
        }
        let before = all.iter().filter(|(_, other)| contains(of, other.expr));
        let level = before.map(|(_, other)| other.level + 1).max();
        let reduction = Reduction {
            expr,
            reduce: *reduce,
            extent: *extent,
            of,
            level: level.unwrap_or(0),
            is_across: false,
        };
        all.push((*axis, reduction));
    });
    let first = all.first().map_or(Axis::Columns, |(axis, _)| *axis);
    let mut reductions = Vec::new();
    for (axis, mut reduction) in all {
        reduction.is_across = axis != first;
        if reduction.is_across {
            reduction.check_across(first, tensors)?;
        }
        reductions.push(reduction);
    }
    Ok((first, reductions))
}

fn contains(expr: &Expr, part: &Expr) -> bool {
    expr == part || expr.parts().iter().any(|one| contains(one, part))
}

/// Returns the extent of an expression along an axis, 1 where it is broadcast.
fn extent(expr: &Expr, axis: Axis, tensors: &[TensorType]) -> u32 {
    let parts = || expr.parts().iter().map(|part| extent(part, axis, tensors));
    match &expr.kind {
        ExprKind::Tensor(tensor, broadcast) => {
            let BroadcastView { rows, columns, .. } = *broadcast;
            let kind = tensors[*tensor];
            let [down, across] = broadcast.orient([kind.rows, kind.columns]);
            match axis {
                Axis::Rows if !rows => down,
                Axis::Columns if !columns => across,
                _ => 1,
            }
        }
        ExprKind::Reduce { axis: own, .. } if *own == axis => 1,
        _ => parts().max().unwrap_or(1),
    }
}

impl Reduction<'_> {
    /// Checks that its operand consists of results of reductions along the first axis.
    fn check_across(&self, first: Axis, tensors: &[TensorType]) -> Result<(), CompileError> {
        let location = self.expr.location;
        if extent(self.of, first, tensors) != 1 {
            return Err(unsupported(location, "reductions of rows and of columns side by side in one group have no code for MN-Core 2; compile with fusion=none"));
        }
        Ok(())
    }

    /// Returns the key of its sweep: level, direction and extent.
    pub fn sweep(&self) -> (usize, bool, u32) {
        (self.level, self.is_across, self.extent)
    }

    /// Emits the items that accumulate vectors one after the other. Only the first waits for the
    /// accumulator.
    pub fn accumulate(&self, body: &mut Body, values: Vec<Operand>, accumulator: Place) {
        let count = values.len();
        let mut before: Operand = accumulator.clone().into();
        for (value, number) in values.into_iter().zip(1..) {
            let sum = body.value(Width::Long, Home::Any);
            let to: Dest = match number < count {
                true => sum.into(),
                false => accumulator.clone().into(),
            };
            let item = body.push(self.op(), vec![value, before], vec![to]);
            item.line = line(self.expr.location);
            before = sum.into();
        }
    }

    fn is_integer(&self) -> bool {
        self.expr.element.is_integer()
    }

    fn precision(&self) -> Precision {
        if self.is_integer() {
            Precision::Int
        } else {
            Precision::Single
        }
    }

    /// Returns the word of the neutral element.
    pub fn neutral(&self) -> u32 {
        match (self.reduce, self.is_integer()) {
            (Reduce::Max, true) => i32::MIN as u32,
            (Reduce::Min, true) => i32::MAX as u32,
            _ => self.neutral_number().to_bits(),
        }
    }

    /// Returns the floating-point neutral element, whatever the element type.
    pub fn neutral_number(&self) -> f32 {
        match self.reduce {
            Reduce::Sum => 0.0,
            Reduce::Max => f32::NEG_INFINITY,
            Reduce::Min => f32::INFINITY,
        }
    }

    /// Returns the operation that combines two elements.
    pub fn op(&self) -> Op {
        let precision = self.precision();
        let alu = |kind| Op::Alu(AluOp::new(kind, Some(precision)), 0);
        match self.reduce {
            Reduce::Sum if self.is_integer() => alu(AluKind::Add),
            Reduce::Sum => Op::Mau(
                MauOp {
                    kind: MauKind::Vadd,
                    precision,
                    half: None,
                    narrow: false,
                },
                None,
            ),
            Reduce::Max => alu(AluKind::Max),
            Reduce::Min => alu(AluKind::Min),
        }
    }

    /// Returns the functions that combine words, then PEs.
    pub fn word_and_pe_functions(&self) -> [Function; 2] {
        match (self.reduce, self.is_integer()) {
            (Reduce::Sum, false) => [Function::SumWords, Function::SumPes],
            (Reduce::Max, false) => [Function::MaxWords, Function::MaxPes],
            (Reduce::Min, false) => [Function::MinWords, Function::MinPes],
            (Reduce::Sum, true) => [Function::IntSumWords, Function::IntSumPes],
            (Reduce::Max, true) => [Function::IntMaxWords, Function::IntMaxPes],
            (Reduce::Min, true) => [Function::IntMinWords, Function::IntMinPes],
        }
    }

    /// Returns the function that combines cycles.
    pub fn cycle_function(&self) -> Function {
        match (self.reduce, self.is_integer()) {
            (Reduce::Sum, false) => Function::SumCycles,
            (Reduce::Max, false) => Function::MaxCycles,
            (Reduce::Min, false) => Function::MinCycles,
            (Reduce::Sum, true) => Function::IntSumCycles,
            (Reduce::Max, true) => Function::IntMaxCycles,
            (Reduce::Min, true) => Function::IntMinCycles,
        }
    }

    /// Returns the operation of the reduction networks of MABs, L1Bs and L2Bs. Maxima and minima
    /// are those of floats, whatever the element type.
    pub fn network(&self) -> Rrn {
        let integer = self.is_integer();
        let (precision, kind) = match self.reduce {
            Reduce::Sum if integer => (Precision::Int, RrnKind::IntAdd),
            Reduce::Sum => (Precision::Single, RrnKind::FloatAdd),
            Reduce::Max => (Precision::Single, RrnKind::Max),
            Reduce::Min => (Precision::Single, RrnKind::Min),
        };
        Rrn { precision, kind }
    }

    /// Returns whether the networks cannot compare the elements.
    pub fn is_extreme_of_integers(&self) -> bool {
        self.is_integer() && self.reduce != Reduce::Sum
    }
}
