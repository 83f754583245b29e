//! Matrix products.
//!
//! | file | holds |
//! |---|---|
//! | `distributions.rs` | the distributions of a matrix product |
//! | `candidates.rs` | the candidates of a product: which factor is which side, in which distribution |
//! | `cost.rs` | the cost model: a timeline of two resources, steps and MV transfers |
//! | `product.rs` | the loops of a matrix product |
//! | `loop_levels.rs` | the dimensions of the loop that multiplies |
//! | `arithmetic.rs` | what depends on precision: vectors and sums |
//! | `tile.rs` | what depends on precision: tiles and their products |
//! | `sides.rs` | the factors, and which of them is which side |
//! | `constants.rs` | constants that unpack bf16, resident in PE memories |
//! | `row_side.rs` | the row side, in one of three forms |
//! | `streamed_rows.rs` | first form: tiles, streamed from DRAM to L1BM |
//! | `block_float_rows.rs` | second form: block floats, converted once |
//! | `operand_prefetch.rs` | the column side, loaded one chunk ahead |
//! | `deferred_store.rs` | results, stored one block later |
//! | `pipelined/` | a product as one software-pipelined loop that loads both sides |
//! | `split_k/` | split-K products, and the reduction of their partial sums |
//! | `k_over_mabs/` | small products with the depth distributed over the MABs of an L1B |

pub(crate) mod arithmetic;
pub(crate) mod block_float_rows;
pub(crate) mod candidates;
pub(crate) mod constants;
pub(crate) mod cost;
pub(crate) mod deferred_store;
pub(crate) mod distributions;
pub(crate) mod k_over_mabs;
pub(crate) mod loop_levels;
pub(crate) mod operand_prefetch;
pub(crate) mod pipelined;
pub(crate) mod product;
pub(crate) mod row_side;
pub(crate) mod sides;
pub(crate) mod split_k;
pub(crate) mod streamed_rows;
pub(crate) mod tile;
