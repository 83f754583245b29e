//! A block of a plan under construction: its values in Dst and the vector program over them.

use tessera_tensix_code::reduce::Reduction;

use super::expr::Expr;
use super::padding::Padding;
use super::plan::{
    Block, BlockItem, Broadcast, Element, Fold, LocationId, Operand, Step, Store, Target,
    TileBroadcast, VectorNode, VectorProgram, DST_TILES, HALF_TILES, REDUCTION_TILE,
};
use super::refusal::Refusal;

/// The symbolic value of a kernel's SSA value, as the planner tracks it.
#[derive(Clone, Debug)]
pub enum SymbolicValue {
    /// An index.
    Index(Expr),
    /// bf16 tiles in memory or in a slot.
    LoadedTiles(Operand),
    /// Tiles that become 32-bit values of Dst where they are used: 32-bit tiles, or bf16 tiles that
    /// the kernel widens.
    WideTiles(Operand),
    /// The same 32 bits in every element.
    Constant(u32),
    /// A version of an accumulator of a block.
    Accumulator {
        /// The block.
        block: usize,
        /// Number of the accumulator in the block.
        number: usize,
        /// Number of updates before.
        version: usize,
    },
    /// A value of a block's vector program.
    VectorNode {
        /// The block.
        block: usize,
        /// The value.
        node: usize,
    },
    /// This version of the running value of a reduction. Folds and transpositions make versions.
    Reduced(usize),
    /// A value as the packers convert it.
    Packed {
        /// The block.
        block: usize,
        /// The value.
        source: PackSource,
        /// Whether it is rounded to bf16.
        rounded: bool,
        /// Whether negative elements become zero.
        relu: bool,
    },
}

impl SymbolicValue {
    /// Returns the symbolic value of tiles in memory or in a slot. fp32 tiles go to Dst unchanged,
    /// or are factors of a product.
    pub fn from_operand(operand: Operand) -> Self {
        match operand.element() {
            Element::Bf16 => SymbolicValue::LoadedTiles(operand),
            Element::F32 => SymbolicValue::WideTiles(operand),
        }
    }
}

/// The value that the packers read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackSource {
    /// An accumulator, as the matrix unit or the unpacker leaves it.
    Accumulator(usize),
    /// A value of the vector program.
    VectorNode(usize),
}

/// A value in Dst that steps make: a product or sum, or tiles that were brought there.
struct Accumulator {
    /// Its first tile, within the half.
    dst: u32,
    /// Number of updates so far.
    version: usize,
    /// Whether the padding may be non-zero.
    dirty: bool,
    /// Node of the vector program that reads it.
    dst_node: Option<usize>,
    /// Whether the vector unit or the packers read it, so that no later step may change it.
    frozen: bool,
}

/// A store, performed at the end of the block.
pub struct PendingStore {
    /// The value stored.
    pub source: PackSource,
    /// Where it goes.
    pub to: Target,
    /// Element type that it is packed as.
    pub element: Element,
    /// Whether negative values become zero.
    pub relu: bool,
    /// Where it comes from.
    pub location: LocationId,
}

/// A block under construction.
pub struct BlockBuilder {
    /// Its number.
    pub number: usize,
    /// Items so far, one list for each enclosing loop.
    pub items: Vec<Vec<BlockItem>>,
    /// Stores so far.
    pub stores: Vec<PendingStore>,
    location: LocationId,
    shape: [u32; 2],
    accumulators: Vec<Accumulator>,
    nodes: Vec<VectorNode>,
    /// Padding of each node.
    padding: Vec<Padding>,
    /// Broadcasts of tiles over themselves, before the vector program.
    broadcasts: Vec<(u32, TileBroadcast)>,
    /// Tiles loaded for the vector program, with the node of each, for reuse.
    loads: Vec<(Operand, Broadcast, usize)>,
    /// Whether it reads the running reduction, which later blocks may read again.
    reads_reduction: bool,
}

