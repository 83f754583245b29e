//! Tensors as vectors: where each lies in DRAM.
//!
//! A tensor that is the same along an index has its replicas written by the host. What is the same for all rows of the result is no stream: its
//! few vectors are brought to LM1 before.
//!
//! In 16 bits an element of bf16 is the upper half of its single; a vector in DRAM then holds two of the result's, the even one in the upper halves
//! of words and the odd one in the lower. Vectors are numbered along the columns first.

use tessera_isa_mncore::layout::{
    Digit, ElementBits, Layout, LayoutError, Memory, Part, Place, Spec,
};
use tessera_pto::kernel::{Element, TensorType};

use super::shape::{Shape, CYCLES};
use super::split::{self, Fill, Split};
use crate::address::Address;
use crate::whole::Spread;

/// Long words of a vector in an L2BM: those of each cycle one after the other.
pub(super) const L2BM_VECTOR: u32 = CYCLES * L2BM_CYCLE;
/// Those of a cycle.
pub(super) const L2BM_CYCLE: u32 = 512;
/// Steps of the MV instructions for a cycle of a vector that goes to or comes from two L2B of four groups.
pub(super) const OWN_STEPS: u64 = 16;
/// Steps of the MV instruction for a cycle of a vector that all L2B get.
pub(super) const SAME_STEPS: u64 = 4;
/// Where in the machine an index of a tensor lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Along the rows of the result: see [`Shape`].
    I,
    /// Along its columns.
    J,
    /// Along the depth of a product.
    K,
}

/// How vectors are spread over L2Bs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As results: an L2B has its own rows.
    Own,
    /// As results, or what is reduced along the rows: an L2B has its own columns.
    Wide,
    /// The same with rows in cycles.
    Tall,
    /// As the column side of a product: all L2B have the same.
    Same,
    /// As the column side of a product whose results are [`Form::Wide`].
    Deep,
    /// As the column side of a product whose depth is split.
    Parts(Split),
    /// As the results of one, behind the networks that join them.
    Joined(Split, Fill),
}

impl Form {
    /// Whether it is that of a column side: vectors follow one another along the depth.
    pub fn is_column_side(self) -> bool {
        matches!(self, Form::Same | Form::Deep | Form::Parts(_))
    }

    /// Whether all L2B have the same.
    pub fn is_same(self) -> bool {
        match self {
            Form::Same => true,
            Form::Own | Form::Wide | Form::Tall | Form::Deep => false,
            Form::Parts(split) => !split.has_l2bs(),
            Form::Joined(split, _) => split.has_l2bs(),
        }
    }
}

/// The dimension of each loop around a body: of matrices, blocks of columns, blocks of rows and chunks of the depth, in this order. What is gone
/// through once is no loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outer {
    pub matrices: Option<usize>,
    pub j: Option<usize>,
    pub i: Option<usize>,
    pub chunk: Option<usize>,
}

impl Outer {
    /// The loops of a shape, with or without those of rows and chunks.
    pub fn new(shape: &Shape, rows: bool, chunks: bool) -> Self {
        let mut next = 0;
        let mut dimension = |is: bool, count: u32| {
            let found = (is && count > 1).then_some(next);
            next += usize::from(found.is_some());
            found
        };
        Outer {
            matrices: dimension(true, shape.matrices),
            j: dimension(true, shape.j_blocks),
            i: dimension(rows, shape.i_blocks),
            chunk: dimension(chunks, shape.chunks),
        }
    }

    /// The loops of blocks of the result, outermost first, and how often each is gone through.
    pub fn blocks(&self, shape: &Shape) -> [(Option<usize>, u32); 3] {
        [
            (self.matrices, shape.matrices),
            (self.j, shape.j_blocks),
            (self.i, shape.i_blocks),
        ]
    }

    /// How often each is gone through.
    pub fn counts(&self, shape: &Shape) -> Vec<u32> {
        let all = [
            (self.matrices, shape.matrices),
            (self.j, shape.j_blocks),
            (self.i, shape.i_blocks),
            (self.chunk, shape.chunks),
        ];
        all.into_iter()
            .filter(|(is, _)| is.is_some())
            .map(|(_, count)| count)
            .collect()
    }
}

