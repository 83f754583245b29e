//! Finds for each tile that is popped the one that was pushed.
//!
//! A pipe hands tiles over in order. Where the producer pushes and the consumer pops in the same
//! loops, the two at the same place of that nest belong together, the counters of one being those
//! of the other.

use std::collections::HashMap;
use std::rc::Rc;

use tessera_pto::kernel::{Group, Split};

use super::trace::{Event, Index, LoopId, Range, Tile, TileKind, Traced};
use super::{Reason, WholeError};

/// A store, with no tile in it that comes from a pipe.
#[derive(Debug)]
pub(super) struct Stored {
    pub tensor: usize,
    pub shape: [u32; 2],
    pub at: [Index; 2],
    pub tile: Rc<Tile>,
    /// The loops around it, outermost first.
    pub around: Vec<LoopId>,
    pub location: usize,
}

/// All stores of a group.
#[derive(Debug)]
pub(super) struct Joined {
    pub loops: Vec<Range>,
    pub stores: Vec<Stored>,
}

/// Replaces what is popped by what was pushed.
pub(super) fn join(group: &Group, traced: Traced) -> Result<Joined, WholeError> {
    let mut pushed = HashMap::new();
    for (number, pipe) in group.pipes.iter().enumerate() {
        if pipe.split != Split::None {
            return Err(WholeError {
                location: 0,
                reason: Reason::Split,
            });
        }
        let events = |kernels: &[usize]| traced.kernels.get(kernels[0]).map(Vec::as_slice);
        let producer = accesses(events(pipe.producers()).unwrap_or_default(), number);
        let consumer = accesses(events(pipe.consumers()).unwrap_or_default(), number);
        let mut names = HashMap::new();
        if !pair(&producer, &consumer, &traced.loops, &mut names, &mut pushed) {
            return Err(WholeError {
                location: 0,
                reason: Reason::Pipe(pipe.name.clone()),
            });
        }
    }
    let mut stores = Vec::new();
    for kernel in &traced.kernels {
        collect(kernel, &mut Vec::new(), &mut stores);
    }
    for store in &mut stores {
        store.tile = resolve(&store.tile, &pushed);
    }
    Ok(Joined {
        loops: traced.loops,
        stores,
    })
}

/// What a kernel does with one pipe.
enum Access {
    Loop(LoopId, Vec<Access>),
    Push(Rc<Tile>),
    Pop(usize),
}

/// The accesses to a pipe; loops without any are left out.
fn accesses(events: &[Event], number: usize) -> Vec<Access> {
    let access = |event: &Event| match event {
        Event::Loop(id, inside) => {
            let inside = accesses(inside, number);
            (!inside.is_empty()).then_some(Access::Loop(*id, inside))
        }
        Event::Push { pipe, tile } if *pipe == number => Some(Access::Push(tile.clone())),
        Event::Pop { pipe, pop } if *pipe == number => Some(Access::Pop(*pop)),
        _ => None,
    };
    events.iter().filter_map(access).collect()
}

/// What was pushed for a pop, and how the producer's counters are called by the consumer.
type Pushed = HashMap<usize, (Rc<Tile>, HashMap<LoopId, LoopId>)>;

/// Pairs pushes and pops; tells whether all have a counterpart.
fn pair(
    producer: &[Access],
    consumer: &[Access],
    loops: &[Range],
    names: &mut HashMap<LoopId, LoopId>,
    pushed: &mut Pushed,
) -> bool {
    producer.len() == consumer.len()
        && producer.iter().zip(consumer).all(|pair_of| match pair_of {
            (Access::Loop(one, pushes), Access::Loop(other, pops)) => {
                names.insert(*one, *other);
                loops[*one] == loops[*other] && pair(pushes, pops, loops, names, pushed)
            }
            (Access::Push(tile), Access::Pop(pop)) => {
                pushed.insert(*pop, (tile.clone(), names.clone()));
                true
            }
            _ => false,
        })
}

fn collect(events: &[Event], around: &mut Vec<LoopId>, stores: &mut Vec<Stored>) {
    for event in events {
        match event {
            Event::Loop(id, inside) => {
                around.push(*id);
                collect(inside, around, stores);
                around.pop();
            }
            Event::Store {
                tensor,
                shape,
                at,
                tile,
                location,
            } => stores.push(Stored {
                tensor: *tensor,
                shape: *shape,
                at: at.clone(),
                tile: tile.clone(),
                around: around.clone(),
                location: *location,
            }),
            Event::Push { .. } | Event::Pop { .. } => {}
        }
    }
}

/// A tile with everything popped replaced by what was pushed.
fn resolve(tile: &Rc<Tile>, pushed: &Pushed) -> Rc<Tile> {
    let again = |tile: &Rc<Tile>| resolve(tile, pushed);
    if let TileKind::Popped(pop) = tile.kind {
        return match pushed.get(&pop) {
            Some((source, names)) => rename(&again(source), names),
            None => tile.clone(),
        };
    }
    with_parts(tile, &again, &Index::clone, &|id| id)
}

/// A tile with the counters of other loops.
fn rename(tile: &Rc<Tile>, names: &HashMap<LoopId, LoopId>) -> Rc<Tile> {
    let name = |id: LoopId| names.get(&id).copied().unwrap_or(id);
    let index = |index: &Index| Index {
        constant: index.constant,
        terms: index
            .terms
            .iter()
            .map(|(&id, &count)| (name(id), count))
            .collect(),
    };
    with_parts(tile, &|tile| rename(tile, names), &index, &name)
}

/// A tile of the same kind, from other parts.
pub(super) fn with_parts(
    tile: &Rc<Tile>,
    part: &dyn Fn(&Rc<Tile>) -> Rc<Tile>,
    index: &dyn Fn(&Index) -> Index,
    name: &dyn Fn(LoopId) -> LoopId,
) -> Rc<Tile> {
    let kind = match &tile.kind {
        TileKind::Load { tensor, shape, at } => TileKind::Load {
            tensor: *tensor,
            shape: *shape,
            at: [index(&at[0]), index(&at[1])],
        },
        TileKind::Fill(value) => TileKind::Fill(*value),
        TileKind::Nothing => TileKind::Nothing,
        TileKind::Unary(unary, one) => TileKind::Unary(*unary, part(one)),
        TileKind::Binary(binary, broadcast, one, other) => {
            TileKind::Binary(*binary, *broadcast, part(one), part(other))
        }
        TileKind::Convert(element, one) => TileKind::Convert(*element, part(one)),
        TileKind::Select(all) => TileKind::Select(all.each_ref().map(part)),
        TileKind::Reduce(reduce, axis, valid, one) => {
            TileKind::Reduce(*reduce, *axis, *valid, part(one))
        }
        TileKind::Transpose(one) => TileKind::Transpose(part(one)),
        TileKind::Matmul(one, other) => TileKind::Matmul(part(one), part(other)),
        TileKind::Sum {
            first,
            counter,
            factors: [one, other],
        } => TileKind::Sum {
            first: part(first),
            counter: name(*counter),
            factors: [part(one), part(other)],
        },
        TileKind::Fold {
            join,
            first,
            counter,
            part: one,
        } => TileKind::Fold {
            join: *join,
            first: part(first),
            counter: name(*counter),
            part: part(one),
        },
        TileKind::Carried(id, position) => TileKind::Carried(name(*id), *position),
        TileKind::Accumulate(sum, one, other) => {
            TileKind::Accumulate(part(sum), part(one), part(other))
        }
        TileKind::Popped(pop) => TileKind::Popped(*pop),
    };
    Rc::new(Tile {
        kind,
        element: tile.element,
        location: tile.location,
    })
}
