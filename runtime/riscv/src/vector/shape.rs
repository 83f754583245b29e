//! The registers and widths of a vector instruction's operands, and the checks of reserved cases.

use super::config::{scaled, Config, VectorError, ELEN};
use crate::table::{Format, Op, UNMASKED};

/// The fields of a vector instruction word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) vd: u8,
    pub(crate) vs1: u8,
    pub(crate) vs2: u8,
    pub(crate) masked: bool,
    /// Whether vs1 is a vector register.
    pub(crate) has_vs1: bool,
    /// The immediate in place of vs1, not sign-extended.
    pub(crate) short: u32,
    /// Number of fields of a segment.
    pub(crate) fields: u32,
}

impl Fields {
    pub(crate) fn decode(word: u32) -> Self {
        let register = |low: u32| (word >> low & 31) as u8;
        Fields {
            vd: register(7),
            vs1: register(15),
            vs2: register(20),
            masked: word & UNMASKED == 0,
            has_vs1: word >> 12 & 7 < 3,
            short: word >> 15 & 31,
            fields: (word >> 29) + 1,
        }
    }

    /// Returns the immediate, sign-extended.
    pub(crate) fn signed(&self) -> u32 {
        ((self.short << 27) as i32 >> 27) as u32
    }
}

/// The width of an operand's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// The type's width times 2 to this power.
    Sew(i32),
    /// This many bits.
    Bits(u32),
    /// As [`Width::Sew`], but only the first element, whatever LMUL.
    First(i32),
    /// One bit.
    Mask,
    /// This many whole registers.
    Whole(u32),
}

/// The widths of vd, vs2 and vs1.
#[derive(Clone, Copy, Debug)]
struct Shape {
    d: Option<Width>,
    a: Option<Width>,
    b: Option<Width>,
    reads_d: bool,
    /// Whether vd must not overlap the sources.
    apart: bool,
}

impl Shape {
    const fn new(d: Width, a: Width, b: Width) -> Self {
        Shape {
            d: Some(d),
            a: Some(a),
            b: Some(b),
            reads_d: false,
            apart: false,
        }
    }

    const fn unary(d: Width, a: Width) -> Self {
        Shape {
            b: None,
            ..Shape::new(d, a, a)
        }
    }

    const fn apart(self) -> Self {
        Shape {
            apart: true,
            ..self
        }
    }
}

