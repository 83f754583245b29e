//! The unchecked description of a layout, and the checks that turn it into a [`Layout`].
//!
//! A dimension is a list of digits, least significant first. A digit has a place, an extent and
//! optionally a stride, the weight of its lowest bit in the place. Digits without strides are
//! allocated consecutively from the lowest free bit of their place, last dimension first. So a
//! row-major tensor needs no strides.

use super::place::{ElementBits, Memory, Place, Slot, SLOTS};
use super::{used_bits, Bit, Dim, Layout, LayoutError};

/// A digit of an index in a mixed-radix representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// The place.
    pub place: Place,
    /// The extent. Only the last digit of a dimension may have an extent that is not a power of
    /// two.
    pub extent: u64,
    /// The weight of the digit's lowest bit in the place; `None` means the lowest free bit.
    pub stride: Option<u64>,
}

impl Digit {
    /// Creates a digit on the lowest free bits of a place.
    pub const fn new(place: Place, extent: u64) -> Digit {
        Digit {
            place,
            extent,
            stride: None,
        }
    }

    /// Returns the digit with its lowest bit at `bit` of the place.
    #[must_use]
    pub const fn from_bit(self, bit: u8) -> Digit {
        Digit {
            stride: Some(1 << bit),
            ..self
        }
    }
}

/// A range of bits of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaceBits {
    /// The place.
    pub place: Place,
    /// Extent and stride, as for a digit; `None` means all bits that are not otherwise assigned.
    pub bits: Option<(u64, Option<u64>)>,
}

impl PlaceBits {
    /// Creates the range of all bits of a place that are not otherwise assigned.
    pub const fn remaining(place: Place) -> PlaceBits {
        PlaceBits { place, bits: None }
    }
}

/// The unchecked description of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecDim {
    /// The name.
    pub name: String,
    /// The number of elements; `None` means the number that the digits hold.
    pub extent: Option<u64>,
    /// Whether padding repeats the last element.
    pub edge: bool,
    /// The digits, least significant first.
    pub digits: Vec<Digit>,
}

/// The unchecked description of a layout; [`Spec::build`] checks it.
///
/// ```
/// use tessera_isa_mncore::layout::{Digit, ElementBits, Memory, Place, Spec};
///
/// let rows = Spec::new(Memory::Dram, ElementBits::ThirtyTwo)
///     .with_dim("row", 1000, &[Digit::new(Place::Address, 256), Digit::new(Place::Group, 4)])
///     .with_dim("col", 16, &[Digit::new(Place::Part, 2), Digit::new(Place::Address, 8)])
///     .build()
///     .unwrap();
/// assert_eq!(rows.to_string(), "row[1000]:(a:256,g:4) col:(w:2,a:8) @DRAM+0");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The memory.
    pub memory: Memory,
    /// The address of the first long word.
    pub base: u32,
    /// The width of elements.
    pub element: ElementBits,
    /// The dimensions, outermost first for a row-major tensor.
    pub dims: Vec<SpecDim>,
    /// The replicated bits.
    pub replicated: Vec<PlaceBits>,
    /// The summed bits.
    pub summed: Vec<PlaceBits>,
    /// The constant bits with their values.
    pub fixed: Vec<(PlaceBits, u64)>,
}

impl Spec {
    /// Creates a description without dimensions.
    pub fn new(memory: Memory, element: ElementBits) -> Spec {
        Spec {
            memory,
            base: 0,
            element,
            dims: Vec::new(),
            replicated: Vec::new(),
            summed: Vec::new(),
            fixed: Vec::new(),
        }
    }

    /// Sets the address of the first long word.
    #[must_use]
    pub fn with_base(self, base: u32) -> Spec {
        Spec { base, ..self }
    }

    /// Adds a dimension.
    #[must_use]
    pub fn with_dim(mut self, name: &str, extent: u64, digits: &[Digit]) -> Spec {
        self.dims.push(SpecDim {
            name: name.to_owned(),
            extent: Some(extent),
            edge: false,
            digits: digits.to_vec(),
        });
        self
    }

    /// Replicates over the unassigned bits of these places.
    #[must_use]
    pub fn with_replicated(mut self, places: &[Place]) -> Spec {
        self.replicated
            .extend(places.iter().map(|p| PlaceBits::remaining(*p)));
        self
    }

    /// Marks the unassigned bits of these places as summed.
    #[must_use]
    pub fn with_summed(mut self, places: &[Place]) -> Spec {
        self.summed
            .extend(places.iter().map(|p| PlaceBits::remaining(*p)));
        self
    }

