//! The digits of layouts in DRAM: which bits of a row's or column's number are where in the
//! machine.

use tessera_isa_mncore::layout::{
    Digit, ElementBits, Layout, LayoutError, Memory, Place, PlaceBits, Spec,
};

use super::rows::over_groups;
use super::shape::CYCLES;
use super::vectors::{Form, Role, Use, L2BM_CYCLE};

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
fn part(&(place, extent, stride): &Stated) -> PlaceBits {
    PlaceBits {
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

/// A layout in DRAM of so many elements in a word, without dimensions, that is to get digits of
/// rows and columns which reach so many long words.
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
        Ok(base) if u64::from(base) + words <= has => Ok(spec.with_base(base)),
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
    spec.with_dim("x", extent.into(), &digits(if own { &list } else { &[] }))
}

/// How the vectors of a block follow one another in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// Vectors of the depth that come together, the first.
    pub together: u32,
    /// Vectors along columns, which come next.
    pub steps: u32,
    /// Others along rows or depth.
    pub major: u32,
    /// How many make one in DRAM.
    pub parts: u32,
    /// Long words of that one in a group's DRAM.
    pub vector: u64,
}

impl Time {
    /// How many vectors there are in DRAM.
    pub fn count(&self) -> u32 {
        self.together * self.steps * self.major / self.parts
    }

    /// The digits of each of the three. Vectors that make one in DRAM are neighbours in time.
    pub fn digits(&self) -> [Vec<Stated>; 3] {
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

/// Digits of rows of a result, or of the depth, but for time: word, PE, cycle where they hold rows,
/// and L2B where each has its own. Time comes between both lists.
pub(super) fn row_digits(form: Form, parts: u32, side: u64) -> [Vec<Stated>; 2] {
    let mut inner = vec![(Place::Part, 2, parts.into()), (Place::Address, 4, 1)];
    if form == Form::Tall {
        inner.push((Place::Address, CYCLES, L2BM_CYCLE.into()));
    }
    let outer = match form {
        Form::Own => vec![(Place::Address, 2, side), (Place::Group, 4, 1)],
        Form::OwnPairs => vec![
            (Place::Address, 2, 8),
            (Place::Address, 2, side),
            (Place::Group, 4, 1),
        ],
        Form::OwnL1bs => vec![(Place::Address, 8, 8), (Place::Group, 4, 1)],
        _ => Vec::new(),
    };
    [inner, outer]
}

/// Digits of the places over which a depth is split.
pub(super) fn part_digits(form: Form, side: u64) -> Vec<Stated> {
    match form {
        Form::Parts(split) => split.digits(side),
        Form::PartsInL1bs => over_groups(&[(Place::Address, 2, 4), (Place::Address, 8, 64)]),
        _ => Vec::new(),
    }
}

/// Digits of columns but for time: MAB, L1B, L2B where each has its own columns, cycle where they
/// hold columns. `mvb` takes two bits of addresses in L2BM from the groups.
pub(super) fn column_digits(form: Form, side: u64) -> Vec<Stated> {
    if let Form::Parts(split) = form {
        return split.columns();
    }
    match form {
        Form::SamePairs => return pairs_digits(),
        Form::SameL1bs => return l1bs_digits(),
        Form::PartsInL1bs => return in_l1bs_digits(),
        _ => {}
    }
    let above = if form == Form::Same { 4 } else { 1 };
    let mut list = vec![(Place::Address, 2, 4), (Place::Address, 8, 64 / above)];
    match form {
        Form::Own => list.push((Place::Address, 8, 8)),
        Form::OwnPairs => list.push((Place::Address, 4, 16)),
        Form::OwnL1bs => list.push((Place::Address, 2, side)),
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

/// The same where both L1Bs of a pair get the same: MAB, pair, cycle, in 64 long words for each
/// pair and cycle.
fn pairs_digits() -> Vec<Stated> {
    over_groups(&[
        (Place::Address, 4, 4),
        (Place::Address, 4, 64),
        (Place::Address, 4, 16),
        (Place::Address, CYCLES, 256),
    ])
}

/// The same where all L1Bs get the same: MAB, L2B of a group, cycle, in 64 long words of each
/// cycle. `mvb4` takes two bits of addresses in L2BM from the groups, and the L2B of a group from
/// those in DRAM.
fn l1bs_digits() -> Vec<Stated> {
    vec![
        (Place::Address, 4, 4),
        (Place::Group, 4, 1),
        (Place::Address, 2, 16),
        (Place::Address, CYCLES, 32),
    ]
}

/// The same where MABs have the depth: cycle, L1B.
fn in_l1bs_digits() -> Vec<Stated> {
    over_groups(&[
        (Place::Address, CYCLES, L2BM_CYCLE.into()),
        (Place::Address, 8, 8),
    ])
}

/// Digits of long words in L2BM whose L1Bs have their own, as `l2bmd` distributes them: eight go to
/// each in turn.
pub(super) fn over_l1bs(digits: &[Stated]) -> Vec<Stated> {
    const EIGHT: u64 = 8;
    let split = |&(place, extent, stride): &Stated| {
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

/// How a tensor lies along rows, or depth, or columns.
pub(super) struct Along {
    /// The digits of a block.
    pub block: Vec<Stated>,
    pub blocks: Stated,
    pub is_spread: bool,
}

/// How a tensor lies along both.
pub(super) struct Spreads {
    pub rows: Along,
    pub columns: Along,
    /// Digits of places that have the same.
    pub same: Vec<Stated>,
}

impl Spreads {
    /// The layout from a long word on, with so many elements in a word and long words of a matrix.
    pub fn layout(
        &self,
        r#use: &Use,
        base: u64,
        parts: u32,
        matrix: u64,
    ) -> Result<Layout, LayoutError> {
        let kind = r#use.tensor;
        let own = r#use.own_matrices();
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
                spec = spec.with_dim(name, extent.into(), &[]);
            } else {
                let list = [&along.block[..], &[along.blocks]].concat();
                spec = spec.with_dim(name, extent.into(), &digits(&list));
            }
        }
        spec.build()
    }
}
