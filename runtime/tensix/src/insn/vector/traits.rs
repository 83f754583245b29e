//! The instructions of the vector unit, one row each: what executes them, their sub-unit and
//! operands, and what the schedule and the hazard checks know about them.

use tessera_isa_tensix::{table, Instruction, Opcode, Unit};

use super::operands::{Fields, Naming};
use super::unit::VectorUnit;
use super::{arithmetic, config, flags, integer, lanes, lut, memory, parts, random, round, simple};
use crate::insn::traits::{Occupies, Traits};
use crate::state::config::Config;
use crate::state::model::Model;
use crate::state::units::VECTOR;
use crate::state::vector::{Address, SubUnit, Vector};
use crate::trap::Fault;

/// The traits of a vector instruction.
struct VectorTraits<I: 'static> {
    /// Its sub-unit; `None` if a thread's instruction goes to the load sub-unit.
    sub_unit: Option<SubUnit>,
    /// Its fields for VB, VC and VD.
    fields: fn(&I) -> Fields,
    /// Whether VD from 12 on names a template of SFPLOADMACRO (`SFPCONFIG.md`,
    /// DISABLE_BACKDOOR_LOAD).
    names_template: bool,
    /// What happens besides when it is stored as a template.
    stored: fn(&I, usize, &mut VectorUnit) -> Result<(), Fault>,
    /// The LRegs that Blackhole's stall logic assumes it to read (`SFPMAD.md`, scheduling,
    /// including its errors).
    noticed: fn(&I) -> u32,
    /// The LRegs for whose write Blackhole's stall logic does not wait although it should.
    unnoticed_writes: fn(&I) -> u32,
    /// Whether it occupies its sub-unit for a second cycle.
    holds_unit: fn(&I) -> bool,
    /// Whether it is a rotation (`SFPSHFT2.md`).
    rotates: fn(&I) -> bool,
    /// Whether it collides with the write of a rotation right before it (Wormhole; `SFPSHFT2.md`,
    /// scheduling). Blackhole stalls it.
    collides_with_rotation: bool,
    /// Whether it changes lane flags, their stack or the configuration.
    changes_flags: fn(&I) -> bool,
    /// Whether it changes state that all lanes share.
    changes_shared: fn(&I) -> bool,
    /// Whether it draws random bits.
    draws: fn(&I) -> bool,
    /// Whether it writes LRegs 4 to 7 correctly while ENABLE_DEST_INDEX is set (erratum TEN-2932).
    writes_indexed: bool,
    /// The forms that trap.
    traps: [Option<&'static str>; 2],
}

/// The traits of a vector instruction with these operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Properties {
    pub(super) sub_unit: Option<SubUnit>,
    pub(super) holds_unit: bool,
    pub(super) rotates: bool,
    pub(super) changes_flags: bool,
    pub(super) changes_shared: bool,
    pub(super) draws: bool,
    pub(super) writes_indexed: bool,
}

impl<I> VectorTraits<I> {
    fn properties(&self, i: &I) -> Properties {
        Properties {
            sub_unit: self.sub_unit,
            holds_unit: (self.holds_unit)(i),
            rotates: (self.rotates)(i),
            changes_flags: (self.changes_flags)(i),
            changes_shared: (self.changes_shared)(i),
            draws: (self.draws)(i),
            writes_indexed: self.writes_indexed,
        }
    }

    /// Creates the traits of an instruction in a sub-unit with operands.
    const fn new(
        sub_unit: Option<SubUnit>,
        fields: fn(&I) -> Fields,
        noticed: fn(&I) -> u32,
    ) -> Self {
        VectorTraits {
            sub_unit,
            fields,
            names_template: true,
            stored: |_, _, _| Ok(()),
            noticed,
            unnoticed_writes: |_| 0,
            holds_unit: |_| false,
            rotates: |_| false,
            collides_with_rotation: false,
            changes_flags: |_| false,
            changes_shared: |_| false,
            draws: |_| false,
            writes_indexed: false,
            traps: [None; 2],
        }
    }
}

/// The first value of VD that names a template.
const FIRST_TEMPLATE: u32 = 12;

/// An instruction of this unit.
trait HasTraits: Sized + 'static {
    const TRAITS: VectorTraits<Self>;
}

/// Returns the traits of an instruction of the MAD sub-unit.
const fn mad<I>(fields: fn(&I) -> Fields, noticed: fn(&I) -> u32) -> VectorTraits<I> {
    VectorTraits::new(Some(SubUnit::Mad), fields, noticed)
}

