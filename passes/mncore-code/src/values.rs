//! Who writes and reads each value.

use tessera_isa_mncore::memory::Width;

use tessera_mncore_ir::body::{Body, Home};
use tessera_mncore_ir::item::Value;

/// Who writes and reads a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// In order; all but the first write under a mask.
    pub writers: Vec<usize>,
    /// In order, each once.
    pub readers: Vec<usize>,
    /// Whether what is forwarded is what the register holds.
    pub forwards: bool,
}

/// The uses of all values.
pub(crate) fn uses(body: &Body) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); body.values.len()];
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
        // A single word in a register is half of what a unit forwards.
        let is_whole = kind.width != Width::Single || kind.home == Home::Forward;
        of_value.forwards = kind.home != Home::Flags
            && is_whole
            && of_value.writers.len() == 1
            && is_unmasked(body, of_value.writers[0], Value(value as u32));
    }
    uses
}

/// Whether an item writes all of a value.
fn is_unmasked(body: &Body, writer: usize, value: Value) -> bool {
    let mut outputs = body.items[writer].outputs.iter();
    outputs.any(|output| {
        output.mask.is_none() && output.target == tessera_mncore_ir::item::Target::Value(value)
    })
}
