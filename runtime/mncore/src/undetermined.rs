//! The points that the manual leaves undetermined, with the choice of this model for each.
//!
//! They are rows of one table, [`POINTS`], from which the reference page, `--version --verbose` and
//! trap messages are generated. A function whose result depends on such a point adds the point to
//! the caller's [`UndeterminedSet`] and returns the documented value. The caller that executes the
//! instruction then applies [`Point::action`].
//!
//! The tests check that ids are unique and that the named tests exist. They cannot check that the
//! list is complete.

use std::fmt;

/// The effect of an instruction whose result depends on an undetermined point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Stops with a trap that names the point.
    Trap,
    /// Returns the documented result and marks the run.
    Mark,
    /// Returns the documented result only. Either the choice is visible in no value, or every use
    /// of the instruction depends on it.
    Document,
}

/// An undetermined point.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The identifier in the program.
    pub kind: Undetermined,
    /// The identifier in messages and on the command line.
    pub id: &'static str,
    /// The section of the manual.
    pub section: &'static str,
    /// The question that the manual leaves open.
    pub question: &'static str,
    /// The choice of this model.
    pub choice: &'static str,
    /// The effect on an instruction that depends on the point.
    pub action: Action,
    /// The parameter or option that selects another behaviour, if any.
    pub option: Option<&'static str>,
    /// The name of the test that covers the choice.
    pub test: &'static str,
}

macro_rules! points {
    ($($point:ident $id:literal $section:literal $action:ident $option:expr, $test:expr,
        $question:literal => $choice:literal;)*) => {
        /// The undetermined points; [`POINTS`] describes them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Undetermined {
            $(#[doc = $question] $point,)*
        }

        /// The table, in the order of [`Undetermined`].
        pub const POINTS: &[Point] = &[
            $(Point {
                kind: Undetermined::$point,
                id: $id,
                section: $section,
                question: $question,
                choice: $choice,
                action: Action::$action,
                option: $option,
                test: $test,
            },)*
        ];
    };
}

