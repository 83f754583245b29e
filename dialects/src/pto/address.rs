//! Addresses: attributes that pto-allocate-memory-addr sets.
//!
//! The address of a ring's buffer is its attribute `base`. The address of a tile is an attribute of
//! the operation that defines it, including `scf.for` and `scf.if`: `pto.address` for a single
//! result, otherwise `pto.addresses`, a list with `unit` for results without an address. Those are
//! scalars, tiles in registers, and tiles in slots of rings.
//!
//! An operation writes its result to its address after it has read its operands. A loop-carried
//! tile is at the address of the loop's result when the body begins and after the loop. An initial
//! value, a yielded value or an accumulator at another address is moved there; all yielded values
//! are moved simultaneously.

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

/// Returns the address of a tile, if it is set.
pub fn tile_address(tile: Value) -> Option<u64> {
    let (op, number) = match tile.definition() {
        Definition::Result(op, number) => (op, number),
        // The first argument is the induction variable.
        Definition::Argument(block, number) => (block.parent()?, number.checked_sub(1)?),
    };
    if op.result_count() == 1 {
        return ADDRESS.get(op).and_then(address);
    }
    let all = ADDRESSES.get(op)?;
    all.get(number)?.integer().and_then(address)
}

/// Sets the addresses of an operation's results.
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

/// Returns the address of a buffer, if it is set.
pub fn buffer_address(buffer: BufferOp) -> Option<u64> {
    buffer.base().and_then(address)
}

/// Sets the address of a buffer.
pub fn set_buffer<'a>(rewriter: &Rewriter<'a>, buffer: BufferOp<'a>, at: u64) {
    let value = i64::try_from(at).unwrap_or(i64::MAX);
    rewriter.set(*buffer, BufferOp::BASE, value);
}
