//! Checks of a group before it runs: indices are in range, values are defined before their uses and
//! have the types that operations need, and pipes are used by the kernels at their ends.
//!
//! Termination is not checked here; see [`crate::liveness`].

use thiserror::Error;

use crate::kernel::{
    Axis, Broadcast, Compute, Element, Group, Kernel, Op, OpKind, Pipe, Region, Split, TensorType,
    TileType, Type, Value,
};
use crate::rearrange;
use crate::target::MAX_PHASES;
use tessera_ops::{Domain, MapError};

/// A violation of an invariant of groups.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {what}")]
pub struct Invalid {
    /// The tensor, pipe or kernel, and the source location.
    pub place: String,
    /// The violation.
    pub what: InvalidReason,
}

/// Kinds of violations.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum InvalidReason {
    /// A shape with extent zero, or with too many elements.
    #[error("an extent is zero, or there are more than {MAX_ELEMENTS} elements")]
    Extent,
    /// Local tensors that no cores' memories hold.
    #[error("the local tensors of a group have more than {MAX_LOCAL_ELEMENTS} elements")]
    LocalElements,
    /// More valid rows or columns than there are.
    #[error("more rows or columns are valid than there are")]
    Valid,
    /// A pipe without slots.
    #[error("the ring has no slots")]
    NoSlots,
    /// A pipe with the wrong kernels at its ends.
    #[error(
        "the pipe needs one cube kernel and {needs} vector kernels, all different kernels of the \
         group; or one kernel that is both"
    )]
    Ends {
        /// Vector kernels it needs.
        needs: usize,
    },
    /// A kernel that describes an end of a ring without being at that end.
    #[error("kernel {0} declares an end of a ring that it neither pushes to nor pops from")]
    RingEnd(usize),
    /// A number of fidelity phases that is not supported.
    #[error("a product takes 1 to {MAX_PHASES} phases, not {0}")]
    Phases(u32),
    /// An index out of range.
    #[error("there is no {what} {number}")]
    Missing {
        /// The kind of thing that is indexed.
        what: &'static str,
        /// The number.
        number: usize,
    },
    /// A value that is used where it is not defined.
    #[error("value {0} is not defined here")]
    Undefined(Value),
    /// A value that is defined twice.
    #[error("value {0} is defined twice")]
    Redefined(Value),
    /// A wrong number of operands, results or arguments.
    #[error("{what}: {has} instead of {needs}")]
    Count {
        /// The kind of thing that is counted.
        what: &'static str,
        /// How many there are.
        has: usize,
        /// How many there must be.
        needs: usize,
    },
    /// A value of the wrong kind.
    #[error("value {value} is not a {needs}")]
    Kind {
        /// The value.
        value: Value,
        /// What it must be.
        needs: &'static str,
    },
    /// Values whose types do not fit together.
    #[error("types do not fit: {0}")]
    Types(&'static str),
    /// A tile with another element type than its tensor.
    #[error("the tile has elements of {tile}, its tensor of {tensor}; convert the tile")]
    TensorElement {
        /// What the tile has.
        tile: Element,
        /// What the tensor has.
        tensor: Element,
    },
    /// An element-wise function that does not support the element type.
    #[error(
        "'{function}' does not support element type '{element}'; convert the tile to '{needs}'"
    )]
    Domain {
        /// The function.
        function: &'static str,
        /// What it is given.
        element: Element,
        /// What it takes.
        needs: &'static str,
    },
    /// A rearrangement beside other operations or kernels.
    #[error("a kernel that rearranges tensors does nothing else, and is alone in its group")]
    Rearranges,
    /// An index map that does not fit the tensors.
    #[error(transparent)]
    Map(MapError),
    /// A pipe of which this kernel is not an end.
    #[error("this kernel does not {does} pipe {pipe}")]
    NotItsPipe {
        /// Push to, or pop from.
        does: &'static str,
        /// The pipe.
        pipe: String,
    },
    /// Regions that are nested too deeply.
    #[error("regions are nested more than {MAX_DEPTH} deep")]
    Depth,
}

/// The greatest number of elements of a tensor or a tile.
pub const MAX_ELEMENTS: u64 = 1 << 28;
/// The greatest number of elements of all local tensors of a group.
pub const MAX_LOCAL_ELEMENTS: u64 = 1 << 24;
/// The greatest nesting depth of regions.
pub const MAX_DEPTH: usize = 64;

