//! MV transfers, which move data between PDM, DRAM and L2BM (manual, section 3.5.8).

/// The form of an MV operand: its memory, and the group and L2B that it must name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandForm {
    /// `$p<addr>@<group>`.
    PdmOne,
    /// `$p<addr>`: all groups.
    PdmAll,
    /// `$d<addr>@<group>`.
    DramOne,
    /// `$d<addr>`: all groups.
    DramAll,
    /// `$lc<addr>@<group>.<l2b>`.
    L2bmOne,
    /// `$lc<addr>@.<l2b>`: one L2B of every group.
    L2bmSide,
    /// `$lc<addr>@<group>`: both of a group.
    L2bmGroup,
    /// `$lc<addr>`: all.
    L2bmAll,
}

/// A row: one transfer mode with a pair of operand forms.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The transfer.
    pub mode: MvMode,
    /// The mnemonic, without the reduction.
    pub stem: &'static str,
    /// The source, and the long words of a unit there.
    pub source: (OperandForm, u32),
    /// The target, and the long words of a unit there.
    pub target: (OperandForm, u32),
    /// The section that describes it.
    pub section: &'static str,
    /// The peak rate in long words per cycle, counted as the transfer's length is: within a group,
    /// and across groups.
    pub rate: (u32, u32),
    /// A one-line description.
    pub doc: &'static str,
}

macro_rules! modes {
    ($( $Name:ident $stem:literal $from:ident $from_unit:literal $to:ident $to_unit:literal
        $section:literal ($near:literal, $far:literal) $doc:literal )*) => {
        /// A basic transfer mode of MV instructions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum MvMode { $( #[doc = $doc] $Name ),* }

        static ROWS: &[Row] = &[ $( Row {
            mode: MvMode::$Name, stem: $stem, source: (OperandForm::$from, $from_unit),
            target: (OperandForm::$to, $to_unit), section: $section, rate: ($near, $far), doc: $doc,
        } ),* ];
    };
}

#[rustfmt::skip]
modes! {
    PdmToDram         "mvp"  PdmOne    64  DramOne   64 "3.5.8.2"  (16, 8)  "PDM of a group to DRAM of a group."
    DramToPdm         "mvp"  DramOne   64  PdmOne    64 "3.5.8.3"  (8, 4)   "DRAM of a group to PDM of a group."
    PdmToL2bm         "mvp"  PdmOne    64  L2bmOne   64 "3.5.8.4"  (16, 8)  "PDM of a group to one L2BM."
    L2bmToPdm         "mvp"  L2bmOne   64  PdmOne    64 "3.5.8.5"  (16, 8)  "One L2BM to PDM of a group."
    DramToL2bm        "mvp"  DramOne   64  L2bmOne   64 "3.5.8.6"  (16, 8)  "DRAM of a group to one L2BM."
    L2bmToDram        "mvp"  L2bmOne   64  DramOne   64 "3.5.8.7"  (16, 8)  "One L2BM to DRAM of a group."
    PdmToPdm          "mvp"  PdmOne    64  PdmOne    64 "3.5.8.8"  (8, 8)   "PDM of a group to PDM of a group."
    PdmToL2bmEach     "mvp"  PdmAll    64  L2bmSide  64 "3.5.8.9"  (16, 16) "In every group, PDM to the L2BM of this number."
    L2bmToPdmEach     "mvp"  L2bmSide  64  PdmAll    64 "3.5.8.10" (16, 16) "In every group, the L2BM of this number to PDM."
    DramToL2bmEach    "mvp"  DramAll   64  L2bmSide  64 "3.5.8.11" (16, 16) "In every group, DRAM to the L2BM of this number."
    L2bmToDramEach    "mvp"  L2bmSide  64  DramAll   64 "3.5.8.12" (16, 16) "In every group, the L2BM of this number to DRAM."
    DramBroadcast2    "mvb2" DramAll   64  L2bmAll   64 "3.5.8.13" (16, 16) "In every group, DRAM to both L2BM."
    DramReduce2       "mvr2" L2bmAll   64  DramAll   64 "3.5.8.14" (16, 16) "In every group, a reduction of both L2BM to DRAM."
    PdmReduce2        "mvr2" L2bmGroup 64  PdmOne    64 "3.5.8.15" (16, 16) "A reduction of both L2BM of a group to its PDM."
    DramBroadcast4    "mvb4" DramAll   32  L2bmAll   64 "3.5.8.16" (16, 16) "DRAM of all groups, joined; a half each to the L2BM of a number in all groups."
    DramReduce4       "mvr4" L2bmAll   64  DramAll   32 "3.5.8.17" (16, 16) "Reductions over the groups for each number of L2BM, scattered over DRAM of all groups."
    PdmBroadcast      "mvb"  PdmOne    64  L2bmAll   64 "3.5.8.18" (8, 8)   "PDM of a group to all L2BM."
    PdmReduce         "mvr"  L2bmAll   64  PdmOne    64 "3.5.8.19" (8, 8)   "A reduction of all L2BM to PDM of a group."
    DramBroadcast     "mvb"  DramAll   16  L2bmAll   64 "3.5.8.20" (32, 32) "DRAM of all groups, joined, to all L2BM."
    DramReduce        "mvr"  L2bmAll   64  DramAll   16 "3.5.8.21" (32, 32) "A reduction of all L2BM, scattered over DRAM of all groups."
    PdmDistribute     "mvd"  PdmOne    512 L2bmAll   64 "3.5.8.22" (1, 1)   "PDM of a group, scattered over all L2BM."
    PdmCollect        "mvd"  L2bmAll   64  PdmOne    512 "3.5.8.23" (1, 1)  "All L2BM, joined, to PDM of a group."
    PdmDramDistribute "mvd"  PdmOne    64  DramAll   16 "3.5.8.24" (8, 8)   "PDM of a group, scattered over DRAM of all groups."
    DramPdmCollect    "mvd"  DramAll   16  PdmOne    64 "3.5.8.25" (8, 8)   "DRAM of all groups, joined, to PDM of a group."
}

impl MvMode {
    /// Returns the row of the mode.
    pub fn row(self) -> &'static Row {
        ROWS.iter()
            .find(|row| row.mode == self)
            .expect("every mode has a row")
    }

    /// Returns whether the mode reduces.
    pub fn reduces(self) -> bool {
        self.row().stem.starts_with("mvr")
    }

    /// Returns the unit of the transfer's length in long words (section 3.5.3). It counts long
    /// words in L2BM if L2BM takes part, otherwise in PDM.
    pub fn unit(self) -> u32 {
        let row = self.row();
        let weight = |place: OperandForm| match place {
            OperandForm::L2bmOne
            | OperandForm::L2bmSide
            | OperandForm::L2bmGroup
            | OperandForm::L2bmAll => 2,
            OperandForm::PdmOne | OperandForm::PdmAll => 1,
            OperandForm::DramOne | OperandForm::DramAll => 0,
        };
        if weight(row.source.0) > weight(row.target.0) {
            row.source.1
        } else {
            row.target.1
        }
    }
}

/// Returns all rows. The number of a mode is its position counted from 1; 0 is `mvnop`.
pub fn rows() -> &'static [Row] {
    ROWS
}

#[cfg(test)]
mod tests;
