//! Writes the kernel of a side: the operations of its slice in order, with crossings as pushes and
//! pops.

use std::collections::HashMap;

use tessera_dialects::mlir::{
    At, Block, NamedOp, NewOp, Op, Region, Reported, Rewriter, Signature, Type, Value,
};
use tessera_dialects::pto::{
    self, Direction, FuncOp, ImportPeerBufferOp, Kind, ReserveBufferOp, Side, Unit,
};
use tessera_dialects::scf;

use super::halves::{HalfPosition, IndexWriter, Lane, TileAccess};
use super::rings::{PipeEnd, Rings};
use super::slice::{Piece, Slice};
use super::split;
use super::{crossing, frees, Crossing, OWN_ATTRIBUTES};

/// Writer of the kernel of one side.
pub struct KernelWriter<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    /// The mixed kernel.
    kernel: FuncOp<'a>,
    slice: &'r Slice<'a>,
    /// Names of this kernel and of the other side's.
    name: &'r str,
    peer: &'r str,
    /// Maps pieces of the mixed kernel's values to values of this kernel.
    values: HashMap<(Value<'a>, Piece), Value<'a>>,
    pipes: Vec<(Direction, Value<'a>)>,
    /// The vector core, if the side is split over two.
    lane: Option<Lane<'a>>,
}

impl<'r, 'a> KernelWriter<'r, 'a> {
    /// Creates a writer for a slice.
    pub fn new(
        kernel: FuncOp<'a>,
        slice: &'r Slice<'a>,
        name: &'r str,
        peer: &'r str,
        rewriter: &'r Rewriter<'a>,
    ) -> Self {
        KernelWriter {
            rewriter,
            kernel,
            slice,
            name,
            peer,
            values: HashMap::new(),
            pipes: Vec::new(),
            lane: None,
        }
    }

    /// Writes the kernel before the mixed kernel.
    ///
    /// # Errors
    /// At an operation that cannot be split over two cores.
    pub fn write(mut self, rings: &Rings) -> Result<(), Reported> {
        let location = self.kernel.location();
        let Some(from) = self.kernel.body() else {
            return Ok(());
        };
        let part = self.declare(from, rings);
        let Some(body) = part.body() else {
            return Ok(());
        };
        for (old, new) in from.arguments().into_iter().zip(body.arguments()) {
            self.values.insert((old, Piece::Whole), new);
        }
        self.pipes = rings.initialize(&PipeEnd {
            side: self.slice.side,
            peer: self.peer,
            block: body,
            location,
            rewriter: self.rewriter,
        });
        if self.slice.split.axis().is_some() {
            self.lane = Lane::new(body, self.rewriter, *self.kernel);
        }
        self.ops(from, body)?;
        self.rewriter
            .insert(At::End(body), pto::ReturnOp::build(location));
        frees::insert_frees(part, self.rewriter);
        Ok(())
    }

    /// Creates the kernel operation with an empty body.
    fn declare(&self, from: Block<'a>, rings: &Rings) -> Op<'a> {
        let (context, location) = (self.rewriter.context(), self.kernel.location());
        let kind = match self.slice.side {
            Side::Cube => Kind::Cube,
            Side::Vector => Kind::Vector,
        };
        let slots = rings.slot_buffer(context);
        let kept = self.kernel.attributes().into_iter();
        let kept = kept.filter(|(name, _)| !OWN_ATTRIBUTES.contains(name));
        let kept = kept.filter_map(|(name, attribute)| match (name, slots) {
            // There is a dictionary for each argument.
            (name, Some(_)) if name == FuncOp::ARG_ATTRS.name() => {
                let all = attribute.to_string();
                let one_more = format!("{}, {{}}]", all.strip_suffix(']')?);
                Some((name, context.parse_attribute(&one_more)?))
            }
            _ => Some((name, attribute)),
        });
        let own = self.kernel.function_type().and_then(Signature::signature);
        let mut inputs = own.map_or_else(
            || from.arguments().into_iter().map(Value::r#type).collect(),
            |(inputs, _)| inputs,
        );
        inputs.extend(slots);
        let part = FuncOp::build(location)
            .attributes(kept)
            .with(context, FuncOp::SYM_NAME, self.name)
            .with(
                context,
                FuncOp::FUNCTION_TYPE,
                context.function(&inputs, &[]),
            )
            .with(context, FuncOp::KIND, kind)
            .region(inputs.iter().map(|input| (*input, location)));
        self.rewriter.insert(At::Before(*self.kernel), part)
    }

    /// Writes the operations of a block that the slice keeps, except its terminator.
    fn ops(&mut self, from: Block<'a>, to: Block<'a>) -> Result<(), Reported> {
        for op in from.ops() {
            if !self.slice.keeps(op) {
                continue;
            }
            match (op.name(), crossing(op)) {
                (scf::ForOp::NAME, _) => self.r#for(op, to)?,
                (scf::IfOp::NAME, _) => self.r#if(op, to)?,
                (_, Some(crossing)) => self.cross(op, &crossing, to)?,
                (_, None) => self.copy(op, to)?,
            }
        }
        Ok(())
    }

    fn r#for(&mut self, op: Op<'a>, to: Block<'a>) -> Result<(), Reported> {
        let location = op.location();
        let (Some(from), carried) = (op.body(), self.wanted(op)) else {
            return Ok(());
        };
        let bounds = (0..3).map(|index| (index, Piece::Whole));
        let initial = carried.iter().map(|(number, piece)| (3 + number, *piece));
        let operands = self.operands(op, bounds.chain(initial))?;
        let types = self.types(op, &carried)?;
        let index = from.arguments().first().map(|index| index.r#type());
        let arguments = index.into_iter().chain(types.iter().copied());
        let new = scf::ForOp::build(location)
            .attributes(op.attributes())
            .operands(operands)
            .results(types.iter().copied())
            .region(arguments.map(|r#type| (r#type, location)));
        let new = self.rewriter.insert(At::End(to), new);
        self.bind(op, &carried, new);
        let Some(body) = new.body() else {
            return Ok(());
        };
        let (old, arguments) = (from.arguments(), body.arguments());
        let places = carried.iter().map(|(number, piece)| (number + 1, *piece));
        let places = std::iter::once((0, Piece::Whole)).chain(places);
        for ((number, piece), argument) in places.zip(arguments) {
            self.values.insert((old[number], piece), argument);
        }
        self.ops(from, body)?;
        self.r#yield(from, body, &carried)
    }

    fn r#if(&mut self, op: Op<'a>, to: Block<'a>) -> Result<(), Reported> {
        let results = self.wanted(op);
        let branches: Vec<_> = op.regions().into_iter().map(first_block).collect();
        // An `else` without anything in it is left out.
        let needed = |block: &Block<'a>| {
            !results.is_empty() || block.ops().into_iter().any(|op| self.slice.keeps(op))
        };
        let mut new = scf::IfOp::build(op.location())
            .attributes(op.attributes())
            .operands(self.operands(op, [(0, Piece::Whole)])?)
            .results(self.types(op, &results)?)
            .region([]);
        new = match branches.get(1).copied().flatten() {
            Some(block) if needed(&block) => new.region([]),
            _ => new.empty_region(),
        };
        let new = self.rewriter.insert(At::End(to), new);
        for (from, region) in branches.into_iter().zip(new.regions()) {
            if let (Some(from), Some(to)) = (from, first_block(region)) {
                self.ops(from, to)?;
                self.r#yield(from, to, &results)?;
            }
        }
        self.bind(op, &results, new);
        Ok(())
    }

    fn r#yield(
        &mut self,
        from: Block<'a>,
        to: Block<'a>,
        values: &[(usize, Piece)],
    ) -> Result<(), Reported> {
        if let Some(last) = from.terminator() {
            let operands = self.operands(last, values.iter().copied())?;
            let last = scf::YieldOp::build(last.location()).operands(operands);
            self.rewriter.insert(At::End(to), last);
        }
        Ok(())
    }

    /// Writes a crossing: a push if the tile leaves this side, a pop if it arrives.
    fn cross(
        &mut self,
        op: Op<'a>,
        crossing: &Crossing<'a>,
        to: Block<'a>,
    ) -> Result<(), Reported> {
        let (direction, piece) = (crossing.direction, self.slice.home());
        let pipe = self.pipes.iter().find(|(other, _)| *other == direction);
        let Some((_, pipe)) = pipe else {
            return Err(op.error(format!(
                "internal error: no {direction} pipe was made for it"
            )));
        };
        let pipe = *pipe;
        if direction.producer() == self.slice.side {
            let tile = self.operands(op, [(0, piece)])?;
            let push = pto::TPushOp::build(op.location())
                .operands(tile)
                .operands([pipe]);
            self.rewriter.insert(At::End(to), push);
            return Ok(());
        }
        let mut slot = crossing.from.clone();
        slot.space = direction.ring();
        let slot = self.piece_type(op, &slot, piece)?;
        let target = self.piece_type(op, &crossing.to, piece)?;
        let pop = pto::TPopOp::build(op.location())
            .operands([pipe])
            .results([slot]);
        let mut new = self.rewriter.insert(At::End(to), pop);
        if slot != target {
            let r#move = pto::TMoveOp::build(op.location())
                .operands(new.results())
                .results([target]);
            new = self.rewriter.insert(At::End(to), r#move);
        }
        self.bind(op, &[(0, piece)], new);
        Ok(())
    }

    /// Copies an operation once for each needed piece of its result.
    fn copy(&mut self, op: Op<'a>, to: Block<'a>) -> Result<(), Reported> {
        let wanted = |result: Value<'a>| self.slice.pieces(result).collect::<Vec<_>>();
        let mut pieces: Vec<Piece> = op.results().into_iter().flat_map(wanted).collect();
        pieces.dedup();
        let has_tile = op
            .operands()
            .into_iter()
            .any(|it| pto::tile(it.r#type()).is_some());
        match pieces[..] {
            [] if has_tile || op.isa::<pto::TPopOp>() => pieces.push(self.slice.home()),
            [] => pieces.push(Piece::Whole),
            _ => {}
        }
        for piece in pieces {
            self.copy_piece(op, piece, to)?;
        }
        Ok(())
    }

    fn copy_piece(&mut self, op: Op<'a>, piece: Piece, to: Block<'a>) -> Result<(), Reported> {
        if let Some(import) = self.import(op) {
            let import = self.rewriter.insert(At::End(to), import);
            self.bind(op, &[(0, Piece::Whole)], import);
            return Ok(());
        }
        let wanted = (0..op.operand_count())
            .map(|index| (index, self.slice.operand_piece(op, index, piece)));
        let mut operands = self.operands(op, wanted)?;
        let results: Vec<_> = (0..op.result_count())
            .map(|number| (number, piece))
            .collect();
        let types = self.types(op, &results)?;
        let mut inside = None;
        if let Some((index, place)) = self.half_position(op, piece, to)? {
            operands[index] = place.index;
            inside = place.inside;
        }
        let write = |to| {
            let new = self.rewriter.clone_to(op, At::End(to));
            self.rewriter.set_operands(new, &operands);
            for (result, r#type) in new.results().into_iter().zip(&types) {
                self.rewriter.set_type(result, *r#type);
            }
            new
        };
        let new = match inside {
            Some(inside) => self.guard_bounds(op, inside, &types, to, write),
            None => write(to),
        };
        self.bind(op, &results, new);
        Ok(())
    }

    /// Guards an access: a half beyond the end of its tensor loads +0 and stores nothing.
    fn guard_bounds(
        &self,
        op: Op<'a>,
        inside: Value<'a>,
        types: &[Type<'a>],
        to: Block<'a>,
        write: impl Fn(Block<'a>) -> Op<'a>,
    ) -> Op<'a> {
        let context = self.rewriter.context();
        let r#if = scf::IfOp::build(op.location())
            .operands([inside])
            .results(types.iter().copied())
            .region([]);
        let r#if = match types {
            [] => r#if.empty_region(),
            _ => r#if.region([]),
        };
        let r#if = self.rewriter.insert(At::End(to), r#if);
        let branches = r#if.regions().into_iter().filter_map(first_block);
        for (number, branch) in branches.enumerate() {
            let value = if number == 0 {
                write(branch)
            } else {
                let zero = pto::TFillOp::build(op.location())
                    .with(context, pto::TFillOp::VALUE, 0.0)
                    .with(context, pto::TFillOp::UNIT, Unit::Sfpu)
                    .results(types.iter().copied());
                self.rewriter.insert(At::End(branch), zero)
            };
            let last = scf::YieldOp::build(op.location()).operands(value.results());
            self.rewriter.insert(At::End(branch), last);
        }
        r#if
    }

    /// Returns the import of a buffer that the other side reserves.
    fn import(&self, op: Op<'a>) -> Option<NewOp<'a>> {
        let result = op.dyn_cast().and_then(ReserveBufferOp::result)?;
        if pto::buffer(result.r#type())?.space.side() == self.slice.side {
            return None;
        }
        let context = self.rewriter.context();
        Some(
            ImportPeerBufferOp::build(op.location())
                .attributes(op.attributes())
                .with(context, ImportPeerBufferOp::PEER_FUNC, self.peer)
                .results([result.r#type()]),
        )
    }

    /// Returns the position of a piece of a load or store, and the operand that holds it. Returns
    /// `None` if the position does not change.
    fn half_position(
        &self,
        op: Op<'a>,
        piece: Piece,
        to: Block<'a>,
    ) -> Result<Option<(usize, HalfPosition<'a>)>, Reported> {
        let (tile, memory) = match op.name() {
            pto::TLoadOp::NAME => (op.result(0), 0),
            pto::TStoreOp::NAME => (op.operand(0), 1),
            _ => return Ok(None),
        };
        let (Some(axis), Some(lane)) = (self.slice.split.axis(), self.lane) else {
            return Ok(None);
        };
        let place = || {
            let tile = pto::tile(tile?.r#type())?;
            let index = memory + 1 + axis;
            let moved = TileAccess {
                tile: &tile,
                memory: op.operand(memory)?,
                axis,
                index: *self.values.get(&(op.operand(index)?, Piece::Whole))?,
            };
            let writer = IndexWriter {
                rewriter: self.rewriter,
                cause: op,
                to,
            };
            Some((index, moved.half_position(piece, lane, &writer)?))
        };
        let place = place().ok_or_else(|| op.error("internal error: finds no place for a half"))?;
        Ok(Some(place))
    }

    /// Returns the results of control flow that are wanted, in their order, and which pieces of
    /// them.
    fn wanted(&self, op: Op<'a>) -> Vec<(usize, Piece)> {
        let results = op.results().into_iter().enumerate();
        results
            .flat_map(|(number, result)| {
                self.slice.pieces(result).map(move |piece| (number, piece))
            })
            .collect()
    }

    fn operands(
        &self,
        op: Op<'a>,
        wanted: impl IntoIterator<Item = (usize, Piece)>,
    ) -> Result<Vec<Value<'a>>, Reported> {
        let find = |(index, piece): (usize, Piece)| {
            let operand = op.operand(index);
            let found = operand.and_then(|operand| self.values.get(&(operand, piece)));
            found.copied().ok_or_else(|| {
                op.error(format!(
                    "has operand #{index}, of which the {} side has no {piece}; it was popped in \
                     halves, so neither vector kernel has the half that both need",
                    self.slice.side
                ))
            })
        };
        wanted.into_iter().map(find).collect()
    }

    /// Returns the types of pieces of results.
    fn types(&self, op: Op<'a>, wanted: &[(usize, Piece)]) -> Result<Vec<Type<'a>>, Reported> {
        let r#type = |(number, piece): &(usize, Piece)| {
            let result = op
                .result(*number)
                .ok_or_else(|| op.error("internal error: has no such result"))?;
            match pto::tile(result.r#type()) {
                Some(tile) => self.piece_type(op, &tile, *piece),
                None => Ok(result.r#type()),
            }
        };
        wanted.iter().map(r#type).collect()
    }

    fn piece_type(
        &self,
        op: Op<'a>,
        tile: &pto::Tile<'a>,
        piece: Piece,
    ) -> Result<Type<'a>, Reported> {
        let axis = self.slice.split.axis().unwrap_or_default();
        let tile = split::piece_of(tile, piece, axis).map_err(|why| op.error(why))?;
        tile.to_type(self.rewriter.context())
            .ok_or_else(|| op.error(format!("internal error: no type {tile}")))
    }

    /// Maps results of an operation to those of its copy.
    fn bind(&mut self, op: Op<'a>, wanted: &[(usize, Piece)], new: Op<'a>) {
        for ((number, piece), new) in wanted.iter().zip(new.results()) {
            if let Some(old) = op.result(*number) {
                self.values.insert((old, *piece), new);
            }
        }
    }
}

fn first_block(region: Region<'_>) -> Option<Block<'_>> {
    region.blocks().first().copied()
}