/// Returns the traits of an instruction of the simple sub-unit that computes VD.
const fn simple<I>(fields: fn(&I) -> Fields, noticed: fn(&I) -> u32) -> VectorTraits<I> {
    VectorTraits {
        collides_with_rotation: true,
        ..VectorTraits::new(Some(SubUnit::Simple), fields, noticed)
    }
}

/// Returns the traits of an instruction of the simple sub-unit that changes lane flags.
const fn flagging<I>(fields: fn(&I) -> Fields, noticed: fn(&I) -> u32) -> VectorTraits<I> {
    VectorTraits {
        changes_flags: |_| true,
        ..VectorTraits::new(Some(SubUnit::Simple), fields, noticed)
    }
}

/// Returns the traits of an instruction that changes the flags or their stack in all lanes.
const fn of_all_lanes<I>(fields: fn(&I) -> Fields) -> VectorTraits<I> {
    VectorTraits {
        changes_shared: |_| true,
        ..flagging(fields, |_| 0)
    }
}

/// Returns the traits of an instruction of the round sub-unit.
const fn round<I>(fields: fn(&I) -> Fields, noticed: fn(&I) -> u32) -> VectorTraits<I> {
    VectorTraits {
        collides_with_rotation: true,
        ..VectorTraits::new(Some(SubUnit::Round), fields, noticed)
    }
}

/// Returns the traits of a load.
const fn load<I>(fields: fn(&I) -> Fields, noticed: fn(&I) -> u32) -> VectorTraits<I> {
    VectorTraits {
        writes_indexed: true,
        ..VectorTraits::new(None, fields, noticed)
    }
}

/// Fields for VB, VC and VD; for VC and VD; for VD.
const fn bcd(b: u32, c: u32, d: u32) -> Fields {
    Fields {
        b: Some(b),
        c: Some(c),
        d,
    }
}

const fn cd(c: u32, d: u32) -> Fields {
    Fields {
        b: None,
        c: Some(c),
        d,
    }
}

const fn vd(d: u32) -> Fields {
    Fields {
        b: None,
        c: None,
        d,
    }
}

/// All LRegs that an instruction can name, and the one that selects others.
const ALL: u32 = 0xFFFF;
const SELECTOR: u32 = 1 << 7;

/// Returns the bits of LRegs.
fn bits(lregs: &[u32]) -> u32 {
    lregs.iter().fold(0, |bits, lreg| bits | 1 << lreg)
}

/// Returns the LRegs noticed of a multiply-add: all, if LReg 7 selects one.
fn of_product(lregs: [u32; 3], mode: u32) -> u32 {
    const INDIRECT: u32 = 4 | 8;
    match mode & INDIRECT {
        0 => bits(&lregs),
        _ => ALL,
    }
}

