//! Wake-up of blocked agents: the kinds of changes that agents wait for.
//!
//! Each kind counts its changes where they are made. A blocked agent names the kinds that may
//! unblock it, and is not scheduled before one of them has changed. When all agents are blocked,
//! debug builds assert that none could advance.

/// A set of kinds of changes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes(pub(crate) u16);

impl Changes {
    /// Number of kinds.
    pub(crate) const KINDS: usize = 10;
    /// No change; an agent that has ended waits for nothing.
    pub(crate) const NOTHING: Changes = Changes(0);
    /// L1 was written at a watched address ([`crate::state::l1::L1::watch`]).
    pub(crate) const L1: Changes = Changes(1);
    /// An instruction entered or left a unit.
    pub(crate) const FLIGHTS: Changes = Changes(1 << 1);
    /// A front end moved a word.
    pub(crate) const FRONT_ENDS: Changes = Changes(1 << 2);
    /// A word was pushed into a front end.
    pub(crate) const PUSHES: Changes = Changes(1 << 3);
    /// A semaphore or a mutex changed.
    pub(crate) const SYNC: Changes = Changes(1 << 4);
    /// A bank of SrcA or SrcB changed hands.
    pub(crate) const BANKS: Changes = Changes(1 << 5);
    /// A STALLWAIT, SEMWAIT or STREAMWAIT ended.
    pub(crate) const LATCHES: Changes = Changes(1 << 6);
    /// A word left the FIFO into which a thread's own core pushes.
    pub(crate) const ROOM: Changes = Changes(1 << 7);
    /// A NoC interface advanced, or a core stored to its registers.
    pub(crate) const NOCS: Changes = Changes(1 << 8);
    /// Any other change.
    pub(crate) const OTHER: Changes = Changes(1 << 9);
    /// All kinds.
    pub(crate) const ANY: Changes = Changes((1 << Changes::KINDS) - 1);

    /// Returns whether the set contains all of `others`.
    pub(crate) const fn has(self, others: Changes) -> bool {
        self.0 & others.0 == others.0
    }

    /// Returns the union.
    pub(crate) const fn or(self, other: Changes) -> Changes {
        Changes(self.0 | other.0)
    }
}

/// Number of changes of each kind, in the order of their bits.
pub(crate) type Counts = [u64; Changes::KINDS];

/// Returns the kinds whose counts differ.
pub(crate) fn between(before: &Counts, now: &Counts) -> Changes {
    let differs = |kind: usize| u16::from(before[kind] != now[kind]) << kind;
    Changes((0..Changes::KINDS).fold(0, |bits, kind| bits | differs(kind)))
}
