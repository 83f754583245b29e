//! The table of regions.

use tessera_isa_mncore::memory::Bank::{Grf0, Grf1, Lm0, Lm1};

use super::phase::{Phase, Phase::*, Phases};
use super::region::{check, Memory, Region};

/// Returns a set of phases.
const fn of<const N: usize>(phases: [Phase; N]) -> Phases {
    Phases::new(phases)
}

/// Loops that load a column side through stream buffers.
const COLUMNS: Phases = of([TileColumns, BlockColumns]);
/// Loops that multiply, neither pipelined nor split.
const MULTIPLY: Phases = of([TileMultiply, BlockMultiply]);
/// What follows a product that is not split.
const FINISH: Phases = of([
    TileFinish,
    BlockFinish,
    PipelinedFinish,
    PipelinedL1bsFinish,
]);
/// All phases of split-K products.
const SPLIT_K: Phases = of([SplitKColumns, SplitKMultiply, SplitKFinish]);
/// Pipelined loops that take tiles from L2BM.
const PIPELINED_TILES: Phases = of([Pipelined, PipelinedAlone, SplitEpilogue, RowOrdered]);
/// All pipelined loops.
const PIPELINED: Phases = PIPELINED_TILES.and(of([PipelinedL1bs]));
/// Phases in which results leave through the results' own buffer.
const RESULTS_LEAVE: Phases = COLUMNS.and(MULTIPLY).and(FINISH).and(of([
    BlockConvert,
    Pipelined,
    PipelinedL1bs,
    SplitEpilogueFinish,
]));
/// Phases of reductions.
const REDUCTIONS: Phases = of([Elements, Network, Stages]);

