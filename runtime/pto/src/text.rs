//! Groups as text, for people and for comparing: different groups have different texts.

use std::fmt;

use crate::kernel::{Group, Kernel, Op, OpKind, Pipe, Region, Type, Value};
use crate::target::{Numerics, Placement, Ring, RingEnd};

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

/// A kernel, whose values have types.
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
mod tests {
    use crate::builder::Builder;
    use crate::kernel::{Compute, Direction, Element, Group, Pipe, Split, TensorType, TileType};
    use crate::target::{Accumulators, Buffer, Numerics, Placement, Ring, RingEnd, Unit};

    fn group() -> Group {
        let tile = TileType::full(4, 4, Element::F32);
        Group {
            tensors: vec![TensorType {
                matrices: 1,
                rows: 4,
                columns: 8,
                element: Element::F32,
            }],
            pipes: vec![Pipe {
                name: "sums".to_owned(),
                direction: Direction::CubeToVector,
                slots: 2,
                split: Split::None,
                cube: 0,
                vector: vec![1],
                ring: Ring::default(),
            }],
            kernels: vec![
                Builder::kernel("cube", |cube| {
                    cube.repeat(2, |cube, _| {
                        let half = cube.compute(Compute::Fill(0.5), &[], tile);
                        cube.push(0, half);
                    });
                }),
                Builder::kernel("vector", |vector| {
                    let [zero, one] = [0, 1].map(|number| vector.constant(number));
                    let popped = vector.pop(0, tile);
                    vector.store(0, popped, zero, one);
                    let free = |vector: &mut Builder| {
                        vector.free(0, popped);
                        vec![]
                    };
                    vector.branch(one, &[], free, |_| vec![]);
                }),
            ],
            locations: vec!["model.mlir:3:5".to_owned()],
            placement: Placement::default(),
        }
    }

    const TEXT: &str = "\
tensor 0: 1x4x8xf32
pipe 0 \"sums\": CubeToVector, 2 slots, split None, cube 0, vector [1]
kernel \"cube\"
  %0 = constant 0  # model.mlir:3:5
  %1 = constant 2  # model.mlir:3:5
  %2 = constant 1  # model.mlir:3:5
  for %0, %1, %2  # model.mlir:3:5
    given %3
    %4: 4x4xf32 = Fill(0.5)  # model.mlir:3:5
    push pipe 0 %4  # model.mlir:3:5
  end
kernel \"vector\"
  %0 = constant 0  # model.mlir:3:5
  %1 = constant 1  # model.mlir:3:5
  %2: 4x4xf32 = pop pipe 0  # model.mlir:3:5
  store tensor 0 %2, %0, %1  # model.mlir:3:5
  if %1  # model.mlir:3:5
    free pipe 0 %2  # model.mlir:3:5
  else
  end
";

    #[test]
    fn a_group_reads_well() {
        assert_eq!(group().to_string(), TEXT);
    }

    #[test]
    fn target_data_has_a_text_and_can_be_left_out() {
        let mut with = group();
        with.placement = Placement::Cluster;
        with.kernels[0].numerics = Numerics {
            phases: 2,
            accumulators: Accumulators::B16,
        };
        with.kernels[1].body.ops[2].unit = Some(Unit::Sfpu);
        let end = |kernel, buffer| RingEnd {
            kernel,
            buffer,
            location: 0,
        };
        let buffer = |address| {
            let location = 9;
            Some(Buffer { address, location })
        };
        with.pipes[0].ring = Ring {
            slot_bytes: 64,
            ends: vec![end(0, buffer(Some(96))), end(1, buffer(None)), end(1, None)],
        };
        let pipe = TEXT.lines().nth(1).expect("a pipe");
        let ring = "  slots of 64 bytes
  kernel 0: at 96  # model.mlir:3:5
  kernel 1: anywhere  # model.mlir:3:5
  kernel 1: in global memory  # model.mlir:3:5
placement Cluster";
        let text = TEXT
            .replace(pipe, &format!("{pipe}\n{ring}"))
            .replace("\"cube\"", "\"cube\", 2 phases, accumulators B16")
            .replace("pop pipe 0", "pop pipe 0 on sfpu");
        assert_eq!(with.to_string(), text);
        assert_eq!(with.without_target_data(), group());
    }
}