/// Returns the operands of an arithmetic instruction.
fn shape(op: Op) -> Shape {
    use Op::*;
    use Width::{First, Mask, Sew};
    const SAME: Width = Sew(0);
    const WIDE: Width = Sew(1);
    match op {
        VmseqI | VmsneI | VmsleuI | VmsleI | VmsgtuI | VmsgtI | Vmseq | Vmsne | Vmsltu | Vmslt
        | Vmsleu | Vmsle | Vmsgtu | Vmsgt | Vmfeq | Vmfle | Vmflt | Vmfne | Vmfgt | Vmfge
        | VmadcM | VmadcMI | Vmadc | VmadcI | VmsbcM | Vmsbc => Shape::new(Mask, SAME, SAME),
        Vwaddu | Vwadd | Vwsubu | Vwsub | Vwmulu | Vwmulsu | Vwmul => Shape::new(WIDE, SAME, SAME),
        Vwmaccu | Vwmacc | Vwmaccus | Vwmaccsu => Shape {
            reads_d: true,
            ..Shape::new(WIDE, SAME, SAME)
        },
        VwadduW | VwaddW | VwsubuW | VwsubW => Shape::new(WIDE, WIDE, SAME),
        Vnsrl | VnsrlI | Vnsra | VnsraI | Vnclipu | VnclipuI | Vnclip | VnclipI => {
            Shape::new(SAME, WIDE, SAME)
        }
        VfwcvtFXu | VfwcvtFX => Shape::unary(WIDE, SAME),
        VfncvtXuF | VfncvtXF | VfncvtRtzXuF | VfncvtRtzXF => Shape::unary(SAME, WIDE),
        VzextVf2 | VsextVf2 => Shape::unary(SAME, Sew(-1)),
        VzextVf4 | VsextVf4 => Shape::unary(SAME, Sew(-2)),
        Vredsum | Vredand | Vredor | Vredxor | Vredminu | Vredmin | Vredmaxu | Vredmax
        | Vfredusum | Vfredosum | Vfredmin | Vfredmax => Shape::new(First(0), SAME, First(0)),
        Vwredsumu | Vwredsum => Shape::new(First(1), SAME, First(1)),
        Vmandn | Vmand | Vmor | Vmxor | Vmorn | Vmnand | Vmnor | Vmxnor => {
            Shape::new(Mask, Mask, Mask)
        }
        Vmsbf | Vmsof | Vmsif => Shape::unary(Mask, Mask).apart(),
        Viota => Shape::unary(SAME, Mask).apart(),
        Vid => Shape {
            a: None,
            ..Shape::unary(SAME, SAME)
        },
        Vcpop | Vfirst => Shape {
            d: None,
            ..Shape::unary(Mask, Mask)
        },
        Vcompress => Shape::new(SAME, SAME, Mask).apart(),
        VmvXS | VfmvFS => Shape {
            d: None,
            ..Shape::unary(SAME, First(0))
        },
        VmvSX | VfmvSF => Shape {
            a: None,
            ..Shape::unary(First(0), SAME)
        },
        VmvV | VmvI | VfmvVF => Shape {
            a: None,
            ..Shape::new(SAME, SAME, SAME)
        },
        Vmv1r | Vmv2r | Vmv4r | Vmv8r => {
            let count = Width::Whole((op.row().bits >> 15 & 31) + 1);
            Shape::unary(count, count)
        }
        Vrgather | VrgatherI | Vslideup | VslideupI | Vslide1up | Vfslide1up => {
            Shape::new(SAME, SAME, SAME).apart()
        }
        Vrgatherei16 => Shape::new(SAME, SAME, Width::Bits(16)).apart(),
        Vmadd | Vnmsub | Vmacc | Vnmsac | Vfmadd | Vfnmadd | Vfmsub | Vfnmsub | Vfmacc
        | Vfnmacc | Vfmsac | Vfnmsac => Shape {
            reads_d: true,
            ..Shape::new(SAME, SAME, SAME)
        },
        _ if matches!(op.row().format, Format::Vunary) => Shape::unary(SAME, SAME),
        _ => Shape::new(SAME, SAME, SAME),
    }
}

/// The element widths of an instruction that processes elements independently.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    /// Bits of an element of vd; 1 for a mask.
    pub(super) d: u32,
    /// Bits of an element of vs2, if it is an operand.
    pub(super) a: Option<u32>,
    /// Whether vs1 is an operand, whose elements have the type's width or are bits of a mask.
    pub(super) b: bool,
    pub(super) reads_d: bool,
}

impl Elements {
    pub(super) fn for_op(op: Op, fields: &Fields, sew: u32) -> Self {
        let shape = shape(op);
        let bits = |width: Width| match width {
            Width::Sew(by) | Width::First(by) => scaled(sew, by),
            Width::Mask => 1,
            Width::Bits(bits) => bits,
            Width::Whole(_) => 8,
        };
        Elements {
            d: shape.d.map_or(sew, bits),
            a: shape.a.map(bits),
            b: shape.b.is_some() && fields.has_vs1,
            reads_d: shape.reads_d,
        }
    }
}

/// A group of registers; the elements of masks have one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    base: u32,
    count: u32,
    bits: u32,
    /// Whether it is less than a register.
    is_part: bool,
}

impl Group {
    fn end(self) -> u32 {
        self.base + self.count
    }

    fn overlaps(self, other: Group) -> bool {
        self.base < other.end() && other.base < self.end()
    }

    fn set(self) -> u32 {
        (((1u64 << self.count) - 1) << self.base) as u32
    }

