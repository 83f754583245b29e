//! Latencies and port occupancies, transcribed from section 3.6.3 of the manual.
//!
//! This is an independent second reading of that section. Nothing here comes from the instruction
//! table or the hazard checker, so that errors there are detected. Where the manual says that n
//! cycles or steps lie *between* two instructions, the constants here are their distance, n + 1.

/// Cycles of a step (1.2).
pub const STEP: u64 = 4;

/// 3.6.3.1: L1BM to L2BM, then an MV instruction that reads the same words: one step between.
pub const L2BM_TO_MV_STEPS: u64 = 2;

/// 3.6.3.2: L1BM to L2BM, then L2BM to L1BM, any address: three steps between.
pub const UP_TO_DOWN_STEPS: u64 = 4;

/// 3.6.3.3: L2BM to L1BM, then a read of one of these L1BM for L2BM or a multicast, any address:
/// two steps between.
pub const DOWN_TO_UP_STEPS: u64 = 3;

/// 3.6.3.4: a multicast, then a read of one of the L1BM it writes for L2BM or a multicast, any
/// address: three steps between.
pub const MULTICAST_TO_UP_STEPS: u64 = 4;

/// 3.6.3.5: a multicast, then a transfer of the word to PEs: ten cycles between.
pub const MULTICAST_TO_PE_CYCLES: u64 = 11;

/// 3.6.3.6: L2BM to L1BM, then a transfer of the word to PEs: six cycles between.
pub const DOWN_TO_PE_CYCLES: u64 = 7;

/// 3.6.3.7: PE to L1BM, then a transfer of the word to L2BM or a multicast: ten cycles between.
pub const PE_TO_UP_CYCLES: u64 = 11;

/// 3.6.3.8: PE to L1BM, then L1BM to PE, any address: two steps between.
pub const PE_TO_PE_STEPS: u64 = 3;

/// 3.6.3.9: a write to a local memory, then a read of it, any address: two steps between.
pub const LOCAL_STEPS: u64 = 3;

/// 3.6.3.9: a write to a PE memory other than the mask registers, then a read of the word: six
/// cycles between. Local memories have the port rule instead. Base address registers (3.6.1.7) are
/// PE memories.
pub const PE_CYCLES: u64 = 7;
