//! The code of T0: unpacks the operand tiles of every step.
//!
//! Each operand tile that a Src bank does not already hold takes one UNPACR, which unpacks a whole
//! tile, four faces of 256 datums, into rows 0 to 63 of the bank and hands the bank to the matrix
//! unit. An operand of zeros needs no tile. Each unpacker's Z counter selects the next tile of its
//! ring in L1, so a step needs no configuration, unless its tiles go to Dst directly.
//!
//! The RISC-V core pushes the instructions of a step while the unpackers may still run the previous
//! one, then waits until that one is done and frees its slot. [`counter::FREED`] therefore lags by
//! one step, and the first increment is for no step. The start of a stage counts as a step without
//! operands: it frees the slot of the last step before.

use std::collections::HashMap;

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{
    Addrcrzw, Incadczw, Semget, Sempost, Semwait, Setadc, Setadcxx, Setadcxy, Setadczw, Unpacr,
    UnpacrNop,
};
use tessera_isa_tensix::tile::FREE;
use tessera_isa_tensix::Arch;
use tessera_tensix_code::TilePart;

use super::code_builder::CodeBuilder;
use super::expr::Arith;
use super::operand_rings::{reads_dram, PositionUnit, MAX_TILES};
use super::plan::{
    has_wide_products, Block, Element, Math, Operand, PoppedTile, SlotEvent, Step, TileRect,
};
use super::resources::{
    counter, format, header_address, semaphore, wait, StallCondition, TILE_ROWS,
};
use super::tile_moves::UsedRows;
use super::visits::{visits, Visit};
use super::walk::{wait_for_stage, walk_items, BlockEvent, Stage, WalkEvent, Work};

/// SETADC*'s selection of both unpackers.
const BOTH_UNPACKERS: u32 = 0b011;

/// Builds the code of T0.
pub fn lower(code: &mut CodeBuilder, work: &Work) {
    let mut unpack = Unpack {
        work,
        stage: &work.stages[0],
        has_halves: unpacks_to_dst(&work.piece_blocks()),
        slots: HashMap::new(),
    };
    if let Some(only) = work.only_stage() {
        prologue(code, work, only);
    }
    let rings = &work.stages[0].l1.rings;
    // State: the step number; the Z counters at its beginning; the first row of the half of Dst, if
    // tiles go there; for each incoming pipe, the number of pops and the next slot; then the starts
    // of stages.
    code.state = vec![code.constant(0); unpack.starts() + work.start_counts()];
    work.walk(
        code,
        |code, start| rings.start_piece(code, start, POSITIONS, PositionUnit::Tiles),
        |code, event| match event {
            WalkEvent::Block(block) => {
                walk_items(code, &block.items, &mut |code, event| match event {
                    BlockEvent::Step(step) => unpack.step(code, block, step),
                    BlockEvent::SlotEvent(slot_event) => unpack.lower_slot_event(code, slot_event),
                });
                unpack.next_half(code);
            }
            WalkEvent::SlotEvent(slot_event) => unpack.lower_slot_event(code, slot_event),
            WalkEvent::StageStart(number) => unpack.start_stage(code, &work.stages[number]),
        },
    );
    if unpack.has_halves {
        let to_dst = unpacks_to_dst(&unpack.stage.blocks());
        restore_src_target(code, if to_dst { SRCA_CONTEXT } else { 0 });
    }
    if work.popped_pipes().count() > 0 {
        code.wait_for_transaction(code.constant(0));
    }
}

/// Returns whether unpacker 0 writes tiles directly to Dst in these blocks.
pub fn unpacks_to_dst(blocks: &[&Block]) -> bool {
    let mut steps = blocks.iter().flat_map(|block| block.steps());
    steps.any(|step| step.math == Math::Unpack)
}

/// Indices in the state: the step number, and the Z counters at its beginning.
const NUMBER: usize = 0;
const POSITIONS: usize = 1;