points! {
    // Chapter 4 and the ALU, recorded by `numerics`.
    ReductionGrouping "rrn-grouping" "4.2" Mark
        Some("numerics::rrn::Grouping"), "results_that_depend_on_the_grouping_are_marked",
        "Which MABs meet in the first stage of a reduction over 16" =>
        "MABs that differ in the two low bits of their number, as in the 4x4 instructions; marked \
         if the other grouping by two bits gives another result";
    ReductionStages "rrn-stages" "4.2" Mark
        Some("numerics::rrn::StageOrder"), "results_that_depend_on_the_stage_order_are_marked",
        "Whether an MV reduction over 8 first joins the two L2Bs of a group or the four groups" =>
        "the two L2Bs of a group first; marked if the other order gives another result";
    ReductionInfinities "rrn-add-infinities" "4.2.1" Trap
        Some("--undetermined mark"), "adding_infinities",
        "The sum of infinities of both signs in a reduction" => "+infinity";
    ReductionInfinity "rrn-add-infinity" "4.2.1" Document
        None, "adding_infinities",
        "The sum of an infinity and numbers in a reduction: the section describes finite elements \
         only" =>
        "the infinity";
    ReductionExtremeNarrowed "rrn-extreme-range" "4.2.2" Mark
        None, "narrowed_extremes",
        "Bits of a narrowed maximum or minimum that is zero, infinite, or outside half precision, \
         as the result is not normalised" =>
        "the sign is kept, the mantissa is cleared";
    ReductionExtremeWidened "rrn-extreme-widened" "3.6.8.4" Mark
        None, "widening_shows_bits",
        "Bits of a widened zero or infinity with a mantissa, where they are compared or stored as \
         they are" =>
        "the sign is kept, the mantissa is cleared";
    LogicalReduction "rrn-logical" "3.5.5" Mark
        None, "integer_and_logical_reductions",
        "The word that a logical and/or reduction gives for true" => "1";
    InfinityTimesZero "mau-infinity-times-zero" "4.3" Trap
        Some("--undetermined mark"), "infinities_in_a_vector_operation",
        "The product of an infinity and a zero in the MAU" =>
        "a zero: the expected values of `exp` among the graph compiler for education's test cases \
         need it";
    InfinityMinusInfinity "mau-infinities" "4.3" Trap
        Some("--undetermined mark"), "infinities_in_a_vector_operation",
        "The sum of infinities of opposite signs in the MAU" => "the infinity of the product";
    InfiniteOperand "mau-infinity" "4.3" Document
        None, "infinities_in_a_vector_operation",
        "Infinite operands otherwise: the section describes finite ones only" =>
        "an infinity times a number and an infinity plus a number are infinities";
    PseudoCarry "pseudo-block-carry" "4.4" Mark
        None, "pseudo_single_carry_between_18_and_23_ones",
        "Whether a pseudo-single block maximum whose upper 18 mantissa bits, but not all 23, are \
         ones raises the common exponent: step 2 tests all bits, while rounding to 18 carries" =>
        "it does, as in the half precision procedure: otherwise the rounded mantissa has no room";
    ExtendedZero "extended-block-zero" "4.4" Document
        None, "extended_half_blocks",
        "The exponent field of a zero in an extended half block (step 3b, or all bits zero)" =>
        "the common exponent; the value is zero either way";
    UnequalExponents "block-exponents" "4.4" Trap
        Some("--undetermined mark"), "invalid_blocks_trap",
        "Matrix-vector operations on blocks whose exponents differ, or on a nonzero mantissa with \
         a common exponent of zero: undefined" =>
        "elements that do not have the block's largest exponent count as zeros";
    InfiniteBlock "block-infinite" "4.5" Trap
        Some("--undetermined mark"), "infinite_blocks_trap",
        "Matrix-vector operations on blocks whose common exponent is that of infinity" =>
        "+infinity";
    ExtendedProduct "extended-product" "4.5" Mark
        None, "extended_products",
        "Rounding of a product with an extended factor after its shift by 6 or 12" =>
        "to nearest even at the lowest bit of an unshifted product; marked where bits are lost";
    NarrowedInput "narrowed-input" "3.6.12.19" Mark
        None, "narrowing_of_inputs",
        "Bits of a narrowed input that is a negative zero, underflows below zero, or is an \
         infinity with a mantissa" =>
        "the sign is kept, the mantissa is cleared";
    WidenedMatrixInput "widened-matrix-input" "3.6.9.23" Mark
        None, "widening_shows_bits",
        "Bits that a widened zero or infinity with a mantissa leaves in a matrix register" =>
        "the sign is kept, the mantissa is cleared";
    ExtremeInfinities "extreme-infinities" "3.6.12.13" Trap
        Some("--undetermined mark"), "float_extremes",
        "Which of two negative infinities with different mantissas is larger" =>
        "the one with the smaller mantissa, as for numbers";
    LeakyZero "leaky-relu-zero" "3.6.12.18" Mark
        None, "relu_family",
        "lrelud and lreluo of a positive or non-canonical zero where x is negative" =>
        "the underflow result, -0";
    LeakyInfinity "leaky-relu-infinity" "3.6.12.18" Trap
        Some("--undetermined mark"), "relu_family",
        "lrelud and lreluo of an infinity where x is negative" => "the infinity";
    ToIntegerMinimum "ftoi-minimum" "3.6.12.11" Trap
        Some("--undetermined mark"), "float_to_integer",
        "ftoi below the smallest integer, and of -infinity" => "the smallest integer";
    ReciprocalRoot "rsqrt-approximation" "3.6.12.9" Mark
        None, "reciprocal_square_root_is_within_the_documented_accuracy",
        "The bits of rsqrt: the manual promises about five" =>
        "this model's own table, with a relative error below 2^-6; zero gives infinity, infinity \
         gives zero";
    MauFlags "mau-flags" "3.6.9.26" Document
        None, "flags_are_repeated_to_four_bits",
        "How one or two MAU results fill the four mask flags of a cycle" =>
        "repeated, as the ALU's";
    OperandPorts "mau-operand-ports" "3.6.9.20" Document
        None, "every_opcode_with_every_form_of_its_operands",
        "Which ports the two operands of hvadd use, and the width at which fm* reads its vector" =>
        "hvadd: factor (halves) and addend (singles); fm*: single words, as in 3.6.9.4";

    // Data movement and execution, recorded by the rest of the model and by the assembler.
    LineOrder "l1bmr-narrow-order" "3.6.8.5" Document
        None, "rounded_reductions_keep_the_results_of_a_pe_together",
        "\"0 to 3 come from PE 0\" contradicts the inverse of 3.6.8.4" =>
        "the inverse: long word p is PE p's";
    NarrowRead "one-long-read" "3.6.1" Document
        None, "written_words_are_read_at_their_width",
        "The second long word of a one-long read, and of a one-long MAU result written as two" =>
        "zero";
    ForwardIdle "forward-idle" "3.6.1.15" Trap
        None, "forwarding_skips_nop_and_noforward",
        "What a forwarding register holds after a step in which its unit did nothing" =>
        "no value: reading it traps";
    TurnaroundSpent "turnaround-spent" "3.6.8.2" Trap
        None, "a_turn_around_register_that_was_read_holds_nothing",
        "What the turn-around register holds after a step that only reads it: it is said to stay \
         as it is where neither a transfer from PEs nor one from the register is issued" =>
        "no value: reading it traps";
    BaseLatency "base-address-latency" "3.6.1.7" Document
        None, "rotation_between_pes_and_base_addresses",
        "When a written LM base address takes effect, and masked writes of it" =>
        "from the next step on, in the bits that the mask lets pass; in the timed model and for \
         the checker after seven cycles, as other PE memories (3.6.3.9)";
    IndirectLatency "dar-latency" "3.5.6" Document
        None, "dram_address_registers_are_filled_through_their_buffer",
        "When written DRAM indirection addresses become valid" => "at once";
    MaskedTurnaround "lm-turnaround-masked" "3.6.3.9" Document
        None, "masks_decide_word_by_word",
        "Whether a partially masked LM write blocks the port in its masked cycles" =>
        "it does, unless the mask suppresses the write in all cycles (timed model)";
    DarStartDistance "dar-start-distance" "3.6.3" Document
        None, "each_rule_at_its_exact_distance",
        "Whether l2bmdars must keep the distance of 3.6.3.2 from a transfer to L2BM" =>
        "no: the section does not name it";
    UnitOrder "mv-and-pe-order" "1.2" Document
        None, "a_transfer_precedes_the_steps_of_its_unit",
        "The order of an MV instruction and the PE instructions of its unit" =>
        "that of the statements";
    MvContention "mv-contention" "3.5.9" Document
        None, "steps_transfers_and_waits",
        "Contention between concurrent MV instructions" => "none: the model gives no times";
    PowerOn "dram-power-on" "3.5" Trap
        Some("--offchip-memory-init zero"),
        "reads_of_unwritten_words_are_errors_unless_zeroed",
        "What DRAM holds before its first write" => "no value: reading it traps";
    TwoLongMask "two-long-mask-on-omr" "3.6.2" Document
        None, "mask_registers_take_flags_and_the_mask",
        "Whether the word length of a mask matters to writes of mask registers" =>
        "it does not: the flags are ANDed";
    UnalignedIndirect "unaligned-indirect" "3.6.1.6" Document
        None, "local_memory_adds_base_indirection_and_neighbour",
        "Unaligned addresses in the T register and in base addresses" =>
        "the sum is rounded down to a multiple of the access width";
    FlushForwarded "zero-flush-forward" "3.6.2.2" Document
        None, "zero_flush_clears_what_is_written_and_forwarded_but_not_flags",
        "Whether a zero-flush mask acts on what is forwarded" =>
        "it does: it acts on the unit's output";
    UntaggedOrder "mv-untagged" "3.5.4" Document
        Some("--races"), "a_wait_covers_its_tag_and_what_has_none_before_it",
        "When an MV instruction without a tag is known to be complete" =>
        "once a later one with a tag is waited for, as in section 3.5.1, example 2";
    WhichL2b "mvp-l2b-omitted" "3.5.8.10" Trap
        None, "traps_have_a_location_and_a_reason",
        "Which L2BM mvp reads if its operand names none, as public programs do" =>
        "either, if both hold the same; else no value: it traps";
    WrittenTwice "l1bm-written-twice" "3.6.1.4" Trap
        None, "a_word_of_l1bm_is_written_from_one_side_at_a_time",
        "The content of an L1BM word that PEs and a transfer from L2BM or another L1BM write in \
         one step" =>
        "the word from L2BM or the other L1BM";
    TagOrder "mv-tag-order" "3.5.4" Document
        None, "tag_and_length_come_in_any_order",
        "The order of tag and indirection in MV opcodes" => "either is accepted";
    SameGroup "mv-same-group" "3.5.8.8" Document
        None, "a_group_may_copy_to_its_own_pdm",
        "Whether a copy from PDM to PDM may stay within a group: the text has different ones, the \
         pseudo-code any" =>
        "it may";
}