    /// Returns the group at a register, given the element width and the binary logarithm of the
    /// number of registers.
    fn new(base: u8, bits: u32, emul: i32) -> Result<Group, VectorError> {
        if !(8..=ELEN).contains(&bits) {
            return Err(VectorError::Reserved(
                "has elements of a width that there is not",
            ));
        }
        if !(-3..=3).contains(&emul) {
            return Err(VectorError::Reserved(
                "has a group of more than eight registers, or of too little of one",
            ));
        }
        let count = 1 << emul.max(0);
        let base = u32::from(base);
        if base % count != 0 {
            return Err(VectorError::Reserved(
                "has a group of registers that begins at no multiple of their number",
            ));
        }
        Ok(Group {
            base,
            count,
            bits,
            is_part: emul < 0,
        })
    }

    fn mask(base: u8) -> Group {
        Group {
            base: base.into(),
            count: 1,
            bits: 1,
            is_part: false,
        }
    }

    fn for_width(base: u8, width: Width, config: &Config) -> Result<Group, VectorError> {
        match width {
            Width::Sew(by) => Group::new(base, scaled(config.sew, by), config.lmul + by),
            Width::First(by) => Group::new(base, scaled(config.sew, by), 0),
            Width::Bits(bits) => {
                let emul = config.lmul + logarithm(bits) - logarithm(config.sew);
                Group::new(base, bits, emul)
            }
            Width::Mask => Ok(Group::mask(base)),
            Width::Whole(count) => Group::new(base, 8, logarithm(count)),
        }
    }
}

fn logarithm(power: u32) -> i32 {
    power.trailing_zeros() as i32
}

/// Checks the overlap of vd with a source.
fn check_overlap(d: Group, source: Group, apart: bool) -> Result<(), VectorError> {
    if !d.overlaps(source) {
        return Ok(());
    }
    if apart {
        return Err(VectorError::Reserved("writes a register that it reads"));
    }
    let allowed = match d.bits.cmp(&source.bits) {
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Less => d.base == source.base,
        std::cmp::Ordering::Greater => !source.is_part && d.end() == source.end(),
    };
    match allowed {
        true => Ok(()),
        false => Err(VectorError::Reserved(
            "writes over elements of another width that it reads",
        )),
    }
}

/// Checks that no register is read with two widths.
fn check_widths(sources: &[Option<Group>]) -> Result<(), VectorError> {
    let groups = || sources.iter().flatten();
    let differ = |a: &Group, b: &Group| a.bits != b.bits && a.overlaps(*b);
    match groups().any(|a| groups().any(|b| differ(a, b))) {
        true => Err(VectorError::Reserved("reads a register with two widths")),
        false => Ok(()),
    }
}

/// The error of a group that must not be written because v0 is the mask.
const WRITES_MASK: VectorError = VectorError::Reserved("writes v0, by which it is masked");

/// Checks the registers of arithmetic; returns those that are accessed, one bit each.
pub(super) fn check(op: Op, fields: &Fields, config: &Config) -> Result<u32, VectorError> {
    let shape = shape(op);
    let group = |base: u8, width: Option<Width>| {
        width
            .map(|width| Group::for_width(base, width, config))
            .transpose()
    };
    let b = shape.b.filter(|_| fields.has_vs1);
    let d = group(fields.vd, shape.d)?;
    let (a, b) = (group(fields.vs2, shape.a)?, group(fields.vs1, b)?);
    let reads_v0 = fields.masked.then(|| Group::mask(0));
    let reads_d = d.filter(|_| shape.reads_d);
    check_widths(&[a, b, reads_d, reads_v0])?;
    let is_first = matches!(shape.d, Some(Width::First(_)));
    if let (Some(d), false) = (d, is_first) {
        for source in [a, b].into_iter().flatten() {
            check_overlap(d, source, shape.apart)?;
        }
        // Carries and the selectors of merges count as masks. Comparisons may overwrite a mask.
        let may = d.bits == 1 && !shape.apart;
        if fields.masked && d.overlaps(Group::mask(0)) && !may {
            return Err(WRITES_MASK);
        }
    }
    let touched = [d, a, b, reads_v0].into_iter().flatten().map(Group::set);
    Ok(touched.fold(0, |all, set| all | set))
}

