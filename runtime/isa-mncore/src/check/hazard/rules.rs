//! The hazard rules: the minimum distance between two statements (manual, section 3.6.3).

use super::effects::{Effects, L1Kind, Registers};
use crate::diagnostic::{Diagnostic, Rule, Span};
use crate::memory::{CYCLES, L2BM_WORDS};

/// Latency of PE memories: cycles from the write of a word to the first cycle that may read it
/// (section 3.6.3.9).
const PE_LATENCY: i64 = 7;

/// Latencies in L1BM: kind of write, kind of read, cycles, section, message.
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
    /// Returns the hazard of this statement if it is issued `steps` steps after `earlier`: the
    /// number of missing steps, and the message.
    pub fn hazard_after(&self, earlier: &Effects, steps: u64) -> Option<(u32, Diagnostic)> {
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

    /// Returns the minimum distance in steps to an earlier statement that is issued in another
    /// step.
    pub fn min_distance(&self, earlier: &Effects) -> u32 {
        self.hazard_after(earlier, 0).map_or(0, |(steps, _)| steps)
    }

    /// Returns the minimum distance of the rules that do not depend on addresses, the port rules.
    pub fn min_port_distance(&self, earlier: &Effects) -> u32 {
        let mut worst = Worst {
            steps: 0,
            found: None,
        };
        self.local_ports(earlier, &mut worst);
        self.ports(earlier, &mut worst);
        worst.found.map_or(0, |(steps, _)| steps)
    }

    /// Checks the latency of the words of PE memories (section 3.6.3.9).
    fn pe_memories(&self, earlier: &Effects, worst: &mut Worst) {
        for (span, read) in &self.reads {
            for (source, write) in &earlier.writes {
                if let Some(distance) = write.distance(read) {
                    worst.cycles(PE_LATENCY, distance, || {
                        let name = match read.memory {
                            Registers::Grf0 => "GRF0 is read before the written word",
                            Registers::Grf1 => "GRF1 is read before the written word",
                            Registers::T => "the T register is read before the written word",
                        };
                        hazard(*span, *source, "3.6.3.9", &format!("{name} arrives"))
                    });
                }
            }
        }
        self.local_ports(earlier, worst);
        for index in 0..2 {
            if let (Some(span), Some((source, cycles))) =
                (self.local_accesses[index], earlier.base_writes[index])
            {
                let last = 7 - i64::from(cycles.leading_zeros());
                worst.cycles(PE_LATENCY, -last, || {
                    let message =
                        format!("LM{index} is accessed before the written base address arrives");
                    hazard(span, source, "3.6.3.9", &message)
                });
            }
        }
    }

    /// Checks the ports of local memories, regardless of addresses (section 3.6.3.9).
    fn local_ports(&self, earlier: &Effects, worst: &mut Worst) {
        for index in 0..2 {
            if let (Some(span), Some(source)) =
                (self.local_reads[index], earlier.local_writes[index])
            {
                worst.within(3, || {
                    let message = format!("LM{index} is read while a write occupies its port");
                    hazard(span, source, "3.6.3.9", &message)
                });
            }
        }
    }

    /// Checks the other ports, regardless of addresses (sections 3.6.3.2 to 3.6.3.4 and 3.6.3.8).
    fn ports(&self, earlier: &Effects, worst: &mut Worst) {
        if let (Some((span, _)), Some(source)) = (self.l2_to_l1, earlier.l1_to_l2) {
            worst.within(4, || {
                hazard(
                    span,
                    source,
                    "3.6.3.2",
                    "L2BM is read while a write occupies its port",
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
                            "L1BM is read while a write occupies its port",
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
                    "L1BM is read while a write occupies its port",
                )
            });
        }
    }

    /// Checks the latency of long words of L1BM (sections 3.6.3.5 to 3.6.3.7).
    fn l1_latencies(&self, earlier: &Effects, worst: &mut Worst) {
        for &(write_kind, read_kind, latency, section, who) in &L1_LATENCIES {
            let reads = self.l1.iter().filter(|access| access.kind == read_kind);
            for read in reads {
                let writes = earlier.l1.iter().filter(|access| access.kind == write_kind);
                for write in writes {
                    if let Some(distance) = write.distance(read) {
                        worst.cycles(latency, distance, || {
                            let message =
                                format!("L1BM is read before the long word of {who} arrives");
                            hazard(read.span, write.span, section, &message)
                        });
                    }
                }
            }
        }
    }
}

/// The hazard that needs the most additional steps.
struct Worst {
    /// The distance of the two statements in steps.
    steps: i64,
    found: Option<(u32, Diagnostic)>,
}

impl Worst {
    /// Requires the statements to be `wanted` steps apart.
    fn within(&mut self, wanted: i64, message: impl FnOnce() -> Diagnostic) {
        self.missing(wanted - self.steps, message);
    }

    /// Requires two accesses to be `latency` cycles apart; `distance` is their distance if both
    /// steps were issued at the same time.
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
            self.found = Some((nops as u32, message().with_hint(hint)));
        }
    }
}

/// Returns the diagnostic of a hazard.
fn hazard(span: Span, source: Span, section: &'static str, message: &str) -> Diagnostic {
    let mut found = Diagnostic::new(span, message)
        .with_section(section)
        .with_related(source, "the write");
    found.rule = Rule::Hazard;
    found
}
