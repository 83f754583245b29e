//! The choices of a plan: where values are stored, and which reads are forwarded.

use tessera_isa_mncore::memory::Bank;

/// Where a value is stored between its writer and its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageClass {
    /// Only in a forwarding register: all readers, if any, issue in the step after the writer.
    Forwarded,
    /// In a memory of PEs.
    Bank(Bank),
    /// In the T register.
    T,
    /// In a mask register.
    Flags,
}

/// Which single-reader values are bound to forwarding registers before scheduling. Chaining saves
/// register ports but makes macro nodes rigid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainingPolicy {
    /// Only values whose home is a forwarding register.
    None,
    /// Also values whose reader directly follows their writer in the body.
    Adjacent,
    /// Also all others that allow it, in macro nodes of at most this many steps.
    UpTo(i64),
}

impl ChainingPolicy {
    /// All values that can be forwarded.
    pub const ALL: ChainingPolicy = ChainingPolicy::UpTo(i64::MAX);

    /// Returns the maximum length of a macro node in steps.
    pub fn max_steps(self) -> i64 {
        match self {
            ChainingPolicy::UpTo(steps) => steps,
            _ => i64::MAX,
        }
    }
}

/// The choices of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlanOptions {
    pub chaining: ChainingPolicy,
    /// Whether values may be stored in the T register.
    pub use_t_register: bool,
    /// Whether values may be stored in GRF0 and in GRF1.
    pub register_files: [bool; 2],
}
