//! Rows of tiles that NC fetches from DRAM once for all stages of a piece.
//!
//! A softmax reads its operand for the maximum, and again for the exponentials. [`fetch_once`]
//! gives such an operand a local tensor of one row of tiles. Steps that use a tile first become
//! [`Operand::Fetched`]: NC reads it to the local tensor instead of the operand ring. Later steps
//! read the local tensor. So DRAM moves each tile once for each piece.
//!
//! The unpackers execute steps in order, and wait for the tiles of each step that NC serves. Later
//! steps therefore find fetched tiles in L1 without waiting. NC fetches tiles of the next piece
//! when its first stage starts, so everything before is complete.
//!
//! An operand is left in DRAM if the row does not fit into L1 beside the other local tensors, if
//! its first row is broadcast, or if its tiles cannot be enumerated. Each stage then reads it.

use std::collections::{BTreeMap, HashMap};

use tessera_dialects::mlir::Value;

use super::code_builder::CodeBuilder;
use super::expr::{Arith, Expr, Var};
use super::plan::{
    Block, BlockItem, Element, Loop, Node, Operand, Plan, SrcA, Step, Tensor, TensorMemory,
    TileRect,
};
use super::planner::MAX_LOCAL_BYTES;
use super::stages::piece_body;
use super::tile_moves::UsedRows;
use super::walk::MAX_ITERATIONS;

/// Returns the tiles of the local tensor to which NC fetches an unpacker's operand of a step.
pub fn local_tiles(step: &Step, unpacker: usize) -> Option<&TileRect> {
    match step.operands()[unpacker]? {
        Operand::Fetched { to, .. } => Some(to),
        Operand::Memory(_) | Operand::Popped(_) => None,
    }
}

/// Builds the L1 address of the first tile of a rectangle of a local tensor.
pub fn address<'a>(code: &CodeBuilder<'_, 'a>, tiles: &TileRect) -> Value<'a> {
    let bytes = tiles.tensor.element.tile_bytes();
    let before = code.arith_const(
        Arith::Mul,
        code.expr(&tiles.tile_at(0, false).page),
        bytes.into(),
    );
    let base = tiles.tensor.local_address().unwrap_or_default();
    code.arith_const(Arith::Add, before, base.into())
}

/// Makes the steps of a plan with stages fetch each row of tiles once that several stages read.
pub fn fetch_once(plan: &mut Plan) {
    let body = piece_body(&plan.nodes);
    if !body.iter().any(|node| matches!(node, Node::StageStart(_))) {
        return;
    }
    let mut uses = Uses::default();
    for (number, node) in body.iter().enumerate() {
        uses.node = number;
        uses.add_node(node, &mut Vec::new());
    }
    let mut changes: HashMap<(usize, usize), Operand> = HashMap::new();
    for of_argument in uses.by_argument.values() {
        let Some(first) = of_argument.first() else {
            continue;
        };
        let local = Tensor {
            memory: TensorMemory::Local(tessera_isa_tensix::tile::FREE + plan.local_bytes),
            matrices: 1,
            rows: ROWS,
            ..first.tiles.tensor
        };
        let bytes = local.tiles()[1].checked_mul(local.element.tile_bytes());
        let bytes = bytes.and_then(|bytes| {
            let bytes = bytes.checked_next_multiple_of(Element::F32.tile_bytes())?;
            plan.local_bytes.checked_add(bytes)
        });
        let (Some(bytes), Some(changed)) = (
            bytes.filter(|bytes| *bytes <= MAX_LOCAL_BYTES),
            changed_operands(of_argument, local),
        ) else {
            continue;
        };
        plan.local_bytes = bytes;
        changes.extend(changed);
    }
    let mut step = 0;
    let body = piece_body_mut(&mut plan.nodes);
    for_each_step(body, &mut |found| {
        let Step { srca, srcb, .. } = found;
        if let Some(operand) = changes.remove(&(step, 0)) {
            *srca = SrcA::Tiles(operand);
        }
        if let Some(operand) = changes.remove(&(step, 1)) {
            *srcb = Some(operand);
        }
        step += 1;
    });
}

/// Rows of a tile.
const ROWS: u32 = 32;

/// A use of tiles of an argument by a step.
struct Use {
    /// The number of the step in the piece, and the unpacker that brings the tiles.
    operand: (usize, usize),
    /// The number of the node of the piece that contains the step.
    node: usize,
    tiles: TileRect,
    /// The columns of tiles of all executions in a piece. `None` if they cannot be enumerated, or
    /// if the use is of another kind than a row of tiles.
    columns: Option<Vec<i64>>,
}

/// Returns the new operands of the uses of an argument, or `None` if no tile is used again.
fn changed_operands(uses: &[Use], local: Tensor) -> Option<Vec<((usize, usize), Operand)>> {
    let row = &uses.first()?.tiles.row;
    // Fetched columns, with the use that fetches each.
    let mut fetched: HashMap<i64, &Use> = HashMap::new();
    let mut changed = Vec::new();
    let mut is_used_again = false;
    for one in uses {
        let columns = one.columns.as_ref()?;
        if one.tiles.row != *row {
            return None;
        }
        let is_new = |column: &i64| !fetched.contains_key(column);
        let to = TileRect {
            tensor: local,
            row: Expr::Constant(0),
            ..one.tiles.clone()
        };
        let is_ready = |column: &i64| {
            fetched
                .get(column)
                .is_some_and(|before| before.node < one.node || before.tiles == one.tiles)
        };
        if columns.iter().all(is_ready) {
            is_used_again = true;
            changed.push((one.operand, Operand::Memory(to)));
        } else if columns.iter().all(is_new) && are_unique(columns) {
            fetched.extend(columns.iter().map(|column| (*column, one)));
            let from = Box::new(one.tiles.clone());
            changed.push((one.operand, Operand::Fetched { from, to }));
        }
    }
    is_used_again.then_some(changed)
}

