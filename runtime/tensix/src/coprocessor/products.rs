//! Runs of MVMULs: most of a matrix product's instructions, each of which differs from the one
//! before by its rows alone.
//!
//! What would hold the first one of a run at the gate, or make it a hazard, is looked at once. It
//! cannot change before the run ends: nobody else has a turn meanwhile, no MVMUL of a run hands a
//! bank back, and the unit always holds one of the thread's. Whatever needs a closer look is left
//! to [`Coprocessor::issue`]'s ordinary way, which then finds everything as if that had executed
//! the run, too.

use tessera_isa_tensix::{Instruction, Opcode};

use super::Coprocessor;
use crate::access::RowSet;
use crate::coprocessor::Advanced;
use crate::flight::{CAPACITY, MATRIX};
use crate::gate::Held;
use crate::matrix::Products;
use crate::tile::Care;
use crate::trap::Trap;

/// How many of the last ones others ask about: as many as the unit holds, and three behind a vector
/// instruction.
const LAST: usize = CAPACITY[MATRIX];

/// What has been issued of a run.
struct Issued {
    count: usize,
    /// The first row of Dst of each of the last ones, each number's in its own place.
    rows: [usize; LAST],
}

impl Coprocessor {
    /// Whether the instruction at a thread's gate can be the first one of a run.
    pub(super) fn starts_products(&self, thread: usize) -> bool {
        let Some(at) = self.frontends[thread].gate() else {
            return false;
        };
        at.opcode == Opcode::Mvmul
            && self.timeline.is_none()
            && self.core.care == Care::All
            && !self.configuration_matters(thread, at.units)
            && !self.flights.dst_is_in_flight_beside(MATRIX)
            && matches!(self.held(thread, at), None | Some(Held::Unit))
    }

    /// Issues the MVMUL at a thread's gate and those that follow it, until so many steps are done;
    /// gives how many are, and whether words have moved towards the gate since the last one.
    pub(super) fn issue_products(
        &mut self,
        thread: usize,
        [mut done, steps]: [u32; 2],
        mut moved: Advanced,
    ) -> Result<(u32, Advanced), Trap> {
        let Some(mut products) = Products::of(&mut self.core, thread) else {
            return Ok((done, moved));
        };
        let mut issued = Issued {
            count: 0,
            rows: [0; LAST],
        };
        let result = loop {
            let at = self.frontends[thread].gate();
            let Some((Instruction::Mvmul(i), word)) = at.map(|at| (at.instruction, at.word)) else {
                break Ok((done, moved));
            };
            let Some(first) = products.follow(&i, thread, &mut self.core) else {
                break Ok((done, moved));
            };
            issued.rows[issued.count % LAST] = first;
            issued.count += 1;
            self.frontends[thread].passed();
            self.stats.note(thread, Opcode::Mvmul, word);
            done += 1;
            if done == steps {
                break Ok((done, false));
            }
            match self.fill_gate(thread) {
                Ok(moves) => moved = moves,
                Err(trap) => break Err(trap),
            }
        };
        if issued.count > 0 {
            self.note_products(thread, &products, &issued);
        }
        result
    }

