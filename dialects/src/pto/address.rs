//! Addresses: attributes that pto-allocate-memory-addr sets.
//!
//! A ring's buffer has its address in `base`. Tiles have theirs on the operation that makes them,
//! also on the `scf.for` and `scf.if` that give them, whose types know nothing of it: `pto.address`
//! if there is one result, else `pto.addresses`, a list with `unit` for each result that has none:
//! what is no tile, lies in registers, or in a slot of a ring.
//!
//! An operation writes its result to its address, after it has read its operands. What a loop
//! carries lies at the address of the loop's result when its body begins, and after the loop; where
//! an initial value, a yielded one or the accumulator of a sum lies elsewhere, it is moved there,
//! all that are yielded at once.

use super::BufferOp;
use crate::mlir::attribute_key::{Int, List};
use crate::mlir::{AttributeKey, AttributeValue, Definition, Op, Rewriter, Value};

/// The address of the only result of an operation.
const ADDRESS: AttributeKey<Int<64>> = AttributeKey::new("pto.address");
/// The addresses of the results of an operation.
const ADDRESSES: AttributeKey<List> = AttributeKey::new("pto.addresses");

fn address(number: i64) -> Option<u64> {
    u64::try_from(number).ok()
}

/// The address of a tile, if it was given one.
pub fn tile_address(tile: Value) -> Option<u64> {
    let (op, number) = match tile.definition() {
        Definition::Result(op, number) => (op, number),
        // The first is the counter of the loop.
        Definition::Argument(block, number) => (block.parent()?, number.checked_sub(1)?),
    };
    if op.result_count() == 1 {
        return ADDRESS.get(op).and_then(address);
    }
    let all = ADDRESSES.get(op)?;
    all.get(number)?.integer().and_then(address)
}

/// Says where the results of an operation lie.
pub fn set_tiles<'a>(rewriter: &Rewriter<'a>, op: Op<'a>, addresses: &[Option<u64>]) {
    let context = rewriter.context();
    let texts: Vec<_> = addresses
        .iter()
        .map(|at| at.map_or("unit".into(), |at| at.to_string()))
        .collect();
    let (name, text) = match &texts[..] {
        [one] => (ADDRESS.name(), one.clone()),
        all => (ADDRESSES.name(), format!("[{}]", all.join(", "))),
    };
    if let Some(attribute) = context.parse_attribute(&text) {
        rewriter.set_attribute(op, name, attribute);
    }
}

/// Where the buffer of an operation lies, if that is known.
pub fn buffer_address(buffer: BufferOp) -> Option<u64> {
    buffer.base().and_then(address)
}

/// Says where a buffer lies.
pub fn set_buffer<'a>(rewriter: &Rewriter<'a>, buffer: BufferOp<'a>, at: u64) {
    let value = i64::try_from(at).unwrap_or(i64::MAX);
    rewriter.set(*buffer, BufferOp::BASE, value);
}
