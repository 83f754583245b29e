//! Data movement kernels (reshape, slice, concat, permute, pad and the like): code of NC alone,
//! which copies elements in L1.
//!
//! A piece of work is one tile of the result, which is one page of DRAM. Its elements are copied
//! one by one from pages of the sources. These pages go through a direct-mapped cache in L1: page
//! `p`, counted through all sources, maps to line `p` modulo the number of lines, and the line's
//! tag is `p + 1`. Then the tile is written to DRAM. No arithmetic touches the elements, so all
//! bits are preserved. Elements beyond the extents of the tile's matrix are +0.
//!
//! If positions are looked up, those along the first dimension of the box are read from another
//! tensor, through the same cache. They are in range: the host checks them before it starts the
//! kernel.
//!
//! If all copies are of whole tiles ([`tiles`]), pages are copied directly instead.
//!
//! A copy is a *box*: extents with strides in the source and in the result. Which elements of a box
//! lie in a row of the tile follows from an invariant of index maps: the dimensions of a box are
//! nested in the result. A row of the tile is an interval of result elements. A loop per dimension,
//! outermost first, iterates over the indices whose part of the box may intersect the interval. If
//! a part does not, the loops inside are empty. The size of the code thus depends on the number of
//! copies and dimensions, but not on the number of elements.

mod tiles;

use tessera_dialects::mlir::Value;
use tessera_dialects::tensix::program::Argument;
use tessera_isa_tensix::tile::{ARG_WORDS, FREE};
use tessera_isa_tensix::Arch;
use tessera_ops::rounding::f64_to_bf16;
use tessera_ops::StridedCopy;
use tessera_pto::kernel::{Element as PtoElement, Group, Op, TensorType};
use tessera_pto::rearrange::Rearrangement;

use super::code_builder::{CodeBuilder, Compare};
use super::expr::Arith;
use super::plan::{LocationId, Tensor};
use super::refusal::{expect_valid, Refusal};
use super::tensor;
use crate::ttnn::layout::TILE;
use tiles::page_copy;

/// Rows and columns of a tile.
const TILE_SIDE: u32 = TILE as u32;

/// Rows and columns of a face. A tile consists of 2x2 contiguous faces.
const FACE: u32 = 16;

/// Maximum number of source tensors. NC's argument block holds their addresses, the result's
/// address and the interval of pieces.
const MAX_SOURCES: usize = ARG_WORDS - 3;

/// Maximum number of cache lines.
const MAX_LINES: u32 = 256;

/// A data movement kernel and its L1 layout.
pub struct Movement {
    copies: Vec<BoxCopy>,
    /// The tensor that holds source positions along the first dimension of the only copy.
    indices: Option<Source>,
    /// Whether `copies` copy whole pages instead of elements.
    moves_pages: bool,
    /// The result tensor.
    target: Tensor,
    /// Bits of the elements that no copy writes.
    fill: u32,
    /// Whether the copies write all elements of all tiles, including padding.
    covers_tiles: bool,
    layout: CacheLayout,
    location: LocationId,
}

/// A tensor that is read.
#[derive(Clone, Copy)]
struct Source {
    tensor: Tensor,
    /// Number of its first page, counted through all sources.
    first_page: u32,
}

/// A copy of a box.
#[derive(Clone)]
struct BoxCopy {
    source: Source,
    /// The copy, in units of elements or of pages.
    copy: StridedCopy,
}

/// The page cache in L1 and the other L1 addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CacheLayout {
    /// Number of cache lines, a power of two.
    lines: u32,
    /// Bytes of a line: those of the largest page.
    line_bytes: u32,
    /// Address of a word for [`CodeBuilder::settle_l1`].
    settled: u32,
    /// Address of the tags, one word per line.
    tags: u32,
    /// Address of the lines, one page each.
    cache: u32,
    /// Address of the tile of the result.
    tile: u32,
}

