//! Tensors as vectors: where each lies in DRAM.
//!
//! A tensor that is the same along an index has its replicas written by the host. What is the same for all rows of the result is no stream: its
//! few vectors are brought to LM1 before.

use tessera_isa_mncore::layout::{
    Digit, ElementBits, Layout, LayoutError, Memory, Part, Place, Spec,
};
use tessera_pto::kernel::TensorType;

use super::shape::{Shape, CYCLES};
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
    /// As what is reduced along the rows: an L2B has its own columns.
    Wide,
    /// As the column side of a product: all L2B have the same.
    Same,
}

/// The dimension of each loop around a body: of matrices, blocks of columns, blocks of rows and chunks of the depth, in this order. What is gone
/// through once is no loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Of how many cycles of a vector there is anything.
    pub cycles: u32,
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
    fn is_spread(&self, role: Role) -> bool {
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

/// A layout of singles in DRAM, without dimensions, that is to get digits of rows and columns which reach so many long words.
pub(super) fn dram(
    base: u64,
    words: u64,
    [rows, columns]: [&[Stated]; 2],
) -> Result<Spec, LayoutError> {
    let spec = Spec::new(Memory::Dram, ElementBits::ThirtyTwo);
    let has = u64::from(Memory::Dram.words());
    match u32::try_from(base) {
        Ok(base) if u64::from(base) + words <= has => Ok(spec.at(base)),
        _ => Err(LayoutError::Capacity {
            layout: format!("{} by {}", spelled(rows), spelled(columns)),
            memory: Memory::Dram,
            base,
            words,
            has,
        }),
    }
}

/// Digits as a layout's text has them.
fn spelled(list: &[Stated]) -> String {
    let list = list.iter().filter(|(_, extent, _)| *extent > 1);
    let digits = list.map(|(place, extent, stride)| {
        let letter = place.letter(ElementBits::ThirtyTwo);
        format!("{letter}:{extent}*{stride}")
    });
    format!("({})", digits.collect::<Vec<_>>().join(","))
}

/// Adds the dimension of matrices.
pub(super) fn matrices(spec: Spec, extent: u32, own: bool, stride: u64) -> Spec {
    let list = [(Place::Address, extent, stride)];
    spec.dim("x", extent.into(), &digits(if own { &list } else { &[] }))
}

/// Which of the digits of rows is time.
const TIME: usize = 3;

/// Digits of rows of a result, or of the depth: word, PE, vectors that lie together, time, and L2B where each has its own rows.
fn row_digits(form: Form, together: Stated, time: Stated, side: u64) -> Vec<Stated> {
    let mut list = vec![(Place::Part, 2, 1), (Place::Address, 4, 1), together, time];
    if form == Form::Own {
        list.extend([(Place::Address, 2, side), (Place::Group, 4, 1)]);
    }
    list
}

/// Digits of columns: MAB, L1B, L2B where each has its own columns, cycle, time. `mvb` takes two bits of addresses in L2BM from the groups.
fn column_digits(form: Form, steps: u32, vector: u64, side: u64) -> Vec<Stated> {
    let above = if form == Form::Same { 4 } else { 1 };
    let mut list = vec![(Place::Address, 2, 4), (Place::Address, 8, 64 / above)];
    match form {
        Form::Own => list.push((Place::Address, 8, 8)),
        Form::Wide => list.extend([
            (Place::Address, 8, 8),
            (Place::Address, 2, side),
            (Place::Group, 4, 1),
        ]),
        Form::Same => list.extend([(Place::Address, 2, 8), (Place::Group, 4, 1)]),
    }
    list.extend([
        (Place::Address, 4, u64::from(L2BM_CYCLE) / above),
        (Place::Address, steps, vector),
    ]);
    list
}

impl Vectors {
    /// A tensor as vectors, from a long word on.
    pub fn place(
        r#use: &Use,
        form: Form,
        shape: &Shape,
        base: u64,
    ) -> Result<Vectors, LayoutError> {
        // In time there are `major` times `steps` vectors of a block. Blocks of the depth lie one behind the other.
        let (major_role, major, blocks) = match form {
            Form::Own | Form::Wide => (Role::I, shape.tiles, shape.i_blocks),
            Form::Same => (Role::K, shape.k_blocks * shape.chunks, 1),
        };
        let (major_spread, j_spread) = (r#use.is_spread(major_role), r#use.is_spread(Role::J));
        let vector = match form {
            Form::Own | Form::Wide => u64::from(L2BM_VECTOR),
            Form::Same => u64::from(L2BM_VECTOR / 4),
        };
        let together = if form == Form::Same { shape.span } else { 1 };
        let time = if major_spread { together } else { major };
        let side = u64::from(time * shape.steps).next_power_of_two() * vector;
        let block = if form == Form::Same { side } else { 2 * side };
        let count = |spread: bool, blocks: u32| {
            if spread {
                1
            } else {
                u64::from(blocks.next_power_of_two())
            }
        };
        let j_block = block * count(major_spread, blocks);
        let matrix = j_block * count(j_spread, shape.j_blocks);

        let all_together = vector * u64::from(together);
        let row = row_digits(
            form,
            (Place::Address, together, vector),
            (
                Place::Address,
                major / together,
                u64::from(shape.steps) * all_together,
            ),
            side,
        );
        let column = column_digits(form, shape.steps, all_together, side);
        let own = !r#use.spread.matrices && r#use.tensor.matrices > 1;
        let words = matrix * u64::from(if own { r#use.tensor.matrices } else { 1 });
        let of = |role| {
            if role == Role::J {
                &column[..]
            } else {
                &row[..]
            }
        };
        let mut spec = dram(base, words, [of(r#use.rows), of(r#use.columns)])?;
        spec = matrices(spec, r#use.tensor.matrices, own, matrix);
        let kind = r#use.tensor;
        for (name, extent, role) in [
            ("r", kind.rows, r#use.rows),
            ("c", kind.columns, r#use.columns),
        ] {
            let (spread, list, blocks, stride) = match role {
                Role::J => (j_spread, &column, shape.j_blocks, j_block),
                Role::I | Role::K => (major_spread, &row, blocks, block),
            };
            if spread {
                // Time does not walk through what is the same for all rows.
                let walked = |number: usize| role != Role::J && number == TIME;
                let same = list.iter().enumerate().filter(|(n, _)| !walked(*n));
                let same = same.map(|(_, digit)| digit);
                spec.replicated
                    .extend(same.filter(|digit| digit.1 > 1).map(part));
                spec = spec.dim(name, extent.into(), &[]);
            } else {
                let list = [&list[..], &[(Place::Address, blocks, stride)]].concat();
                spec = spec.dim(name, extent.into(), &digits(&list));
            }
        }
        let layout = spec.build()?;
        let step = |own: bool, stride: u64| if own { stride as u32 } else { 0 };
        Ok(Vectors {
            form,
            base: layout.base(),
            matrix: step(own, matrix),
            j_block: step(!j_spread, j_block),
            major_block: match form {
                _ if major_spread => 0,
                Form::Own | Form::Wide => block as u32,
                Form::Same => shape.k_blocks * shape.steps * vector as u32,
            },
            side: side as u32,
            vector: vector as u32,
            count: shape.steps
                * if form == Form::Same && !major_spread {
                    shape.k_blocks
                } else {
                    time
                },
            is_resident: major_spread,
            cycles: shape.cycles,
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
                if self.form != Form::Same {
                    outer.i
                } else {
                    outer.chunk
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
}

/// Steps of an address, so many times.
pub(super) fn scaled(steps: &[u32], factor: u32) -> Vec<u32> {
    steps.iter().map(|step| step * factor).collect()
}