/// Checks a group.
pub fn group(group: &Group) -> Result<(), Invalid> {
    for (number, tensor) in group.tensors.iter().enumerate() {
        count_elements(tensor).map_err(|what| invalid(format!("tensor {number}"), what))?;
    }
    local_tensors(group)?;
    for pipe in &group.pipes {
        ends(group, pipe).map_err(|what| invalid(format!("pipe {}", pipe.name), what))?;
    }
    for number in 0..group.kernels.len() {
        kernel(group, number)?;
    }
    Ok(())
}

/// Checks the tensors in the memories of the cores.
fn local_tensors(group: &Group) -> Result<(), Invalid> {
    let mut all = 0;
    for kernel in &group.kernels {
        for (number, tensor) in (group.tensors.len()..).zip(&kernel.local) {
            let refuse = |what| {
                let place = format!("kernel {}, local tensor {number}", kernel.name);
                invalid(place, what)
            };
            all += count_elements(tensor).map_err(refuse)?;
            if all > MAX_LOCAL_ELEMENTS {
                return Err(refuse(InvalidReason::LocalElements));
            }
        }
    }
    Ok(())
}

/// Returns the number of elements of a tensor.
fn count_elements(tensor: &TensorType) -> Result<u64, InvalidReason> {
    let elements = tensor
        .elements()
        .filter(|all| (1..=MAX_ELEMENTS).contains(all));
    let matrix = is_extent([tensor.rows, tensor.columns]);
    elements.filter(|_| matrix).ok_or(InvalidReason::Extent)
}

fn invalid(place: String, what: InvalidReason) -> Invalid {
    Invalid { place, what }
}

fn is_extent([rows, columns]: [u32; 2]) -> bool {
    rows > 0 && columns > 0 && u64::from(rows) * u64::from(columns) <= MAX_ELEMENTS
}

fn ends(group: &Group, pipe: &Pipe) -> Result<(), InvalidReason> {
    let needs = pipe.split.lanes();
    let mut kernels = vec![pipe.cube];
    kernels.extend(&pipe.vector);
    kernels.sort_unstable();
    kernels.dedup();
    let exist = kernels.iter().all(|kernel| *kernel < group.kernels.len());
    // A mixed kernel has both ends of its pipes.
    let mixed = pipe.split == Split::None && pipe.vector == [pipe.cube];
    if pipe.vector.len() != needs || (kernels.len() != needs + 1 && !mixed) || !exist {
        return Err(InvalidReason::Ends { needs });
    }
    if pipe.slots == 0 {
        return Err(InvalidReason::NoSlots);
    }
    for (number, end) in pipe.ring.ends.iter().enumerate() {
        let before = pipe.ring.ends[..number].iter();
        let others = before.filter(|other| other.kernel == end.kernel).count();
        let most = if mixed { 2 } else { 1 };
        if !kernels.contains(&end.kernel) || others >= most {
            return Err(InvalidReason::RingEnd(end.kernel));
        }
    }
    Ok(())
}

fn kernel(group: &Group, number: usize) -> Result<(), Invalid> {
    let kernel = &group.kernels[number];
    let named = |place: &str| format!("kernel {}{place}", kernel.name);
    for r#type in &kernel.values {
        if let Type::Tile(tile) = r#type {
            let what = if !is_extent([tile.rows, tile.columns]) {
                InvalidReason::Extent
            } else if tile.valid[0] > tile.rows || tile.valid[1] > tile.columns {
                InvalidReason::Valid
            } else {
                continue;
            };
            return Err(invalid(named(""), what));
        }
    }
    if !(1..=MAX_PHASES).contains(&kernel.numerics.phases) {
        return Err(invalid(
            named(""),
            InvalidReason::Phases(kernel.numerics.phases),
        ));
    }
    let mut checker = Checker {
        group,
        kernel,
        number,
        visible: vec![false; kernel.values.len()],
        defined: vec![false; kernel.values.len()],
    };
    checker.region(&kernel.body, &[], 0).map_err(|(op, what)| {
        let location = op.and_then(|op| group.locations.get(op.location));
        let at = location.map_or_else(String::new, |location| format!(" at {location}"));
        invalid(named(&at), what)
    })
}