impl CacheLayout {
    /// Lays out a cache for `pages` pages of `bytes` bytes each: the smallest power of two of lines
    /// that holds all pages, but at most [`MAX_LINES`], halved until the cache fits into L1.
    fn new(arch: Arch, pages: u32, bytes: u32) -> Self {
        let lines = pages.clamp(1, MAX_LINES).next_power_of_two();
        let fitting = |lines: &u32| Self::with_lines(*lines, bytes).tile + bytes <= arch.l1_bytes();
        let halves = std::iter::successors(Some(lines), |lines| (*lines > 1).then_some(lines / 2));
        let lines = halves.into_iter().find(fitting).unwrap_or(1);
        Self::with_lines(lines, bytes)
    }

    fn with_lines(lines: u32, bytes: u32) -> Self {
        let settled = FREE;
        let tags = settled + 16;
        let cache = (tags + 4 * lines).next_multiple_of(bytes);
        CacheLayout {
            lines,
            line_bytes: bytes,
            settled,
            tags,
            cache,
            tile: cache + lines * bytes,
        }
    }
}

impl Movement {
    /// Plans the movement of a group.
    ///
    /// # Errors
    /// There are too many sources, or a tensor is too large.
    pub fn new(
        group: &Group,
        (op, rearrangement): (&Op, &Rearrangement),
        arch: Arch,
    ) -> Result<Self, Refusal> {
        let location = op.location;
        let count = rearrangement.sources.len();
        if count > MAX_SOURCES {
            return Err(Refusal::for_op(
                location,
                format!(
                    "moves elements of {count} tensors, but a core has room for {MAX_SOURCES} \
                     addresses; move the elements of some tensors first"
                ),
            ));
        }
        let tensor = |number: usize, operand: usize| -> Result<Tensor, Refusal> {
            let tensor = tensor::resolve(group, number, (op, operand), arch)?;
            require_countable(&group.tensors[number], location)?;
            Ok(tensor)
        };
        let target = tensor(rearrangement.target, count)?;
        let mut sources = Vec::new();
        let mut pages = 0;
        for (operand, &source) in rearrangement.sources.iter().enumerate() {
            let tensor = tensor(source, operand)?;
            sources.push(Source {
                tensor,
                first_page: pages,
            });
            pages += count_pages(&tensor);
        }
        let map = rearrangement.map.simplified();
        let source = |operand: usize| expect_valid(op, sources.get(operand).copied());
        let indices = map
            .lookup
            .map(|lookup| source(lookup.indices))
            .transpose()?;
        let copies = map.copies.iter().map(|copy| {
            Ok(BoxCopy {
                source: source(copy.operand)?,
                copy: copy.clone(),
            })
        });
        let copies: Vec<BoxCopy> = copies.collect::<Result<_, _>>()?;
        let r#type = group.tensors[rearrangement.target];
        let covers = map.covers(r#type.elements().unwrap_or_default());
        let of_pages = copies.iter().map(|one| {
            let copy = page_copy(&one.copy, one.source.tensor, target)?;
            Some(BoxCopy {
                copy,
                ..one.clone()
            })
        });
        let of_pages: Option<Vec<BoxCopy>> = of_pages.collect();
        let of_pages = of_pages.filter(|_| covers && indices.is_none());
        let is_whole = [target.rows, target.columns]
            .iter()
            .all(|one| one % TILE_SIDE == 0);
        let bytes = sources
            .iter()
            .map(|source| source.tensor.element.tile_bytes());
        let line_bytes = bytes.fold(target.element.tile_bytes(), u32::max);
        Ok(Movement {
            indices,
            moves_pages: of_pages.is_some(),
            copies: of_pages.unwrap_or(copies),
            fill: element_bits(map.fill, r#type.element),
            covers_tiles: is_whole && covers,
            layout: CacheLayout::new(arch, pages, line_bytes),
            target,
            location,
        })
    }

    /// Returns the number of independent pieces of work.
    pub fn pieces(&self) -> u32 {
        count_pages(&self.target)
    }

    /// Builds the code of NC.
    pub fn lower_nc(&self, code: &mut CodeBuilder) {
        code.set_location(self.location);
        let CacheLayout { lines, tags, .. } = self.layout;
        let first = code.argument(Argument::First);
        let last = code.argument(Argument::Last);
        let pieces = [first, last, code.constant(1)];
        if self.moves_pages {
            return code.for_loop(pieces, |code, page| self.copy_page(code, page));
        }
        repeat_indexed(code, lines, |code, line| {
            let tag = scaled_address(code, line, 4, tags);
            code.store_l1(code.constant(0), tag, 4);
        });
        code.for_loop(pieces, |code, page| self.build_tile(code, page));
    }

    /// Builds the code of B, which only starts the other cores.
    pub fn lower_b(&self, code: &mut CodeBuilder) {
        code.release();
    }

    /// Copies the source page of a result page: every copy checks whether the page is in its box.
    fn copy_page<'a>(&self, code: &mut CodeBuilder<'_, 'a>, page: Value<'a>) {
        let l1 = code.constant(self.layout.tile.into());
        for BoxCopy { copy, source, .. } in &self.copies {
            let first = code.arith_const(Arith::Sub, page, copy.result_offset as i64);
            let end = code.arith_const(Arith::Add, first, 1);
            let part = BoxPart::whole(code, copy, [first, end]);
            for_each_element(code, copy, 0, part, None, &mut |code, _, from| {
                code.fetch_page(from, source.tensor, l1);
                code.write_page(page, self.target, l1);
            });
        }
    }

    /// Computes a tile of the result and writes it to DRAM.
    fn build_tile<'a>(&self, code: &mut CodeBuilder<'_, 'a>, page: Value<'a>) {
        let [down, across] = self.target.tiles();
        let Tensor { rows, columns, .. } = self.target;
        let column = arith_const(code, Arith::UnsignedRem, page, across);
        let above = arith_const(code, Arith::UnsignedDiv, page, across);
        let row = arith_const(code, Arith::UnsignedRem, above, down);
        let matrix = arith_const(code, Arith::UnsignedDiv, above, down);
        let row = arith_const(code, Arith::Mul, row, TILE_SIDE);
        let column = arith_const(code, Arith::Mul, column, TILE_SIDE);
        let before = arith_const(code, Arith::Mul, matrix, rows);
        let within = |code: &CodeBuilder<'_, 'a>, extent: u32, first| {
            let left = code.arith(Arith::Sub, code.constant(extent.into()), first);
            arith_const(code, Arith::Min, left, TILE_SIDE)
        };
        let tile = Tile {
            height: within(code, rows, row),
            width: within(code, columns, column),
            row: code.arith(Arith::Add, before, row),
            column,
        };
        self.fill_tile(code, &tile);
        for copy in &self.copies {
            let bounds = [code.constant(0), tile.height, code.constant(1)];
            code.for_loop(bounds, |code, row| self.copy_row(code, copy, &tile, row));
        }
        code.settle_l1(code.constant(self.layout.settled.into()));
        let from = code.constant(self.layout.tile.into());
        code.write_page(page, self.target, from);
    }

