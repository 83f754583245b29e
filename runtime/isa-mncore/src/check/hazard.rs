//! What must not follow too closely (manual, section 3.6.3): nine rules, exact to the cycle and the word.
//!
//! Time is the number of PE statements; an MV instruction is issued right before the PE statement that follows it in the
//! text. Nothing else takes time: `wait` may hold issue, but need not. No rule looks back further than three steps.
//!
//! A fixed mask leaves out the cycles it does not write in; of a mask register every cycle is taken as written. The rule for
//! local memories is about whole steps, whatever the mask, unless it is 0000.
//!
//! Choices where the manual is silent: a base address register is read by every access to its memory, and has the latency of the
//! other PE memories (seven cycles). A read of the turn-around register is no read of L1BM.

use std::collections::VecDeque;

use crate::ast::{
    Expression, L1Place, L1bm, Mask, MemoryOperand, Modify, MvMemory, Op, PeSide, Program, Source,
    Statement, StatementKind, Step, Target, Transfer,
};
use crate::diagnostic::{Diagnostic, Rule, Span};
use crate::memory::{Bank, CYCLES, L1BM_WORDS, L2BM_WORDS};
use crate::table::l2bm::Flow;
use crate::table::{L2bmKind, L2bmOp};

/// Two statements too close to each other.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// The later one's position in the program.
    pub statement: usize,
    /// How many `nop` before it suffice.
    pub nops: u32,
    /// For people.
    pub diagnostic: Diagnostic,
}

/// Steps that a later one can still be too close to.
const WINDOW: usize = 3;

/// All hazards of a program, in order; for each statement only that which needs most `nop`.
pub fn hazards(program: &Program) -> Vec<Hazard> {
    let mut found = Vec::new();
    walk(program, |hazard| {
        found.push(hazard);
        0
    });
    found
}

/// How many `nop` to put before which statements, so that there are no hazards: the fewest there can be.
pub fn fixes(program: &Program) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    walk(program, |hazard| {
        found.push((hazard.statement, hazard.nops));
        hazard.nops
    });
    found
}

/// Puts the `nop`s of [`fixes`] into a program; tells how many.
pub fn fix(program: &mut Program) -> u32 {
    let fixes = fixes(program);
    let nop = Step {
        expressions: vec![Expression {
            span: Span::default(),
            op: Op::Nop,
            zero_flush: None,
        }],
    };
    let mut old = std::mem::take(&mut program.statements).into_iter();
    let mut taken = 0;
    for &(before, nops) in &fixes {
        program.statements.extend(old.by_ref().take(before - taken));
        taken = before;
        let nop = Statement {
            span: Span::default(),
            kind: StatementKind::Step(nop.clone()),
        };
        program.statements.extend(vec![nop; nops as usize]);
    }
    program.statements.extend(old);
    fixes.iter().map(|(_, nops)| nops).sum()
}

/// Goes through a program; `on_hazard` answers how many steps are put before the statement.
fn walk(program: &Program, mut on_hazard: impl FnMut(Hazard) -> u32) {
    let mut past: VecDeque<(u64, Effects)> = VecDeque::new();
    let mut now = 0u64;
    for (statement, item) in program.statements.iter().enumerate() {
        let effects = match &item.kind {
            StatementKind::Step(step) => Effects::of_step(step),
            StatementKind::Mv(mv) => match &mv.transfer {
                Some(transfer) => Effects::of_mv(transfer),
                None => continue,
            },
            _ => continue,
        };
        let worst = past
            .iter()
            .filter_map(|(then, earlier)| {
                let steps = now - then;
                effects.after(earlier, steps)
            })
            .max_by_key(|(nops, _)| *nops);
        if let Some((nops, diagnostic)) = worst {
            now += u64::from(on_hazard(Hazard {
                statement,
                nops,
                diagnostic,
            }));
        }
        if matches!(item.kind, StatementKind::Step(_)) {
            past.push_back((now, effects));
            now += 1;
        }
        while past
            .front()
            .is_some_and(|(then, _)| now - then > WINDOW as u64)
        {
            past.pop_front();
        }
    }
}