/// Generates the traits and the dispatch from the rows: of instructions that compute with LRegs, of
/// those that access Dst, and of those that do neither.
macro_rules! vector {
    (
        lanes($i:ident, $at:ident, $naming:ident, $model:ident, $unit:ident) {
            $( $Lanes:ident => $($lanes:ident)::+ ( $($lanes_passed:expr),* ), $lanes_traits:expr; )*
        }
        dst($j:ident, $thread:ident, $dst_unit:ident) {
            $( $Dst:ident => $($dst:ident)::+ ( $($dst_passed:expr),* ), $dst_traits:expr; )*
        }
        others {
            $( $Other:ident => $($other:ident)::+, $other_traits:expr; )*
        }
    ) => {
        $( impl HasTraits for table::$Lanes { const TRAITS: VectorTraits<Self> = $lanes_traits; } )*
        $( impl HasTraits for table::$Dst { const TRAITS: VectorTraits<Self> = $dst_traits; } )*
        $( impl HasTraits for table::$Other { const TRAITS: VectorTraits<Self> = $other_traits; } )*

        vector!(@common
            $( $Lanes $($lanes)::+; )*
            $( $Dst $($dst)::+; )*
            $( $Other $($other)::+; )*
        );

        /// Executes an instruction of the simple, MAD or round sub-unit, or a load of an immediate.
        #[inline(always)] // It has one caller.
        pub(super) fn compute(
            instruction: &Instruction,
            $naming: Naming,
            $model: Model,
            config: &mut Config,
            $unit: &mut Vector,
        ) -> Result<(), Fault> {
            match instruction {
                $( Instruction::$Lanes($i) => {
                    let draws = const { table::$Lanes::TRAITS.draws };
                    if draws($i) {
                        random::seed(config, $unit);
                    }
                    let fields = const { table::$Lanes::TRAITS.fields };
                    let $at = $naming.resolve(fields($i));
                    let _ = ($at, $model, &$unit);
                    $($lanes)::+($($lanes_passed),*)
                } )*
                other => Err(Fault::unmodelled_instruction(other)),
            }
        }

        /// Executes an instruction that accesses Dst, and returns the datums, or another one by
        /// `compute`.
        #[inline(always)]
        pub(super) fn dispatch(
            instruction: &Instruction,
            $thread: usize,
            $dst_unit: VectorUnit,
            compute: impl FnOnce(&Instruction, VectorUnit) -> Result<(), Fault>,
        ) -> Result<Option<Address>, Fault> {
            match instruction {
                $( Instruction::$Dst($j) => $($dst)::+($($dst_passed),*).map(Some), )*
                other => compute(other, $dst_unit).map(|()| None),
            }
        }
    };
    (@common $( $Mnemonic:ident $($function:ident)::+; )*) => {
        /// Returns the properties of an instruction of this unit.
        pub(super) fn properties(instruction: &Instruction) -> Properties {
            match instruction {
                $( Instruction::$Mnemonic(i) => table::$Mnemonic::TRAITS.properties(i), )*
                _ => Properties::default(),
            }
        }

        /// Returns the template that VD of an instruction names, if it names one.
        #[inline(always)]
        pub(super) fn template(instruction: &Instruction) -> Option<usize> {
            let d = match instruction {
                $( Instruction::$Mnemonic(i) => {
                    let fields = const { table::$Mnemonic::TRAITS.fields };
                    match const { table::$Mnemonic::TRAITS.names_template } {
                        true => fields(i).d,
                        false => 0,
                    }
                } )*
                _ => 0,
            };
            d.checked_sub(FIRST_TEMPLATE).map(|slot| slot as usize)
        }

        /// Returns the LRegs that Blackhole's stall logic assumes an instruction to read.
        pub(super) fn noticed(instruction: &Instruction) -> u32 {
            match instruction {
                $( Instruction::$Mnemonic(i) => {
                    let noticed = const { table::$Mnemonic::TRAITS.noticed };
                    noticed(i)
                } )*
                _ => 0,
            }
        }

        /// Returns the LRegs for whose write Blackhole's stall logic does not wait.
        #[inline]
        pub(super) fn unnoticed_writes(instruction: &Instruction) -> u32 {
            match instruction {
                $( Instruction::$Mnemonic(i) => {
                    let unnoticed = const { table::$Mnemonic::TRAITS.unnoticed_writes };
                    unnoticed(i)
                } )*
                _ => 0,
            }
        }

        /// Does what storing an instruction as a template does besides.
        pub(super) fn note_stored(
            instruction: &Instruction,
            thread: usize,
            unit: &mut VectorUnit,
        ) -> Result<(), Fault> {
            match instruction {
                $( Instruction::$Mnemonic(i) => {
                    let stored = const { table::$Mnemonic::TRAITS.stored };
                    stored(i, thread, unit)
                } )*
                other => Err(Fault::unmodelled_instruction(other)),
            }
        }

        /// Returns the sub-unit of an instruction of this unit. Loads and SFPNOP have none; issued
        /// by a thread, they go to the load sub-unit.
        pub(super) fn sub_unit(opcode: Opcode) -> Option<SubUnit> {
            match opcode {
                $( Opcode::$Mnemonic => (const { table::$Mnemonic::TRAITS.sub_unit }), )*
                _ => None,
            }
        }

        /// Returns whether an instruction collides with the write of a rotation right before it.
        pub(super) fn collides_with_rotation(opcode: Opcode) -> bool {
            match opcode {
                $( Opcode::$Mnemonic => {
                    const { table::$Mnemonic::TRAITS.collides_with_rotation }
                } )*
                _ => false,
            }
        }

        /// The traits of the unit's instructions.
        pub(in crate::insn) const TRAITS: &[Traits] = &[ $( Traits {
            opcode: Opcode::$Mnemonic,
            function: concat!(module_path!() $(, "::", stringify!($function))+),
            occupies: Occupies::One(VECTOR),
            traps: table::$Mnemonic::TRAITS.traps,
            ..Traits::of(Unit::Vector)
        }, )* ];
    };
}

