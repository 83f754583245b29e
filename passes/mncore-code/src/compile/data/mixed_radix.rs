//! Layouts in DRAM as mixed-radix indices: which digit of a row or column number selects which part
//! of the machine.

use tessera_isa_mncore::layout::{
    Digit, ElementBits, Layout, LayoutError, Memory, Place, PlaceBits, Spec,
};

use super::geometry::{CYCLES, L1BS, L2BM_CYCLE};
use super::tensor_use::{Role, TensorUse};
use super::vector_layout::{SplitK, VectorLayout};

/// A digit: its place in the machine, its extent, and the stride of its least bit there.
pub(crate) type DigitSpec = (Place, u32, u64);

/// Returns the digits with more than one value.
pub(crate) fn digits(list: &[DigitSpec]) -> Vec<Digit> {
    let list = list.iter().filter(|(_, extent, _)| *extent > 1);
    list.map(|&(place, extent, stride)| Digit {
        place,
        extent: u64::from(extent),
        stride: Some(stride),
    })
    .collect()
}

/// Returns the bits of a digit.
fn part(&(place, extent, stride): &DigitSpec) -> PlaceBits {
    PlaceBits {
        place,
        bits: Some((u64::from(extent), Some(stride))),
    }
}

/// Returns the element width for this many elements per word.
fn element(parts: u32) -> ElementBits {
    if parts == 2 {
        ElementBits::Sixteen
    } else {
        ElementBits::ThirtyTwo
    }
}

/// Starts a layout in DRAM with `parts` elements per word. Fails if `words` long words from `base`
/// on exceed DRAM.
pub(crate) fn dram(
    base: u64,
    words: u64,
    parts: u32,
    [rows, columns]: [&[DigitSpec]; 2],
) -> Result<Spec, LayoutError> {
    let element = element(parts);
    let spec = Spec::new(Memory::Dram, element);
    let has = u64::from(Memory::Dram.words());
    match u32::try_from(base) {
        Ok(base) if u64::from(base) + words <= has => Ok(spec.with_base(base)),
        _ => Err(LayoutError::Capacity {
            layout: format!(
                "{} by {}",
                format_digits(rows, element),
                format_digits(columns, element)
            ),
            memory: Memory::Dram,
            base,
            words,
            has,
        }),
    }
}

/// Formats digits as in the text of a layout.
fn format_digits(list: &[DigitSpec], element: ElementBits) -> String {
    let list = list.iter().filter(|(_, extent, _)| *extent > 1);
    let digits = list.map(|(place, extent, stride)| {
        let letter = place.letter(element);
        format!("{letter}:{extent}*{stride}")
    });
    format!("({})", digits.collect::<Vec<_>>().join(","))
}

/// The places of matrices: those over which they are distributed, and the stride in long words from
/// one to the next in each of them.
pub(crate) struct MatrixDigits {
    pub over: Vec<DigitSpec>,
    pub stride: u64,
}

impl MatrixDigits {
    /// Returns the digits of matrices one after the other.
    pub fn of(stride: u64) -> Self {
        MatrixDigits {
            over: Vec::new(),
            stride,
        }
    }

    /// Returns the number of matrices that one place holds of this many.
    fn held(&self, matrices: u32) -> u32 {
        let places: u32 = self.over.iter().map(|(_, extent, _)| extent).product();
        matrices.div_ceil(places)
    }

    /// Returns the long words of this many matrices.
    pub fn words(&self, matrices: u32, own: bool) -> u64 {
        self.stride * u64::from(if own { self.held(matrices) } else { 1 })
    }

    /// Adds the dimension of matrices to a layout. All places have the only one if they do not
    /// differ.
    pub fn add_to(&self, mut spec: Spec, extent: u32, own: bool) -> Spec {
        if !own {
            spec.replicated.extend(self.over.iter().map(part));
            return spec.with_dim("x", extent.into(), &[]);
        }
        let apart = (Place::Address, self.held(extent), self.stride);
        let list = [&self.over[..], &[apart]].concat();
        spec.with_dim("x", extent.into(), &digits(&list))
    }
}