/// What a step does to the memories that hazards are about.
#[derive(Debug, Default)]
struct Effects {
    reads: Vec<(Span, Words)>,
    writes: Vec<(Span, Words)>,
    local_reads: [Option<Span>; 2],
    local_writes: [Option<Span>; 2],
    base_writes: [Option<(Span, u8)>; 2],
    l1: Vec<L1Access>,
    l2_write: Option<(Span, u32, u32)>,
    l2_read: Option<(Span, u32, u32)>,
    l2_to_l1: Option<(Span, u8)>,
    multicast: Option<(Span, u8)>,
    /// L1BM to L2BM.
    l1_to_l2: Option<Span>,
    /// L1BM to L2BM or multicast, and the L1B read.
    l1_out: Option<(Span, u8)>,
    pe_to_l1: Option<Span>,
    l1_to_pe: Option<Span>,
}

/// Words accessed in each cycle: of GRF, single words; of T, the entry of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words {
    memory: Registers,
    first: [u16; CYCLES],
    count: u16,
    /// Bit c: cycle c takes part.
    cycles: u8,
}

/// Memories whose words have a latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Registers {
    Grf0,
    Grf1,
    T,
}

/// An access to L1BM: `rate` long words a cycle from `first` on.
#[derive(Clone, Copy, Debug)]
struct L1Access {
    span: Span,
    kind: L1Kind,
    first: u32,
    rate: u32,
}

/// Who accesses L1BM, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum L1Kind {
    WriteFromL2,
    WriteByMulticast,
    WriteFromPe,
    ReadToPe,
    ReadUp,
}

/// The latency of PE memories: from the cycle of a write to the first cycle that may read the word (section 3.6.3.9).
const PE_LATENCY: i64 = 7;

/// Latencies in L1BM: write, read, cycles, section.
const L1_LATENCIES: [(L1Kind, L1Kind, i64, &str, &str); 3] = [
    (
        L1Kind::WriteByMulticast,
        L1Kind::ReadToPe,
        11,
        "3.6.3.5",
        "a multicast",
    ),
    (
        L1Kind::WriteFromL2,
        L1Kind::ReadToPe,
        7,
        "3.6.3.6",
        "a transfer from L2BM",
    ),
    (
        L1Kind::WriteFromPe,
        L1Kind::ReadUp,
        11,
        "3.6.3.7",
        "a transfer from PE",
    ),
];

impl Effects {
    fn of_step(step: &Step) -> Effects {
        let mut effects = Effects::default();
        for expression in &step.expressions {
            let op = &expression.op;
            for input in op.inputs() {
                match input.source {
                    Source::Memory(memory) => effects.access(input.span, &memory, None),
                    Source::T => effects.reads.push((input.span, t_words(0xf))),
                    _ => {}
                }
            }
            for output in op.outputs() {
                let cycles = written_cycles(output.mask);
                match output.target {
                    Target::Memory(memory) => {
                        effects.access(output.span, &memory, Some(cycles));
                    }
                    Target::T => effects.writes.push((output.span, t_words(cycles))),
                    Target::Base(bank, _) if cycles != 0 => {
                        effects.base_writes[local(bank)] = Some((output.span, cycles));
                    }
                    _ => {}
                }
            }
            match op {
                Op::L2bm { op, l2, l1 } => {
                    effects.l2bm(expression.span, op, (*l2).into(), (*l1).into());
                }
                Op::L1bm(l1bm) => effects.l1bm(expression.span, l1bm),
                _ => {}
            }
        }
        effects
    }

    fn of_mv(transfer: &Transfer) -> Effects {
        let mut effects = Effects::default();
        if let MvMemory::L2bm(address) = transfer.source.memory {
            effects.l2_read = Some((transfer.source.span, address.into(), transfer.words));
        }
        effects
    }

    /// An access to a PE memory; writes say in which cycles.
    fn access(&mut self, span: Span, memory: &MemoryOperand, writes: Option<u8>) {
        if memory.modify == Modify::T {
            self.reads.push((span, t_words(0xf)));
        }
        let registers = match memory.bank {
            Bank::Lm0 | Bank::Lm1 => {
                let side = match writes {
                    None => &mut self.local_reads,
                    Some(0) => return,
                    Some(_) => &mut self.local_writes,
                };
                side[local(memory.bank)] = Some(span);
                return;
            }
            Bank::Grf0 => Registers::Grf0,
            Bank::Grf1 => Registers::Grf1,
        };
        let words = Words {
            memory: registers,
            first: std::array::from_fn(|cycle| memory.address(cycle)),
            count: memory.width.words(),
            cycles: writes.unwrap_or(0xf),
        };
        match writes {
            None => self.reads.push((span, words)),
            Some(_) => self.writes.push((span, words)),
        }
    }

