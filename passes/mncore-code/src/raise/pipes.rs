//! Matches each pop of a pipe with its push.
//!
//! A pipe preserves order. If producer and consumer push and pop in the same loop nest, accesses at
//! the same position of the nest correspond. The producer's loop counters are then replaced by the
//! consumer's.

use std::collections::HashMap;
use std::rc::Rc;

use tessera_pto::kernel::{Group, Split};

use super::trace::{Event, Index, LoopId, Range, Tile, TileKind, Traced};
use super::{RaiseError, RaiseErrorReason};

/// A store without references to pipes.
#[derive(Debug)]
pub(super) struct TracedStore {
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
pub(super) struct ResolvedStores {
    pub loops: Vec<Range>,
    pub stores: Vec<TracedStore>,
}

/// Substitutes pushed tiles for popped ones.
pub(super) fn resolve_pipes(group: &Group, traced: Traced) -> Result<ResolvedStores, RaiseError> {
    let mut pushed = HashMap::new();
    for (number, pipe) in group.pipes.iter().enumerate() {
        if pipe.split != Split::None {
            return Err(RaiseError {
                location: 0,
                reason: RaiseErrorReason::Split,
            });
        }
        let events = |kernels: &[usize]| traced.kernels.get(kernels[0]).map(Vec::as_slice);
        let producer = pipe_accesses(events(pipe.producers()).unwrap_or_default(), number);
        let consumer = pipe_accesses(events(pipe.consumers()).unwrap_or_default(), number);
        let mut names = HashMap::new();
        if !match_accesses(&producer, &consumer, &traced.loops, &mut names, &mut pushed) {
            return Err(RaiseError {
                location: 0,
                reason: RaiseErrorReason::Pipe(pipe.name.clone()),
            });
        }
    }
    let mut stores = Vec::new();
    for kernel in &traced.kernels {
        collect_stores(kernel, &mut Vec::new(), &mut stores);
    }
    for store in &mut stores {
        store.tile = substitute_pops(&store.tile, &pushed);
    }
    Ok(ResolvedStores {
        loops: traced.loops,
        stores,
    })
}

/// An access of a kernel to one pipe.
enum Access {
    Loop(LoopId, Vec<Access>),
    Push(Rc<Tile>),
    Pop(usize),
}

/// Returns the accesses to a pipe, without loops that have none.
fn pipe_accesses(events: &[Event], number: usize) -> Vec<Access> {
    let access = |event: &Event| match event {
        Event::Loop(id, inside) => {
            let inside = pipe_accesses(inside, number);
            (!inside.is_empty()).then_some(Access::Loop(*id, inside))
        }
        Event::Push { pipe, tile } if *pipe == number => Some(Access::Push(tile.clone())),
        Event::Pop { pipe, pop } if *pipe == number => Some(Access::Pop(*pop)),
        _ => None,
    };
    events.iter().filter_map(access).collect()
}

/// For each pop, the pushed tile and the consumer's counters for the producer's.
type Pushed = HashMap<usize, (Rc<Tile>, HashMap<LoopId, LoopId>)>;

/// Matches pushes and pops; returns whether each has a counterpart.
fn match_accesses(
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
                loops[*one] == loops[*other] && match_accesses(pushes, pops, loops, names, pushed)
            }
            (Access::Push(tile), Access::Pop(pop)) => {
                pushed.insert(*pop, (tile.clone(), names.clone()));
                true
            }
            _ => false,
        })
}

/// Collects the stores of a kernel with the loops around them.
fn collect_stores(events: &[Event], around: &mut Vec<LoopId>, stores: &mut Vec<TracedStore>) {
    for event in events {
        match event {
            Event::Loop(id, inside) => {
                around.push(*id);
                collect_stores(inside, around, stores);
                around.pop();
            }
            Event::Store {
                tensor,
                shape,
                at,
                tile,
                location,
            } => stores.push(TracedStore {
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

/// Substitutes pushed tiles for popped ones within a tile.
fn substitute_pops(tile: &Rc<Tile>, pushed: &Pushed) -> Rc<Tile> {
    let again = |tile: &Rc<Tile>| substitute_pops(tile, pushed);
    if let TileKind::Popped(pop) = tile.kind {
        return match pushed.get(&pop) {
            Some((source, names)) => rename_counters(&again(source), names),
            None => tile.clone(),
        };
    }
    map_tile(tile, &again, &Index::clone, &|id| id)
}

/// Substitutes loop counters in a tile.
fn rename_counters(tile: &Rc<Tile>, names: &HashMap<LoopId, LoopId>) -> Rc<Tile> {
    let name = |id: LoopId| names.get(&id).copied().unwrap_or(id);
    let index = |index: &Index| Index {
        constant: index.constant,
        terms: index
            .terms
            .iter()
            .map(|(&id, &count)| (name(id), count))
            .collect(),
    };
    map_tile(tile, &|tile| rename_counters(tile, names), &index, &name)
}

/// Rebuilds a tile with mapped operands, indices and loop counters.
pub(super) fn map_tile(
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
        precision: tile.precision,
        location: tile.location,
    })
}