/// The state of the walk over a kernel.
struct Checker<'a> {
    group: &'a Group,
    kernel: &'a Kernel,
    number: usize,
    /// Values that can be used here.
    visible: Vec<bool>,
    /// Values that were defined anywhere.
    defined: Vec<bool>,
}

type Found<'a> = (Option<&'a Op>, InvalidReason);

impl<'a> Checker<'a> {
    fn region(
        &mut self,
        region: &'a Region,
        yields: &[Type],
        depth: usize,
    ) -> Result<(), Found<'a>> {
        if depth > MAX_DEPTH {
            return Err((None, InvalidReason::Depth));
        }
        let mut local = Vec::new();
        let none = |what| (None, what);
        self.define(&region.arguments, &mut local).map_err(none)?;
        for op in &region.ops {
            let here = |what| (Some(op), what);
            self.used(&op.operands).map_err(here)?;
            self.op(op, depth)?;
            self.define(&op.results, &mut local).map_err(here)?;
        }
        self.used(&region.yields).map_err(none)?;
        count("values yielded", region.yields.len(), yields.len()).map_err(none)?;
        let given = region.yields.iter().map(|value| self.kernel.values[*value]);
        if !given.eq(yields.iter().copied()) {
            return Err(none(InvalidReason::Types(
                "a region yields the types of the results of its operation",
            )));
        }
        local
            .into_iter()
            .for_each(|value| self.visible[value] = false);
        Ok(())
    }

    fn define(&mut self, values: &[Value], local: &mut Vec<Value>) -> Result<(), InvalidReason> {
        for &value in values {
            let Some(defined) = self.defined.get_mut(value) else {
                return Err(missing("value", value));
            };
            if std::mem::replace(defined, true) {
                return Err(InvalidReason::Redefined(value));
            }
            self.visible[value] = true;
            local.push(value);
        }
        Ok(())
    }

    fn used(&self, values: &[Value]) -> Result<(), InvalidReason> {
        let hidden = |value: &&Value| !self.visible.get(**value).copied().unwrap_or(false);
        values
            .iter()
            .find(hidden)
            .map_or(Ok(()), |value| Err(InvalidReason::Undefined(*value)))
    }

    fn op(&mut self, op: &'a Op, depth: usize) -> Result<(), Found<'a>> {
        let here = |what| (Some(op), what);
        for result in &op.results {
            if *result >= self.kernel.values.len() {
                return Err(here(missing("value", *result)));
            }
        }
        // What is wrong with a region as a whole is wrong with its operation.
        let inside = |(place, what): Found<'a>| (place.or(Some(op)), what);
        match &op.kind {
            OpKind::For(region) => {
                let carried = self.r#for(op, region).map_err(here)?;
                self.region(region, &carried, depth + 1).map_err(inside)
            }
            OpKind::If(regions) => {
                count("operands", op.operands.len(), 1).map_err(here)?;
                self.scalars(&op.operands).map_err(here)?;
                let results = self.types(&op.results);
                for region in regions.iter() {
                    count("arguments", region.arguments.len(), 0).map_err(here)?;
                    self.region(region, &results, depth + 1).map_err(inside)?;
                }
                Ok(())
            }
            _ => self.plain(op).map_err(here),
        }
    }

    fn types(&self, values: &[Value]) -> Vec<Type> {
        values
            .iter()
            .map(|value| self.kernel.values[*value])
            .collect()
    }

    /// Checks a loop and returns the types of its carried values.
    fn r#for(&self, op: &Op, region: &Region) -> Result<Vec<Type>, InvalidReason> {
        if op.operands.len() < 3 {
            return count("operands", op.operands.len(), 3).map(|()| vec![]);
        }
        self.scalars(&op.operands[..3])?;
        let carried = self.types(&op.operands[3..]);
        count("arguments", region.arguments.len(), carried.len() + 1)?;
        for argument in &region.arguments {
            if *argument >= self.kernel.values.len() {
                return Err(missing("value", *argument));
            }
        }
        self.scalars(&region.arguments[..1])?;
        let same = self.types(&region.arguments[1..]) == carried;
        if !same || self.types(&op.results) != carried {
            return Err(InvalidReason::Types(
                "a loop is given, carries and results in the same",
            ));
        }
        Ok(carried)
    }

    /// Returns an operation without regions.
    fn plain(&self, op: &Op) -> Result<(), InvalidReason> {
        let counts = |operands: usize, results: usize| {
            count("operands", op.operands.len(), operands)?;
            count("results", op.results.len(), results)
        };
        match &op.kind {
            OpKind::Constant(_) => {
                counts(0, 1)?;
                self.scalars(&op.results)
            }
            OpKind::Scalar(_) => {
                counts(2, 1)?;
                self.scalars(&op.operands)?;
                self.scalars(&op.results)
            }
            OpKind::Load { tensor } => {
                counts(2, 1)?;
                self.scalars(&op.operands)?;
                self.tensor_tile(*tensor, self.tile(op.results[0])?)
            }
            OpKind::Store { tensor } => {
                counts(3, 0)?;
                self.scalars(&op.operands[1..])?;
                self.tensor_tile(*tensor, self.tile(op.operands[0])?)
            }
            OpKind::Compute(compute) => self.compute(*compute, op),
            OpKind::Rearrange(rearrangement) => {
                counts(0, 0)?;
                rearrange::validate(self.group, rearrangement)
            }
            OpKind::Push { pipe } => {
                counts(1, 0)?;
                let tile = self.tile(op.operands[0])?;
                self.end_of(*pipe, "push to", Pipe::producers)?;
                self.whole(*pipe, tile)
            }
            OpKind::Pop { pipe } => {
                counts(0, 1)?;
                let tile = self.tile(op.results[0])?;
                self.end_of(*pipe, "pop from", Pipe::consumers)?;
                self.whole(*pipe, tile)
            }
            OpKind::Free { pipe } => {
                counts(1, 0)?;
                self.tile(op.operands[0])?;
                self.end_of(*pipe, "pop from", Pipe::consumers)
            }
            OpKind::For(_) | OpKind::If(_) => Ok(()),
        }
    }

    fn scalars(&self, values: &[Value]) -> Result<(), InvalidReason> {
        let other = |value: &&Value| self.kernel.values.get(**value) != Some(&Type::Scalar);
        values.iter().find(other).map_or(Ok(()), |&value| {
            let needs = "number";
            Err(InvalidReason::Kind { value, needs })
        })
    }

    fn tile(&self, value: Value) -> Result<TileType, InvalidReason> {
        match self.kernel.values.get(value) {
            Some(Type::Tile(tile)) => Ok(*tile),
            _ => Err(InvalidReason::Kind {
                value,
                needs: "tile",
            }),
        }
    }

    fn tensor_tile(&self, tensor: usize, tile: TileType) -> Result<(), InvalidReason> {
        let Some(r#type) = self.group.tensor_type(self.kernel, tensor) else {
            return Err(missing("tensor", tensor));
        };
        if tile.element != r#type.element {
            return Err(InvalidReason::TensorElement {
                tile: tile.element,
                tensor: r#type.element,
            });
        }
        Ok(())
    }

    fn end_of(
        &self,
        pipe: usize,
        does: &'static str,
        kernels: impl Fn(&Pipe) -> &[usize],
    ) -> Result<(), InvalidReason> {
        let Some(described) = self.group.pipes.get(pipe) else {
            return Err(missing("pipe", pipe));
        };
        if kernels(described).contains(&self.number) {
            return Ok(());
        }
        let pipe = described.name.clone();
        Err(InvalidReason::NotItsPipe { does, pipe })
    }

    /// Returns a tile that the cube kernel pushes or pops has something for both lanes.
    fn whole(&self, pipe: usize, tile: TileType) -> Result<(), InvalidReason> {
        let pipe = &self.group.pipes[pipe];
        let extent = match pipe.split {
            Split::None => return Ok(()),
            Split::UpDown => tile.rows,
            Split::LeftRight => tile.columns,
        };
        if pipe.cube == self.number && extent < 2 {
            return Err(InvalidReason::Types(
                "a tile of one row or column cannot be split",
            ));
        }
        Ok(())
    }

    fn compute(&self, compute: Compute, op: &Op) -> Result<(), InvalidReason> {
        let operands = match compute {
            Compute::Fill(_) => 0,
            Compute::Unary(_)
            | Compute::Reduce(..)
            | Compute::Transpose
            | Compute::Convert
            | Compute::Move => 1,
            Compute::Matmul | Compute::Binary(..) => 2,
            Compute::MatmulAcc | Compute::Select => 3,
        };
        count("operands", op.operands.len(), operands)?;
        count("results", op.results.len(), 1)?;
        let tiles = op.operands.iter().map(|value| self.tile(*value));
        let tiles = tiles.collect::<Result<Vec<_>, _>>()?;
        let shapes: Vec<[u32; 2]> = tiles.iter().map(|one| [one.rows, one.columns]).collect();
        let result = self.tile(op.results[0])?;
        let shape = [result.rows, result.columns];
        let axis = match compute {
            Compute::Reduce(_, Axis::Rows) => Some(0),
            Compute::Reduce(_, Axis::Columns) => Some(1),
            _ => None,
        };
        if axis.is_some_and(|axis| result.valid[axis] != 1) {
            return Err(InvalidReason::Types(
                "one row or column is valid in what a reduction leaves",
            ));
        }
        let elements: Vec<Element> = tiles.iter().map(|one| one.element).collect();
        domain(compute, &elements)?;
        if !are_kinds_consistent(compute, &elements, result.element) {
            return Err(InvalidReason::Types(
                "integers and floats meet in one operation; convert the tiles to elements of one \
                 kind",
            ));
        }
        if fits(compute, &shapes, shape) {
            Ok(())
        } else {
            Err(InvalidReason::Types(
                "the shapes of the tiles are not those of the operation",
            ))
        }
    }
}