/// The addressing mode of a load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Consecutive segments.
    Unit,
    /// A stride in rs2, in bytes.
    Strided,
    /// Offsets in vs2, of this many bits.
    Indexed(u32),
}

/// A load or store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) step: Step,
    /// Bits of an element in memory.
    pub(crate) bits: u32,
    /// Number of elements of each field.
    pub(crate) count: u32,
    pub(crate) fields: u32,
    /// Number of registers of each field.
    pub(crate) registers: u32,
    pub(crate) is_store: bool,
    pub(crate) masked: bool,
    /// The registers that are accessed, one bit each.
    pub(crate) touched: u32,
}

/// Returns the shape of a load or store of whole registers, or of a mask: one field, unmasked.
fn whole(
    op: Op,
    fields: &Fields,
    (own, is_store): (u32, bool),
    config: Result<Config, VectorError>,
) -> Result<Access, VectorError> {
    let (count, registers) = match op {
        Op::Vlm | Op::Vsm => (config?.vl.div_ceil(8), 1),
        _ => (fields.fields * 128 / own, fields.fields),
    };
    let group = Group::new(fields.vd, own, logarithm(registers))?;
    Ok(Access {
        step: Step::Unit,
        bits: own,
        count,
        fields: 1,
        registers,
        is_store,
        masked: false,
        touched: group.set(),
    })
}

/// Checks the registers of all fields against those of the offsets and the mask; returns those that
/// are accessed, one bit each.
fn check_memory(
    all: Group,
    index: Option<Group>,
    fields: &Fields,
    is_store: bool,
) -> Result<u32, VectorError> {
    let reads_v0 = fields.masked.then(|| Group::mask(0));
    let reads_all = is_store.then_some(all);
    check_widths(&[reads_all, index, reads_v0])?;
    if !is_store {
        if let Some(index) = index {
            check_overlap(all, index, fields.fields > 1)?;
        }
        if reads_v0.is_some_and(|v0| all.overlaps(v0)) {
            return Err(WRITES_MASK);
        }
    }
    let touched = [Some(all), index, reads_v0].into_iter().flatten();
    Ok(touched.fold(0, |set, group| set | group.set()))
}

/// Decodes a load or store.
pub(crate) fn memory(
    op: Op,
    word: u32,
    config: Result<Config, VectorError>,
) -> Result<Access, VectorError> {
    let fields = Fields::decode(word);
    let is_store = word & 0x7f == 0x27;
    let own = match word >> 12 & 7 {
        0 => 8,
        5 => 16,
        _ => 32,
    };
    let format = op.row().format;
    if format == Format::Vwhole {
        return whole(op, &fields, (own, is_store), config);
    }
    let config = &config?;
    let (step, bits) = match format {
        Format::Vindexed => (Step::Indexed(own), config.sew),
        Format::Vstrided => (Step::Strided, own),
        _ => (Step::Unit, own),
    };
    let first = Group::for_width(fields.vd, Width::Bits(bits), config)?;
    let all = Group {
        count: first.count * fields.fields,
        ..first
    };
    if all.count > 8 || all.end() > 32 {
        return Err(VectorError::Reserved(
            "has fields in more than eight registers, or past the last one",
        ));
    }
    let index = match step {
        Step::Indexed(bits) => Some(Group::for_width(fields.vs2, Width::Bits(bits), config)?),
        _ => None,
    };
    Ok(Access {
        step,
        bits,
        count: config.vl,
        fields: fields.fields,
        registers: first.count,
        is_store,
        masked: fields.masked,
        touched: check_memory(all, index, &fields, is_store)?,
    })
}

/// Returns the vector registers that an instruction accesses, one bit each; none if it cannot be
/// executed.
pub(crate) fn touched(op: Op, word: u32, config: Result<Config, VectorError>) -> u32 {
    let touched = match op {
        Op::Vsetvli | Op::Vsetivli | Op::Vsetvl => return 0,
        _ if op.is_vector_memory() => memory(op, word, config).map(|access| access.touched),
        _ => config.and_then(|config| check(op, &Fields::decode(word), &config)),
    };
    touched.unwrap_or(0)
}