    /// Sets the unassigned bits of a place to a constant.
    #[must_use]
    pub fn with_fixed(mut self, place: Place, value: u64) -> Spec {
        self.fixed.push((PlaceBits::remaining(place), value));
        self
    }

    /// Checks the description and returns the layout.
    ///
    /// # Errors
    /// The first violation found.
    pub fn build(&self) -> Result<Layout, LayoutError> {
        let mut filling = Filling {
            spec: self,
            bits: [None; SLOTS],
        };
        let dims = self.checked_dims()?;
        // Bits with an explicit stride are assigned before bits that are allocated.
        for stated in [true, false] {
            for (number, dim) in self.dims.iter().enumerate().rev() {
                let mut first = 0;
                for digit in &dim.digits {
                    if digit.stride.is_some() == stated {
                        filling.digit(number, first, digit)?;
                    }
                    first += bit_count(digit.extent);
                }
            }
            self.clauses(&mut filling, |bits| {
                bits.is_some_and(|(_, stride)| stride.is_some() == stated)
            })?;
        }
        self.clauses(&mut filling, |bits| bits.is_none())?;
        filling.finish(dims)
    }

    /// Returns the dimensions after checking that their digits hold the extents.
    fn checked_dims(&self) -> Result<Vec<Dim>, LayoutError> {
        let mut dims: Vec<Dim> = Vec::new();
        for written in &self.dims {
            let dim = written.name.clone();
            if dims.iter().any(|other| other.name == dim) {
                return Err(LayoutError::SameName { dim });
            }
            for (number, digit) in written.digits.iter().enumerate() {
                let last = number + 1 == written.digits.len();
                if !last && !digit.extent.is_power_of_two() {
                    let extent = digit.extent;
                    return Err(LayoutError::Digit { dim, extent });
                }
            }
            let extents = written.digits.iter().map(|digit| digit.extent);
            let holds = extents.fold(1, u64::saturating_mul);
            let extent = written.extent.unwrap_or(holds);
            if extent == 0 || holds == 0 {
                return Err(LayoutError::Empty { dim });
            }
            if extent > holds {
                return Err(LayoutError::Extent { dim, extent, holds });
            }
            let bits = written.digits.iter().map(|digit| bit_count(digit.extent));
            let bits = bits.sum::<u32>().min(u8::MAX.into()) as u8;
            dims.push(Dim {
                name: dim,
                extent,
                bits,
                edge: written.edge && extent.checked_shr(bits.into()) == Some(0),
            });
        }
        Ok(dims)
    }

    /// Assigns the bits of the clauses that `now` selects.
    fn clauses(
        &self,
        filling: &mut Filling,
        now: impl Fn(Option<(u64, Option<u64>)>) -> bool,
    ) -> Result<(), LayoutError> {
        let replicated = self.replicated.iter().map(|part| (part, None));
        let kinds = replicated.map(|(part, value)| (part, value, Bit::Replicated));
        let summed = self.summed.iter().map(|part| (part, None, Bit::Summed));
        let fixed = self
            .fixed
            .iter()
            .map(|(part, value)| (part, Some(*value), Bit::Fixed(false)));
        for (part, value, bit) in kinds.chain(summed).chain(fixed) {
            if now(part.bits) {
                filling.part(*part, value, bit)?;
            }
        }
        Ok(())
    }
}

/// Returns the number of bits of an index below an extent.
fn bit_count(extent: u64) -> u32 {
    64 - used_bits(extent.max(1)).leading_zeros()
}

/// Assigns contents to place bits.
struct Filling<'a> {
    spec: &'a Spec,
    bits: [Option<Bit>; SLOTS],
}

