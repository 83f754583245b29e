//! Miscellaneous unit: address counters, and banks handed over by hand.
//!
//! Source: ISA documentation, `ADCs.md` and the pages of the instructions below. All of them have a
//! field that names another thread's counters. The newest pages call its use unsupported and their
//! word on it weak, ttsim refuses it, and so does this: of SETADC here, where the field is part of
//! an operand, of the others as reserved bits.

use tessera_isa_tensix::{cfg, Instruction};

use crate::adc::{Axis, Channel};
use crate::banks::Src;
use crate::core_state::CoreState;
use crate::trap::Fault;

pub(super) fn execute(
    instruction: &Instruction,
    thread: usize,
    core: &mut CoreState,
) -> Result<(), Fault> {
    use Axis::{W, X, Y, Z};
    let counters = &mut core.adcs[thread];
    match instruction {
        Instruction::Setadc(i) => {
            if i.value >> 16 != 0 {
                return Err(Fault::unmodelled(format!(
                    "SETADC of another thread's counters (the value is {:#x}, of which bits 17:16 name the thread); clear those bits",
                    i.value
                )));
            }
            let axis = Axis::ALL[i.dimension_index as usize];
            counters
                .selected(i.cnt_set_mask)
                .for_each(|c| c[i.channel_index as usize].set(axis, i.value));
        }
        Instruction::Setadcxx(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            c[0].set(X, i.x_start);
            c[1].set(X, i.x_end2);
        }),
        Instruction::Setadcxy(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(X, i.ch0_x), (Y, i.ch0_y)],
                [(X, i.ch1_x), (Y, i.ch1_y)],
                Channel::set,
            )
        }),
        Instruction::Setadczw(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(Z, i.ch0_z), (W, i.ch0_w)],
                [(Z, i.ch1_z), (W, i.ch1_w)],
                Channel::set,
            )
        }),
        Instruction::Incadcxy(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                15,
                [(X, i.ch0_x), (Y, i.ch0_y)],
                [(X, i.ch1_x), (Y, i.ch1_y)],
                Channel::add,
            )
        }),
        Instruction::Incadczw(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                15,
                [(Z, i.ch0_z), (W, i.ch0_w)],
                [(Z, i.ch1_z), (W, i.ch1_w)],
                Channel::add,
            )
        }),
        Instruction::Addrcrxy(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(X, i.ch0_x), (Y, i.ch0_y)],
                [(X, i.ch1_x), (Y, i.ch1_y)],
                Channel::carriage_return,
            )
        }),
        Instruction::Addrcrzw(i) => counters.selected(i.cnt_set_mask).for_each(|c| {
            masked(
                c,
                i.bit_mask,
                [(Z, i.ch0_z), (W, i.ch0_w)],
                [(Z, i.ch1_z), (W, i.ch1_w)],
                Channel::carriage_return,
            )
        }),
        Instruction::Setdvalid(i) => return set_dvalid(i.setvalid, thread, core),
        _ => return Err(Fault::unmodelled_instruction(instruction)),
    }
    Ok(())
}

/// Applies `f` to the counters that `mask` selects: bits 0 and 1 in channel 0, bits 2 and 3 in
/// channel 1.
fn masked(
    channels: &mut [Channel; 2],
    mask: u32,
    channel0: [(Axis, u32); 2],
    channel1: [(Axis, u32); 2],
    f: impl Fn(&mut Channel, Axis, u32),
) {
    for (c, pairs) in [channel0, channel1].into_iter().enumerate() {
        for (k, (axis, value)) in pairs.into_iter().enumerate() {
            if mask >> (2 * c + k) & 1 != 0 {
                f(&mut channels[c], axis, value);
            }
        }
    }
}

fn set_dvalid(mask: u32, thread: usize, core: &mut CoreState) -> Result<(), Fault> {
    if mask & 1 != 0 {
        let base = core.config.thread(thread, cfg::SRCA_SET_Base) << 4;
        core.banks.hand_to_matrix(Src::A, thread, base)?;
    }
    if mask & 2 != 0 {
        let base = core.config.thread(thread, cfg::SRCB_SET_Base) << 4;
        core.banks.hand_to_matrix(Src::B, thread, base)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tessera_isa_tensix::Arch;

    fn run(core: &mut CoreState, lines: &[&str]) {
        lines.iter().for_each(|line| {
            execute(&Instruction::parse(core.arch, line).unwrap(), 2, core).unwrap()
        });
    }

    /// Channel 0 then 1, X Y Z W each.
    fn packers(core: &CoreState) -> [[u32; 4]; 2] {
        core.adcs[2]
            .packers
            .map(|c| Axis::ALL.map(|axis| c.get(axis)))
    }

    #[test]
    fn counters() {
        Arch::ALL.into_iter().for_each(check_counters);
    }

    fn check_counters(arch: Arch) {
        let mut core = CoreState::new(arch);
        run(
            &mut core,
            &[
                "ttsetadcxy 4, 1, 2, 3, 4, 15",
                "ttsetadczw 4, 5, 6, 7, 1, 15",
            ],
        );
        assert_eq!(packers(&core), [[4, 3, 1, 7], [2, 1, 6, 5]]);
        run(&mut core, &["ttsetadcxy 4, 0, 0, 0, 0, 6"]);
        assert_eq!(packers(&core), [[4, 0, 1, 7], [0, 1, 6, 5]]);
        run(
            &mut core,
            &["ttincadcxy 4, 1, 2, 3, 4", "ttincadczw 4, 1, 1, 1, 1"],
        );
        assert_eq!(packers(&core), [[8, 3, 2, 8], [2, 2, 7, 6]]);
        run(
            &mut core,
            &["ttaddrcrxy 4, 3, 0, 0, 0, 8", "ttaddrcrzw 4, 0, 0, 0, 2, 1"],
        );
        assert_eq!(packers(&core), [[8, 3, 3, 8], [2, 4, 7, 6]]);
        run(&mut core, &["ttsetadcxx 4, 255, 16", "ttsetadc 4, 1, 3, 9"]);
        assert_eq!(packers(&core), [[16, 3, 3, 8], [255, 4, 7, 9]]);
        assert_eq!(core.adcs[2].unpacker, [[Channel::new(core.arch); 2]; 2]);
        // Z wraps where the chip's counters do.
        run(&mut core, &["ttsetadc 4, 0, 2, 0x1fff"]);
        let last = packers(&core)[0][2];
        let expect = [(Arch::WormholeB0, 0xff), (Arch::Blackhole, 0x1fff)];
        assert!(expect.contains(&(arch, last)), "{arch} {last:#x}");
    }

    #[test]
    fn refusals() {
        for arch in Arch::ALL {
            let mut core = CoreState::new(arch);
            let setadc = Instruction::parse(core.arch, "ttsetadc 1, 0, 1, 0x10007").unwrap();
            assert_eq!(
                execute(&setadc, 2, &mut core).unwrap_err().to_string(),
                "not modelled: SETADC of another thread's counters (the value is 0x10007, of which bits 17:16 name the thread); clear those bits"
            );
        }
    }

    #[test]
    fn dvalid() {
        let mut core = CoreState::new(Arch::WormholeB0);
        run(&mut core, &["ttsetdvalid 2"]);
        assert!(core.banks.matrix_may_read(Src::B) && !core.banks.matrix_may_read(Src::A));
    }
}