struct Unpack<'w, 'a> {
    work: &'w Work<'w>,
    /// The current stage.
    stage: &'w Stage<'w>,
    /// Whether unpacker 0 writes tiles directly to Dst in any stage.
    has_halves: bool,
    /// Slot of each popped tile, by the pop's number.
    slots: HashMap<usize, Value<'a>>,
}

impl<'w, 'a> Unpack<'w, 'a> {
    /// Returns the state index of the current half of Dst, if tiles go there.
    fn half(&self) -> usize {
        POSITIONS + self.work.position_count()
    }

    /// Returns the state index of a pipe's number of pops. The next slot follows it.
    fn pipe_state(&self, pipe: usize) -> usize {
        let before = self
            .work
            .popped_pipes()
            .position(|(number, _)| number == pipe);
        let before = before.expect("pops are from pipes that are popped from");
        self.first_pipe() + 2 * before
    }

    /// Returns the state index of the first pipe's number of pops.
    fn first_pipe(&self) -> usize {
        self.half() + usize::from(self.has_halves)
    }

    /// Returns the state index of the number of starts of stages, if there are any.
    fn starts(&self) -> usize {
        self.first_pipe() + 2 * self.work.popped_pipes().count()
    }

    /// Frees the slot of the last step, waits for the start of a stage and configures the unpackers
    /// for it.
    fn start_stage(&mut self, code: &mut CodeBuilder<'_, 'a>, stage: &'w Stage<'w>) {
        post_when_unpackers_idle(code);
        code.acquire_semaphore(semaphore::UNPACK_DONE);
        code.post(counter::FREED);
        code.state[NUMBER] = code.arith_const(Arith::Add, code.state[NUMBER], 1);
        let (half, zero) = (self.half(), code.constant(0));
        code.state[POSITIONS..half].fill(zero);
        wait_for_stage(code, self.starts());
        prologue(code, self.work, stage);
        self.stage = stage;
    }

    /// Advances to the next half of Dst, if tiles go there.
    fn next_half(&self, code: &mut CodeBuilder<'_, 'a>) {
        if self.has_halves {
            let half = code.state[self.half()];
            code.state[self.half()] = self.work.next_half(code, half);
        }
    }

    /// Lowers a pop or a free: waits for a slot, or returns it.
    fn lower_slot_event(&mut self, code: &mut CodeBuilder<'_, 'a>, slot_event: &SlotEvent) {
        let (SlotEvent::Pop(popped) | SlotEvent::Free(popped)) = slot_event;
        code.set_location(popped.location);
        let pipe = &self.work.pipes[popped.pipe];
        if matches!(slot_event, SlotEvent::Pop(_)) {
            let state = self.pipe_state(popped.pipe);
            let next = code.arith_const(Arith::Add, code.state[state], 1);
            for part in 0..pipe.peers.len() as u32 {
                code.wait_for_counter(counter::ready(pipe.number, part), next);
            }
            self.slots.insert(popped.number, code.state[state + 1]);
            code.state[state] = next;
            code.state[state + 1] = code.advance_cyclic(code.state[state + 1], 1, pipe.slots);
            return;
        }
        post_when_unpackers_idle(code);
        code.acquire_semaphore(semaphore::UNPACK_DONE);
        for peer in &pipe.peers {
            code.noc_post(counter::freed(pipe.number, pipe.part.unwrap_or(0)), *peer);
        }
    }