impl Filling<'_> {
    /// Returns the slots of a place in this memory: the first one and their number.
    fn slots(&self, place: Place) -> (u8, u8) {
        match place {
            Place::Part => self.spec.element.parts(),
            _ if !self.spec.memory.has(place) => (place.slots().0, 0),
            _ => place.slots(),
        }
    }

    /// Returns the slot of a bit of a place.
    fn slot(&self, place: Place, bit: u32) -> Result<Slot, LayoutError> {
        let (first, count) = self.slots(place);
        if bit < u32::from(count) {
            return Ok(Slot(first + bit as u8));
        }
        Err(LayoutError::NoBit {
            place,
            bit,
            bits: count.into(),
            memory: self.spec.memory,
            element: self.spec.element,
        })
    }

    /// Assigns a digit whose least significant bit is bit `from` of its dimension.
    fn digit(&mut self, dim: usize, from: u32, digit: &Digit) -> Result<(), LayoutError> {
        let count = bit_count(digit.extent);
        for number in 0..count {
            let slot = self.slot_for_bit(digit.place, digit.stride, number)?;
            let index = Bit::Index {
                dim: dim as u8,
                // A digit has no more bits than there are slots, so the sum does not overflow.
                bit: (from + number) as u8,
            };
            self.assign(slot, index)?;
        }
        Ok(())
    }

    /// Returns the slot of bit `number` of a digit or clause.
    fn slot_for_bit(
        &self,
        place: Place,
        stride: Option<u64>,
        number: u32,
    ) -> Result<Slot, LayoutError> {
        if let Some(stride) = stride {
            let first = log2("stride", stride, place)?;
            return self.slot(place, first + number);
        }
        let (first, count) = self.slots(place);
        let free = (first..first + count).find(|slot| self.bits[usize::from(*slot)].is_none());
        free.map(Slot)
            .map_or_else(|| self.slot(place, count.into()), Ok)
    }

    fn assign(&mut self, slot: Slot, bit: Bit) -> Result<(), LayoutError> {
        let (place, number) = slot.place();
        if let Some(before) = self.bits[slot.index()] {
            return Err(LayoutError::Taken {
                place,
                bit: number,
                first: self.describe(before),
                second: self.describe(bit),
            });
        }
        self.bits[slot.index()] = Some(bit);
        Ok(())
    }

    /// Describes the content of a bit for error messages.
    fn describe(&self, bit: Bit) -> String {
        match bit {
            Bit::Index { dim, bit } => {
                let dim = &self.spec.dims[usize::from(dim)];
                format!("bit {bit} of {}", dim.name)
            }
            Bit::Replicated => "rep".into(),
            Bit::Summed => "sum".into(),
            Bit::Fixed(_) => "at".into(),
        }
    }

    /// Assigns the bits of a clause; `value` is the constant of an `at` clause.
    fn part(&mut self, part: PlaceBits, value: Option<u64>, bit: Bit) -> Result<(), LayoutError> {
        let place = part.place;
        let slots = match part.bits {
            Some((extent, stride)) => {
                let count = log2("extent", extent, place)?;
                let mut slots = Vec::new();
                for number in 0..count {
                    let skipped = if stride.is_none() { 0 } else { number };
                    let slot = self.slot_for_bit(place, stride, skipped)?;
                    self.assign(slot, bit)?;
                    slots.push(slot);
                }
                slots
            }
            None if place == Place::Address => return Err(LayoutError::WholeAddress),
            None => {
                let (first, count) = self.slots(place);
                let all = (first..first + count).map(Slot);
                let free: Vec<Slot> = all
                    .filter(|slot| self.bits[slot.index()].is_none())
                    .collect();
                if free.is_empty() {
                    self.slot(place, count.into())?;
                }
                free
            }
        };
        let value = value.unwrap_or(0);
        if value.checked_shr(slots.len() as u32).unwrap_or(0) != 0 {
            let bits = slots.len() as u32;
            return Err(LayoutError::Fixed { place, bits, value });
        }
        for (number, slot) in slots.into_iter().enumerate() {
            self.bits[slot.index()] = Some(match bit {
                Bit::Fixed(_) => Bit::Fixed(value >> number & 1 == 1),
                other => other,
            });
        }
        Ok(())
    }

    /// Returns the layout if every owner bit is assigned and the memory is large enough.
    fn finish(self, dims: Vec<Dim>) -> Result<Layout, LayoutError> {
        let spec = self.spec;
        for place in Place::ALL {
            let (first, count) = self.slots(place);
            let unsaid = (0..count).find(|bit| {
                place != Place::Address && self.bits[usize::from(first + bit)].is_none()
            });
            if let Some(bit) = unsaid {
                return Err(LayoutError::Unassigned { place, bit });
            }
        }
        let mut bits = self.bits.map(|bit| bit.unwrap_or(Bit::Fixed(false)));
        let mut base = spec.base;
        for bit in 0..Place::Address.slots().1 {
            let slot = Slot::address(bit).index();
            if bits[slot] == Bit::Fixed(true) {
                bits[slot] = Bit::Fixed(false);
                base = base.saturating_add(1 << bit);
            }
        }
        let layout = Layout {
            memory: spec.memory,
            base,
            element: spec.element,
            dims,
            bits,
        };
        layout.check_capacity()?;
        Ok(layout)
    }
}

fn log2(what: &'static str, value: u64, place: Place) -> Result<u32, LayoutError> {
    if !value.is_power_of_two() {
        return Err(LayoutError::PowerOfTwo { what, value, place });
    }
    Ok(value.trailing_zeros())
}
