//! Numbers of the chip's parts, sizes of vectors in its memories, and units of transfers.

/// Elements of `i` or `k` in the words and PEs of a MAB.
pub(crate) const ROW: u32 = 8;
/// L2Bs of the chip.
pub(crate) const L2BS: u32 = 8;
/// L1Bs per pair.
pub(crate) const PAIR: u32 = 2;
/// Groups of the chip, L2Bs per group, L1Bs per L2B.
pub(crate) const GROUPS: u32 = 4;
pub(crate) const L2BS_OF_GROUP: u32 = L2BS / GROUPS;
pub(crate) const L1BS: u32 = 8;
/// MABs per L2B.
pub(crate) const MABS: u32 = 128;
/// Columns of a vector that is distributed over L2Bs by columns.
pub(crate) const WIDE_STEP: u32 = L2BS * MABS * CYCLES;
/// Cycles per step; each holds columns.
pub(crate) const CYCLES: u32 = 4;
/// Single words of a vector in each PE.
pub(crate) const VECTOR_WORDS: u32 = 8;
/// Long words of a vector in an L2BM, cycle by cycle.
pub(crate) const L2BM_VECTOR: u32 = CYCLES * L2BM_CYCLE;
/// Long words of a cycle.
pub(crate) const L2BM_CYCLE: u32 = 512;
/// Steps of the MV instructions for a cycle of a vector, to or from the two L2Bs of four groups.
pub(crate) const OWN_STEPS: u64 = 16;
/// Steps of the MV instruction for a cycle of a vector that all L2Bs receive.
pub(crate) const SAME_STEPS: u64 = 4;
/// Long words of a vector in an L1BM.
pub(crate) const L1BM_VECTOR: u32 = 256;
/// The unit of a transfer between L2BM and L1BM: long words of L2BM, and of L1BM.
pub(crate) const TRANSFER: (u32, u32) = (256, 32);
/// The unit of a transfer that both L1Bs of a pair receive, and of one that all receive.
pub(crate) const TO_PAIRS: (u32, u32) = (256, 64);
pub(crate) const TO_L1BS: (u32, u32) = (64, 64);
/// Long words that `l2bmb` moves in a step.
pub(crate) const DOWN: u32 = 64;
/// Long words of a cycle that the L1Bs of a pair share.
pub(crate) const PAIRS_CYCLE: u32 = L2BM_CYCLE / 2;
/// Long words of a cycle that all L1Bs share.
pub(crate) const L1BS_CYCLE: u32 = L2BM_CYCLE / L1BS;