    fn step(&self, code: &mut CodeBuilder<'_, 'a>, block: &Block, step: &Step) {
        code.set_location(step.location);
        let reads = reads_dram(step);
        let number = code.state[NUMBER];
        if reads {
            code.wait_for_counter(counter::READY, code.arith_const(Arith::Add, number, 2));
            post_when_unpackers_idle(code);
        }
        self.set_z_counters(code, step);
        let broadcast = |unpacker: &u32| {
            let has_half = self.work.part() == TilePart::UpperHalf;
            has_half && UsedRows::new(block, step, *unpacker as usize) == UsedRows::First
        };
        let broadcast = (0..2).find(broadcast).map(|unpacker| 1 << unpacker);
        if let Some(unpacker) = broadcast {
            select_rows(code, unpacker, TilePart::UpperHalf, None);
        }
        if step.math == Math::Unpack {
            unpack_to_dst(code, step, code.state[self.half()]);
        } else {
            unpack(code, step);
        }
        if let Some(unpacker) = broadcast {
            select_rows(
                code,
                unpacker,
                TilePart::UpperHalf,
                self.work.row_half(code),
            );
        }
        if reads {
            code.acquire_semaphore(semaphore::UNPACK_DONE);
            code.post(counter::FREED);
            code.state[NUMBER] = code.arith_const(Arith::Add, number, 1);
            let rings = &self.stage.l1.rings;
            rings.advance(code, POSITIONS, PositionUnit::Tiles);
        }
    }

    /// Sets the unpackers' Z counters to the first tiles of a step.
    fn set_z_counters(&self, code: &CodeBuilder<'_, 'a>, step: &Step) {
        let l1 = &self.stage.l1;
        if !l1.has_common_origin {
            for (z, unpackers) in code.state[POSITIONS..].iter().zip(l1.rings.positions()) {
                set_z(
                    code,
                    unpackers.iter().map(|unpacker| 1 << unpacker).sum(),
                    *z,
                );
            }
            return;
        }
        for (unpacker, operand) in (0..).zip(step.operands()) {
            let Some(operand) = operand else { continue };
            let z = match operand {
                Operand::Memory(tiles) => match tiles.tensor.local_address() {
                    Some(address) => local_z(code, tiles, address),
                    None => self.ring_z(code, unpacker),
                },
                Operand::Fetched { to, .. } => {
                    local_z(code, to, to.tensor.local_address().unwrap_or(FREE))
                }
                Operand::Popped(popped) => self.slot_z(code, popped),
            };
            set_z(code, 1 << unpacker, z);
        }
    }

    /// Builds the Z counter of the first tile of the current slot of an operand ring.
    fn ring_z(&self, code: &CodeBuilder<'_, 'a>, unpacker: u32) -> Value<'a> {
        let l1 = &self.stage.l1;
        let position = l1.rings.position(unpacker as usize);
        let tile = l1.rings.by_unpacker[unpacker as usize].element.tile_bytes();
        let before = (l1.operand_ring(unpacker) - l1.z_origin(unpacker)) / tile;
        code.arith_const(Arith::Add, code.state[POSITIONS + position], before.into())
    }

    /// Builds the Z counter of the first tile of a popped slot.
    fn slot_z(&self, code: &CodeBuilder<'_, 'a>, popped: &PoppedTile) -> Value<'a> {
        let pipe = &self.work.pipes[popped.pipe];
        let tile = popped.element.tile_bytes();
        let slot = self.slots[&popped.number];
        let within = code.arith_const(Arith::Mul, slot, (pipe.slot_bytes / tile).into());
        code.arith_const(Arith::Add, within, ((pipe.address - FREE) / tile).into())
    }
}

/// Builds the Z counter of the first tile of a rectangle of a local tensor at an address.
fn local_z<'a>(code: &CodeBuilder<'_, 'a>, tiles: &TileRect, address: u32) -> Value<'a> {
    let before = (address - FREE) / tiles.tensor.element.tile_bytes();
    let page = code.expr(&tiles.tile_at(0, false).page);
    code.arith_const(Arith::Add, page, before.into())
}

fn set_z<'a>(code: &CodeBuilder<'_, 'a>, unpackers: u32, z: Value<'a>) {
    const Z: u32 = 2;
    let slot = Setadc {
        cnt_set_mask: unpackers,
        channel_index: 0,
        dimension_index: Z,
        value: 0,
    };
    code.push_computed(slot, "value", z, MAX_TILES);
}

