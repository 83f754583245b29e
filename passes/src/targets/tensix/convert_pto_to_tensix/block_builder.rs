//! A block of a plan while it is built: the values in half of Dst or in all of it, and the vector
//! program over them.

use tessera_tensix_code::reduce::Reduction;

use super::expr::Expr;
use super::padding::Padding;
use super::plan::{
    Block, BlockItem, Broadcast, Element, Fold, LocationId, Operand, Step, Store, Target,
    TileBroadcast, VectorNode, VectorProgram, DST_TILES, HALF_TILES, REDUCTION_TILE,
};
use super::refusal::Refusal;

/// What is known of a value of a kernel.
#[derive(Clone, Debug)]
pub enum SymbolicValue {
    /// A number.
    Index(Expr),
    /// bf16 tiles in memory, or in a slot, as they lie there.
    LoadedTiles(Operand),
    /// Tiles that are fp32 once they are in Dst, where they are brought when they are used.
    WideTiles(Operand),
    /// The same 32 bits everywhere.
    Constant(u32),
    /// An accumulator of a block after so many changes.
    Accumulator {
        /// The block.
        block: usize,
        /// Which of its values.
        number: usize,
        /// The changes.
        version: usize,
    },
    /// A value of a block's vector program.
    VectorNode {
        /// The block.
        block: usize,
        /// The value.
        node: usize,
    },
    /// What tiles were reduced to so far, a number that later ones exceed.
    Reduced(usize),
    /// What the packers will have made of a value.
    Packed {
        /// The block.
        block: usize,
        /// The value.
        source: PackSource,
        /// Whether it is rounded.
        rounded: bool,
        /// Whether negative elements become zero.
        relu: bool,
    },
}

impl SymbolicValue {
    /// Tiles in memory, or in a slot. Those of fp32 go to Dst as they are, or are factors of a
    /// product.
    pub fn from_operand(operand: Operand) -> Self {
        match operand.element() {
            Element::Bf16 => SymbolicValue::LoadedTiles(operand),
            Element::F32 => SymbolicValue::WideTiles(operand),
        }
    }
}

/// What the packers take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackSource {
    /// A value of Dst as the matrix unit leaves it.
    Accumulator(usize),
    /// A value of the vector program.
    VectorNode(usize),
}

/// A value in Dst.
struct Accumulator {
    dst: u32,
    version: usize,
    /// Padding may hold something else than zero.
    dirty: bool,
    /// The node of the vector program that reads it.
    dst_node: Option<usize>,
    /// It is read by the vector unit or the packers, which begin when all steps are done.
    frozen: bool,
}

/// A store that waits for the end of the block.
pub struct PendingStore {
    /// What is stored.
    pub source: PackSource,
    /// Where it goes.
    pub to: Target,
    /// What it is rounded to.
    pub element: Element,
    /// Whether negative values become zero.
    pub relu: bool,
    /// Where it comes from.
    pub location: LocationId,
}

/// A block that is being built.
pub struct BlockBuilder {
    /// Its number.
    pub number: usize,
    /// Items so far, a list for each loop around.
    pub items: Vec<Vec<BlockItem>>,
    /// Stores so far.
    pub stores: Vec<PendingStore>,
    location: LocationId,
    shape: [u32; 2],
    accumulators: Vec<Accumulator>,
    nodes: Vec<VectorNode>,
    padding: Vec<Padding>,
    /// Tiles that are spread over themselves before it.
    broadcasts: Vec<(u32, TileBroadcast)>,
    /// What was loaded for the vector program.
    loads: Vec<(Operand, Broadcast, usize)>,
}

impl BlockBuilder {
    /// A block without values.
    pub fn new(number: usize, shape: [u32; 2], location: LocationId) -> Self {
        BlockBuilder {
            number,
            items: vec![Vec::new()],
            stores: Vec::new(),
            location,
            shape,
            accumulators: Vec::new(),
            nodes: Vec::new(),
            padding: Vec::new(),
            broadcasts: Vec::new(),
            loads: Vec::new(),
        }
    }

    fn tiles(&self) -> u32 {
        self.shape[0] * self.shape[1]
    }

    /// Tiles of Dst that values may take: half of it, unless that is too small for one.
    fn room_for_values(&self) -> u32 {
        match self.tiles() {
            0..=HALF_TILES => HALF_TILES,
            _ => DST_TILES,
        }
    }