    fn l2bm(&mut self, span: Span, op: &L2bmOp, l2: u32, l1: u32) {
        let row = op.kind.row();
        let access = |kind, first| L1Access {
            span,
            kind,
            first,
            rate: row.l1_rate.into(),
        };
        match row.flow {
            Flow::Down => {
                self.l2_to_l1 = Some((span, op.set.members()));
                self.l1.push(access(L1Kind::WriteFromL2, l1));
            }
            Flow::Up => {
                let words = u32::from(row.l2_rate) * CYCLES as u32;
                self.l2_write = Some((span, l2, words));
                self.l1_to_l2 = Some(span);
                let read = if op.kind == L2bmKind::Pick || op.kind == L2bmKind::Reduce {
                    op.set.members()
                } else {
                    0xff
                };
                self.l1_out = Some((span, read));
                self.l1.push(access(L1Kind::ReadUp, l1));
            }
            Flow::Across => {
                self.multicast = Some((span, op.set.receivers()));
                self.l1_out = Some((span, op.set.members()));
                self.l1.push(access(L1Kind::ReadUp, l2));
                self.l1.push(access(L1Kind::WriteByMulticast, l1));
            }
        }
    }

    fn l1bm(&mut self, span: Span, l1bm: &L1bm) {
        let L1Place::Address(first) = l1bm.l1 else {
            return;
        };
        let kind = if matches!(l1bm.pe, PeSide::Down(_)) {
            self.l1_to_pe = Some(span);
            L1Kind::ReadToPe
        } else {
            self.pe_to_l1 = Some(span);
            L1Kind::WriteFromPe
        };
        self.l1.push(L1Access {
            span,
            kind,
            first: first.into(),
            rate: l1bm.op.l1_rate().into(),
        });
    }

    /// The hazard of this statement `steps` steps after another: how many steps are missing, and why.
    fn after(&self, earlier: &Effects, steps: u64) -> Option<(u32, Diagnostic)> {
        let steps = steps as i64;
        let mut worst = Worst { steps, found: None };
        self.pe_memories(earlier, &mut worst);
        self.ports(earlier, &mut worst);
        self.l1_latencies(earlier, &mut worst);
        if let (Some((span, read, count)), Some((source, write, written))) =
            (self.l2_read, earlier.l2_write)
        {
            let size = L2BM_WORDS;
            let apart = |from: u32, to: u32| (to + size - from) % size;
            if apart(read, write) < count || apart(write, read) < written {
                worst.within(2, || {
                    hazard(
                        span,
                        source,
                        "3.6.3.1",
                        "L2BM that an L1BM transfer has just written is read",
                    )
                });
            }
        }
        worst.found
    }

    /// Section 3.6.3.9.
    fn pe_memories(&self, earlier: &Effects, worst: &mut Worst) {
        for (span, read) in &self.reads {
            for (source, write) in &earlier.writes {
                if let Some(distance) = write.distance(read) {
                    worst.cycles(PE_LATENCY, distance, || {
                        let name = match read.memory {
                            Registers::Grf0 => "GRF0 is read before its new word",
                            Registers::Grf1 => "GRF1 is read before its new word",
                            Registers::T => "the T register is read before its new word",
                        };
                        hazard(*span, *source, "3.6.3.9", &format!("{name} is there"))
                    });
                }
            }
        }
        for index in 0..2 {
            if let (Some(span), Some(source)) =
                (self.local_reads[index], earlier.local_writes[index])
            {
                worst.within(3, || {
                    let message = format!("LM{index} is read while a write still has its port");
                    hazard(span, source, "3.6.3.9", &message)
                });
            }
            let access = self.local_reads[index].or(self.local_writes[index]);
            if let (Some(span), Some((source, cycles))) = (access, earlier.base_writes[index]) {
                let last = 7 - i64::from(cycles.leading_zeros());
                worst.cycles(PE_LATENCY, -last, || {
                    let message =
                        format!("LM{index} is accessed before its new base address is there");
                    hazard(span, source, "3.6.3.9", &message)
                });
            }
        }
    }