/// A tensor as vectors.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    pub form: Form,
    /// The first long word in each group's DRAM.
    pub base: u32,
    /// What each dimension around adds in DRAM, matrices, blocks of `j`, blocks of `i` or chunks.
    matrix: u32,
    j_block: u32,
    major_block: u32,
    /// Long words between the parts of the two L2B of a group.
    side: u32,
    /// Long words of a vector in a group's DRAM.
    vector: u32,
    /// How many vectors of a block there are.
    pub count: u32,
    /// How many of a matrix and a block of columns there are.
    pub all: u32,
    /// How many of the PEs' vectors each is: two of bf16, one of singles.
    pub parts: u32,
    /// Of how many cycles of a vector there is anything.
    pub cycles: u32,
    /// Long words of a vector that are moved.
    pub words: u32,
    /// Whether it is the same for all rows, and so is to be brought before.
    pub is_resident: bool,
    pub layout: Layout,
}

/// Which dimension of a tensor (1 rows, 2 columns) has which role, and along what it is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub tensor: TensorType,
    pub rows: Role,
    pub columns: Role,
    pub spread: Spread,
}

impl Use {
    /// That of a tensor whose rows and columns, as it is seen, have these roles.
    pub fn of(tensor: TensorType, roles: [Role; 2], spread: Spread) -> Self {
        let [rows, columns] = spread.seen(roles);
        let [own_rows, own_columns] = spread.seen([spread.rows, spread.columns]);
        let spread = Spread {
            transposed: false,
            rows: own_rows,
            columns: own_columns,
            ..spread
        };
        Use {
            tensor,
            rows,
            columns,
            spread,
        }
    }

    /// Whether it is the same along a role.
    pub fn is_spread(&self, role: Role) -> bool {
        self.rows == role && self.spread.rows || self.columns == role && self.spread.columns
    }
}

/// A digit: its place, its extent, and what its least bit counts there.
pub(super) type Stated = (Place, u32, u64);

/// The digits that are more than one value.
pub(super) fn digits(list: &[Stated]) -> Vec<Digit> {
    let list = list.iter().filter(|(_, extent, _)| *extent > 1);
    list.map(|&(place, extent, stride)| Digit {
        place,
        extent: u64::from(extent),
        stride: Some(stride),
    })
    .collect()
}

/// The bits of a digit.
fn part(&(place, extent, stride): &Stated) -> Part {
    Part {
        place,
        bits: Some((u64::from(extent), Some(stride))),
    }
}

/// The width of elements of which a word holds so many.
fn element(parts: u32) -> ElementBits {
    if parts == 2 {
        ElementBits::Sixteen
    } else {
        ElementBits::ThirtyTwo
    }
}

/// A layout in DRAM of so many elements in a word, without dimensions, that is to get digits of rows and columns which reach so many long words.
pub(super) fn dram(
    base: u64,
    words: u64,
    parts: u32,
    [rows, columns]: [&[Stated]; 2],
) -> Result<Spec, LayoutError> {
    let element = element(parts);
    let spec = Spec::new(Memory::Dram, element);
    let has = u64::from(Memory::Dram.words());
    match u32::try_from(base) {
        Ok(base) if u64::from(base) + words <= has => Ok(spec.at(base)),
        _ => Err(LayoutError::Capacity {
            layout: format!(
                "{} by {}",
                spelled(rows, element),
                spelled(columns, element)
            ),
            memory: Memory::Dram,
            base,
            words,
            has,
        }),
    }
}

/// Digits as a layout's text has them.
fn spelled(list: &[Stated], element: ElementBits) -> String {
    let list = list.iter().filter(|(_, extent, _)| *extent > 1);
    let digits = list.map(|(place, extent, stride)| {
        let letter = place.letter(element);
        format!("{letter}:{extent}*{stride}")
    });
    format!("({})", digits.collect::<Vec<_>>().join(","))
}

/// Adds the dimension of matrices.
pub(super) fn matrices(spec: Spec, extent: u32, own: bool, stride: u64) -> Spec {
    let list = [(Place::Address, extent, stride)];
    spec.dim("x", extent.into(), &digits(if own { &list } else { &[] }))
}