/// Pushes instructions that post [`semaphore::UNPACK_DONE`] when both unpackers have finished
/// everything pushed before. The RISC-V core does not wait.
fn post_when_unpackers_idle(code: &CodeBuilder) {
    code.stall(wait::BLOCK_SYNC, &[StallCondition::Unpackers]);
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::UNPACK_DONE),
    });
}

/// Unpacks the tiles of a step, as 32-bit elements, directly to Dst. The math thread hands the half
/// over before and waits until it gets it back.
fn unpack_to_dst<'a>(code: &CodeBuilder<'_, 'a>, step: &Step, half: Value<'a>) {
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_UNPACK,
        sem_sel: semaphore::mask(semaphore::DST_OPEN),
        wait_sem_cond: wait::WHILE_ZERO,
    });
    for tile in 0..step.shape[0] * step.shape[1] {
        let row = code.arith_const(Arith::Add, half, (TILE_ROWS * (step.dst + tile)).into());
        let address = code.arith_const(Arith::Mul, row, ROW_DATUMS.into());
        let address = code.arith_const(Arith::Add, address, FIRST_ROW.into());
        code.set_half_gpr(2 * DST_GPR, address);
        code.stall(wait::BLOCK_CONFIG, &[StallCondition::Unpackers]);
        code.configure_from(cfg::THCON_REG5_Dest_address.nth(0).nth(0), DST_GPR);
        code.settle_config();
        code.push(Unpacr {
            addr_mode: 1,
            ovrd_thread_id: 1,
            last: 1,
            ..Unpacr::default()
        });
    }
    code.stall(wait::BLOCK_SYNC, &[StallCondition::Unpackers]);
    code.push(Semget {
        sem_sel: semaphore::mask(semaphore::DST_OPEN),
    });
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::DST_FILLED),
    });
}

/// Unpacks a row of zeros to SrcA in a context that targets it, so that the unpacker no longer
/// targets Dst when the next kernel starts.
fn restore_src_target(code: &CodeBuilder, context: u32) {
    code.push(Setadcxx {
        cnt_set_mask: 1,
        x_end2: ROW_DATUMS - 1,
        x_start: 0,
    });
    code.push(Unpacr {
        cfg_context_id: context,
        zero_write2: 1,
        ovrd_thread_id: 1,
        last: 1,
        ..Unpacr::default()
    });
}

/// Pushes the instructions of a step.
fn unpack(code: &CodeBuilder, step: &Step) {
    let visits = visits(step);
    let operands = step.operands();
    let brought: [fn(&Visit) -> Option<u32>; 2] = [|visit| visit.srca, |visit| visit.srcb];
    // The tile of the slot that each unpacker's counter is at.
    let mut at = [0, 0];
    for (number, visit) in visits.iter().enumerate() {
        for (unpacker, tile_of) in brought.iter().enumerate() {
            let Some(tile) = tile_of(visit) else { continue };
            if operands[unpacker].is_none() {
                unpack_zeros(code, unpacker as u32);
                continue;
            }
            let next = visits[number + 1..].iter().find_map(tile_of);
            seek_tile(code, unpacker as u32, &mut at[unpacker], tile);
            let increment = next
                .and_then(|next| next.checked_sub(tile))
                .filter(|by| *by < 4)
                .unwrap_or(0);
            code.push(Unpacr {
                unpack_block_selection: unpacker as u32,
                addr_mode: increment,
                ovrd_thread_id: 1,
                set_dat_valid: 1,
                last: 1,
                ..Unpacr::default()
            });
            at[unpacker] += increment;
        }
    }
}