fn are_unique(columns: &[i64]) -> bool {
    let mut sorted = columns.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// The uses of arguments in a piece, in the order of execution.
#[derive(Default)]
struct Uses {
    by_argument: BTreeMap<u16, Vec<Use>>,
    /// The number of the current node of the piece, and of the next step.
    node: usize,
    step: usize,
}

/// A loop's variable, and its values.
type Range = (Var, Option<Vec<i64>>);

impl Uses {
    fn add_node(&mut self, node: &Node, loops: &mut Vec<Range>) {
        match node {
            Node::Loop(inner) => {
                loops.push(range(inner));
                inner
                    .body
                    .iter()
                    .for_each(|node| self.add_node(node, loops));
                loops.pop();
            }
            Node::Block(block) => self.add_items(block, &block.items, loops),
            Node::SlotEvent(_) | Node::StageStart(_) => {}
        }
    }

    fn add_items(&mut self, block: &Block, items: &[BlockItem], loops: &mut Vec<Range>) {
        for item in items {
            match item {
                BlockItem::Loop(inner) => {
                    loops.push(range(inner));
                    self.add_items(block, &inner.body, loops);
                    loops.pop();
                }
                BlockItem::Step(step) => self.add_step(block, step, loops),
                BlockItem::SlotEvent(_) => {}
            }
        }
    }

    fn add_step(&mut self, block: &Block, step: &Step, loops: &[Range]) {
        for (unpacker, operand) in step.operands().into_iter().enumerate() {
            let Some(Operand::Memory(tiles)) = operand else {
                continue;
            };
            let Some(argument) = tiles.tensor.argument() else {
                continue;
            };
            let is_row = tiles.shape[0] == 1
                && tiles.tensor.tiles()[1] % tiles.shape[1] == 0
                && UsedRows::new(block, step, unpacker) == UsedRows::All
                && !loops.iter().any(|(var, _)| tiles.row.depends_on(*var));
            self.by_argument.entry(argument).or_default().push(Use {
                operand: (self.step, unpacker),
                node: self.node,
                tiles: tiles.clone(),
                columns: is_row.then(|| columns(tiles, loops)).flatten(),
            });
        }
        self.step += 1;
    }
}

/// Returns the values of a loop's variable.
fn range<T>(of: &Loop<T>) -> Range {
    let (low, trips) = (of.low.constant(), of.trip_count());
    let values = low
        .zip(trips)
        .filter(|(_, trips)| *trips <= MAX_ITERATIONS as u64);
    let values = values.map(|(low, trips)| {
        let trips = 0..trips as i64;
        trips.map(|turn| low + turn * of.step).collect()
    });
    (of.var, values)
}

/// Returns the columns of tiles of a rectangle in all iterations of loops.
fn columns(tiles: &TileRect, loops: &[Range]) -> Option<Vec<i64>> {
    let mut iterations: Vec<Vec<(Var, i64)>> = vec![Vec::new()];
    for (var, values) in loops {
        let values = values.as_ref()?;
        if iterations.len().checked_mul(values.len())? > MAX_ITERATIONS {
            return None;
        }
        let with = |known: &Vec<(Var, i64)>| -> Vec<Vec<(Var, i64)>> {
            let value = |value: &i64| [&known[..], &[(*var, *value)]].concat();
            values.iter().map(value).collect()
        };
        iterations = iterations.iter().flat_map(with).collect();
    }
    let width = i64::from(tiles.shape[1]);
    let mut all = Vec::new();
    for known in &iterations {
        let is_known = |var: Var| known.iter().find(|(other, _)| *other == var);
        let column = tiles
            .column
            .value(&|var| is_known(var).map_or(0, |(_, value)| *value))?;
        all.extend((0..width).map(|k| column * width + k));
    }
    Some(all)
}

fn piece_body_mut(nodes: &mut [Node]) -> &mut [Node] {
    match nodes {
        [Node::Loop(inner)] => piece_body_mut(&mut inner.body),
        _ => nodes,
    }
}

/// Calls `change` for each step, in order, those of loops once.
fn for_each_step(nodes: &mut [Node], change: &mut impl FnMut(&mut Step)) {
    for node in nodes {
        match node {
            Node::Loop(inner) => for_each_step(&mut inner.body, change),
            Node::Block(block) => for_each_item(&mut block.items, change),
            Node::SlotEvent(_) | Node::StageStart(_) => {}
        }
    }
}

fn for_each_item(items: &mut [BlockItem], change: &mut impl FnMut(&mut Step)) {
    for item in items {
        match item {
            BlockItem::Loop(inner) => for_each_item(&mut inner.body, change),
            BlockItem::Step(step) => change(step),
            BlockItem::SlotEvent(_) => {}
        }
    }
}