/// How the vectors of a block follow one another in time.
#[derive(Clone, Copy, Debug)]
struct Time {
    /// Vectors of the depth that come together, the first.
    together: u32,
    /// Vectors along columns, which come next.
    steps: u32,
    /// Others along rows or depth.
    major: u32,
    /// How many make one in DRAM.
    parts: u32,
    /// Long words of that one in a group's DRAM.
    vector: u64,
}

impl Time {
    /// How many vectors there are in DRAM.
    fn count(&self) -> u32 {
        self.together * self.steps * self.major / self.parts
    }

    /// The digits of each of the three. Vectors that make one in DRAM are neighbours in time.
    fn digits(&self) -> [Vec<Stated>; 3] {
        let (mut parts, mut stride) = (self.parts, self.vector);
        [self.together, self.steps, self.major].map(|extent| {
            let own = parts.min(extent);
            let digits = vec![
                (Place::Part, own, 1),
                (Place::Address, extent / own, stride),
            ];
            parts /= own;
            stride *= u64::from(extent / own);
            digits
        })
    }
}

/// Digits of rows of a result, or of the depth, but for time: word, PE, cycle where they hold rows, and L2B where each has its own. Time comes between
/// both lists.
fn row_digits(form: Form, parts: u32, side: u64) -> [Vec<Stated>; 2] {
    let mut inner = vec![(Place::Part, 2, parts.into()), (Place::Address, 4, 1)];
    if form == Form::Tall {
        inner.push((Place::Address, CYCLES, L2BM_CYCLE.into()));
    }
    let outer = match form {
        Form::Own => vec![(Place::Address, 2, side), (Place::Group, 4, 1)],
        _ => Vec::new(),
    };
    [inner, outer]
}

/// Digits of the places over which a depth is split.
fn part_digits(form: Form, side: u64) -> Vec<Stated> {
    match form {
        Form::Parts(split) => split.digits(side),
        _ => Vec::new(),
    }
}

/// Digits of columns but for time: MAB, L1B, L2B where each has its own columns, cycle where they hold columns. `mvb` takes two bits of addresses in L2BM from the groups.
fn column_digits(form: Form, side: u64) -> Vec<Stated> {
    if let Form::Parts(split) = form {
        return split.columns();
    }
    let above = if form == Form::Same { 4 } else { 1 };
    let mut list = vec![(Place::Address, 2, 4), (Place::Address, 8, 64 / above)];
    match form {
        Form::Own => list.push((Place::Address, 8, 8)),
        Form::Wide | Form::Tall | Form::Deep => list.extend([
            (Place::Address, 8, 8),
            (Place::Address, 2, side),
            (Place::Group, 4, 1),
        ]),
        _ => list.extend([(Place::Address, 2, 8), (Place::Group, 4, 1)]),
    }
    if form != Form::Tall {
        list.push((Place::Address, CYCLES, u64::from(L2BM_CYCLE) / above));
    }
    list
}

/// Whether matrices differ.
fn own_matrices(r#use: &Use) -> bool {
    !r#use.spread.matrices && r#use.tensor.matrices > 1
}

/// For how many of so many blocks there is room.
fn room(is_spread: bool, blocks: u32) -> u64 {
    if is_spread {
        1
    } else {
        u64::from(blocks.next_power_of_two())
    }
}

/// How a tensor lies along rows, or depth, or columns.
struct Along {
    /// The digits of a block.
    block: Vec<Stated>,
    blocks: Stated,
    is_spread: bool,
}

/// How a tensor lies along both.
struct Spreads {
    rows: Along,
    columns: Along,
    /// Digits of places that have the same.
    same: Vec<Stated>,
}