/// Moves an unpacker's counter to a tile of the slot: back to the first tile if necessary, then
/// forwards.
fn seek_tile(code: &CodeBuilder, unpacker: u32, at: &mut u32, tile: u32) {
    const Z: u32 = 1;
    if tile < *at {
        code.push(Addrcrzw {
            cnt_set_mask: 1 << unpacker,
            bit_mask: Z,
            ..Addrcrzw::default()
        });
        *at = 0;
    }
    if tile > *at {
        code.push(Incadczw {
            cnt_set_mask: 1 << unpacker,
            ch0_z: tile - *at,
            ..Incadczw::default()
        });
    }
    *at = tile;
}

/// Clears the unpacker's bank, once the unpacker owns it, and hands it over. An UNPACR in
/// zero-write mode would also fetch a tile from a buffer that may not be filled yet.
fn unpack_zeros(code: &CodeBuilder, unpacker: u32) {
    const CLEAR: u32 = 1;
    const WAIT_LIKE_UNPACR: u32 = 1 << 4;
    const SET_DATA_VALID: u32 = 7;
    let job = UnpacrNop {
        unpack_block_selection: unpacker,
        ..UnpacrNop::default()
    };
    match code.arch {
        Arch::WormholeB0 => {
            for no_op in [CLEAR | WAIT_LIKE_UNPACR, SET_DATA_VALID] {
                code.push(UnpacrNop { no_op, ..job });
            }
        }
        Arch::Blackhole => code.push(UnpacrNop {
            unpack_pop: CLEAR,
            stall_clr_cntrl: 1,
            set_dvalid: 1,
            ..job
        }),
    }
}

/// Configures the unpackers for a stage. Either unpacker 0 writes fp32 tiles to Dst, or both read
/// fp32 tiles for SrcA and SrcB, or all tiles are bf16.
fn prologue<'a>(code: &CodeBuilder<'_, 'a>, work: &Work, stage: &Stage) {
    let blocks = stage.blocks();
    let (to_dst, wide) = (unpacks_to_dst(&blocks), has_wide_products(&blocks));
    for unpacker in 0..2 {
        let to_dst = to_dst && unpacker == 0;
        let element = if to_dst || wide {
            Element::F32
        } else {
            Element::Bf16
        };
        code.configure4(
            cfg::THCON_REG0_TileDescriptor.nth(unpacker).nth(0),
            tile_descriptor(element),
        );
        code.configure4(
            cfg::THCON_REG2_Out_data_format.nth(unpacker),
            unpack_configuration(code, unpacker, element, to_dst),
        );
        let base = cfg::THCON_REG3_Base_address.nth(unpacker);
        for context in 0..=u32::from(to_dst) {
            let origin = stage.l1.z_origin(unpacker);
            code.configure(base.nth(context), header_address(origin));
        }
    }
    // Unpacker 0 starts at row 4, since it drops rows 0 to 3 of its output. In context mode these
    // registers give the start address and the row length, instead of the address counters and the
    // tile descriptor. The second context uses the upper halves.
    let (start, row) = (
        cfg::THCON_REG5_Dest_address.nth(0),
        cfg::THCON_REG5_Tile_x_dim.nth(0),
    );
    let both = |field: cfg::ConfigField, other: cfg::ConfigField, value| {
        code.field_bits(field, value)
            | if to_dst {
                code.field_bits(other, value)
            } else {
                0
            }
    };
    code.configure(start.nth(0), both(start.nth(0), start.nth(1), FIRST_ROW));
    code.configure(row.nth(0), both(row.nth(0), row.nth(1), FACE_DATUMS));
    if to_dst {
        code.set_gpr(DST_GPR, code.field_bits(start.nth(1), FIRST_ROW));
    }
    // Row addresses wrap within a bank of SrcA, but not in Dst.
    code.configure_thread(
        cfg::SRCA_SET_SetOvrdWithAddr,
        code.field_bits(cfg::SRCA_SET_SetOvrdWithAddr, u32::from(!to_dst)),
    );
    code.configure_thread(cfg::UNPACK_MISC_CFG_CfgContextOffset.nth(0), 0);
    code.push(Setadcxy {
        cnt_set_mask: BOTH_UNPACKERS,
        bit_mask: 0b1111,
        ..Setadcxy::default()
    });
    code.push(Setadczw {
        cnt_set_mask: BOTH_UNPACKERS,
        bit_mask: 0b1111,
        ..Setadczw::default()
    });
    select_rows(code, BOTH_UNPACKERS, work.part(), work.row_half(code));
}