vector! {
    lanes(i, at, naming, model, unit) {
        Sfpmad => arithmetic::mad((i.lreg_src_a, i.instr_mod1), at, model, unit), mad(
            |i| bcd(i.lreg_src_b, i.lreg_src_c, i.lreg_dest),
            |i| of_product([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        );
        Sfpadd => arithmetic::mad((i.lreg_src_a, i.instr_mod1), at, model, unit), mad(
            |i| bcd(i.lreg_src_b, i.lreg_src_c, i.lreg_dest),
            |i| of_product([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        );
        Sfpmul => arithmetic::mad((i.lreg_src_a, i.instr_mod1), at, model, unit), mad(
            |i| bcd(i.lreg_src_b, i.lreg_src_c, i.lreg_dest),
            |i| of_product([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        );
        Sfpmul24 => arithmetic::multiply_integers(i, at, unit), mad(
            |i| bcd(i.lreg_src_b, i.lreg_src_c, i.lreg_dest),
            |i| of_product([i.lreg_src_a, i.lreg_src_b, i.lreg_src_c], i.instr_mod1),
        );
        Sfpmuli => arithmetic::multiply_immediate(i, at, model, unit), mad(
            |i| vd(i.lreg_dest),
            |i| of_product([i.lreg_dest; 3], i.instr_mod1),
        );
        Sfpaddi => arithmetic::add_immediate(i, at, model, unit), mad(
            |i| vd(i.lreg_dest),
            |i| of_product([i.lreg_dest; 3], i.instr_mod1),
        );
        Sfplut => lut::lut(i, at, model, unit), mad(|i| vd(i.lreg_ind), |_| 0b1111 | SELECTOR);
        // The logic tests Mod1Mirror, which is 0 here: LReg 7 selects nothing
        // (`SFPLUTFP32.md`, scheduling).
        Sfplutfp32 => lut::lut_fp32(i, at, model, unit), VectorTraits {
            unnoticed_writes: |i| ALL & !(1 << i.lreg_dest),
            ..mad(|i| vd(i.lreg_dest), |_| ALL & !SELECTOR)
        };

        Sfpiadd => integer::add(i, at, unit), VectorTraits {
            changes_flags: |i| i.instr_mod1 & 4 == 0 || i.instr_mod1 & 8 != 0,
            // The logic does not notice VD of this one and of SFPSHFT.
            ..simple(|i| cd(i.lreg_c, i.lreg_dest), |i| bits(&[i.lreg_c]))
        };
        Sfpshft => integer::shift_bits(i, at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c]),
        );
        Sfplz => integer::leading_zeros(i, at, unit), VectorTraits {
            changes_flags: |i| i.instr_mod1 & 10 != 0,
            ..simple(|i| cd(i.lreg_c, i.lreg_dest), |i| bits(&[i.lreg_c]))
        };
        // Of instructions with a VB the logic notices VD only.
        Sfpand => integer::and(i, at, naming, unit), simple(
            |i| integer::fields_of_two((i.imm12_math, i.instr_mod1), i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c, i.lreg_dest]),
        );
        Sfpor => integer::or(i, at, naming, unit), simple(
            |i| integer::fields_of_two((i.imm12_math, i.instr_mod1), i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c, i.lreg_dest]),
        );
        Sfpxor => integer::xor(at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c, i.lreg_dest]),
        );
        Sfpnot => integer::not(at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c]),
        );
        Sfparecip => arithmetic::approximate(i, at, unit), VectorTraits {
            collides_with_rotation: false,
            ..simple(
                |i| bcd(i.lreg_src_b, i.lreg_c, i.lreg_dest),
                |i| bits(&[i.lreg_src_b, i.lreg_c]),
            )
        };

        Sfpabs => parts::abs(i, at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c]),
        );
        Sfpdivp2 => parts::divide_by_power(i, at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c]),
        );
        Sfpexexp => parts::exponent_of(i, at, unit), VectorTraits {
            changes_flags: |i| i.instr_mod1 & 10 != 0,
            ..simple(|i| cd(i.lreg_c, i.lreg_dest), |i| bits(&[i.lreg_c]))
        };
        Sfpexman => parts::mantissa_of(i, at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c]),
        );
        Sfpsetexp => parts::set_exponent(i, at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c, i.lreg_dest]),
        );
        Sfpsetman => parts::set_mantissa(i, at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c, i.lreg_dest]),
        );
        Sfpsetsgn => parts::set_sign(i, at, unit), simple(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c, i.lreg_dest]),
        );

        Sfpcast => round::cast(i, at, unit), VectorTraits {
            draws: |i| i.instr_mod1 == 1,
            ..simple(|i| cd(i.lreg_src_c, i.lreg_dest), |i| bits(&[i.lreg_src_c]))
        };
        Sfpstochrnd => round::round(i, at, model, unit), VectorTraits {
            draws: |_| true,
            ..round(
                |i| bcd(i.lreg_src_b, i.lreg_src_c, i.lreg_dest),
                |i| bits(&[i.lreg_src_b, i.lreg_src_c]),
            )
        };

        Sfpswap => lanes::swap(i, at, unit), VectorTraits {
            holds_unit: |_| true,
            collides_with_rotation: false,
            writes_indexed: true,
            ..simple(
                |i| cd(i.lreg_src_c, i.lreg_dest),
                |i| match i.instr_mod1 {
                    0 => bits(&[i.lreg_src_c, i.lreg_dest]),
                    _ => 0,
                },
            )
        };
        Sfptransp => lanes::transpose(unit), VectorTraits {
            collides_with_rotation: false,
            writes_indexed: true,
            ..simple(|i| vd(i.lreg_dest), |_| 0xFF)
        };
        Sfpshft2 => lanes::shift_across(i, at, unit), VectorTraits {
            holds_unit: lanes::rotates,
            rotates: lanes::rotates,
            ..round(
                |i| bcd(i.imm12_math & 15, i.lreg_src_c, i.lreg_dest),
                |i| match i.instr_mod1 {
                    0 | 1 => 0b1111,
                    2..=4 => 0,
                    _ => bits(&[i.lreg_src_c, i.lreg_dest]),
                },
            )
        };

        Sfploadi => simple::load_immediate(i, unit), load(
            |i| vd(i.lreg_ind),
            |i| match i.instr_mod0 {
                8.. => bits(&[i.lreg_ind]),
                _ => 0,
            },
        );
        Sfpnop => simple::nop(), VectorTraits {
            names_template: false,
            ..VectorTraits::new(None, |_| vd(0), |_| 0)
        };
        Sfpmov => simple::mov(i, at, unit), VectorTraits {
            draws: |i| i.instr_mod1 >= 8,
            ..simple(|i| cd(i.lreg_c, i.lreg_dest), |i| bits(&[i.lreg_c]))
        };
        Sfpconfig => config::config(i, at.d, unit), VectorTraits {
            names_template: false,
            ..of_all_lanes(|i| vd(i.config_dest))
        };

        Sfpsetcc => flags::set(i, at, unit), flagging(
            |i| cd(i.lreg_c, i.lreg_dest),
            |i| bits(&[i.lreg_c]),
        );
        Sfple => flags::at_most(i, at, unit), VectorTraits {
            changes_flags: |i| flags::changes_flags(i.instr_mod1),
            changes_shared: |i| flags::changes_top(i.instr_mod1),
            ..flagging(|i| cd(i.lreg_c, i.lreg_dest), |i| bits(&[i.lreg_c, i.lreg_dest]))
        };
        Sfpgt => flags::above(i, at, unit), VectorTraits {
            changes_flags: |i| flags::changes_flags(i.instr_mod1),
            changes_shared: |i| flags::changes_top(i.instr_mod1),
            ..flagging(|i| cd(i.lreg_c, i.lreg_dest), |i| bits(&[i.lreg_c, i.lreg_dest]))
        };
        Sfpencc => flags::enable(i, unit), of_all_lanes(|i| vd(i.lreg_dest));
        Sfppushc => flags::push(i, unit), of_all_lanes(|i| vd(i.lreg_dest));
        Sfppopc => flags::pop(i, unit), of_all_lanes(|i| vd(i.lreg_dest));
        Sfpcompc => flags::complement(i, unit), of_all_lanes(|i| vd(i.lreg_dest));
    }

    dst(i, thread, unit) {
        Sfpload => memory::load(i, thread, unit), VectorTraits {
            stored: memory::stored_load,
            ..load(
                |i| vd(i.lreg_ind),
                |i| match i.instr_mod0 {
                    14.. => bits(&[i.lreg_ind]),
                    _ => 0,
                },
            )
        };
        Sfpstore => memory::store(i, thread, unit), VectorTraits {
            stored: memory::stored_store,
            traps: [Some("denormals as FP32"), None],
            ..VectorTraits::new(
                Some(SubUnit::Store),
                |i| vd(i.lreg_ind),
                |i| bits(&[i.lreg_ind]),
            )
        };
    }

    others {
        Sfploadmacro => cycle::load_and_schedule, VectorTraits {
            names_template: false,
            traps: [
                Some(
                    "operations across lanes in macros that differ between lanes, instructions \
                     that the hardware would discard",
                ),
                Some(
                    "operations across lanes in macros that differ between lanes, instructions \
                     that the hardware would discard, stores to the stack (mode 10)",
                ),
            ],
            ..load(|i| vd(i.lreg_ind), |_| 0)
        };
    }
}
