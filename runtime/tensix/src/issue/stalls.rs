//! Stall statistics: the instructions that had to wait, by cause.
//!
//! An instruction counts once per cause, however long it waits, because the model has no time. The
//! counts depend on the schedule and its seed.

/// Why an instruction waits before its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A STALLWAIT before it.
    Stallwait,
    /// A SEMWAIT before it.
    Semwait,
    /// A STREAMWAIT before it.
    Streamwait,
    /// A bank of SrcA that its unit does not own.
    SrcA,
    /// A bank of SrcB that its unit does not own.
    SrcB,
    /// The scalar unit, occupied by another thread.
    ScalarUnit,
    /// The operands of an instruction inside the scalar unit.
    Operands,
    /// Busy packers.
    Packers,
    /// A mutex that is taken.
    Mutex,
    /// Its unit, which is full.
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

    /// Returns the name of the cause.
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

/// The number of instructions of a thread that waited, by cause.
pub type Stalls = [u64; Cause::ALL.len()];

/// The causes that have stalled the instruction at a thread's gate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StallTracker {
    /// The instruction's number.
    issued: u64,
    /// The causes, one bit each.
    causes: u16,
}

impl StallTracker {
    /// Records a cause for instruction number `issued`; returns whether it is the first such
    /// record.
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
