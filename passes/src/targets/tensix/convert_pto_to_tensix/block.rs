//! A block of a plan while it is built: the values in half of Dst or in all of it, and the vector
//! program over them.

use tessera_tensix_code::reduce::Reduction;

use super::expr::Expr;
use super::padding::Padding;
use super::plan::{
    Block, Broadcast, Element, Fold, Item, Lanes, Operand, Place, Spread, Step, Store, Target,
    Vector, DST_TILES, HALF_TILES, KEPT,
};
use super::refusal::Refusal;

/// What is known of a value of a kernel.
#[derive(Clone, Debug)]
pub enum Known {
    /// A number.
    Index(Expr),
    /// bf16 tiles in memory, or in a slot, as they lie there.
    Tiles(Operand),
    /// Tiles that are fp32 once they are in Dst, where they are brought when they are used.
    Wide(Operand),
    /// The same 32 bits everywhere.
    Number(u32),
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
    Lanes {
        /// The block.
        block: usize,
        /// The value.
        node: usize,
    },
    /// What tiles were reduced to so far, a number that later ones exceed.
    Kept(usize),
    /// What the packers will have made of a value.
    Packed {
        /// The block.
        block: usize,
        /// The value.
        source: Source,
        /// Whether it is rounded.
        rounded: bool,
        /// Whether negative elements become zero.
        relu: bool,
    },
}

impl Known {
    /// Tiles in memory, or in a slot. Those of fp32 go to Dst as they are, or are factors of a
    /// product.
    pub fn of_tiles(operand: Operand) -> Self {
        match operand.element() {
            Element::Bf16 => Known::Tiles(operand),
            Element::F32 => Known::Wide(operand),
        }
    }
}

/// What the packers take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A value of Dst as the matrix unit leaves it.
    Accumulator(usize),
    /// A value of the vector program.
    Lanes(usize),
}

/// A value in Dst.
struct Accumulator {
    dst: u32,
    version: usize,
    /// Padding may hold something else than zero.
    dirty: bool,
    /// The node of the vector program that reads it.
    leaf: Option<usize>,
    /// It is read by the vector unit or the packers, which begin when all steps are done.
    frozen: bool,
}

/// A store that waits for the end of the block.
pub struct Pending {
    /// What is stored.
    pub source: Source,
    /// Where it goes.
    pub to: Target,
    /// What it is rounded to.
    pub element: Element,
    /// Whether negative values become zero.
    pub relu: bool,
    /// Where it comes from.
    pub place: Place,
}

/// A block that is being built.
pub struct Open {
    /// Its number.
    pub number: usize,
    /// Items so far, a list for each loop around.
    pub items: Vec<Vec<Item>>,
    /// Stores so far.
    pub stores: Vec<Pending>,
    place: Place,
    shape: [u32; 2],
    accumulators: Vec<Accumulator>,
    nodes: Vec<Lanes>,
    padding: Vec<Padding>,
    /// Tiles that are spread over themselves before it.
    spreads: Vec<(u32, Spread)>,
    /// What was loaded for the vector program.
    loads: Vec<(Operand, Broadcast, usize)>,
}