    /// Notes what a run leaves behind that others ask about.
    fn note_products(&mut self, thread: usize, products: &Products, issued: &Issued) {
        let last = self.frontends[thread].issued;
        self.flights
            .leave(MATRIX, issued.count.saturating_sub(LAST));
        let mut rows = RowSet::default();
        for back in (0..issued.count.min(LAST)).rev() {
            rows.clear();
            products.note(issued.rows[(issued.count - 1 - back) % LAST], &mut rows);
            self.flights
                .follow(thread, Opcode::Mvmul, last - 1 - back as u64, &rows);
            self.previous[thread].note_matrix(&rows);
        }
        self.forget_satisfied_waits();
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use tessera_isa_tensix::{cfg, Arch};

    use super::*;
    use crate::banks::Src;
    use crate::scheduler::SplitMix64;
    use crate::testing::{Bench, THREAD};

    /// A coprocessor whose sources hold floats and whose Dst is clear, with other things in it that
    /// runs depend on.
    fn coprocessor(arch: Arch, random: &mut SplitMix64) -> Coprocessor {
        let mut bench = Bench::on(arch);
        let wide = random.next() & 1;
        bench = bench.dst_width(wide as u32);
        for mode in 0..4 {
            let bits = random.next();
            let by = |shift: u64, step: u32| (bits >> shift & 3) as u32 * step;
            let incr = cfg::ADDR_MOD_AB_SrcAIncr.at(mode);
            bench.set_thread(incr, by(0, 16) & 16);
            bench.set_thread(cfg::ADDR_MOD_AB_SrcBIncr.at(mode), by(2, 8));
            bench.set_thread(cfg::ADDR_MOD_DST_DestIncr.at(mode), by(4, 8));
            bench.set_thread(cfg::ADDR_MOD_DST_FidelityIncr.at(mode), by(6, 1));
            bench.set_thread(cfg::ADDR_MOD_DST_FidelityClear.at(mode), by(8, 1) & 1);
        }
        for src in [Src::A, Src::B] {
            for _ in 0..2 {
                let offset = random.next() as u16;
                bench.give_src(src, |row, column| {
                    0x3F00_u16.wrapping_add(offset & 0xFF)
                        ^ ((row * 37 + column * 5) as u16 & 0x80FF)
                });
            }
        }
        bench.zero_dst();
        let mut coprocessor = Coprocessor::new(arch);
        coprocessor.core = bench.core;
        coprocessor
    }

    /// Mostly MVMULs, among them such as no run has, and other instructions.
    fn text(random: &mut SplitMix64) -> String {
        let bits = random.next();
        let row = (bits >> 8 & 15) * 8;
        let mode = bits >> 16 & 3;
        let (clear, flag) = (bits >> 24 & 3, bits >> 26 & 1);
        match bits % 64 {
            0 => format!("ttmvmul {clear}, 0, {mode}, {row}"),
            1 => format!("ttmvmul 0, {flag}, {mode}, {row}"),
            2 => format!("ttmvmul 0, 0, {mode}, {}", row + flag),
            3 => format!("ttelwadd 0, 0, 0, {mode}, {row}"),
            4 => format!("ttsetrwc 0, 0, 0, 0, 0, {}", bits >> 32 & 15),
            5 => "ttdmanop".to_owned(),
            6 => format!("ttstallwait 64, {}", 1 << (bits >> 32 & 7)),
            _ => format!("ttmvmul 0, 0, {mode}, {row}"),
        }
    }

    /// What is left behind, part by part.
    fn state(coprocessor: &Coprocessor) -> [String; 6] {
        let frontend = &coprocessor.frontends[THREAD];
        let regs = &coprocessor.core.regs;
        let mut dst = DefaultHasher::new();
        format!("{:?}", regs.dst).hash(&mut dst);
        let stats = &coprocessor.stats;
        [
            format!("{:x}", dst.finish()),
            format!("{:?} {:?}", regs.rwcs, regs.last_src_a_row),
            coprocessor.flights.held(),
            format!("{} {:x}", stats.total(), stats.words(THREAD)),
            format!(
                "{:?} {:?}",
                coprocessor.previous[THREAD].written().collect::<Vec<_>>(),
                coprocessor.core.banks
            ),
            format!(
                "{:?} {:?} {}",
                frontend.latch,
                frontend.gate(),
                frontend.issued
            ),
        ]
    }

    /// Instructions issued in turns of any length leave behind what they do one by one.
    #[test]
    fn runs_are_as_single_instructions() {
        let mut random = SplitMix64::new(5);
        let (mut longest, mut traps) = (0, 0);
        for case in 0..400 {
            let arch = Arch::ALL[case % 2];
            let mut one = coprocessor(arch, &mut random);
            let mut more = one.clone();
            'case: for _ in 0..12 {
                for coprocessor in [&mut one, &mut more] {
                    let mut texts = SplitMix64::new(random.clone().next());
                    for entry in 0..12 {
                        let text = text(&mut texts);
                        let instruction = Instruction::parse(arch, &text);
                        let instruction = instruction.unwrap_or_else(|e| panic!("{text}: {e}"));
                        let word = instruction.encode(arch).unwrap();
                        coprocessor.frontends[THREAD].push(word, entry);
                    }
                }
                let steps = 1 + random.next() as u32 % 24;
                let mut done = 0;
                let single = loop {
                    match one.issue(THREAD, 1) {
                        Ok((1, true)) if done + 1 < steps => done += 1,
                        Ok((last, goes_on)) => break Ok((done + last, goes_on)),
                        Err(trap) => break Err(trap),
                    }
                };
                let before = more.frontends[THREAD].issued;
                let together = more.issue(THREAD, steps);
                assert_eq!(single, together, "case {case}");
                longest = longest.max(more.frontends[THREAD].issued - before);
                if single.is_err() {
                    traps += 1;
                    break 'case;
                }
                for (one, more) in state(&one).iter().zip(state(&more)) {
                    assert_eq!(*one, more, "case {case}");
                }
            }
        }
        assert!(longest > 12 && traps > 20, "{longest} {traps}");
    }
}