    /// Fills the tile with zeros, and with the fill value inside of its matrix.
    fn fill_tile<'a>(&self, code: &mut CodeBuilder<'_, 'a>, tile: &Tile<'a>) {
        if self.covers_tiles {
            return;
        }
        let first = self.layout.tile;
        repeat_indexed(code, self.target.element.tile_bytes() / 4, |code, word| {
            let address = scaled_address(code, word, 4, first);
            code.store_l1(code.constant(0), address, 4);
        });
        if self.fill == 0 {
            return;
        }
        let bytes = self.target.element.bytes();
        let [zero, one] = [0, 1].map(|number| code.constant(number));
        code.for_loop([zero, tile.height, one], |code, row| {
            let row = scaled_address(code, tile_offset(code, row, Axis::Row), bytes, first);
            code.for_loop([zero, tile.width, one], |code, column| {
                let address =
                    scaled_address_from(code, tile_offset(code, column, Axis::Column), bytes, row);
                code.store_l1(code.constant(self.fill.into()), address, bytes);
            });
        });
    }

    /// Copies the elements that a box has in a row of the tile.
    fn copy_row<'a>(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        copy: &BoxCopy,
        tile: &Tile<'a>,
        row: Value<'a>,
    ) {
        // The interval of the row, relative to the first result element of the box.
        let number = code.arith(Arith::Add, tile.row, row);
        let number = code.arith_const(Arith::Mul, number, self.target.columns.into());
        let number = code.arith(Arith::Add, number, tile.column);
        let first = code.arith_const(Arith::Sub, number, copy.copy.result_offset as i64);
        let end = code.arith(Arith::Add, first, tile.width);
        let bytes = self.target.element.bytes();
        let row = Row {
            copy,
            first,
            address: scaled_address(
                code,
                tile_offset(code, row, Axis::Row),
                bytes,
                self.layout.tile,
            ),
        };
        let part = BoxPart::whole(code, &copy.copy, [first, end]);
        let look_up = |code: &mut CodeBuilder<'_, 'a>, index| self.look_up(code, index);
        let positions: Option<Position<'_, '_, 'a>> = match self.indices {
            Some(_) => Some(&look_up),
            None => None,
        };
        for_each_element(
            code,
            &copy.copy,
            0,
            part,
            positions,
            &mut |code, before, source| {
                self.copy_element(code, &row, before, source);
            },
        );
    }

    /// Copies source element `source` to the result element at offset `before` from the start of
    /// the box.
    fn copy_element<'a>(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        row: &Row<'_, 'a>,
        before: Value<'a>,
        source: Value<'a>,
    ) {
        let from = self.element_address(code, row.copy.source, source);
        let bytes = self.target.element.bytes();
        let element = code.load_l1(from, bytes);
        let column = code.arith(Arith::Sub, before, row.first);
        let to = scaled_address_from(
            code,
            tile_offset(code, column, Axis::Column),
            bytes,
            row.address,
        );
        code.store_l1(element, to, bytes);
    }

    /// Builds the position along the first dimension of the source that belongs to an index.
    fn look_up<'a>(&self, code: &mut CodeBuilder<'_, 'a>, index: Value<'a>) -> Value<'a> {
        let Some(indices) = self.indices else {
            return index;
        };
        let from = self.element_address(code, indices, index);
        code.load_l1(from, indices.tensor.element.bytes())
    }

    /// Builds the L1 address of a source element. Fetches its page into the cache if necessary.
    fn element_address<'a>(
        &self,
        code: &mut CodeBuilder<'_, 'a>,
        source: Source,
        number: Value<'a>,
    ) -> Value<'a> {
        let Source { tensor, first_page } = source;
        let [down, across] = tensor.tiles();
        let column = arith_const(code, Arith::UnsignedRem, number, tensor.columns);
        let row = arith_const(code, Arith::UnsignedDiv, number, tensor.columns);
        let matrix = arith_const(code, Arith::UnsignedDiv, row, tensor.rows);
        let row = arith_const(code, Arith::UnsignedRem, row, tensor.rows);
        let above = arith_const(code, Arith::Mul, matrix, down);
        let tile_row = arith_const(code, Arith::UnsignedDiv, row, TILE_SIDE);
        let above = code.arith(Arith::Add, above, tile_row);
        let above = arith_const(code, Arith::Mul, above, across);
        let tile_column = arith_const(code, Arith::UnsignedDiv, column, TILE_SIDE);
        let page = code.arith(Arith::Add, above, tile_column);
        let CacheLayout {
            lines,
            line_bytes,
            tags,
            cache,
            ..
        } = self.layout;
        let known = arith_const(code, Arith::Add, page, first_page);
        let line = arith_const(code, Arith::UnsignedRem, known, lines);
        let first = scaled_address(code, line, line_bytes, cache);
        let tag = scaled_address(code, line, 4, tags);
        let wanted = arith_const(code, Arith::Add, known, 1);
        let is_there = code.compare(Compare::Equal, code.load_l1(tag, 4), wanted);
        code.if_then(code.not(is_there), |code| {
            code.fetch_page(page, tensor, first);
            code.store_l1(wanted, tag, 4);
        });
        let [row, column] = [(row, Axis::Row), (column, Axis::Column)].map(|(index, axis)| {
            let index = arith_const(code, Arith::UnsignedRem, index, TILE_SIDE);
            tile_offset(code, index, axis)
        });
        let element = code.arith(Arith::Add, row, column);
        scaled_address_from(code, element, tensor.element.bytes(), first)
    }
}