impl Undetermined {
    /// Returns the row of the table.
    pub const fn point(self) -> &'static Point {
        &POINTS[self as usize]
    }
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.point().id)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            Action::Trap => "traps",
            Action::Mark => "is marked",
            Action::Document => "documented",
        };
        write!(
            f,
            "{} ({action}; section {}): {}. Here: {}",
            self.id, self.section, self.question, self.choice
        )?;
        match self.option {
            Some(option) => write!(f, " [{option}]"),
            None => Ok(()),
        }
    }
}

/// Returns the table as Markdown, for the reference page.
pub fn markdown() -> String {
    let mut page = String::from(
        "| id | section | the manual does not say | this model | when met | selected by | test |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for point in POINTS {
        let action = match point.action {
            Action::Trap => "trap",
            Action::Mark => "result marked",
            Action::Document => "nothing",
        };
        let code = |name: Option<&str>| name.map_or(String::new(), |name| format!("`{name}`"));
        page += &format!(
            "| `{}` | {} | {} | {} | {action} | {} | {} |\n",
            point.id,
            point.section,
            point.question,
            point.choice,
            code(point.option),
            code(Some(point.test))
        );
    }
    page
}

/// The machine's reaction to points whose action is [`Action::Trap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UndeterminedPolicy {
    /// Stops the machine.
    #[default]
    Trap,
    /// Continues with the documented result and marks the run.
    Mark,
}

