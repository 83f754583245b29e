//! Matrix products.
//!
//! A product is built by one of several strategies ([`plan::Plan`]). Each has a module with its
//! parameters, the constructors that check their legality, the cost and the emission, behind one
//! trait ([`strategy::ProductStrategy`]). The candidates of a product are the legal plans of its
//! design space, ordered by cost.
//!
//! | file | holds |
//! |---|---|
//! | `candidates.rs` | the candidates of a product: which factor is which side, by which plan |
//! | `design_space.rs` | the enumeration of legal plans |
//! | `plan.rs` | the enumeration of strategies |
//! | `streamed.rs` | strategy: the row side is streamed tile by tile |
//! | `packed.rs` | strategy: the row side is converted to block floats before each chunk |
//! | `pipelined/` | strategy: one software-pipelined loop loads both sides |
//! | `split_k/` | strategy: split-K, with the depth distributed over the chip |
//! | `k_over_mabs/` | strategy: small products with the depth over the MABs of each L1B |
//! | `chunked.rs` | what streamed and packed products have in common |
//! | `strategy.rs` | the interface of strategies |
//! | `product.rs` | the loops that products have in common |
//! | `operand_prefetch.rs` | the column side, loaded one chunk ahead |
//! | `deferred_store.rs` | results, stored one block later |
//! | `block_float_rows.rs` | the row side, converted to block floats once |
//! | `streamed_rows.rs` | the row side, streamed from DRAM to L1BM |
//! | `row_side.rs` | the interface of the row side's forms |
//! | `loop_levels.rs` | the dimensions of the loop that multiplies |
//! | `block_cost.rs` | the cost of products in blocks and chunks |
//! | `timeline.rs` | the cost model: a timeline of two resources, steps and MV transfers |
//! | `sharing.rs` | what parts of the chip share of the factors, for lower bounds |
//! | `sides.rs` | the factors, and which of them is which side |
//! | `problem.rs` | a product to plan, and its blocking |
//! | `drain.rs` | when the results of a pipelined product leave |
//! | `tile.rs` | what depends on precision: tiles and their products |
//! | `arithmetic.rs` | what depends on precision: vectors and sums |
//! | `constants.rs` | constants that unpack bf16, resident in PE memories |
//!
//! Strategies do not import each other.

pub(crate) mod arithmetic;
pub(crate) mod block_cost;
pub(crate) mod block_float_rows;
pub(crate) mod candidates;
pub(crate) mod chunked;
pub(crate) mod constants;
pub(crate) mod deferred_store;
pub(crate) mod design_space;
pub(crate) mod drain;
pub(crate) mod k_over_mabs;
pub(crate) mod loop_levels;
pub(crate) mod operand_prefetch;
pub(crate) mod packed;
pub(crate) mod pipelined;
pub(crate) mod plan;
pub(crate) mod problem;
pub(crate) mod product;
pub(crate) mod row_side;
pub(crate) mod sharing;
pub(crate) mod sides;
pub(crate) mod split_k;
pub(crate) mod strategy;
pub(crate) mod streamed;
pub(crate) mod streamed_rows;
pub(crate) mod tile;
pub(crate) mod timeline;