/// Checks that an element-wise function or product supports the element types.
fn domain(compute: Compute, operands: &[Element]) -> Result<(), InvalidReason> {
    let (function, takes) = match compute {
        Compute::Unary(unary) => (unary.name(), unary.domain()),
        Compute::Binary(binary, _) => (binary.name(), binary.domain()),
        Compute::Matmul | Compute::MatmulAcc => ("matmul", Domain::Float),
        _ => return Ok(()),
    };
    let outside = operands.iter().find(|element| !takes.contains(**element));
    outside.map_or(Ok(()), |&element| {
        Err(InvalidReason::Domain {
            function,
            element,
            needs: if element.is_integer() { "f32" } else { "i32" },
        })
    })
}

/// Returns whether operands and result are all integers or all floats, apart from those that may be
/// either.
fn are_kinds_consistent(compute: Compute, operands: &[Element], result: Element) -> bool {
    let same = |elements: &[Element], kind: Element| {
        let kind = kind.is_integer();
        elements.iter().all(|element| element.is_integer() == kind)
    };
    match compute {
        Compute::Convert => true,
        Compute::Unary(unary) if unary.is_predicate() => true,
        Compute::Binary(binary, _) if binary.is_predicate() => same(operands, operands[0]),
        Compute::Select => same(&operands[1..], result),
        _ => same(operands, result),
    }
}