    /// Sections 3.6.3.2 to 3.6.3.4 and 3.6.3.8: ports, whatever the addresses.
    fn ports(&self, earlier: &Effects, worst: &mut Worst) {
        if let (Some((span, _)), Some(source)) = (self.l2_to_l1, earlier.l1_to_l2) {
            worst.within(4, || {
                hazard(
                    span,
                    source,
                    "3.6.3.2",
                    "L2BM is read while a write still has its port",
                )
            });
        }
        for (write, steps, section) in [
            (earlier.l2_to_l1, 3, "3.6.3.3"),
            (earlier.multicast, 4, "3.6.3.4"),
        ] {
            if let (Some((span, read)), Some((source, written))) = (self.l1_out, write) {
                if read & written != 0 {
                    worst.within(steps, || {
                        hazard(
                            span,
                            source,
                            section,
                            "L1BM is read while a write still has its port",
                        )
                    });
                }
            }
        }
        if let (Some(span), Some(source)) = (self.l1_to_pe, earlier.pe_to_l1) {
            worst.within(3, || {
                hazard(
                    span,
                    source,
                    "3.6.3.8",
                    "L1BM is read while a write still has its port",
                )
            });
        }
    }

    /// Sections 3.6.3.5 to 3.6.3.7: the same long word of L1BM.
    fn l1_latencies(&self, earlier: &Effects, worst: &mut Worst) {
        for &(write_kind, read_kind, latency, section, who) in &L1_LATENCIES {
            let reads = self.l1.iter().filter(|access| access.kind == read_kind);
            for read in reads {
                let writes = earlier.l1.iter().filter(|access| access.kind == write_kind);
                for write in writes {
                    if let Some(distance) = write.distance(read) {
                        worst.cycles(latency, distance, || {
                            let message =
                                format!("L1BM is read before the long word of {who} is there");
                            hazard(read.span, write.span, section, &message)
                        });
                    }
                }
            }
        }
    }
}

/// The hazard that needs most steps.
struct Worst {
    /// Steps between the two statements.
    steps: i64,
    found: Option<(u32, Diagnostic)>,
}

impl Worst {
    /// The statements must be this many steps apart.
    fn within(&mut self, wanted: i64, message: impl FnOnce() -> Diagnostic) {
        self.missing(wanted - self.steps, message);
    }

    /// The words must be `latency` cycles apart; in steps at the same time they would be `distance`.
    fn cycles(&mut self, latency: i64, distance: i64, message: impl FnOnce() -> Diagnostic) {
        let cycles = latency - distance - self.steps * CYCLES as i64;
        self.missing(
            cycles.div_euclid(4) + i64::from(cycles.rem_euclid(4) > 0),
            message,
        );
    }

    fn missing(&mut self, nops: i64, message: impl FnOnce() -> Diagnostic) {
        let most = self.found.as_ref().map_or(0, |(nops, _)| i64::from(*nops));
        if nops > most {
            let plural = if nops == 1 { "nop" } else { "nops" };
            let hint = format!("{nops} more {plural} in between");
            self.found = Some((nops as u32, message().hint(hint)));
        }
    }
}

/// The diagnostic of a hazard.
fn hazard(span: Span, source: Span, section: &'static str, message: &str) -> Diagnostic {
    let mut found = Diagnostic::new(span, message)
        .section(section)
        .also(source, "the write");
    found.rule = Rule::Hazard;
    found
}

impl Words {
    /// The least distance in cycles from a write to a read of the same word, counted as if both steps were at the same time.
    fn distance(&self, read: &Words) -> Option<i64> {
        if self.memory != read.memory {
            return None;
        }
        let mut least = None;
        for write_cycle in (0..CYCLES).filter(|c| self.cycles & 1 << c != 0) {
            for read_cycle in 0..CYCLES {
                let (write, found) = (self.first[write_cycle], read.first[read_cycle]);
                if write < found + read.count && found < write + self.count {
                    let distance = read_cycle as i64 - write_cycle as i64;
                    least = Some(least.map_or(distance, |least: i64| least.min(distance)));
                }
            }
        }
        least
    }
}

impl L1Access {
    /// As [`Words::distance`], for long words of L1BM.
    fn distance(&self, read: &L1Access) -> Option<i64> {
        let size = L1BM_WORDS;
        let apart = |from: u32, to: u32| (to + size - from % size) % size;
        let mut least = None;
        for write_cycle in 0..CYCLES as u32 {
            let write = (self.first + write_cycle * self.rate) % size;
            for read_cycle in 0..CYCLES as u32 {
                let found = (read.first + read_cycle * read.rate) % size;
                if apart(write, found) < self.rate || apart(found, write) < read.rate {
                    let distance = i64::from(read_cycle) - i64::from(write_cycle);
                    least = Some(least.map_or(distance, |least: i64| least.min(distance)));
                }
            }
        }
        least
    }
}

