//! Which instructions had to wait, and for what.
//!
//! An instruction counts once for each cause that has kept it before its unit, however long it did:
//! the model has no time. Which ones those are depends on the schedule, and so on its seed.

/// What keeps an instruction waiting before its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A STALLWAIT before it.
    Stallwait,
    /// A SEMWAIT before it.
    Semwait,
    /// A STREAMWAIT before it.
    Streamwait,
    /// A bank of SrcA that its unit has not got.
    SrcA,
    /// A bank of SrcB that its unit has not got.
    SrcB,
    /// The scalar unit, which another thread occupies.
    ScalarUnit,
    /// What an instruction in the scalar unit is to wait for.
    Operands,
    /// The packers.
    Packers,
    /// A mutex.
    Mutex,
    /// Its unit, which takes nothing more.
    Unit,
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 10] = [
        Cause::Stallwait,
        Cause::Semwait,
        Cause::Streamwait,
        Cause::SrcA,
        Cause::SrcB,
        Cause::ScalarUnit,
        Cause::Operands,
        Cause::Packers,
        Cause::Mutex,
        Cause::Unit,
    ];

    /// What is waited for.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Stallwait => "a STALLWAIT",
            Cause::Semwait => "a SEMWAIT",
            Cause::Streamwait => "a STREAMWAIT",
            Cause::SrcA => "a bank of SrcA",
            Cause::SrcB => "a bank of SrcB",
            Cause::ScalarUnit => "the scalar unit",
            Cause::Operands => "what their operands name",
            Cause::Packers => "the packers",
            Cause::Mutex => "a mutex",
            Cause::Unit => "their unit",
        }
    }
}

/// How many instructions of a thread waited, by cause.
pub type Stalls = [u64; Cause::ALL.len()];

/// What has kept the instruction at a thread's gate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StallTracker {
    /// Its number.
    issued: u64,
    /// The causes, one bit each.
    causes: u16,
}

impl StallTracker {
    /// Notes a cause for instruction number `issued`; returns whether that is the first time.
    pub(crate) fn note(&mut self, issued: u64, cause: Cause) -> bool {
        if self.issued != issued {
            *self = StallTracker { issued, causes: 0 };
        }
        let before = self.causes;
        self.causes |= 1 << cause as u16;
        self.causes != before
    }
}

#[cfg(test)]
mod tests;