impl Open {
    /// A block without values.
    pub fn new(number: usize, shape: [u32; 2], place: Place) -> Self {
        Open {
            number,
            items: vec![Vec::new()],
            stores: Vec::new(),
            place,
            shape,
            accumulators: Vec::new(),
            nodes: Vec::new(),
            padding: Vec::new(),
            spreads: Vec::new(),
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

    fn place_of_values(&self) -> &'static str {
        match self.room_for_values() {
            HALF_TILES => "half of Dst",
            _ => "Dst",
        }
    }

    fn used(&self) -> u32 {
        self.accumulators.len() as u32 * self.tiles()
    }

    /// Begins a value, for the operation at a place.
    pub fn begin(&mut self, place: Place, shape: [u32; 2]) -> Result<usize, Refusal> {
        if shape != self.shape {
            let ([rows, columns], [a, b]) = (shape, self.shape);
            return Err(Refusal::at(
                place,
                format!(
                    "makes {rows}x{columns} tiles in {}, which holds values of {a}x{b}; store those first",
                    self.place_of_values()
                ),
            ));
        }
        let dst = self.used();
        if dst + self.tiles() > self.room_for_values() {
            return Err(self.full(place));
        }
        self.accumulators.push(Accumulator {
            dst,
            version: 0,
            dirty: false,
            leaf: None,
            frozen: false,
        });
        Ok(self.accumulators.len() - 1)
    }

    fn full(&self, place: Place) -> Refusal {
        Refusal::at(
            place,
            format!(
                "needs room in {}, whose {} tiles hold {} values of {} tiles already; use smaller tiles",
                self.place_of_values(),
                self.room_for_values(),
                self.accumulators.len(),
                self.tiles()
            ),
        )
    }

    /// Appends to the innermost list.
    pub fn item(&mut self, item: Item) {
        self.items
            .last_mut()
            .expect("there is a list for the block")
            .push(item);
    }

    /// Notes a change of a value, and tells where it lies.
    pub fn change(&mut self, number: usize, spreads: bool) -> u32 {
        let accumulator = &mut self.accumulators[number];
        accumulator.version += 1;
        accumulator.dirty |= spreads;
        accumulator.dst
    }

    /// Has the vector unit spread a tile over itself.
    pub fn spread(&mut self, dst: u32, spread: Spread) {
        self.spreads.push((dst, spread));
    }

    /// The value as it is now.
    pub fn current(&self, number: usize) -> Known {
        Known::Accumulator {
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
    pub fn leaf(&mut self, number: usize) -> usize {
        if let Some(node) = self.accumulators[number].leaf {
            return node;
        }
        let Accumulator { dst, dirty, .. } = self.accumulators[number];
        self.nodes.push(Lanes::Dst(dst));
        self.padding.push(Padding::unknown(dirty));
        self.freeze(number);
        self.accumulators[number].leaf = Some(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The node that tiles were loaded for.
    pub fn loaded(&self, tiles: &Operand, broadcast: Broadcast) -> Option<usize> {
        let found = self
            .loads
            .iter()
            .find(|(t, b, _)| t == tiles && *b == broadcast);
        found.map(|(_, _, node)| *node)
    }

    /// Notes that a value holds tiles.
    pub fn load(&mut self, number: usize, tiles: Operand, broadcast: Broadcast) -> usize {
        let node = self.leaf(number);
        let dirty = self.accumulators[number].dirty;
        self.padding[node] = Padding::brought(&tiles, broadcast, dirty);
        self.loads.push((tiles, broadcast, node));
        node
    }

    /// Notes that a value holds a tile that was transposed.
    pub fn load_transposed(&mut self, number: usize, tile: &Operand) -> usize {
        let node = self.leaf(number);
        let dirty = self.accumulators[number].dirty;
        self.padding[node] = Padding::brought(tile, Broadcast::None, dirty).transposed();
        node
    }

    /// Appends to the vector program.
    pub fn compute(&mut self, lanes: Lanes) -> usize {
        self.padding.push(Padding::computed(&lanes, &self.padding));
        self.nodes.push(lanes);
        self.nodes.len() - 1
    }

    /// The block, which keeps a value instead of storing any.
    pub fn close_folded(self, node: usize, reductions: Vec<Reduction>) -> Block {
        let (tile, results) = match self.direct(Source::Lanes(node)) {
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
        let first = items.iter().position(|item| matches!(item, Item::Step(_)));
        if let Some((at, Item::Step(step))) = first.map(|at| (at, items[at].clone())) {
            items.insert(at, Item::Step(Step { dst: KEPT, ..step }));
        }
        Block {
            items,
            spreads: self.spreads,
            vector: Vector { nodes, results },
            fold: Some(Fold {
                tile,
                reductions,
                is_first: true,
            }),
            stores: Vec::new(),
            shape: self.shape,
            place: self.place,
        }
    }

    /// Whether there is room for what is kept beside the values.
    pub fn has_room_to_keep(&self) -> bool {
        self.used() <= KEPT
    }

    /// The node that reads what is kept.
    pub fn kept(&mut self) -> usize {
        self.nodes.push(Lanes::Dst(KEPT));
        self.padding.push(Padding::unknown(true));
        self.nodes.len() - 1
    }

    /// The block. Results of the vector program take the place of values that nobody packs.
    pub fn close(mut self) -> Result<Block, Refusal> {
        if self.stores.is_empty() {
            return Err(Refusal::at(
                self.place,
                "computes a tile that is never stored",
            ));
        }
        let mut packed: Vec<u32> = self
            .stores
            .iter()
            .filter_map(|store| self.direct(store.source))
            .collect();
        let mut results: Vec<(usize, u32)> = Vec::new();
        let mut stores = Vec::new();
        for pending in std::mem::take(&mut self.stores) {
            let dst = match (self.direct(pending.source), pending.source) {
                (Some(dst), _) => dst,
                (None, Source::Lanes(node)) => match results.iter().find(|(n, _)| *n == node) {
                    Some((_, dst)) => *dst,
                    None => {
                        let dst = self.room(&packed)?;
                        packed.push(dst);
                        results.push((node, dst));
                        dst
                    }
                },
                (None, Source::Accumulator(_)) => {
                    unreachable!("an accumulator is packed where it is")
                }
            };
            let mask = match pending.source {
                Source::Lanes(node) => self.padding[node].is_dirty_as(pending.element),
                source => self.is_dirty(source),
            };
            stores.push(Store {
                dst,
                to: pending.to,
                element: pending.element,
                relu: pending.relu,
                mask,
                place: pending.place,
            });
        }
        let nodes = if results.is_empty() {
            Vec::new()
        } else {
            self.nodes
        };
        Ok(Block {
            items: self.items.pop().unwrap_or_default(),
            spreads: self.spreads,
            vector: Vector { nodes, results },
            fold: None,
            stores,
            shape: self.shape,
            place: self.place,
        })
    }

    /// Whether the padding of a source may hold something else than zero.
    pub fn is_dirty(&self, source: Source) -> bool {
        match source {
            Source::Accumulator(number) => self.accumulators[number].dirty,
            Source::Lanes(node) => self.padding[node].is_dirty(),
        }
    }

    /// Where a source lies without being computed by the vector unit.
    fn direct(&self, source: Source) -> Option<u32> {
        match source {
            Source::Accumulator(number) => Some(self.accumulators[number].dst),
            Source::Lanes(node) => match &self.nodes[node] {
                Lanes::Dst(dst) => Some(*dst),
                _ => None,
            },
        }
    }

    /// A place for a result: that of a value that is not packed, or a new one.
    fn room(&self, packed: &[u32]) -> Result<u32, Refusal> {
        let mut places = (0..self.room_for_values() / self.tiles()).map(|k| k * self.tiles());
        places
            .find(|dst| !packed.contains(dst))
            .ok_or_else(|| self.full(self.place))
    }
}