/// Selects the part of each tile that unpackers bring: all of it, the half with a computed number,
/// or the upper half if there is no number.
fn select_rows<'a>(
    code: &CodeBuilder<'_, 'a>,
    unpackers: u32,
    part: TilePart,
    number: Option<Value<'a>>,
) {
    const TILE_DATUMS: u32 = 4 * FACE_DATUMS;
    const HALF_DATUMS: u32 = 2 * FACE_DATUMS;
    /// Bits of an X counter.
    const X_BITS: u32 = 10;
    let datums = match part {
        TilePart::Whole => TILE_DATUMS,
        TilePart::UpperHalf => HALF_DATUMS,
    };
    let select = Setadcxx {
        cnt_set_mask: unpackers,
        x_end2: datums - 1,
        x_start: 0,
    };
    let Some(number) = number else {
        code.push(select);
        return;
    };
    let ends = code.arith_const(
        Arith::Mul,
        number,
        (HALF_DATUMS << X_BITS | HALF_DATUMS).into(),
    );
    let ends = code.arith_const(Arith::Add, ends, (select.x_end2 << X_BITS).into());
    let select = Setadcxx {
        x_end2: 0,
        ..select
    };
    code.push_computed(select, "x_end2.x_start", ends, 1 << (2 * X_BITS));
}

/// Datums of a face.
const FACE_DATUMS: u32 = 256;

/// Datums of a row.
const ROW_DATUMS: u32 = 16;
/// Output address of row 0, in datums.
const FIRST_ROW: u32 = 4 * ROW_DATUMS;
/// GPR with output addresses in Dst.
const DST_GPR: u32 = 2;
/// Context of unpacker 0 that writes to SrcA while the first context writes to Dst.
const SRCA_CONTEXT: u32 = 1;

/// Returns the tile descriptor (`UNPACR_Regular.md`): uncompressed, no digest, four rows of 256
/// datums per plane. A "row" is a face, so that Z counts tiles.
fn tile_descriptor(element: Element) -> [u32; 4] {
    const UNCOMPRESSED: u32 = 1 << 4;
    [
        format::stored(element) | UNCOMPRESSED | FACE_DATUMS << 16,
        4 | 1 << 16,
        1,
        0,
    ]
}

/// Returns an unpacker's configuration words: full speed, no decompression, bf16 unchanged, fp32 as
/// TF32. TF32 keeps all 32 bits in Dst and is truncated in SrcA and SrcB. If tiles go to Dst, the
/// first context does that.
fn unpack_configuration(
    code: &CodeBuilder,
    unpacker: u32,
    element: Element,
    to_dst: bool,
) -> [u32; 4] {
    const FASTEST: u32 = 2;
    let uncompressed = cfg::THCON_REG2_Disable_zero_compress.nth(unpacker);
    let speed = cfg::THCON_REG2_Throttle_mode.nth(unpacker);
    let out = format::in_src(element);
    let contexts = match to_dst {
        false => 0,
        true => {
            code.field_bits(uncompressed.nth(SRCA_CONTEXT), 1)
                | code.field_bits(cfg::THCON_REG2_Unpack_if_sel.nth(unpacker).nth(0), 1)
        }
    };
    [
        out | code.field_bits(speed, FASTEST),
        code.field_bits(uncompressed.nth(0), 1) | contexts,
        0,
        0,
    ]
}