/// Defines the regions of a memory, and checks them.
macro_rules! regions {
    ($memory:expr; $($(#[$doc:meta])* $name:ident: $start:literal..$end:literal, $phases:expr;)*) => {
        $(
            $(#[$doc])*
            pub(in super::super) const $name: Region = Region {
                memory: $memory,
                start: $start,
                words: $end - $start,
                phases: $phases,
            };
        )*

        const _: () = check(&[$((stringify!($name), $name)),*]);
    };
}

regions! { Memory::L2bm;
    /// Eight stream buffers of two vectors each.
    STREAMS: 0..32768, of([Elements]);
    /// Those of them that carry further operands of a kernel with a product.
    PRODUCT_STREAMS: 4096..16384, COLUMNS.and(FINISH).and(of([SplitKColumns, SplitKFinish]));
    /// The column side: eight vectors, or more if these are shorter.
    COLUMN_STREAM: 0..16384, MULTIPLY.and(of([
        Pipelined, PipelinedL1bs, SplitEpilogue, SplitEpilogueFinish, KOverMabs,
    ]));
    /// The same while no results leave.
    COLUMN_STREAM_ALONE: 0..24576, of([PipelinedAlone]);
    /// The same beside block floats of a quarter of the depth.
    COLUMN_STREAM_BY_ROWS: 0..12288, of([RowOrdered]);
    /// Four vectors of results.
    RESULTS: 16384..24576, RESULTS_LEAVE.and(of([KOverMabs]));
    /// Batches of tiles in flight (`streamed_rows::has_room`).
    TILE_BATCHES: 24576..32768, of([TileColumns, TileMultiply, TileFinish]);
    /// Vectors of the row side, to be converted. Those of the next chunk are in flight while one is
    /// multiplied.
    UNITS: 24576..28672, of([
        BlockColumns, BlockConvert, BlockMultiply, BlockFinish, Pipelined, PipelinedAlone,
        PipelinedFinish,
    ]);
    /// Block floats of a chunk of the depth.
    BLOCK_FLOATS: 28672..32768, of([BlockConvert, BlockMultiply, Pipelined, PipelinedAlone]);
    /// Vectors of the row side if its block floats stay in L1BM.
    UNITS_OF_L1BS: 24576..32768, of([PipelinedL1bs, PipelinedL1bsFinish]);
    /// Block floats that a split epilogue reads twice.
    TWICE_BLOCK_FLOATS: 16384..28672, of([SplitEpilogue]);
    /// Vectors of the row side beside them.
    TWICE_UNITS: 28672..32768, of([SplitEpilogue]);
    /// Block floats of a quarter of the depth, and of two units more.
    BY_ROWS_BLOCK_FLOATS: 12288..30720, of([RowOrdered]);
    /// Vectors of the row side beside them.
    BY_ROWS_UNITS: 30720..32768, of([RowOrdered]);
    /// Reduced sums on their way back to the PEs. A block has at most 64 vectors of sums.
    SPLIT_K_SUMS: 0..1024, of([SplitKFinish]);
    /// The result vector of a block: the first of [`RESULTS`].
    SPLIT_K_RESULT: 16384..18432, SPLIT_K;
    /// Seven vectors of the row side.
    SPLIT_K_ROWS: 18432..32768, SPLIT_K;
    /// All vectors of a row side that stays in LM1.
    RESIDENT_ROWS: 24576..32768, of([KOverMabs]);
    /// A block with copies of a result.
    NETWORK: 0..64, of([Network]);
}

regions! { Memory::L1bm;
    /// Eight stream buffers of four vectors each.
    STREAMS_L1BM: 0..8192, of([Elements]);
    /// Those of them that carry further operands of a kernel with a product.
    PRODUCT_STREAMS_L1BM: 1024..4096, COLUMNS.and(FINISH).and(of([SplitKColumns, SplitKFinish]));
    /// The ring of tiles that are broadcast to the PEs.
    TILES: 0..1024, MULTIPLY.and(PIPELINED_TILES);
    /// Four vectors of the column side.
    COLUMN_STREAM_L1BM: 1024..2048, MULTIPLY.and(PIPELINED).and(of([
        SplitEpilogueFinish, KOverMabs,
    ]));
    /// Sixteen vectors of results.
    RESULTS_L1BM: 4096..8192, RESULTS_LEAVE;
    /// Two units of the row side that are being converted.
    UNITS_L1BM: 0..1024, of([BlockConvert]);
    /// The same in a pipelined product.
    PIPELINED_UNITS_L1BM: 2048..3072, PIPELINED_TILES;
    /// Four units of block floats, which stay here while they are multiplied.
    UNITS_OF_L1BS_L1BM: 2048..4096, of([PipelinedL1bs]);
    /// Sums before their reduction over L1Bs. A block has at most 64 vectors of sums.
    SPLIT_K_SUMS_L1BM: 0..1024, of([SplitKFinish]);
    /// The result vector of a block: the first of [`RESULTS_L1BM`].
    SPLIT_K_RESULT_L1BM: 4096..4352, SPLIT_K;
    /// Reduced sums on their way back to the PEs.
    SPLIT_K_JOINED_L1BM: 7936..8192, of([SplitKFinish]);
    /// Sixteen vectors of the row side.
    SPLIT_K_ROWS_L1BM: 0..4096, of([SplitKMultiply]);
    /// Four vectors of a row side that stays in LM1.
    RESIDENT_ROWS_L1BM: 0..1024, of([KOverMabs]);
    /// Reduced sums of two blocks, with the words that are read beyond them.
    K_OVER_MABS_SUMS_L1BM: 2048..3072, of([KOverMabs]);
    /// Four vectors of packed results.
    K_OVER_MABS_PACKED_L1BM: 4096..5120, of([KOverMabs]);
    /// A block with copies of a result.
    NETWORK_L1BM: 0..64, of([Network]);
}

regions! { Memory::Pdm;
    /// Sums reduced over L2Bs.
    SPLIT_K_PDM: 0..1024, of([SplitKFinish]);
    /// A result reduced over L2Bs.
    NETWORK_PDM: 0..64, of([Network]);
}

regions! { Memory::Tags;
    /// MV instructions of a relayout.
    RELAYOUT_TAGS: 1..65, of([Relayout]);
    /// Four for each of the eight stream buffers.
    STREAM_TAGS: 16..48, COLUMNS.and(FINISH).and(of([Elements, SplitKColumns, SplitKFinish]));
    /// The column side, one for each vector in L2BM; results that leave through its buffer have two
    /// sides.
    COLUMN_TAGS: 48..64, MULTIPLY.and(PIPELINED_TILES).and(of([SplitEpilogueFinish, KOverMabs]));
    /// Results: two sides of two pieces of four vectors.
    RESULT_TAGS: 64..80, RESULTS_LEAVE.and(SPLIT_K).and(of([KOverMabs]));
    /// The streamed row side: two sides of eight batches.
    TILE_TAGS: 80..96, of([TileColumns, TileMultiply, TileFinish]);
    /// Units of the row side: two sides, or a row tile each.
    UNIT_TAGS: 80..96, PIPELINED.and(of([
        BlockColumns, BlockConvert, BlockMultiply, BlockFinish, PipelinedFinish,
        PipelinedL1bsFinish,
    ]));
    /// The column side if all L1Bs receive the same: 64 short vectors.
    COLUMN_TAGS_OF_L1BS: 96..160, of([PipelinedL1bs]);
    /// Two sides of seven vectors.
    SPLIT_K_ROW_TAGS: 80..94, SPLIT_K;
    /// Two sides of 32 vectors.
    RESIDENT_ROW_TAGS: 80..144, of([KOverMabs]);
    /// The way to PDM.
    REDUCTION_OUT_TAG: 250..251, of([SplitKFinish, Network]);
    /// The way back.
    REDUCTION_IN_TAG: 251..252, of([SplitKFinish, Network]);
}

regions! { Memory::Pe(Lm0);
    /// The column side as block floats.
    COLUMN_BLOCKS: 0..4096, COLUMNS.and(MULTIPLY).and(SPLIT_K).and(of([
        BlockConvert, TileFinish, BlockFinish,
    ]));
    /// Tensors that later loops of a reduction read again.
    KEPT_TENSORS: 0..4096, of([Elements]);
    /// The same two in a kernel of several stages.
    STAGE_OPERANDS: 0..2048, of([Stages]);
    /// Local tensors.
    LOCAL_LM0: 2048..4096, of([Stages]);
    /// The column side of the first half of a pipelined product's turns.
    PIPELINED_COLUMNS_LM0: 0..4088, of([
        Pipelined, PipelinedAlone, PipelinedFinish, PipelinedL1bs, PipelinedL1bsFinish,
        SplitEpilogue, SplitEpilogueFinish,
    ]);
    /// The same beside complete sums.
    BY_ROWS_COLUMNS_LM0: 0..4032, of([RowOrdered]);
    /// Complete sums of a row tile, and one of two while the other is converted.
    BY_ROWS_SUMS: 4032..4088, of([RowOrdered]);
    /// Constants that unpack and round bf16.
    CONSTANTS_LM0: 4088..4096, PIPELINED.and(of([
        PipelinedFinish, PipelinedL1bsFinish, SplitEpilogueFinish,
    ]));
    /// Two blocks of the column side.
    K_OVER_MABS_COLUMNS: 0..4096, of([KOverMabs]);
}

regions! { Memory::Pe(Lm1);
    /// The next chunk of a prefetched column side; then parked results; then operands that are the
    /// same for all rows.
    PREFETCHED_COLUMNS: 0..4096, COLUMNS.and(MULTIPLY).and(SPLIT_K).and(of([
        BlockConvert, TileFinish, BlockFinish,
    ]));
    /// Results of reductions.
    REDUCTION_RESULTS: 0..2048, of([Elements, Network]);
    /// The same in a stage of a kernel of several.
    STAGE_REDUCTION_RESULTS: 0..1024, of([Stages]);
    /// Tensors with one row for all rows: two words for each vector.
    ROW_OPERANDS: 1024..2048, of([Stages]);
    /// Flags of padding: a vector for each remainder of an extent by up to 32 rows.
    PADDING_FLAGS: 2048..2304, REDUCTIONS;
    /// Local tensors.
    LOCAL_LM1: 2304..4096, of([Stages]);
    /// The column side of the second half of a pipelined product's turns. In `finish`, operands
    /// that are the same for all rows.
    PIPELINED_COLUMNS_LM1: 0..4092, PIPELINED.and(of([
        PipelinedFinish, PipelinedL1bsFinish, SplitEpilogueFinish,
    ]));
    /// Constants that unpack bf16.
    CONSTANTS_LM1: 4092..4096, PIPELINED;
    /// The row side as block floats.
    K_OVER_MABS_ROWS: 0..4096, of([KOverMabs]);
}

regions! { Memory::Pe(Grf0);
    /// Sums of products.
    SUMS: 0..512, COLUMNS.and(MULTIPLY).and(FINISH).and(SPLIT_K).and(PIPELINED).and(of([
        BlockConvert, SplitEpilogueFinish,
    ]));
    /// One of the constants that unpack bf16 in a pipelined product whose block floats stay in
    /// L1BM, if its sums take less than their region.
    CONSTANTS_GRF0: 508..512, of([]);
    /// Accumulators of reductions.
    ACCUMULATORS: 0..384, REDUCTIONS;
    /// The number of columns that follow, for each cycle.
    FOLLOWING_COLUMNS: 384..392, REDUCTIONS;
}

regions! { Memory::Pe(Grf1);
    /// The ring of transfers of tiles: eight, with 16 words each.
    TILE_RING: 0..128, MULTIPLY.and(PIPELINED).and(of([SplitKMultiply, KOverMabs]));
    /// Four places in which column vectors wait for their neighbours in the depth.
    NEIGHBOURS: 128..192, COLUMNS.and(MULTIPLY).and(PIPELINED).and(of([
        BlockConvert, SplitKColumns, KOverMabs,
    ]));
    /// Constants that unpack bf16 if block floats stay in L1BM.
    CONSTANTS_GRF1: 508..512, of([PipelinedL1bs]);
}

// Buffers that are part of others in phases in which less room is left.
const _: () = {
    assert!(STREAMS.contains(PRODUCT_STREAMS));
    assert!(STREAMS_L1BM.contains(PRODUCT_STREAMS_L1BM));
    assert!(RESULTS.start == SPLIT_K_RESULT.start && RESULTS.contains(SPLIT_K_RESULT));
    assert!(RESULTS_L1BM.start == SPLIT_K_RESULT_L1BM.start);
    assert!(RESULTS_L1BM.contains(SPLIT_K_RESULT_L1BM));
    assert!(SUMS.contains(CONSTANTS_GRF0));
    assert!(REDUCTION_RESULTS.start == STAGE_REDUCTION_RESULTS.start);
    assert!(REDUCTION_RESULTS.contains(STAGE_REDUCTION_RESULTS));
};
