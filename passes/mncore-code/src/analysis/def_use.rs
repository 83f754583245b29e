//! Definitions and uses of the values of a body.

use tessera_isa_mncore::memory::Width;

use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::Value;

/// The writers and readers of a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct DefUse {
    /// In body order; all but the first write under a mask.
    pub writers: Vec<usize>,
    /// In body order, without duplicates.
    pub readers: Vec<usize>,
    /// Whether a forwarding register holds the same as the value's register would.
    pub can_forward: bool,
}

/// Returns the definitions and uses of all values.
pub(crate) fn def_uses(body: &Body) -> Vec<DefUse> {
    let mut uses = vec![DefUse::default(); body.values.len()];
    let of = |value: Value| value.0 as usize;
    for (number, item) in body.items.iter().enumerate() {
        for value in item.reads() {
            if uses[of(value)].readers.last() != Some(&number) {
                uses[of(value)].readers.push(number);
            }
        }
        for value in item.writes() {
            uses[of(value)].writers.push(number);
        }
    }
    for (value, of_value) in uses.iter_mut().enumerate() {
        let kind = body.values[value];
        // A forwarded result is a long word, but a single-width register keeps only half of it.
        let is_whole = kind.width != Width::Single || kind.home == Home::Forward;
        of_value.can_forward = kind.home != Home::Flags
            && is_whole
            && of_value.writers.len() == 1
            && is_unmasked(body, of_value.writers[0], Value(value as u32));
    }
    uses
}

/// Returns whether an item writes a value without a mask.
fn is_unmasked(body: &Body, writer: usize, value: Value) -> bool {
    let mut outputs = body.items[writer].outputs.iter();
    outputs.any(|output| {
        output.mask.is_none() && output.target == tessera_mncore_ir::item::Target::Value(value)
    })
}
