//! Groups as text, for diagnostics and comparison: different groups have different texts.

use std::fmt;

use crate::kernel::{Group, Kernel, Op, OpKind, Pipe, Region, Type, Value};
use crate::target::{Numerics, Placement, Precision, Ring, RingEnd};

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, tensor) in self.tensors.iter().enumerate() {
            writeln!(f, "tensor {number}: {tensor}")?;
        }
        for (number, pipe) in self.pipes.iter().enumerate() {
            self.pipe(f, number, pipe)?;
        }
        if self.placement != Placement::default() {
            writeln!(f, "placement {:?}", self.placement)?;
        }
        for kernel in &self.kernels {
            let types = Types(kernel);
            write!(f, "kernel {:?}", kernel.name)?;
            if kernel.numerics != Numerics::default() {
                let Numerics {
                    phases,
                    accumulators,
                } = kernel.numerics;
                write!(f, ", {phases} phases, accumulators {accumulators:?}")?;
            }
            writeln!(f)?;
            for (number, tensor) in (self.tensors.len()..).zip(&kernel.local) {
                writeln!(f, "  local tensor {number}: {tensor}")?;
            }
            types.region(f, &kernel.body, self, 1)?;
        }
        Ok(())
    }
}

impl Group {
    fn pipe(&self, f: &mut fmt::Formatter<'_>, number: usize, pipe: &Pipe) -> fmt::Result {
        writeln!(
            f,
            "pipe {number} {:?}: {:?}, {} slots, split {:?}, cube {}, vector {:?}",
            pipe.name, pipe.direction, pipe.slots, pipe.split, pipe.cube, pipe.vector
        )?;
        let Ring { slot_bytes, ends } = &pipe.ring;
        if *slot_bytes != 0 {
            writeln!(f, "  slots of {slot_bytes} bytes")?;
        }
        ends.iter().try_for_each(|end| self.ring_end(f, end))
    }

    fn ring_end(&self, f: &mut fmt::Formatter<'_>, end: &RingEnd) -> fmt::Result {
        write!(f, "  kernel {}: ", end.kernel)?;
        match &end.buffer {
            None => f.write_str("in global memory")?,
            Some(buffer) => {
                match buffer.address {
                    Some(address) => write!(f, "at {address}")?,
                    None => f.write_str("anywhere")?,
                }
                self.location(f, buffer.location)?;
            }
        }
        self.location(f, end.location)?;
        writeln!(f)
    }

    fn location(&self, f: &mut fmt::Formatter<'_>, location: usize) -> fmt::Result {
        match self.locations.get(location) {
            Some(location) => write!(f, "  # {location}"),
            None => Ok(()),
        }
    }
}

/// A kernel, whose value types are printed.
struct Types<'k>(&'k Kernel);

impl Types<'_> {
    fn region(
        &self,
        f: &mut fmt::Formatter<'_>,
        region: &Region,
        group: &Group,
        depth: usize,
    ) -> fmt::Result {
        let indent = "  ".repeat(depth);
        if !region.arguments.is_empty() {
            writeln!(f, "{indent}given {}", self.typed(&region.arguments))?;
        }
        for op in &region.ops {
            self.op(f, op, group, depth)?;
        }
        if !region.yields.is_empty() {
            writeln!(f, "{indent}yield {}", names(&region.yields))?;
        }
        Ok(())
    }

    fn op(&self, f: &mut fmt::Formatter<'_>, op: &Op, group: &Group, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        f.write_str(&indent)?;
        if !op.results.is_empty() {
            write!(f, "{} = ", self.typed(&op.results))?;
        }
        let regions: &[Region] = match &op.kind {
            OpKind::For(body) => std::slice::from_ref(body),
            OpKind::If(branches) => &branches[..],
            _ => &[],
        };
        match &op.kind {
            OpKind::Constant(number) => write!(f, "constant {number}")?,
            OpKind::Scalar(scalar) => write!(f, "{scalar:?}")?,
            OpKind::For(_) => f.write_str("for")?,
            OpKind::If(_) => f.write_str("if")?,
            OpKind::Load { tensor } => write!(f, "load tensor {tensor}")?,
            OpKind::Store { tensor } => write!(f, "store tensor {tensor}")?,
            OpKind::Compute(compute) => write!(f, "{compute:?}")?,
            OpKind::Rearrange(rearrangement) => write!(f, "{rearrangement}")?,
            OpKind::Push { pipe } => write!(f, "push pipe {pipe}")?,
            OpKind::Pop { pipe } => write!(f, "pop pipe {pipe}")?,
            OpKind::Free { pipe } => write!(f, "free pipe {pipe}")?,
        }
        if !op.operands.is_empty() {
            write!(f, " {}", names(&op.operands))?;
        }
        if let Some(unit) = op.unit {
            write!(f, " on {}", unit.name())?;
        }
        if op.precision != Precision::default() {
            write!(f, " in {}", op.precision.name())?;
        }
        group.location(f, op.location)?;
        writeln!(f)?;
        for (number, region) in regions.iter().enumerate() {
            if number > 0 {
                writeln!(f, "{indent}else")?;
            }
            self.region(f, region, group, depth + 1)?;
        }
        if regions.is_empty() {
            Ok(())
        } else {
            writeln!(f, "{indent}end")
        }
    }

    fn typed(&self, values: &[Value]) -> String {
        let each = values.iter().map(|value| match self.0.values.get(*value) {
            Some(Type::Tile(tile)) => format!("%{value}: {tile}"),
            Some(Type::Scalar) => format!("%{value}"),
            None => format!("%{value}: nothing"),
        });
        each.collect::<Vec<_>>().join(", ")
    }
}

fn names(values: &[Value]) -> String {
    let each = values.iter().map(|value| format!("%{value}"));
    each.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
