//! Which checks are made.

/// The checks that are made in addition to those that every program must pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckPolicy {
    /// Checks for kernels compiled by this project: nothing may depend on typical but unguaranteed
    /// hardware behaviour. Unwritten storage must not be read. Configuration must not change while
    /// an instruction uses it, and must be known to have arrived.
    Strict,
    /// Checks that the vendor's programs pass. Memories and registers start as zeros or with their
    /// reset values. An instruction uses the configuration at its start, and a core's configuration
    /// store takes effect at once. Units that access the same bytes of L1 do so in the order in
    /// which they started; such races are counted.
    Vendor,
}