/// The entries of the T register that the cycles access.
fn t_words(cycles: u8) -> Words {
    Words {
        memory: Registers::T,
        first: [0, 1, 2, 3],
        count: 1,
        cycles,
    }
}

/// The cycles a mask lets write: bit c for cycle c.
fn written_cycles(mask: Option<Mask>) -> u8 {
    match mask {
        // The entry's bit 3 is for cycle 0.
        Some(mask) if mask.entry >= 16 => (mask.entry & 0xf).reverse_bits() >> 4,
        _ => 0xf,
    }
}

/// The number of a local memory.
fn local(bank: Bank) -> usize {
    usize::from(bank == Bank::Lm1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// The statements before which `nop`s are missing, and how many.
    fn check(source: &str, expect: &[(usize, u32)]) {
        let source = source.replace(" | ", "\n");
        let program = parse(&source).unwrap_or_else(|e| panic!("{}", e[0].render("test", &source)));
        let found: Vec<(usize, u32)> = hazards(&program)
            .iter()
            .map(|hazard| (hazard.statement, hazard.nops))
            .collect();
        assert_eq!(found, expect, "{source}");
    }

    #[test]
    fn examples_of_the_manual() {
        // 3.6.3.1
        check("l2bm@0 $lb0 $lc4096 | nop | mvp/n4160 $lc0@.0 $d0", &[]);
        check("l2bm@0 $lb0 $lc4096 | mvp/n4160 $lc0@.0 $d0", &[(1, 1)]);
        check("l2bm@0 $lb0 $lc4096 | mvp/n4096 $lc0@.0 $d0", &[]);
        // 3.6.3.2
        check("l2bm@0 $lb0 $lc0 | nop/3 | l2bmb $lc64 $lb64", &[]);
        check("l2bm@0 $lb0 $lc0 | nop/2 | l2bmb $lc64 $lb64", &[(3, 1)]);
        // 3.6.3.3
        check("l2bmb $lc0 $lb0 | nop/2 | l2bm@0 $lb64 $lc64", &[]);
        check("l2bmb $lc0 $lb0 | nop | l2bm@0 $lb64 $lc64", &[(2, 1)]);
        check("l2bmb@0 $lc0 $lb0 | l2bm@1 $lb0 $lc64", &[]);
        // 3.6.3.4
        check("l2bmi@0/0 $lb0 $lb0 | nop/3 | l2bm@1 $lb64 $lc64", &[]);
        check(
            "l2bmi@0/0 $lb0 $lb0 | nop/2 | l2bm@1 $lb64 $lc64",
            &[(3, 1)],
        );
        check("l2bmi@0/0 $lb0 $lb0 | l2bmi@0/0 $lb64 $lb64", &[]);
        // 3.6.3.5
        check("l2bmi@0/0 $lb64 $lb64 | nop | l1bmm $lb52 $lr0v", &[]);
        check("l2bmi@0/0 $lb64 $lb64 | nop | l1bmm $lb56 $lr0v", &[(2, 1)]);
        // 3.6.3.6
        check("l2bmb $lc0 $lb64 | l1bmm $lb52 $lr0v", &[]);
        check("l2bmb $lc0 $lb64 | l1bmm $lb56 $lr0v", &[(1, 1)]);
        // 3.6.3.7
        check(
            "l1bmr4dfadd $lr0v $lb48 | nop/2 | l2bmrdfadd $lb64 $lc0",
            &[],
        );
        check(
            "l1bmr4dfadd $lr0v $lb32 | nop/2 | l2bmrdfadd $lb64 $lc0",
            &[(3, 1)],
        );
        // 3.6.3.8
        check("l1bmrdfadd $lr0v $lb0 | nop/2 | l1bmm $lb16 $ls0v", &[]);
        check("l1bmrdfadd $lr0v $lb0 | nop | l1bmm $lb16 $ls0v", &[(2, 1)]);
        // 3.6.3.9
        for (mask, fine) in [
            ("1000", true),
            ("0100", true),
            ("0010", false),
            ("0001", false),
        ] {
            let expect: &[(usize, u32)] = if fine { &[] } else { &[(2, 1)] };
            check(
                &format!("imm f\"1.0\" $r0/{mask} | nop | dvadd $lm0v $r0e $ln0v"),
                expect,
            );
        }
        check("lpassa $lm0v $ln0v | nop/2 | lpassa $ln0v $lr0v", &[]);
        check("lpassa $lm0v $ln0v | nop | lpassa $ln0v $lr0v", &[(2, 1)]);
        check("lpassa $lm0v $omr1 | lpassa $ln0v $lr0v/$imr1", &[]);
        // 3.6.8.2: turning around takes no time
        check(
            "l1bmm@2 $lr0v $lb0 | l1bmm $lbi $lm0v; l1bmm@2 $lr8v $lb16 | l1bmm $lbi $lm8v",
            &[],
        );
    }

    #[test]
    fn registers_are_told_apart_word_by_word() {
        // Written in cycle 3, read in cycle 0 of the second step after.
        check("lpassa $lm0v $lr0v | nop | lpassa $lr6v $ln0v", &[(2, 1)]);
        check("lpassa $lm0v $lr0v | nop | lpassa $lr0v $ln0v", &[]);
        check("lpassa $lm0v $lr0v | lpassa $lr0v $ln0v", &[(1, 1)]);
        check("lpassa $lm0v $lr0v | lpassa $lr8v $ln0v", &[]);
        check("lpassa $lm0v $lr0v | lpassa $ls0v $ln0v", &[]);
        check("lpassa $lr0v $lr0v", &[]);
        check("lpassa $lm0v $t | lpassa $t $ln0v", &[(1, 1)]);
        check("lpassa $ln0v $t | nop | lpassa $lmt0 $lr0v", &[]);
        check("lpassa $ln0v $t | lpassa $lmt0 $lr0v", &[(1, 1)]);
        check("lpassa $ln0v $t/0000p | lpassa $lmt0 $lr0v", &[]);
    }

    #[test]
    fn local_memories_whatever_the_address() {
        check("lpassa $lr0v $lm0v | lpassa $lm100v $lr8v", &[(1, 2)]);
        check("lpassa $lr0v $lm0v | nop/2 | lpassa $lm0v $lr8v", &[]);
        check("lpassa $lr0v $lm0v | lpassa $ln0v $lr8v", &[]);
        check("lpassa $lr0v $lm0v | lpassa $lr8v $lm0v", &[]);
        check("lpassa $lr0v $lm0v/0000 | lpassa $lm0v $lr8v", &[]);
        check("lpassa $lr0 $nb | nop | lpassa $ln0v $lr8v", &[(2, 1)]);
    }

    #[test]
    fn the_end_of_a_memory_is_followed_by_its_beginning() {
        check("l2bmb $lc0 $lb8176 | l1bmd $lb0 $lr0v", &[(1, 2)]);
        check("l2bmd $lb0 $lc32704 | mvp/n64 $lc0@.0 $d0", &[(1, 1)]);
    }

    #[test]
    fn fixes_leave_no_hazard_and_are_the_fewest() {
        let source =
            "lpassa $lr0v $lm0v\nlpassa $lm0v $lr8v\nlpassa $lr8v $ls0v\nlpassa $lm0v $ln0v\n";
        let mut program = parse(source).unwrap();
        assert_eq!(fixes(&program), [(1, 2), (2, 1)]);
        assert_eq!(fix(&mut program), 3);
        assert_eq!(
            program.to_string(),
            "lpassa $lr0v $lm0v\nnop\nnop\nlpassa $lm0v $lr8v\nnop\nlpassa $lr8v $ls0v\nlpassa $lm0v $ln0v\n"
        );
        assert!(hazards(&program).is_empty());
    }

    #[test]
    fn the_message_names_both_places_and_the_cure() {
        let source = "lpassa $lr0v $lm0v\nlpassa $lm0v $lr8v\n";
        let found = &hazards(&parse(source).unwrap())[0].diagnostic;
        assert_eq!(
            found.render("a.vsm", source),
            "a.vsm:2:8: error: LM0 is read while a write still has its port (manual 3.6.3.9)\n\
             \x20 lpassa $lm0v $lr8v\n\
             \x20        ^^^^^\n\
             a.vsm:1:14: note: the write\n\
             \x20 lpassa $lr0v $lm0v\n\
             \x20              ^^^^^\n\
             hint: 2 more nops in between\n"
        );
        assert_eq!(found.rule, Rule::Hazard);
    }
}
