//! Fusion of independent loops that different units bound.
//!
//! A loop of a kernel with several stages often leaves a unit idle that the next one needs: a sum
//! takes the MAU, the conversion of a column side to block floats the ALU. If neither writes what
//! the other reads or writes, and the same holds for the loops between them, the later one runs
//! within the earlier one (loop fusion; Kennedy and Allen, "Optimizing Compilers for Modern
//! Architectures", section 8.6). An iteration of the earlier one may take several of the later one,
//! which is unrolled.
//!
//! Invariant: only loops that access nothing but memories of the PEs are fused or passed.

use tessera_isa_mncore::table::Group;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Item, Masking, Op, Place, Source, Target, Value};
use tessera_mncore_ir::kernel::Stage;
use tessera_mncore_ir::words::addressed_words;

/// The maximum number of iterations of the later loop in one of the earlier one.
const MAX_UNROLL: u64 = 8;
/// The steps of a loop's own prologue and epilogue, which fusion saves.
const OVERHEAD: u64 = 8;

/// Fuses each loop into an earlier one, if that is legal and shorter. Loops within repeated stages
/// stay as they are.
pub(crate) fn fuse_loops(stages: Vec<Stage>) -> Vec<Stage> {
    let mut done: Vec<Stage> = Vec::new();
    for stage in stages {
        let Stage::Loop(name, body) = stage else {
            done.push(stage);
            continue;
        };
        match find_partner(&done, &body) {
            Some(partner) => {
                if let Stage::Loop(_, earlier) = &mut done[partner] {
                    append(earlier, &body);
                }
            }
            None => done.push(Stage::Loop(name, body)),
        }
    }
    done
}

/// Returns the last of the stages into which a loop can be fused, past those after it.
fn find_partner(stages: &[Stage], body: &Body) -> Option<usize> {
    if !is_on_pes(body) || body.trip.len() != 1 {
        return None;
    }
    for (number, stage) in stages.iter().enumerate().rev() {
        let Stage::Loop(_, earlier) = stage else {
            return None;
        };
        if !is_on_pes(earlier) || !are_independent(earlier, body) {
            return None;
        }
        if can_contain(earlier, body) && is_shorter(earlier, body) {
            return Some(number);
        }
    }
    None
}

/// Returns whether all items are arithmetic in the PEs.
fn is_on_pes(body: &Body) -> bool {
    let is_arithmetic = |item: &Item| matches!(item.op, Op::Mau(_, None) | Op::Alu(..));
    body.items.iter().all(is_arithmetic)
}

/// Returns whether neither of two loops writes what the other accesses.
fn are_independent(one: &Body, other: &Body) -> bool {
    let [reads, writes] = accesses(one);
    let [other_reads, other_writes] = accesses(other);
    let meet = |one: &[Vec<bool>; 4], other: &[Vec<bool>; 4]| {
        let banks = one.iter().zip(other);
        banks.into_iter().any(|(one, other)| {
            let mut words = one.iter().zip(other);
            words.any(|(one, other)| *one && *other)
        })
    };
    !meet(&writes, &other_reads) && !meet(&writes, &other_writes) && !meet(&reads, &other_writes)
}

/// Returns the words that a loop reads, and those that it writes, by memory.
fn accesses(body: &Body) -> [[Vec<bool>; 4]; 2] {
    let (mut reading, mut writing) = (body.clone(), body.clone());
    reading
        .items
        .iter_mut()
        .for_each(|item| item.outputs.clear());
    writing
        .items
        .iter_mut()
        .for_each(|item| item.inputs.clear());
    [addressed_words(&reading), addressed_words(&writing)]
}

/// Returns whether iterations of the earlier loop can take all of the later one's.
fn can_contain(earlier: &Body, later: &Body) -> bool {
    let [own, other] = [earlier, later].map(Body::iterations);
    let time = later.dimensions() - 1;
    let is_guarded = |item: &Item| item.when.iter().any(|guard| guard.dimension == time);
    earlier.outer == later.outer
        && earlier.trip.len() == 1
        && own > 1
        && other % own == 0
        && other / own <= MAX_UNROLL
        && (other == own || !later.items.iter().any(is_guarded))
}

/// Returns whether both loops together need fewer steps of their busiest unit than one after the
/// other.
fn is_shorter(earlier: &Body, later: &Body) -> bool {
    let steps = |body: &Body| {
        [Group::MauCalc, Group::Alu].map(|slot| {
            let own = body.items.iter().filter(|item| item.group() == Some(slot));
            own.count() as u64 * body.iterations()
        })
    };
    let [one, other] = [steps(earlier), steps(later)];
    let most = |steps: [u64; 2]| steps[0].max(steps[1]);
    most([one[0] + other[0], one[1] + other[1]]) + OVERHEAD < most(one) + most(other)
}

/// Appends the items of a loop to those of another, unrolled to its number of iterations.
fn append(body: &mut Body, later: &Body) {
    let time = body.dimensions() - 1;
    let count = (later.iterations() / body.iterations()) as u32;
    for number in 0..count {
        let first = body.values.len() as u32;
        body.values.extend(&later.values);
        for item in &later.items {
            let mut item = item.clone();
            rename_values(&mut item, first);
            for place in places(&mut item) {
                unroll(&mut place.address, time, (number, count));
            }
            body.items.push(item);
        }
    }
    body.min_ii = body.min_ii.max(later.min_ii * count);
}

/// Makes an item read and write the values from `first` on.
fn rename_values(item: &mut Item, first: u32) {
    let rename = |value: &mut Value| value.0 += first;
    for input in &mut item.inputs {
        if let Source::Value(value) = &mut input.source {
            rename(value);
        }
    }
    for output in &mut item.outputs {
        if let Target::Value(value) = &mut output.target {
            rename(value);
        }
        if let Some(Masking::Flags(value)) = &mut output.mask {
            rename(value);
        }
    }
}

/// Returns the places in memories that an item accesses.
fn places(item: &mut Item) -> impl Iterator<Item = &mut Place> {
    let inputs = item
        .inputs
        .iter_mut()
        .filter_map(|one| match &mut one.source {
            Source::Memory(place) => Some(place),
            _ => None,
        });
    let outputs = item
        .outputs
        .iter_mut()
        .filter_map(|one| match &mut one.target {
            Target::Memory(place) => Some(place),
            Target::Value(_) => None,
        });
    inputs.chain(outputs)
}

/// Changes the address of iteration `i` to that of iteration `count * i + number`.
fn unroll(address: &mut Address, dimension: usize, (number, count): (u32, u32)) {
    if let Some(step) = address.steps.get_mut(dimension) {
        address.base += *step * number;
        *step *= count;
    }
}

#[cfg(test)]
mod tests;