impl Spreads {
    /// The layout from a long word on, with so many elements in a word and long words of a matrix.
    fn layout(
        &self,
        r#use: &Use,
        base: u64,
        parts: u32,
        matrix: u64,
    ) -> Result<Layout, LayoutError> {
        let kind = r#use.tensor;
        let own = own_matrices(r#use);
        let words = matrix * u64::from(if own { kind.matrices } else { 1 });
        let along = |role| match role {
            Role::J => &self.columns,
            Role::I | Role::K => &self.rows,
        };
        let lists = [r#use.rows, r#use.columns].map(|role| along(role).block.clone());
        let mut spec = dram(base, words, parts, [&lists[0], &lists[1]])?;
        spec = matrices(spec, kind.matrices, own, matrix);
        spec.replicated.extend(self.same.iter().map(part));
        for (name, extent, role) in [
            ("r", kind.rows, r#use.rows),
            ("c", kind.columns, r#use.columns),
        ] {
            let along = along(role);
            if along.is_spread {
                let same = along.block.iter().filter(|digit| digit.1 > 1);
                spec.replicated.extend(same.map(part));
                spec = spec.dim(name, extent.into(), &[]);
            } else {
                let list = [&along.block[..], &[along.blocks]].concat();
                spec = spec.dim(name, extent.into(), &digits(&list));
            }
        }
        spec.build()
    }
}

impl Vectors {
    /// Whether the matrix unit sees cycles that are not moved.
    pub fn leaves_cycles(&self) -> bool {
        self.form.is_column_side() && self.cycles < CYCLES
    }

    /// A tensor as vectors, from a long word on; those of bf16 in 16 bits if `halves`, and if there are two.
    pub fn place(
        r#use: &Use,
        form: Form,
        shape: &Shape,
        halves: bool,
        base: u64,
    ) -> Result<Vectors, LayoutError> {
        if let Form::Joined(split, fill) = form {
            return Vectors::joined(r#use, (split, fill), shape, base);
        }
        // In time there are `major` times `steps` vectors of a block. Blocks lie one behind the other, but where L2Bs have their own rows: so what
        // one product makes in blocks of rows, another takes in chunks of the depth.
        let (major_role, major, blocks) = match form {
            Form::Own => (Role::I, shape.tiles, shape.i_blocks),
            Form::Wide | Form::Tall => (Role::I, shape.tiles * shape.i_blocks, 1),
            _ => (Role::K, shape.k_blocks * shape.chunks, 1),
        };
        let (major_spread, j_spread) = (r#use.is_spread(major_role), r#use.is_spread(Role::J));
        let together = if form.is_column_side() { shape.span } else { 1 };
        let mut time = Time {
            together,
            steps: shape.steps,
            major: if major_spread { 1 } else { major / together },
            parts: 1,
            vector: u64::from(L2BM_VECTOR / if form.is_same() { 4 } else { 1 }),
        };
        // Of a block of rows, or a chunk of the depth.
        let mut count = match form {
            _ if major_spread => time.count(),
            Form::Own | Form::Wide | Form::Tall => shape.tiles * shape.steps,
            _ => shape.k_blocks * shape.steps,
        };
        if halves && r#use.tensor.element == Element::Bf16 && count % 2 == 0 {
            time.parts = 2;
            count /= 2;
        }
        let side = u64::from(time.count()).next_power_of_two() * time.vector;
        let block = if form.is_same() { side } else { 2 * side };
        let j_block = block * room(major_spread, blocks);
        let matrix = j_block * room(j_spread, shape.j_blocks);
        let [together, steps, major] = time.digits();
        let [inner, outer] = row_digits(form, time.parts, side);
        let places = part_digits(form, side);
        let spreads = Spreads {
            rows: Along {
                block: [inner, together, places, major, outer].concat(),
                blocks: (Place::Address, blocks, block),
                is_spread: major_spread,
            },
            columns: Along {
                block: [column_digits(form, side), steps].concat(),
                blocks: (Place::Address, shape.j_blocks, j_block),
                is_spread: j_spread,
            },
            same: Vec::new(),
        };
        let layout = spreads.layout(r#use, base, time.parts, matrix)?;
        let step = |own: bool, stride: u64| if own { stride as u32 } else { 0 };
        Ok(Vectors {
            form,
            base: layout.base(),
            matrix: step(own_matrices(r#use), matrix),
            j_block: step(!j_spread, j_block),
            major_block: step(
                !major_spread,
                match form {
                    Form::Own => block,
                    _ => u64::from(count) * time.vector,
                },
            ),
            side: side as u32,
            vector: time.vector as u32,
            count,
            all: time.count() * blocks,
            parts: time.parts,
            is_resident: major_spread,
            cycles: shape.cycles,
            words: shape.cycles * L2BM_CYCLE,
            layout,
        })
    }

    /// What lies as the joined sums of a product, a vector for each block.
    fn joined(
        r#use: &Use,
        (split, fill): (Split, Fill),
        shape: &Shape,
        base: u64,
    ) -> Result<Vectors, LayoutError> {
        let form = Form::Joined(split, fill);
        let words = split::joined_words(shape, fill);
        let cycles = words.div_ceil(L2BM_CYCLE);
        let vector = u64::from(cycles.next_power_of_two() * L2BM_CYCLE);
        let side = vector / if form.is_same() { 4 } else { 1 };
        let block = if form.is_same() { side } else { 2 * side };
        let [i_spread, j_spread] = [Role::I, Role::J].map(|role| r#use.is_spread(role));
        let j_block = block * room(i_spread, shape.i_blocks);
        let matrix = j_block * room(j_spread, shape.j_blocks);
        let [rows, columns] = split.joined_digits(shape, side);
        let spreads = Spreads {
            rows: Along {
                block: rows,
                blocks: (Place::Address, shape.i_blocks, block),
                is_spread: i_spread,
            },
            columns: Along {
                block: columns,
                blocks: (Place::Address, shape.j_blocks, j_block),
                is_spread: j_spread,
            },
            same: split.repeated(shape, words),
        };
        let layout = spreads.layout(r#use, base, 1, matrix)?;
        let step = |own: bool, stride: u64| if own { stride as u32 } else { 0 };
        Ok(Vectors {
            form,
            base: layout.base(),
            matrix: step(own_matrices(r#use), matrix),
            j_block: step(!j_spread, j_block),
            major_block: step(!i_spread, block),
            side: side as u32,
            vector: side as u32,
            count: 1,
            all: if i_spread { 1 } else { shape.i_blocks },
            parts: 1,
            is_resident: false,
            cycles,
            words,
            layout,
        })
    }

    /// The address in DRAM of the vector of an iteration, `ahead` vectors further, for a side, inside the loops around. `walk` is by how much each
    /// dimension changes the number of the vector.
    pub fn dram(&self, outer: &Outer, walk: &[u32], ahead: u32, side: u32) -> Address {
        let mut steps = scaled(walk, self.vector);
        for (dimension, stride) in [
            (outer.matrices, self.matrix),
            (outer.j, self.j_block),
            (
                if self.form.is_column_side() {
                    outer.chunk
                } else {
                    outer.i
                },
                self.major_block,
            ),
        ] {
            if let Some(dimension) = dimension {
                steps[dimension] += stride;
            }
        }
        let base = self.base + side * self.side + ahead * self.vector;
        Address::moving(base, &steps)
    }

    /// By how much matrices, blocks of columns and blocks of rows of a result are apart.
    pub fn block_strides(&self) -> [u32; 3] {
        [self.matrix, self.j_block, self.major_block]
    }

    /// Long words in a group's DRAM, from the first to the last.
    pub fn span(&self) -> u64 {
        self.layout.padded_words()
    }

    /// An address of it, so much further, around its end.
    pub fn further(&self, mut address: Address, distance: u64) -> Address {
        address.base = ((u64::from(address.base - self.base) + distance) % self.span()) as u32;
        address.around(self.base, self.span() as u32)
    }

    /// One of two halves of the vectors of a block.
    pub fn half(&self, number: u32) -> Vectors {
        let count = self.count / 2;
        Vectors {
            base: self.base + number * count * self.vector,
            count,
            ..self.clone()
        }
    }

    /// The vectors of the last block of a result.
    pub fn of_last_block(&self, shape: &Shape) -> Vectors {
        let counts = [shape.matrices, shape.j_blocks, shape.i_blocks];
        let strides = self.block_strides().into_iter().zip(counts);
        let before: u32 = strides.map(|(stride, count)| stride * (count - 1)).sum();
        Vectors {
            base: self.base + before,
            ..self.clone()
        }
    }
}

/// Steps of an address, so many times.
pub(super) fn scaled(steps: &[u32], factor: u32) -> Vec<u32> {
    steps.iter().map(|step| step * factor).collect()
}