/// A tile of the result.
struct Tile<'a> {
    /// Rows and columns of the tile that lie inside of the result.
    height: Value<'a>,
    width: Value<'a>,
    /// First row, counted through all matrices, and first column.
    row: Value<'a>,
    column: Value<'a>,
}

/// The destination row of a copy.
struct Row<'c, 'a> {
    copy: &'c BoxCopy,
    /// First result element of the row, relative to the first one of the box.
    first: Value<'a>,
    /// L1 address of the row.
    address: Value<'a>,
}

/// A sub-box: the part of a box at fixed indices of its outer dimensions.
#[derive(Clone, Copy)]
struct BoxPart<'a> {
    /// Interval of result elements to write, relative to the first one of the sub-box.
    low: Value<'a>,
    high: Value<'a>,
    /// Offset of the sub-box's first result element from that of the box.
    before: Value<'a>,
    /// Number of the source element of the sub-box's first element.
    source: Value<'a>,
}

impl<'a> BoxPart<'a> {
    /// Returns the whole box, restricted to an interval of result elements relative to its first
    /// one.
    fn whole(code: &CodeBuilder<'_, 'a>, copy: &StridedCopy, [first, end]: [Value<'a>; 2]) -> Self {
        BoxPart {
            low: code.max(first, code.constant(0)),
            high: code.arith_const(Arith::Min, end, result_span(copy, 0) + 1),
            before: code.constant(0),
            source: code.constant(copy.source_offset as i64),
        }
    }
}

/// Returns the distance in the result between the first and the last element along `dimension` and
/// the dimensions inside of it.
fn result_span(copy: &StridedCopy, dimension: usize) -> i64 {
    let dimensions = copy.extents.iter().zip(&copy.result_strides);
    let inner = dimensions.skip(dimension);
    inner
        .map(|(extent, stride)| ((extent - 1) * stride) as i64)
        .sum()
}

/// What an index within a tile counts.
#[derive(Clone, Copy)]
enum Axis {
    Row,
    Column,
}

/// Callback for an element of a box. Its arguments are the result offset from the start of the box
/// and the number of the source element.
type OnElement<'e, 'r, 'a> = &'e mut dyn FnMut(&mut CodeBuilder<'r, 'a>, Value<'a>, Value<'a>);

/// Builds the position in the source of an index along the first dimension.
type Position<'e, 'r, 'a> = &'e dyn Fn(&mut CodeBuilder<'r, 'a>, Value<'a>) -> Value<'a>;

/// Builds the loops over the elements of a sub-box in its interval, from `dimension` inwards.
/// `position` maps the indices of this dimension, if it is not the identity.
fn for_each_element<'r, 'a>(
    code: &mut CodeBuilder<'r, 'a>,
    copy: &StridedCopy,
    dimension: usize,
    part: BoxPart<'a>,
    position: Option<Position<'_, 'r, 'a>>,
    each: OnElement<'_, 'r, 'a>,
) {
    let Some(&extent) = copy.extents.get(dimension) else {
        let is_met = code.compare(Compare::Less, part.low, part.high);
        return code.if_then(is_met, |code| each(code, part.before, part.source));
    };
    let is_last = dimension + 1 == copy.extents.len();
    let stride = copy.result_strides[dimension] as i64;
    let up = code.arith_const(Arith::Add, part.high, stride - 1);
    let to = code.arith_const(Arith::Div, up, stride);
    let to = code.arith_const(Arith::Min, to, extent as i64);
    let from = code.arith_const(Arith::Div, part.low, stride);
    let source_stride = copy.source_strides[dimension];
    code.for_loop([from, to, code.constant(1)], |code, index| {
        let begin = code.arith_const(Arith::Mul, index, stride);
        let position = position.map_or(index, |position| position(code, index));
        let steps = code.arith_const(Arith::Mul, position, source_stride);
        let before = code.arith(Arith::Add, part.before, begin);
        let source = code.arith(Arith::Add, part.source, steps);
        if is_last && stride == 1 {
            return each(code, before, source);
        }
        let low = code.arith(Arith::Sub, part.low, begin);
        let high = code.arith(Arith::Sub, part.high, begin);
        let inside = BoxPart {
            low: code.max(low, code.constant(0)),
            high: code.arith_const(Arith::Min, high, result_span(copy, dimension + 1) + 1),
            before,
            source,
        };
        for_each_element(code, copy, dimension + 1, inside, None, each);
    });
}

/// Builds the element offset, within a tile's face layout, of a row or of a column in its row.
fn tile_offset<'a>(code: &CodeBuilder<'_, 'a>, index: Value<'a>, axis: Axis) -> Value<'a> {
    let (face, inside) = match axis {
        Axis::Row => (2 * FACE * FACE, FACE),
        Axis::Column => (FACE * FACE, 1),
    };
    let faces = code.arith_const(Arith::UnsignedDiv, index, FACE.into());
    let faces = code.arith_const(Arith::Mul, faces, face.into());
    let rest = code.arith_const(Arith::UnsignedRem, index, FACE.into());
    let rest = code.arith_const(Arith::Mul, rest, inside.into());
    code.arith(Arith::Add, faces, rest)
}