/// Returns the digits of the places over which matrices are distributed.
pub(crate) fn matrix_digits(vector_layout: VectorLayout, side: u64) -> Vec<DigitSpec> {
    match vector_layout {
        VectorLayout::MatricesOverL2bs | VectorLayout::ColumnSideOfMatrices => l2b_digits(side),
        _ => Vec::new(),
    }
}

/// Returns the digits of L2Bs, with `side` long words between the two of a group.
pub(crate) fn l2b_digits(side: u64) -> Vec<DigitSpec> {
    vec![(Place::Address, 2, side), (Place::Group, 4, 1)]
}

/// The order of a block's vectors in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorOrder {
    /// Adjacent vectors of the depth; innermost.
    pub together: u32,
    /// Column vectors; next.
    pub steps: u32,
    /// Other vectors of rows or depth; outermost.
    pub major: u32,
    /// Vectors that are packed into one in DRAM.
    pub parts: u32,
    /// Long words of that one in each group's DRAM.
    pub vector: u64,
}

impl VectorOrder {
    /// Returns the number of vectors in DRAM.
    pub fn count(&self) -> u32 {
        self.together * self.steps * self.major / self.parts
    }

    /// Returns the digits of the three levels. Vectors that are packed into one are adjacent in
    /// time.
    pub fn digits(&self) -> [Vec<DigitSpec>; 3] {
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

/// Returns the digits of a result's rows, or of the depth, without time: word, PE, cycle and L2B as
/// far as they hold rows. Time comes between the two lists.
pub(crate) fn row_digits(
    vector_layout: VectorLayout,
    parts: u32,
    side: u64,
) -> [Vec<DigitSpec>; 2] {
    let mut inner = vec![(Place::Part, 2, parts.into()), (Place::Address, 4, 1)];
    match vector_layout {
        VectorLayout::RowsOverCycles => inner.push((Place::Address, CYCLES, L2BM_CYCLE.into())),
        VectorLayout::ColumnsOverGroups => inner.extend([
            (Place::Address, L1BS, side / u64::from(L1BS)),
            (Place::Address, 2, side),
        ]),
        _ => {}
    }
    let outer = match vector_layout {
        VectorLayout::RowsOverL2bs => l2b_digits(side),
        VectorLayout::RowsOverL1bPairs => vec![
            (Place::Address, 2, 8),
            (Place::Address, 2, side),
            (Place::Group, 4, 1),
        ],
        VectorLayout::RowsOverL1bs => vec![(Place::Address, 8, 8), (Place::Group, 4, 1)],
        _ => Vec::new(),
    };
    [inner, outer]
}

/// Returns the digits of the places over which the depth is distributed.
pub(crate) fn part_digits(vector_layout: VectorLayout, side: u64) -> Vec<DigitSpec> {
    match vector_layout {
        VectorLayout::SplitK(split) => split.digits(side),
        VectorLayout::KOverMabs => {
            distribute_over_groups(&[(Place::Address, 2, 4), (Place::Address, 8, 64)])
        }
        _ => Vec::new(),
    }
}

/// Returns the digits of columns without time: MAB, L1B, L2B and cycle as far as they hold columns.
/// `mvb` takes two bits of L2BM addresses from the groups.
pub(crate) fn column_digits(vector_layout: VectorLayout, side: u64, cycles: u32) -> Vec<DigitSpec> {
    if let VectorLayout::SplitK(split) = vector_layout {
        return split.columns();
    }
    match vector_layout {
        VectorLayout::ReplicatedInPairs => return pairs_digits(),
        VectorLayout::ReplicatedOverL1bs => return l1bs_digits(),
        VectorLayout::ColumnsOverGroups
        | VectorLayout::SharedColumnsOverGroups
        | VectorLayout::ReplicatedInGroups => {
            return groups_digits(cycles);
        }
        VectorLayout::KOverMabs => return k_over_mabs_digits(),
        _ => {}
    }
    let above = match vector_layout {
        VectorLayout::Replicated | VectorLayout::SharedByMatrices => 4,
        _ => 1,
    };
    let held = match vector_layout {
        VectorLayout::MatricesOverL2bs
        | VectorLayout::SharedByMatrices
        | VectorLayout::ColumnSideOfMatrices => cycles,
        _ => CYCLES,
    };
    let mut list = vec![(Place::Address, 2, 4), (Place::Address, 8, 64 / above)];
    match vector_layout {
        VectorLayout::RowsOverL2bs
        | VectorLayout::MatricesOverL2bs
        | VectorLayout::ColumnSideOfMatrices => list.push((Place::Address, 8, 8)),
        VectorLayout::RowsOverL1bPairs => list.push((Place::Address, 4, 16)),
        VectorLayout::RowsOverL1bs => list.push((Place::Address, 2, side)),
        VectorLayout::ColumnsOverL2bs
        | VectorLayout::RowsOverCycles
        | VectorLayout::ColumnSideOverL2bs => list.extend([
            (Place::Address, 8, 8),
            (Place::Address, 2, side),
            (Place::Group, 4, 1),
        ]),
        _ => list.extend([(Place::Address, 2, 8), (Place::Group, 4, 1)]),
    }
    if vector_layout != VectorLayout::RowsOverCycles {
        list.push((Place::Address, held, u64::from(L2BM_CYCLE) / above));
    }
    list
}

/// Returns the digits of columns that both L1Bs of a pair share: MAB, pair, cycle; 64 long words
/// for each pair and cycle.
fn pairs_digits() -> Vec<DigitSpec> {
    distribute_over_groups(&[
        (Place::Address, 4, 4),
        (Place::Address, 4, 64),
        (Place::Address, 4, 16),
        (Place::Address, CYCLES, 256),
    ])
}

/// Returns the digits of columns that all L1Bs share: MAB, L2B of a group, cycle; 64 long words per
/// cycle. `mvb4` takes two bits of L2BM addresses from the groups, and the L2B of a group from the
/// DRAM address.
fn l1bs_digits() -> Vec<DigitSpec> {
    vec![
        (Place::Address, 4, 4),
        (Place::Group, 4, 1),
        (Place::Address, 2, 16),
        (Place::Address, CYCLES, 32),
    ]
}

/// Returns the digits of columns that all L1Bs of a group share: MAB, group, cycles; 64 long words
/// per cycle.
fn groups_digits(cycles: u32) -> Vec<DigitSpec> {
    vec![
        (Place::Address, 16, 4),
        (Place::Group, 4, 1),
        (Place::Address, cycles, 64),
    ]
}

/// Returns the digits of columns if MABs hold the depth: cycle, L1B.
fn k_over_mabs_digits() -> Vec<DigitSpec> {
    distribute_over_groups(&[
        (Place::Address, CYCLES, L2BM_CYCLE.into()),
        (Place::Address, 8, 8),
    ])
}

/// Returns the digits of long words in L2BM that `l2bmd` distributes to L1Bs, eight to each in
/// turn.
pub(crate) fn distribute_over_l1bs(digits: &[DigitSpec]) -> Vec<DigitSpec> {
    const EIGHT: u64 = 8;
    let split = |&(place, extent, stride): &DigitSpec| {
        let below = (EIGHT / stride).clamp(1, extent.into()) as u32;
        let above = (stride * u64::from(below)).max(EIGHT) * EIGHT;
        let left = extent.div_ceil(below);
        if stride < EIGHT {
            [(place, below, stride), (place, left, above)]
        } else {
            [(place, extent, stride * EIGHT), (place, 1, 1)]
        }
    };
    digits.iter().flat_map(split).collect()
}

/// The layout of a tensor along one axis.
pub(crate) struct AxisLayout {
    /// The digits within a block.
    pub block: Vec<DigitSpec>,
    /// The digit of blocks.
    pub blocks: DigitSpec,
    /// Whether the tensor is broadcast along the axis.
    pub is_broadcast: bool,
}

/// The layout of a tensor along both axes.
pub(crate) struct TensorDigits {
    pub rows: AxisLayout,
    pub columns: AxisLayout,
    pub matrices: MatrixDigits,
    /// Digits of places that hold copies.
    pub same: Vec<DigitSpec>,
}

impl TensorDigits {
    /// Returns the layout from an address on, with `parts` elements per word.
    pub fn layout(&self, r#use: &TensorUse, base: u64, parts: u32) -> Result<Layout, LayoutError> {
        let kind = r#use.tensor;
        let own = r#use.has_own_matrices();
        let words = self.matrices.words(kind.matrices, own);
        let along = |role| match role {
            Role::J => &self.columns,
            Role::I | Role::K => &self.rows,
        };
        let lists = [r#use.rows, r#use.columns].map(|role| along(role).block.clone());
        let mut spec = dram(base, words, parts, [&lists[0], &lists[1]])?;
        spec = self.matrices.add_to(spec, kind.matrices, own);
        spec.replicated.extend(self.same.iter().map(part));
        for (name, extent, role) in [
            ("r", kind.rows, r#use.rows),
            ("c", kind.columns, r#use.columns),
        ] {
            let along = along(role);
            if along.is_broadcast {
                let same = along.block.iter().filter(|digit| digit.1 > 1);
                spec.replicated.extend(same.map(part));
                spec = spec.with_dim(name, extent.into(), &[]);
            } else {
                let list = [&along.block[..], &[along.blocks]].concat();
                spec = spec.with_dim(name, extent.into(), &digits(&list));
            }
        }
        spec.build()
    }
}

/// Groups; long words that are contiguous in a group's DRAM if all L2Bs receive them; and those of
/// all groups.
const GROUPS: u64 = 4;
/// L2Bs of a group.
const SIDES: u64 = 2;
const OF_GROUP: u64 = 16;
const OF_GROUPS: u64 = GROUPS * OF_GROUP;

/// Returns the digits in DRAM for digits of L2BM addresses under `mvb`: 16 long words of each group
/// make 64.
pub(crate) fn distribute_over_groups(digits: &[DigitSpec]) -> Vec<DigitSpec> {
    join_groups(digits, GROUPS)
}

/// Returns the digits in DRAM for digits of L2BM addresses under `mvb4`: 16 long words of each
/// group make 64 in one L2B of every group, the next 16 make those in the other.
pub(crate) fn join_groups_and_sides(digits: &[DigitSpec]) -> Vec<DigitSpec> {
    join_groups(digits, GROUPS / SIDES)
}

/// Returns the digits in DRAM for digits of L2BM addresses, of which a group's DRAM holds
/// one of `shares` long words.
fn join_groups(digits: &[DigitSpec], shares: u64) -> Vec<DigitSpec> {
    let mut found = Vec::new();
    for &(place, mut extent, mut stride) in digits {
        while place == Place::Address && extent > 1 && stride < OF_GROUPS {
            let (own, bit) = match stride {
                ..OF_GROUP => (Place::Address, stride),
                _ => (Place::Group, stride / OF_GROUP),
            };
            found.push((own, 2, bit));
            (extent, stride) = (extent.div_ceil(2), 2 * stride);
        }
        let stride = if place == Place::Address {
            stride / shares
        } else {
            stride
        };
        found.push((place, extent, stride));
    }
    found
}

/// The digits of a split-K product's sides.
impl SplitK {
    /// Returns the digits of the parts in a vector of the column side.
    pub fn digits(self, side: u64) -> Vec<DigitSpec> {
        let places = [
            (Place::Address, 2, 4),
            (Place::Address, 8, 64),
            (Place::Address, 8, 8),
        ];
        match self {
            SplitK::Mabs => distribute_over_groups(&places),
            SplitK::L2bs => [
                &places[..],
                &[(Place::Address, 2, side), (Place::Group, 4, 1)],
            ]
            .concat(),
        }
    }

    /// Returns the digits of the parts on the row side, where L2Bs have their own rows unless they
    /// have their own depth.
    pub fn row_digits(self, side: u64) -> Vec<DigitSpec> {
        match self {
            SplitK::Mabs => vec![
                (Place::Address, 2, 4),
                (Place::Address, 8, 64),
                (Place::Address, 8, 8),
            ],
            SplitK::L2bs => self.digits(side),
        }
    }

    /// Returns the digits of the columns in a vector of the column side.
    pub fn columns(self) -> Vec<DigitSpec> {
        let cycles = (Place::Address, CYCLES, L2BM_CYCLE.into());
        match self {
            SplitK::Mabs => distribute_over_groups(&[cycles]),
            SplitK::L2bs => vec![cycles],
        }
    }
}