    fn region_name(&self) -> &'static str {
        match self.room_for_values() {
            HALF_TILES => "half of Dst",
            _ => "Dst",
        }
    }

    fn used(&self) -> u32 {
        self.accumulators.len() as u32 * self.tiles()
    }

    /// Begins a value, for the operation at a place.
    pub fn begin_value(&mut self, location: LocationId, shape: [u32; 2]) -> Result<usize, Refusal> {
        if shape != self.shape {
            let ([rows, columns], [a, b]) = (shape, self.shape);
            return Err(Refusal::for_op(
                location,
                format!(
                    "makes {rows}x{columns} tiles in {}, which holds values of {a}x{b}; store those first",
                    self.region_name()
                ),
            ));
        }
        let dst = self.used();
        if dst + self.tiles() > self.room_for_values() {
            return Err(self.full(location));
        }
        self.accumulators.push(Accumulator {
            dst,
            version: 0,
            dirty: false,
            dst_node: None,
            frozen: false,
        });
        Ok(self.accumulators.len() - 1)
    }

    fn full(&self, location: LocationId) -> Refusal {
        Refusal::for_op(
            location,
            format!(
                "needs room in {}, whose {} tiles hold {} values of {} tiles already; use smaller tiles",
                self.region_name(),
                self.room_for_values(),
                self.accumulators.len(),
                self.tiles()
            ),
        )
    }

    /// Appends to the innermost list.
    pub fn push_item(&mut self, item: BlockItem) {
        self.items
            .last_mut()
            .expect("there is a list for the block")
            .push(item);
    }

    /// Notes a change of a value, and tells where it lies.
    pub fn record_change(&mut self, number: usize, broadcasts: bool) -> u32 {
        let accumulator = &mut self.accumulators[number];
        accumulator.version += 1;
        accumulator.dirty |= broadcasts;
        accumulator.dst
    }

    /// Has the vector unit spread a tile over itself.
    pub fn broadcast_tile(&mut self, dst: u32, broadcast: TileBroadcast) {
        self.broadcasts.push((dst, broadcast));
    }

    /// The value as it is now.
    pub fn current(&self, number: usize) -> SymbolicValue {
        SymbolicValue::Accumulator {
            block: self.number,
            number,
            version: self.accumulators[number].version,
        }
    }

    /// Whether a value is still what it was.
    pub fn is_current(&self, number: usize, version: usize) -> bool {
        self.accumulators[number].version == version
    }

    /// Lets no step change a value any more: all steps are done before the vector unit and the
    /// packers begin.
    pub fn freeze(&mut self, number: usize) {
        self.accumulators[number].frozen = true;
    }

    /// Whether the vector unit or the packers read a value.
    pub fn is_frozen(&self, number: usize) -> bool {
        self.accumulators[number].frozen
    }

    /// The node of the vector program that reads a value.
    pub fn dst_node(&mut self, number: usize) -> usize {
        if let Some(node) = self.accumulators[number].dst_node {
            return node;
        }
        let Accumulator { dst, dirty, .. } = self.accumulators[number];
        self.nodes.push(VectorNode::Dst(dst));
        self.padding.push(Padding::unknown(dirty));
        self.freeze(number);
        self.accumulators[number].dst_node = Some(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The node that tiles were loaded for.
    pub fn find_loaded(&self, tiles: &Operand, broadcast: Broadcast) -> Option<usize> {
        let found = self
            .loads
            .iter()
            .find(|(t, b, _)| t == tiles && *b == broadcast);
        found.map(|(_, _, node)| *node)
    }

    /// Notes that a value holds tiles.
    pub fn record_load(&mut self, number: usize, tiles: Operand, broadcast: Broadcast) -> usize {
        let node = self.dst_node(number);
        let dirty = self.accumulators[number].dirty;
        self.padding[node] = Padding::brought(&tiles, broadcast, dirty);
        self.loads.push((tiles, broadcast, node));
        node
    }

    /// Notes that a value holds a tile that was transposed.
    pub fn record_transposed_load(&mut self, number: usize, tile: &Operand) -> usize {
        let node = self.dst_node(number);
        let dirty = self.accumulators[number].dirty;
        self.padding[node] = Padding::brought(tile, Broadcast::None, dirty).transposed();
        node
    }

    /// Appends to the vector program.
    pub fn push_node(&mut self, lanes: VectorNode) -> usize {
        self.padding.push(Padding::computed(&lanes, &self.padding));
        self.nodes.push(lanes);
        self.nodes.len() - 1
    }

    /// The block, which keeps a value instead of storing any.
    pub fn close_folded(self, node: usize, reductions: Vec<Reduction>) -> Block {
        let (tile, results) = match self.dst_of(PackSource::VectorNode(node)) {
            Some(dst) => (dst, Vec::new()),
            // The first value was read to compute this one.
            None => (0, vec![(node, 0)]),
        };
        let nodes = if results.is_empty() {
            Vec::new()
        } else {
            self.nodes
        };
        let mut items = self.items.into_iter().next_back().unwrap_or_default();
        // The vector unit must not store parts of rows of Dst that nobody has written: the tile
        // that is kept is brought at first.
        let first = items
            .iter()
            .position(|item| matches!(item, BlockItem::Step(_)));
        if let Some((at, BlockItem::Step(step))) = first.map(|at| (at, items[at].clone())) {
            items.insert(
                at,
                BlockItem::Step(Step {
                    dst: REDUCTION_TILE,
                    ..step
                }),
            );
        }
        Block {
            items,
            broadcasts: self.broadcasts,
            vector: VectorProgram { nodes, results },
            fold: Some(Fold {
                tile,
                reductions,
                is_first: true,
            }),
            stores: Vec::new(),
            shape: self.shape,
            location: self.location,
        }
    }

    /// Whether there is room for what is kept beside the values.
    pub fn has_room_for_reduction(&self) -> bool {
        self.used() <= REDUCTION_TILE
    }

    /// The node that reads what is kept.
    pub fn reduced_node(&mut self) -> usize {
        self.nodes.push(VectorNode::Dst(REDUCTION_TILE));
        self.padding.push(Padding::unknown(true));
        self.nodes.len() - 1
    }

    /// The block. Results of the vector program take the place of values that nobody packs.
    pub fn close(mut self) -> Result<Block, Refusal> {
        if self.stores.is_empty() {
            return Err(Refusal::for_op(
                self.location,
                "computes a tile that is never stored",
            ));
        }
        let mut packed: Vec<u32> = self
            .stores
            .iter()
            .filter_map(|store| self.dst_of(store.source))
            .collect();
        let mut results: Vec<(usize, u32)> = Vec::new();
        let mut stores = Vec::new();
        for pending in std::mem::take(&mut self.stores) {
            let dst = match (self.dst_of(pending.source), pending.source) {
                (Some(dst), _) => dst,
                (None, PackSource::VectorNode(node)) => {
                    match results.iter().find(|(n, _)| *n == node) {
                        Some((_, dst)) => *dst,
                        None => {
                            let dst = self.find_dst(&packed)?;
                            packed.push(dst);
                            results.push((node, dst));
                            dst
                        }
                    }
                }
                (None, PackSource::Accumulator(_)) => {
                    unreachable!("an accumulator is packed where it is")
                }
            };
            let mask = match pending.source {
                PackSource::VectorNode(node) => self.padding[node].is_dirty_as(pending.element),
                source => self.is_dirty(source),
            };
            stores.push(Store {
                dst,
                to: pending.to,
                element: pending.element,
                relu: pending.relu,
                mask,
                location: pending.location,
            });
        }
        let nodes = if results.is_empty() {
            Vec::new()
        } else {
            self.nodes
        };
        Ok(Block {
            items: self.items.pop().unwrap_or_default(),
            broadcasts: self.broadcasts,
            vector: VectorProgram { nodes, results },
            fold: None,
            stores,
            shape: self.shape,
            location: self.location,
        })
    }

    /// Whether the padding of a source may hold something else than zero.
    pub fn is_dirty(&self, source: PackSource) -> bool {
        match source {
            PackSource::Accumulator(number) => self.accumulators[number].dirty,
            PackSource::VectorNode(node) => self.padding[node].is_dirty(),
        }
    }

    /// Where a source lies without being computed by the vector unit.
    fn dst_of(&self, source: PackSource) -> Option<u32> {
        match source {
            PackSource::Accumulator(number) => Some(self.accumulators[number].dst),
            PackSource::VectorNode(node) => match &self.nodes[node] {
                VectorNode::Dst(dst) => Some(*dst),
                _ => None,
            },
        }
    }

    /// A place for a result: that of a value that is not packed, or a new one.
    fn find_dst(&self, packed: &[u32]) -> Result<u32, Refusal> {
        let mut locations = (0..self.room_for_values() / self.tiles()).map(|k| k * self.tiles());
        locations
            .find(|dst| !packed.contains(dst))
            .ok_or_else(|| self.full(self.location))
    }
}
