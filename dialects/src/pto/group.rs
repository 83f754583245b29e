//! Verifies that the kernels of a group have the two ends of the same pipes.

use super::kernel::name;
use super::pipes::initialize_ops;
use super::types::{pipe, Pipe};
use super::{BufferOp, FuncOp, ImportPeerBufferOp};
use crate::mlir::{Definition, Value};

/// One end of a pipe.
struct End {
    /// The identity of the pipe in its group: its reserved buffer, or its location in global
    /// memory.
    pipe: String,
    r#type: Pipe,
    kernel: String,
}

/// Checks that the cube kernel, and each vector kernel that a pipe is split over, has an end of the
/// pipe with the same type.
pub(super) fn verify(cube: FuncOp, vectors: &[FuncOp]) -> Result<(), String> {
    let cube_ends = ends(cube)?;
    let mut vector_ends = Vec::new();
    for vector in vectors {
        vector_ends.extend(ends(*vector)?);
    }
    for end in &cube_ends {
        let others = vector_ends.iter().filter(|other| other.pipe == end.pipe);
        let (found, lanes) = (others.clone().count(), end.r#type.split.lanes());
        if found != lanes {
            return Err(format!(
                "runs {} with {found} vector kernels that have an end of its pipe {}; {} needs {lanes}",
                end.kernel, end.pipe, end.r#type
            ));
        }
        for other in others {
            if other.r#type != end.r#type {
                return Err(format!(
                    "runs {} and {} with pipe {}, which is {} in one and {} in the other",
                    end.kernel, other.kernel, end.pipe, end.r#type, other.r#type
                ));
            }
        }
    }
    let alone = |end: &&End| !cube_ends.iter().any(|other| other.pipe == end.pipe);
    match vector_ends.iter().find(alone) {
        Some(end) => Err(format!(
            "runs {}, whose pipe {} has no end in {}",
            end.kernel,
            end.pipe,
            name(cube)
        )),
        None => Ok(()),
    }
}

fn ends(kernel: FuncOp) -> Result<Vec<End>, String> {
    let mut ends: Vec<End> = Vec::new();
    for initialize in initialize_ops(kernel) {
        for result in initialize.results() {
            // A kernel after the launch is not verified yet.
            let end = pipe(result.r#type()).zip(ring(kernel, result));
            let (r#type, place) = end
                .ok_or_else(|| format!("runs {}, which initializes no valid pipe", name(kernel)))?;
            if ends.iter().any(|end| end.pipe == place) {
                return Err(format!(
                    "runs {}, which initializes pipe {place} twice",
                    name(kernel)
                ));
            }
            ends.push(End {
                pipe: place,
                r#type,
                kernel: name(kernel),
            });
        }
    }
    Ok(ends)
}

/// Returns the identity of a pipe's ring, which is the same for both ends, or `None` if the kernel
/// does not initialize the pipe.
pub fn ring(kernel: FuncOp, end: Value) -> Option<String> {
    let Definition::Result(initialize, number) = end.definition() else {
        return None;
    };
    let buffers = initialize.operands();
    let buffer = buffers.get(number).or(buffers.first())?;
    place(kernel, *buffer, pipe(end.r#type())?)
}

/// Returns the identity of a pipe with this buffer.
fn place(kernel: FuncOp, buffer: Value, r#type: Pipe) -> Option<String> {
    match buffer.definition() {
        Definition::Argument(_, number) => {
            Some(format!("{} in argument #{number}", r#type.direction))
        }
        Definition::Result(op, _) => {
            let peer = op.dyn_cast().and_then(ImportPeerBufferOp::peer_func);
            let owner = peer.map_or_else(|| name(kernel), |peer| format!("@{peer}"));
            let buffer = op.dyn_cast::<BufferOp>()?;
            Some(format!("{:?} of {owner}", buffer.name_attribute()?))
        }
    }
}
