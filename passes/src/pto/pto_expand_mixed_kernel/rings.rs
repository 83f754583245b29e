//! Rings for crossings: one per direction, with slots of the largest tile that crosses in it.

use tessera_dialects::mlir::{
    At, Block, ContextRef, Location, NamedOp, NewOp, Reported, Rewriter, Type, Value, WalkOrder,
};
use tessera_dialects::pto::{self, Buffer, Direction, FuncOp, Pipe, Side, Split};

use super::{crossing, has_local_rings};

/// Maximum bytes of a ring, as addresses have 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64;

/// The rings of an expanded group, cube to vector first.
pub struct Rings {
    pipes: Vec<Pipe>,
    /// Whether they lie in the consumer's memory, or in one slot buffer.
    local: bool,
    /// Unique prefix of the buffers' names.
    prefix: String,
}

impl Rings {
    /// Returns an empty set of rings.
    pub fn none() -> Self {
        Rings {
            pipes: Vec::new(),
            local: true,
            prefix: String::new(),
        }
    }

    /// Determines the rings for the crossings of a mixed kernel.
    ///
    /// # Errors
    /// A crossing whose tile has no size, or a ring of more than [`MAX_BYTES`].
    pub fn for_kernel(
        kernel: FuncOp,
        split: Split,
        slot_num: Option<u64>,
    ) -> Result<Self, Reported> {
        let local = has_local_rings(kernel);
        let mut sizes: Vec<(Direction, u64)> = Vec::new();
        for op in kernel.walk(WalkOrder::Pre) {
            let Some(crossing) = crossing(op) else {
                continue;
            };
            let tile = &crossing.from;
            let mut bytes = tile.bytes().ok_or_else(|| {
                op.error(format!(
                    "crosses sides with elements of type {}, which have no size; no slot can hold \
                     them",
                    tile.element
                ))
            })?;
            // A slot in a vector core holds that core's part; any other slot holds the whole tile.
            if local && crossing.direction.consumer() == Side::Vector {
                bytes /= split.lanes() as u64;
            }
            match sizes
                .iter_mut()
                .find(|(direction, _)| *direction == crossing.direction)
            {
                Some((_, size)) => *size = bytes.max(*size),
                None => sizes.push((crossing.direction, bytes)),
            }
        }
        sizes.sort_by_key(|(direction, _)| direction.mask());
        let slot_num = slot_num.unwrap_or(if sizes.len() > 1 { 4 } else { 8 });
        for (_, slot_size) in &sizes {
            if slot_size
                .checked_mul(slot_num)
                .is_none_or(|ring| ring > MAX_BYTES)
            {
                return Err(kernel.error(format!(
                    "needs a ring of {slot_num} slots of {slot_size} bytes, and no memory has more \
                     than {MAX_BYTES}; use smaller tiles or fewer slots"
                )));
            }
        }
        let pipe = |(direction, slot_size)| Pipe {
            direction,
            slot_num,
            slot_size,
            split,
        };
        Ok(Rings {
            pipes: sizes.into_iter().map(pipe).collect(),
            local,
            prefix: prefix(kernel),
        })
    }

    /// Returns the type of the slot buffer, if the rings lie in one.
    pub fn slot_buffer<'a>(&self, context: ContextRef<'a>) -> Option<Type<'a>> {
        if self.local || self.pipes.is_empty() {
            return None;
        }
        let bytes: u64 = self.pipes.iter().map(|pipe| pipe.bytes()).sum();
        context.parse_type(&format!("memref<{bytes}xi8>"))
    }

    /// Creates the pipe ends of a kernel.
    pub fn initialize<'a>(&self, kernel: &PipeEnd<'_, 'a>) -> Vec<(Direction, Value<'a>)> {
        if self.pipes.is_empty() {
            return Vec::new();
        }
        let buffers: Vec<_> = if self.local {
            let buffer = |pipe: &Pipe| self.buffer(*pipe, kernel);
            self.pipes.iter().filter_map(buffer).collect()
        } else {
            kernel
                .block
                .arguments()
                .last()
                .copied()
                .into_iter()
                .collect()
        };
        let name = match kernel.side {
            Side::Cube => pto::AicInitializePipeOp::NAME,
            Side::Vector => pto::AivInitializePipeOp::NAME,
        };
        let context = kernel.rewriter.context();
        let types = self.pipes.iter().filter_map(|pipe| pipe.to_type(context));
        let initialize = NewOp::new(name, kernel.location)
            .operands(buffers)
            .results(types);
        let ends = kernel.rewriter.insert(At::End(kernel.block), initialize);
        let directions = self.pipes.iter().map(|pipe| pipe.direction);
        directions.zip(ends.results()).collect()
    }

    /// Creates the buffer of a ring: reserved by the consumer, imported by the producer.
    fn buffer<'a>(&self, pipe: Pipe, kernel: &PipeEnd<'_, 'a>) -> Option<Value<'a>> {
        let context = kernel.rewriter.context();
        let buffer = Buffer {
            bytes: pipe.bytes(),
            space: pipe.direction.ring(),
        };
        let name = format!("{}_{}", self.prefix, pipe.direction);
        let op = if pipe.direction.consumer() == kernel.side {
            pto::ReserveBufferOp::build(kernel.location)
        } else {
            pto::ImportPeerBufferOp::build(kernel.location).with(
                context,
                pto::ImportPeerBufferOp::PEER_FUNC,
                kernel.peer,
            )
        };
        let op = op
            .with(context, pto::BufferOp::NAME_ATTRIBUTE, &name)
            .results(buffer.to_type(context));
        kernel.rewriter.insert(At::End(kernel.block), op).result(0)
    }
}

/// The kernel in which pipe ends are created.
pub struct PipeEnd<'r, 'a> {
    /// Its side.
    pub side: Side,
    /// The kernel of the other side.
    pub peer: &'r str,
    /// Where the operations go; if there is a slot buffer, it is the last argument.
    pub block: Block<'a>,
    /// Where they come from.
    pub location: Location<'a>,
    /// What makes them.
    pub rewriter: &'r Rewriter<'a>,
}

/// Returns the kernel's name, with a number appended if it is a prefix of a hand-written buffer's
/// name.
fn prefix(kernel: FuncOp) -> String {
    let name = kernel.symbol().unwrap_or_default();
    let reserved = kernel.find_all::<pto::ReserveBufferOp>();
    let is_free = |prefix: &String| {
        let names = reserved.iter().filter_map(|op| op.name_attribute());
        !names
            .into_iter()
            .any(|name| name.starts_with(prefix.as_str()))
    };
    let numbered = (0..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(is_free)
        .unwrap_or_default()
}