/// Builds `first + count * bytes`.
fn scaled_address<'a>(
    code: &CodeBuilder<'_, 'a>,
    count: Value<'a>,
    bytes: u32,
    first: u32,
) -> Value<'a> {
    scaled_address_from(code, count, bytes, code.constant(first.into()))
}

/// Builds `first + count * bytes` with a computed `first`.
fn scaled_address_from<'a>(
    code: &CodeBuilder<'_, 'a>,
    count: Value<'a>,
    bytes: u32,
    first: Value<'a>,
) -> Value<'a> {
    let offset = code.arith_const(Arith::Mul, count, bytes.into());
    code.arith(Arith::Add, first, offset)
}

/// Builds a loop with a constant trip count that passes its index.
fn repeat_indexed<'a>(
    code: &mut CodeBuilder<'_, 'a>,
    turns: u32,
    body: impl FnOnce(&mut CodeBuilder<'_, 'a>, Value<'a>),
) {
    let bounds = [0, turns, 1].map(|bound| code.constant(bound.into()));
    code.for_loop(bounds, body);
}

/// Builds an operation on a value and a constant.
fn arith_const<'a>(
    code: &CodeBuilder<'_, 'a>,
    op: Arith,
    value: Value<'a>,
    number: u32,
) -> Value<'a> {
    code.arith_const(op, value, number.into())
}

/// Returns the number of pages of a tensor.
fn count_pages(tensor: &Tensor) -> u32 {
    let [down, across] = tensor.tiles();
    tensor.matrices * down * across
}

/// Returns the bits of a number in an element type.
fn element_bits(number: f64, element: PtoElement) -> u32 {
    match element {
        PtoElement::I32 => number as i32 as u32,
        PtoElement::F32 => (number as f32).to_bits(),
        PtoElement::Bf16 => f64_to_bf16(number).into(),
    }
}

/// Checks that element numbers of a tensor fit the cores' arithmetic.
fn require_countable(tensor: &TensorType, location: LocationId) -> Result<(), Refusal> {
    /// Sums of two element numbers below this fit signed words.
    const MAX_ELEMENTS: u64 = 1 << 30;
    match tensor.elements() {
        Some(elements) if elements < MAX_ELEMENTS => Ok(()),
        _ => Err(Refusal::for_op(
            location,
            format!("moves elements of {tensor}; the cores count fewer than {MAX_ELEMENTS}"),
        )),
    }
}
