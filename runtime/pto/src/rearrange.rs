//! Kernels that copy elements between tensors instead of computing with tiles.
//!
//! A rearrangement is an index map ([`IndexMap`]) between tensors in global memory. It counts the
//! elements of a tensor in row-major order through all matrices; their addresses depend on the
//! target. A rearrangement is the only operation of its kernel, and the kernel is the only one of
//! its group. A target generates code for it as a whole ([`Group::rearrangement`]).

use std::fmt;

use tessera_ops::{IndexMap, Lookup, StridedCopy};

use crate::kernel::{Element, Group, Kernel, Op, OpKind, Region};
use crate::target::Precision;
use crate::validate::InvalidReason;

/// A copy of elements of tensors to another tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Rearrangement {
    /// The tensors that are read, in the order of the map's operands.
    pub sources: Vec<usize>,
    /// The tensor that is written.
    pub target: usize,
    /// The source of each element. The fill value is rounded to the element type of the target.
    pub map: IndexMap,
}

impl Group {
    /// Returns the rearrangement of a group that consists of one.
    pub fn rearrangement(&self) -> Option<(&Op, &Rearrangement)> {
        match &self.kernels[..] {
            [kernel] => alone(kernel),
            _ => None,
        }
    }
}

/// Returns the rearrangement of a kernel that consists of one.
fn alone(kernel: &Kernel) -> Option<(&Op, &Rearrangement)> {
    match &kernel.body.ops[..] {
        [op] => match &op.kind {
            OpKind::Rearrange(rearrangement) => Some((op, rearrangement)),
            _ => None,
        },
        _ => None,
    }
}

/// Checks a rearrangement of a group.
pub(crate) fn validate(group: &Group, rearrangement: &Rearrangement) -> Result<(), InvalidReason> {
    let is_alone = group
        .rearrangement()
        .is_some_and(|(_, one)| one == rearrangement);
    if !is_alone || !group.pipes.is_empty() {
        return Err(InvalidReason::Rearranges);
    }
    let Rearrangement {
        sources,
        target,
        map,
    } = rearrangement;
    let tensor = |&number: &usize| {
        let tensor = group.tensors.get(number);
        tensor.ok_or(InvalidReason::Missing {
            what: "tensor",
            number,
        })
    };
    let result = tensor(target)?;
    let mut elements = Vec::new();
    for source in sources {
        let from = tensor(source)?;
        let is_index = map
            .lookup
            .is_some_and(|lookup| lookup.indices == elements.len());
        if is_index && from.element != Element::I32 {
            return Err(InvalidReason::Types(
                "positions are looked up in a tensor of 32-bit integers",
            ));
        }
        if !is_index && from.element != result.element {
            return Err(InvalidReason::Types(
                "a tensor is rearranged to one of the same elements",
            ));
        }
        if source == target {
            return Err(InvalidReason::Types(
                "a tensor is rearranged to another one",
            ));
        }
        elements.push(from.elements().unwrap_or_default());
    }
    let result = result.elements().unwrap_or_default();
    map.check(&elements, result).map_err(InvalidReason::Map)
}

impl fmt::Display for Rearrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rearrangement {
            sources,
            target,
            map,
        } = self;
        write!(
            f,
            "rearrange tensors {sources:?} to {target}, fill {:?}",
            map.fill
        )?;
        if let Some(Lookup { indices, rows }) = map.lookup {
            write!(f, ", look up {rows} rows by {indices}")?;
        }
        map.copies.iter().try_for_each(|copy| {
            let StridedCopy {
                operand,
                extents,
                source_offset,
                source_strides,
                result_offset,
                result_strides,
            } = copy;
            write!(
                f,
                ", copy {operand} of {extents:?} from {source_offset} by {source_strides:?} \
                 to {result_offset} by {result_strides:?}"
            )
        })
    }
}

/// Creates a kernel that consists of a rearrangement.
pub fn kernel(name: &str, rearrangement: Rearrangement) -> Kernel {
    Kernel {
        name: name.to_owned(),
        body: Region {
            ops: vec![Op {
                kind: OpKind::Rearrange(Box::new(rearrangement)),
                operands: Vec::new(),
                results: Vec::new(),
                location: 0,
                unit: None,
                precision: Precision::default(),
            }],
            ..Region::default()
        },
        ..Kernel::default()
    }
}