impl BlockBuilder {
    /// Creates a block without values.
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
            reads_reduction: false,
        }
    }

    fn tiles(&self) -> u32 {
        self.shape[0] * self.shape[1]
    }

    /// Returns the number of Dst tiles available to values: half of Dst, unless one value needs
    /// more.
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

    /// Allocates a value for the operation at `location`, and returns its number.
    ///
    /// # Errors
    /// The value has another shape than the block's, or Dst has no room for it.
    pub fn begin_value(&mut self, location: LocationId, shape: [u32; 2]) -> Result<usize, Refusal> {
        if shape != self.shape {
            let ([rows, columns], [a, b]) = (shape, self.shape);
            return Err(Refusal::for_op(
                location,
                format!(
                    "makes {rows}x{columns} tiles in {}, which holds values of {a}x{b}; store \
                     those first",
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
                "needs room in {}, whose {} tiles hold {} values of {} tiles already; use smaller \
                 tiles",
                self.region_name(),
                self.room_for_values(),
                self.accumulators.len(),
                self.tiles()
            ),
        )
    }

    /// Appends an item to the innermost open loop.
    pub fn push_item(&mut self, item: BlockItem) {
        self.items
            .last_mut()
            .expect("there is a list for the block")
            .push(item);
    }

    /// Records an update of a value and returns its first tile of Dst. `dirties` tells whether its
    /// padding may become non-zero.
    pub fn record_change(&mut self, number: usize, dirties: bool) -> u32 {
        let accumulator = &mut self.accumulators[number];
        accumulator.version += 1;
        accumulator.dirty |= dirties;
        accumulator.dst
    }

    /// Records that the vector unit broadcasts a tile over itself.
    pub fn broadcast_tile(&mut self, dst: u32, broadcast: TileBroadcast) {
        self.broadcasts.push((dst, broadcast));
    }

    /// Returns the current version of a value.
    pub fn current(&self, number: usize) -> SymbolicValue {
        SymbolicValue::Accumulator {
            block: self.number,
            number,
            version: self.accumulators[number].version,
        }
    }

    /// Returns whether `version` is the current one.
    pub fn is_current(&self, number: usize, version: usize) -> bool {
        self.accumulators[number].version == version
    }

    /// Forbids further updates of a value: all steps run before the vector unit and the packers.
    pub fn freeze(&mut self, number: usize) {
        self.accumulators[number].frozen = true;
    }

    /// Returns whether the vector unit or the packers read a value.
    pub fn is_frozen(&self, number: usize) -> bool {
        self.accumulators[number].frozen
    }

    /// Returns the node of the vector program that reads a value; creates it on first use, which
    /// freezes the value.
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

    /// Returns the node that holds these tiles with this broadcast, if they were loaded before.
    pub fn find_loaded(&self, tiles: &Operand, broadcast: Broadcast) -> Option<usize> {
        let found = self
            .loads
            .iter()
            .find(|(t, b, _)| t == tiles && *b == broadcast);
        found.map(|(_, _, node)| *node)
    }

    /// Records that a value holds loaded tiles, and returns its node. [`Self::find_loaded`] finds
    /// it from then on.
    pub fn record_load(&mut self, number: usize, tiles: Operand, broadcast: Broadcast) -> usize {
        let node = self.dst_node(number);
        let dirty = self.accumulators[number].dirty;
        self.padding[node] = Padding::loaded(&tiles, broadcast, dirty);
        self.loads.push((tiles, broadcast, node));
        node
    }

    /// Records that a value holds a transposed loaded tile, and returns its node.
    pub fn record_transposed_load(&mut self, number: usize, tile: &Operand) -> usize {
        let node = self.dst_node(number);
        let dirty = self.accumulators[number].dirty;
        self.padding[node] = Padding::loaded(tile, Broadcast::None, dirty).transposed();
        node
    }

    /// Appends a node to the vector program.
    pub fn push_node(&mut self, lanes: VectorNode) -> usize {
        self.padding.push(Padding::computed(&lanes, &self.padding));
        self.nodes.push(lanes);
        self.nodes.len() - 1
    }

    /// Completes a block whose fold starts a running reduction with node `node` instead of storing.
    /// Its first step is duplicated to initialize the reduction tile. [`Block::accumulate`] undoes
    /// both if the fold turns out to continue a reduction.
    pub fn close_folded(self, node: usize, reductions: Vec<Reduction>) -> Block {
        let (tile, results) = match self.dst_of(PackSource::VectorNode(node)) {
            Some(dst) => (dst, Vec::new()),
            // The result overwrites the first value, which was an input of it.
            None => (0, vec![(node, 0)]),
        };
        let nodes = if results.is_empty() {
            Vec::new()
        } else {
            self.nodes
        };
        let mut items = self.items.into_iter().next_back().unwrap_or_default();
        // Initialize the reduction tile with a copy of the first step: the vector unit stores parts
        // of rows, and unwritten rows of Dst must not be stored to partially.
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

    /// Returns whether the reduction tile is free beside the values.
    pub fn has_room_for_reduction(&self) -> bool {
        self.used() <= REDUCTION_TILE
    }

    /// Returns whether a node reads the running reduction.
    pub fn reads_reduction(&self) -> bool {
        self.reads_reduction
    }

    /// Appends a node that reads the running reduction.
    pub fn reduced_node(&mut self) -> usize {
        self.reads_reduction = true;
        self.nodes.push(VectorNode::Dst(REDUCTION_TILE));
        self.padding.push(Padding::unknown(true));
        self.nodes.len() - 1
    }

    /// Completes the block. Results of the vector program reuse the tiles of values that are not
    /// packed, but not the reduction tile while it holds a running reduction.
    ///
    /// # Errors
    /// Nothing is stored, or the results do not fit into the part of Dst.
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
            .chain(self.reads_reduction.then_some(REDUCTION_TILE))
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

    /// Returns whether the padding of a source may be non-zero.
    pub fn is_dirty(&self, source: PackSource) -> bool {
        match source {
            PackSource::Accumulator(number) => self.accumulators[number].dirty,
            PackSource::VectorNode(node) => self.padding[node].is_dirty(),
        }
    }

    /// Returns the first tile of Dst of a source that needs no computation by the vector unit.
    fn dst_of(&self, source: PackSource) -> Option<u32> {
        match source {
            PackSource::Accumulator(number) => Some(self.accumulators[number].dst),
            PackSource::VectorNode(node) => match &self.nodes[node] {
                VectorNode::Dst(dst) => Some(*dst),
                _ => None,
            },
        }
    }

    /// Finds tiles of Dst for a result: the first ones not in `packed`, which are those of a value
    /// that is not packed, or free ones. Returns the first of them.
    fn find_dst(&self, packed: &[u32]) -> Result<u32, Refusal> {
        let mut locations = (0..self.room_for_values() / self.tiles()).map(|k| k * self.tiles());
        locations
            .find(|dst| !packed.contains(dst))
            .ok_or_else(|| self.full(self.location))
    }
}