impl UndeterminedPolicy {
    /// Returns the point that stops the machine, if any.
    pub fn stop(self, undetermined: UndeterminedSet) -> Option<Undetermined> {
        match self {
            UndeterminedPolicy::Trap => undetermined.trap(),
            UndeterminedPolicy::Mark => None,
        }
    }
}

/// The set of undetermined points on which a computation depends; normally empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UndeterminedSet(u64);

impl UndeterminedSet {
    /// The empty set.
    pub const NONE: UndeterminedSet = UndeterminedSet(0);

    /// Adds a point.
    pub fn add(&mut self, point: Undetermined) {
        self.0 |= 1 << point as u32;
    }

    /// Adds a point if `met` is true.
    pub fn add_if(&mut self, met: bool, point: Undetermined) {
        self.0 |= u64::from(met) << point as u32;
    }

    /// Adds all points of another set.
    pub fn merge(&mut self, other: UndeterminedSet) {
        self.0 |= other.0;
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set contains a point.
    pub fn contains(self, point: Undetermined) -> bool {
        self.0 >> point as u32 & 1 == 1
    }

    /// Returns the points in table order.
    pub fn iter(self) -> impl Iterator<Item = Undetermined> {
        POINTS
            .iter()
            .map(|point| point.kind)
            .filter(move |&point| self.contains(point))
    }

    /// Returns the first point whose action is a trap.
    pub fn trap(self) -> Option<Undetermined> {
        self.iter()
            .find(|point| point.point().action == Action::Trap)
    }
}

#[cfg(test)]
mod tests;