/// Returns whether the shapes of operands and result fit an operation.
fn fits(compute: Compute, operands: &[[u32; 2]], result: [u32; 2]) -> bool {
    let [rows, columns] = result;
    let product =
        |lhs: [u32; 2], rhs: [u32; 2]| lhs[0] == rows && lhs[1] == rhs[0] && rhs[1] == columns;
    match compute {
        Compute::Fill(_) => true,
        Compute::Matmul => product(operands[0], operands[1]),
        Compute::MatmulAcc => operands[0] == result && product(operands[1], operands[2]),
        Compute::Unary(_) | Compute::Convert | Compute::Move | Compute::Select => {
            operands.iter().all(|operand| *operand == result)
        }
        Compute::Binary(_, broadcast) => {
            let right = operands[1];
            let spread = match broadcast {
                Broadcast::None => right == result,
                Broadcast::Row => right[1] == columns,
                Broadcast::Column => right[0] == rows,
                Broadcast::Scalar => true,
            };
            operands[0] == result && spread
        }
        Compute::Reduce(_, Axis::Rows) => operands[0][1] == columns,
        Compute::Reduce(_, Axis::Columns) => operands[0][0] == rows,
        Compute::Transpose => operands[0] == [columns, rows],
    }
}

fn missing(what: &'static str, number: usize) -> InvalidReason {
    InvalidReason::Missing { what, number }
}

fn count(what: &'static str, has: usize, needs: usize) -> Result<(), InvalidReason> {
    if has == needs {
        Ok(())
    } else {
        Err(InvalidReason::Count { what, has, needs })
    }
}
