//! Conversion of tile kernels between the types of [`tessera_pto`] and the schema.
//!
//! Regions are numbered in a file. The regions of an operation have higher numbers than the one
//! that contains it, and no two operations share a region. The structure is therefore finite, and
//! linear in the size of the file.
//!
//! Target data ([`tessera_pto::target`]) is only for code generators and is not stored; groups of a
//! file have default target data.

use flatbuffers::WIPOffset;
use serde::Serialize;
use tessera_ops::shape::count_elements;
use tessera_ops::{IndexMap, Lookup, StridedCopy};
use tessera_pto::kernel::{
    Axis, Binary, Broadcast, Compute, Direction, Element, Group, Kernel, Op, OpKind, Pipe, Reduce,
    Region, ScalarOp, Split, TensorType, TileType, Type, Unary,
};
use tessera_pto::rearrange::Rearrangement;
use tessera_pto::target::{Numerics, Placement, Precision, Ring};
use tessera_pto::validate::{self, MAX_DEPTH};

use crate::builder::Builder;
use crate::generated as fb;
use crate::hash::Hasher;
use crate::validate::Problem;
use crate::{DataType, ReadError, TensorDesc};

/// Groups of tile kernels that run consecutively on the same tensors.
#[derive(Debug, Clone, PartialEq)]
pub struct PtoGroups {
    /// Number of tensors that are read; they come first.
    pub inputs: u16,
    /// The groups, at least one, all with the same tensors and without target data.
    pub groups: Vec<Group>,
}

impl PtoGroups {
    /// Returns the tensors of all groups.
    pub fn tensors(&self) -> &[TensorType] {
        self.groups.first().map_or(&[], |group| &group.tensors)
    }

    pub(crate) fn arity(&self) -> (usize, usize) {
        let inputs = usize::from(self.inputs);
        (inputs, self.tensors().len().saturating_sub(inputs))
    }

    pub(crate) fn hash(&self, hasher: &mut Hasher) {
        hasher.bytes(b"pto groups");
        hasher.word(self.inputs.into());
        for group in &self.groups {
            let text = group.to_string();
            hasher.length(text.len());
            hasher.bytes(text.as_bytes());
        }
    }

    /// Checks that the groups are well formed and have the same tensors.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.groups.is_empty() {
            return Err(Problem::NoGroup);
        }
        if usize::from(self.inputs) > self.tensors().len() {
            return Err(Problem::TooFewTensors {
                inputs: self.inputs,
                tensors: self.tensors().len(),
            });
        }
        for (number, group) in self.groups.iter().enumerate() {
            validate::group(group).map_err(|invalid| Problem::Group {
                number,
                invalid: Box::new(invalid),
            })?;
            if group.tensors != self.tensors() {
                return Err(Problem::GroupTensors(number));
            }
        }
        Ok(())
    }
}

impl Serialize for PtoGroups {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct View {
            inputs: u16,
            groups: Vec<Vec<String>>,
        }
        let lines = |group: &Group| group.to_string().lines().map(str::to_owned).collect();
        View {
            inputs: self.inputs,
            groups: self.groups.iter().map(lines).collect(),
        }
        .serialize(serializer)
    }
}

/// Returns whether a tensor of a kernel corresponds to a tensor of a program: a sequence of
/// matrices with as many elements. The order of elements is the same, whatever the dimensions.
pub(crate) fn matches_tensor(tensor: &TensorType, desc: &TensorDesc) -> bool {
    let elements = count_elements(&desc.shape);
    elements.is_some()
        && tensor.elements() == elements
        && DataType::from(tensor.element) == desc.data_type
}

impl From<Element> for DataType {
    fn from(element: Element) -> Self {
        match element {
            Element::F32 => DataType::F32,
            Element::Bf16 => DataType::BF16,
            Element::I32 => DataType::SI32,
        }
    }
}

/// Arithmetic on numbers.
const NUMBERS: [(ScalarOp, fb::PtoOpKind); 18] = {
    use fb::PtoOpKind as Kind;
    [
        (ScalarOp::Add, Kind::NumberAdd),
        (ScalarOp::Subtract, Kind::NumberSubtract),
        (ScalarOp::Multiply, Kind::NumberMultiply),
        (ScalarOp::Divide, Kind::NumberDivide),
        (ScalarOp::FloorDivide, Kind::NumberFloorDivide),
        (ScalarOp::CeilDivide, Kind::NumberCeilDivide),
        (ScalarOp::Remainder, Kind::NumberRemainder),
        (ScalarOp::Min, Kind::NumberMin),
        (ScalarOp::Max, Kind::NumberMax),
        (ScalarOp::And, Kind::NumberAnd),
        (ScalarOp::Or, Kind::NumberOr),
        (ScalarOp::Xor, Kind::NumberXor),
        (ScalarOp::Equal, Kind::NumberEqual),
        (ScalarOp::Less, Kind::NumberLess),
        (ScalarOp::Below, Kind::NumberBelow),
        (ScalarOp::UnsignedDivide, Kind::NumberUnsignedDivide),
        (ScalarOp::UnsignedRemainder, Kind::NumberUnsignedRemainder),
        (ScalarOp::UnsignedMin, Kind::NumberUnsignedMin),
    ]
};

/// Operations on tiles without further parameters.
const TILES: [(Compute, fb::PtoOpKind); 6] = {
    use fb::PtoOpKind as Kind;
    [
        (Compute::Matmul, Kind::Matmul),
        (Compute::MatmulAcc, Kind::MatmulAcc),
        (Compute::Select, Kind::Select),
        (Compute::Transpose, Kind::Transpose),
        (Compute::Convert, Kind::Convert),
        (Compute::Move, Kind::Move),
    ]
};

const REDUCTIONS: [(Axis, fb::PtoOpKind); 2] = [
    (Axis::Rows, fb::PtoOpKind::ReduceRows),
    (Axis::Columns, fb::PtoOpKind::ReduceColumns),
];

const BROADCASTS: [(Broadcast, fb::PtoBroadcast); 4] = [
    (Broadcast::None, fb::PtoBroadcast::Whole),
    (Broadcast::Row, fb::PtoBroadcast::Row),
    (Broadcast::Column, fb::PtoBroadcast::Column),
    (Broadcast::Scalar, fb::PtoBroadcast::Scalar),
];

const DIRECTIONS: [(Direction, fb::PtoDirection); 2] = [
    (Direction::CubeToVector, fb::PtoDirection::CubeToVector),
    (Direction::VectorToCube, fb::PtoDirection::VectorToCube),
];

const SPLITS: [(Split, fb::PtoSplit); 3] = [
    (Split::None, fb::PtoSplit::Whole),
    (Split::UpDown, fb::PtoSplit::UpDown),
    (Split::LeftRight, fb::PtoSplit::LeftRight),
];

const ELEMENTS: [(Element, fb::DataType); 3] = [
    (Element::F32, fb::DataType::F32),
    (Element::Bf16, fb::DataType::BF16),
    (Element::I32, fb::DataType::SI32),
];

/// Returns the stored form of a value, from a table of all values.
fn stored<A: PartialEq, B: Copy + Default>(table: &[(A, B)], value: &A) -> B {
    let found = table.iter().find(|(known, _)| known == value);
    found.map_or_else(B::default, |(_, stored)| *stored)
}

/// Returns the value of a stored form, or `None` if it is unknown.
fn known<A: Copy, B: PartialEq>(table: &[(A, B)], stored: &B) -> Option<A> {
    let found = table.iter().find(|(_, other)| other == stored);
    found.map(|(value, _)| *value)
}

pub(crate) fn load_tensor(tensor: &fb::PtoTensor) -> Result<TensorType, ReadError> {
    Ok(TensorType {
        matrices: tensor.matrices(),
        rows: tensor.rows(),
        columns: tensor.columns(),
        element: load_element(tensor.element(), "PtoTensor.element")?,
    })
}

pub(crate) fn store_tensor(tensor: &TensorType) -> fb::PtoTensor {
    let element = stored(&ELEMENTS, &tensor.element);
    fb::PtoTensor::new(tensor.matrices, tensor.rows, tensor.columns, element)
}

fn load_element(element: fb::DataType, what: &'static str) -> Result<Element, ReadError> {
    known(&ELEMENTS, &element).ok_or(ReadError::UnknownValue {
        what,
        value: element.0.into(),
    })
}

/// Converts the index of a value, operation or region in memory, all of which are below 2^32.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn numbers<'f>(b: &mut Builder<'f>, numbers: &[usize]) -> WIPOffset<flatbuffers::Vector<'f, u32>> {
    b.create_vector_from_iter(numbers.iter().map(|number| narrow(*number)))
}

/// Writes groups.
pub(crate) fn write<'f>(b: &mut Builder<'f>, body: &PtoGroups) -> WIPOffset<fb::PtoGroups<'f>> {
    let groups: Vec<_> = body.groups.iter().map(|one| write_group(b, one)).collect();
    let groups = b.create_vector(&groups);
    let tensors = b.create_vector_from_iter(body.tensors().iter().map(store_tensor));
    fb::PtoGroups::create(
        b,
        &fb::PtoGroupsArgs {
            inputs: body.inputs,
            tensors: Some(tensors),
            groups: Some(groups),
        },
    )
}

fn write_group<'f>(b: &mut Builder<'f>, group: &Group) -> WIPOffset<fb::PtoGroup<'f>> {
    let pipes: Vec<_> = group.pipes.iter().map(|pipe| write_pipe(b, pipe)).collect();
    let pipes = b.create_vector(&pipes);
    let kernels = group.kernels.iter().map(|kernel| write_kernel(b, kernel));
    let kernels: Vec<_> = kernels.collect();
    let kernels = b.create_vector(&kernels);
    let locations = group.locations.iter();
    let locations: Vec<_> = locations.map(|one| b.shared_string(one)).collect();
    let locations = b.create_vector(&locations);
    fb::PtoGroup::create(
        b,
        &fb::PtoGroupArgs {
            pipes: Some(pipes),
            kernels: Some(kernels),
            locations: Some(locations),
        },
    )
}

fn write_pipe<'f>(b: &mut Builder<'f>, pipe: &Pipe) -> WIPOffset<fb::PtoPipe<'f>> {
    let name = b.create_string(&pipe.name);
    let vector = numbers(b, &pipe.vector);
    fb::PtoPipe::create(
        b,
        &fb::PtoPipeArgs {
            name: Some(name),
            direction: stored(&DIRECTIONS, &pipe.direction),
            split: stored(&SPLITS, &pipe.split),
            slots: pipe.slots,
            cube: narrow(pipe.cube),
            vector: Some(vector),
        },
    )
}

fn write_kernel<'f>(b: &mut Builder<'f>, kernel: &Kernel) -> WIPOffset<fb::PtoKernel<'f>> {
    let name = b.create_string(&kernel.name);
    let mut tiles: Vec<TileType> = Vec::new();
    let mut number = |r#type: &Type| match r#type {
        Type::Scalar => 0,
        Type::Tile(tile) => {
            let known = tiles.iter().position(|other| other == tile);
            1 + known.unwrap_or_else(|| {
                tiles.push(*tile);
                tiles.len() - 1
            })
        }
    };
    let values: Vec<usize> = kernel.values.iter().map(&mut number).collect();
    let values = numbers(b, &values);
    let tile = |tile: &TileType| {
        let element = stored(&ELEMENTS, &tile.element);
        fb::PtoTile::new(
            tile.rows,
            tile.columns,
            tile.valid[0],
            tile.valid[1],
            element,
        )
    };
    let tiles = b.create_vector_from_iter(tiles.iter().map(tile));
    // Regions get their numbers as they are met, so inner ones get higher ones than outer ones.
    let mut regions = vec![&kernel.body];
    let mut written = Vec::new();
    while let Some(region) = regions.get(written.len()).copied() {
        written.push(write_region(b, region, &mut regions));
    }
    let regions = b.create_vector(&written);
    let local = kernel.local.iter().map(store_tensor);
    let local = (local.len() > 0).then(|| b.create_vector_from_iter(local));
    fb::PtoKernel::create(
        b,
        &fb::PtoKernelArgs {
            name: Some(name),
            tiles: Some(tiles),
            values: Some(values),
            regions: Some(regions),
            local,
        },
    )
}

fn write_region<'f, 'k>(
    b: &mut Builder<'f>,
    region: &'k Region,
    regions: &mut Vec<&'k Region>,
) -> WIPOffset<fb::PtoRegion<'f>> {
    let ops: Vec<_> = region
        .ops
        .iter()
        .map(|op| write_op(b, op, regions))
        .collect();
    let ops = b.create_vector(&ops);
    let arguments = numbers(b, &region.arguments);
    let yields = numbers(b, &region.yields);
    fb::PtoRegion::create(
        b,
        &fb::PtoRegionArgs {
            arguments: Some(arguments),
            ops: Some(ops),
            yields: Some(yields),
        },
    )
}

fn write_op<'f, 'k>(
    b: &mut Builder<'f>,
    op: &'k Op,
    regions: &mut Vec<&'k Region>,
) -> WIPOffset<fb::PtoOp<'f>> {
    use fb::PtoOpKind as Kind;
    let first = regions.len();
    let mut args = fb::PtoOpArgs {
        location: narrow(op.location),
        ..fb::PtoOpArgs::default()
    };
    let named = match &op.kind {
        OpKind::Compute(compute) => function(compute),
        _ => None,
    };
    args.function = named.map(|name| b.shared_string(name));
    let indexed = |args: &mut fb::PtoOpArgs, kind, index: usize| {
        args.index = narrow(index);
        kind
    };
    args.kind = match &op.kind {
        OpKind::Constant(number) => {
            args.number = *number;
            Kind::Constant
        }
        OpKind::Scalar(scalar) => stored(&NUMBERS, scalar),
        OpKind::For(body) => {
            regions.push(body);
            Kind::For
        }
        OpKind::If(branches) => {
            regions.extend(branches.iter());
            Kind::If
        }
        OpKind::Load { tensor } => indexed(&mut args, Kind::Load, *tensor),
        OpKind::Store { tensor } => indexed(&mut args, Kind::Store, *tensor),
        OpKind::Rearrange(rearrangement) => {
            let Rearrangement {
                sources,
                target,
                map,
            } = &**rearrangement;
            let copies: Vec<_> = map.copies.iter().map(|one| write_copy(b, one)).collect();
            args.copies = Some(b.create_vector(&copies));
            args.tensors = Some(numbers(b, sources));
            args.lookup = map.lookup.map(|lookup| write_lookup(b, lookup));
            args.value = map.fill;
            indexed(&mut args, Kind::Rearrange, *target)
        }
        OpKind::Push { pipe } => indexed(&mut args, Kind::Push, *pipe),
        OpKind::Pop { pipe } => indexed(&mut args, Kind::Pop, *pipe),
        OpKind::Free { pipe } => indexed(&mut args, Kind::Free, *pipe),
        OpKind::Compute(Compute::Fill(value)) => {
            args.value = *value;
            Kind::Fill
        }
        OpKind::Compute(Compute::Unary(_)) => Kind::Unary,
        OpKind::Compute(Compute::Binary(_, broadcast)) => {
            args.broadcast = stored(&BROADCASTS, broadcast);
            Kind::Binary
        }
        OpKind::Compute(Compute::Reduce(_, axis)) => stored(&REDUCTIONS, axis),
        OpKind::Compute(compute) => stored(&TILES, compute),
    };
    let own: Vec<usize> = (first..regions.len()).collect();
    args.operands = Some(numbers(b, &op.operands));
    args.results = Some(numbers(b, &op.results));
    args.regions = Some(numbers(b, &own));
    fb::PtoOp::create(b, &args)
}

pub(crate) fn write_lookup<'f>(b: &mut Builder<'f>, lookup: Lookup) -> WIPOffset<fb::Lookup<'f>> {
    fb::Lookup::create(
        b,
        &fb::LookupArgs {
            indices: narrow(lookup.indices),
            rows: lookup.rows,
        },
    )
}

pub(crate) fn read_lookup(lookup: fb::Lookup<'_>) -> Lookup {
    Lookup {
        indices: lookup.indices() as usize,
        rows: lookup.rows(),
    }
}

fn write_copy<'f>(b: &mut Builder<'f>, copy: &StridedCopy) -> WIPOffset<fb::StridedCopy<'f>> {
    let extents = b.create_vector(&copy.extents);
    let source_strides = b.create_vector(&copy.source_strides);
    let result_strides = b.create_vector(&copy.result_strides);
    fb::StridedCopy::create(
        b,
        &fb::StridedCopyArgs {
            operand: narrow(copy.operand),
            extents: Some(extents),
            source_offset: copy.source_offset,
            source_strides: Some(source_strides),
            result_offset: copy.result_offset,
            result_strides: Some(result_strides),
        },
    )
}

fn read_copy(copy: fb::StridedCopy<'_>) -> StridedCopy {
    StridedCopy {
        operand: copy.operand() as usize,
        extents: copy.extents().iter().collect(),
        source_offset: copy.source_offset(),
        source_strides: copy.source_strides().iter().collect(),
        result_offset: copy.result_offset(),
        result_strides: copy.result_strides().iter().collect(),
    }
}

/// Returns the name of the element-wise function of an operation, if there is one.
fn function(compute: &Compute) -> Option<&'static str> {
    match compute {
        Compute::Unary(unary) => Some(unary.name()),
        Compute::Binary(binary, _) => Some(binary.name()),
        Compute::Reduce(reduce, _) => Some(reduce.name()),
        _ => None,
    }
}

/// Reads groups.
pub(crate) fn read(body: fb::PtoGroups<'_>) -> Result<PtoGroups, ReadError> {
    let tensors = body.tensors().iter().map(load_tensor);
    let tensors: Vec<TensorType> = tensors.collect::<Result<_, ReadError>>()?;
    let groups = body
        .groups()
        .iter()
        .map(|group| read_group(group, &tensors));
    Ok(PtoGroups {
        inputs: body.inputs(),
        groups: groups.collect::<Result<_, _>>()?,
    })
}

fn read_group(group: fb::PtoGroup<'_>, tensors: &[TensorType]) -> Result<Group, ReadError> {
    Ok(Group {
        tensors: tensors.to_vec(),
        pipes: group
            .pipes()
            .iter()
            .map(read_pipe)
            .collect::<Result<_, _>>()?,
        kernels: group
            .kernels()
            .iter()
            .map(read_kernel)
            .collect::<Result<_, _>>()?,
        locations: group.locations().iter().map(str::to_owned).collect(),
        placement: Placement::default(),
    })
}

fn all(numbers: flatbuffers::Vector<'_, u32>) -> Vec<usize> {
    numbers.iter().map(|number| number as usize).collect()
}

fn read_pipe(pipe: fb::PtoPipe<'_>) -> Result<Pipe, ReadError> {
    let unknown = |what, value: u8| ReadError::UnknownValue {
        what,
        value: value.into(),
    };
    Ok(Pipe {
        name: pipe.name().to_owned(),
        direction: known(&DIRECTIONS, &pipe.direction())
            .ok_or_else(|| unknown("PtoPipe.direction", pipe.direction().0))?,
        slots: pipe.slots(),
        split: known(&SPLITS, &pipe.split())
            .ok_or_else(|| unknown("PtoPipe.split", pipe.split().0))?,
        cube: pipe.cube() as usize,
        vector: all(pipe.vector()),
        ring: Ring::default(),
    })
}

fn read_kernel(kernel: fb::PtoKernel<'_>) -> Result<Kernel, ReadError> {
    let tile = |tile: &fb::PtoTile| {
        Ok(TileType {
            rows: tile.rows(),
            columns: tile.columns(),
            valid: [tile.valid_rows(), tile.valid_columns()],
            element: load_element(tile.element(), "PtoTile.element")?,
        })
    };
    let tiles = kernel.tiles().iter().map(tile);
    let tiles: Vec<TileType> = tiles.collect::<Result<_, ReadError>>()?;
    let r#type = |number: u32| match number.checked_sub(1) {
        None => Ok(Type::Scalar),
        Some(tile) => tiles
            .get(tile as usize)
            .map(|tile| Type::Tile(*tile))
            .ok_or(ReadError::UnknownValue {
                what: "PtoKernel.values",
                value: number,
            }),
    };
    let mut regions = Regions {
        regions: kernel.regions(),
        taken: vec![false; kernel.regions().len()],
    };
    Ok(Kernel {
        name: kernel.name().to_owned(),
        values: kernel
            .values()
            .iter()
            .map(r#type)
            .collect::<Result<_, _>>()?,
        local: kernel
            .local()
            .into_iter()
            .flatten()
            .map(load_tensor)
            .collect::<Result<_, _>>()?,
        body: regions.read(0, 0)?,
        numerics: Numerics::default(),
    })
}

/// The regions of a kernel, each of which belongs to one operation.
struct Regions<'f> {
    regions: flatbuffers::Vector<'f, flatbuffers::ForwardsUOffset<fb::PtoRegion<'f>>>,
    taken: Vec<bool>,
}

impl Regions<'_> {
    fn read(&mut self, number: u32, depth: usize) -> Result<Region, ReadError> {
        let refuse = || ReadError::UnknownValue {
            what: "PtoOp.regions",
            value: number,
        };
        // One deeper than what is valid, so that it is the validation that says so.
        let taken = self.taken.get_mut(number as usize).ok_or_else(refuse)?;
        if std::mem::replace(taken, true) || depth > MAX_DEPTH + 1 {
            return Err(refuse());
        }
        let region = self.regions.get(number as usize);
        let ops = region.ops().iter().map(|op| self.op(op, depth));
        Ok(Region {
            ops: ops.collect::<Result<_, _>>()?,
            arguments: all(region.arguments()),
            yields: all(region.yields()),
        })
    }

    fn op(&mut self, op: fb::PtoOp<'_>, depth: usize) -> Result<Op, ReadError> {
        let own = op
            .regions()
            .iter()
            .map(|number| self.read(number, depth + 1));
        let own: Vec<Region> = own.collect::<Result<_, _>>()?;
        let count = own.len() as u32;
        Ok(Op {
            kind: kind(op, own)?.ok_or(ReadError::UnknownValue {
                what: "the number of PtoOp.regions",
                value: count,
            })?,
            operands: all(op.operands()),
            results: all(op.results()),
            location: op.location() as usize,
            unit: None,
            precision: Precision::default(),
        })
    }
}

/// Returns the kind of an operation, or `None` if it does not have these regions.
fn kind(op: fb::PtoOp<'_>, own: Vec<Region>) -> Result<Option<OpKind>, ReadError> {
    use fb::PtoOpKind as Kind;
    let index = op.index() as usize;
    if op.kind() == Kind::For {
        let body: Option<[Region; 1]> = own.try_into().ok();
        return Ok(body.map(|[body]| OpKind::For(body)));
    }
    if op.kind() == Kind::If {
        let branches: Option<[Region; 2]> = own.try_into().ok();
        return Ok(branches.map(|branches| OpKind::If(Box::new(branches))));
    }
    if !own.is_empty() {
        return Ok(None);
    }
    let kind = match op.kind() {
        Kind::Constant => OpKind::Constant(op.number()),
        Kind::Load => OpKind::Load { tensor: index },
        Kind::Store => OpKind::Store { tensor: index },
        Kind::Push => OpKind::Push { pipe: index },
        Kind::Pop => OpKind::Pop { pipe: index },
        Kind::Free => OpKind::Free { pipe: index },
        Kind::Fill => OpKind::Compute(Compute::Fill(op.value())),
        Kind::Rearrange => OpKind::Rearrange(Box::new(Rearrangement {
            sources: op.tensors().map(all).unwrap_or_default(),
            target: index,
            map: IndexMap {
                copies: op.copies().into_iter().flatten().map(read_copy).collect(),
                fill: op.value(),
                lookup: op.lookup().map(read_lookup),
            },
        })),
        other => match known(&NUMBERS, &other) {
            Some(scalar) => OpKind::Scalar(scalar),
            None => OpKind::Compute(compute(op)?),
        },
    };
    Ok(Some(kind))
}

/// Returns the computation of an operation on tiles.
fn compute(op: fb::PtoOp<'_>) -> Result<Compute, ReadError> {
    use fb::PtoOpKind as Kind;
    if let Some(axis) = known(&REDUCTIONS, &op.kind()) {
        return Ok(Compute::Reduce(named(op, Reduce::from_name)?, axis));
    }
    match op.kind() {
        Kind::Unary => Ok(Compute::Unary(named(op, Unary::from_name)?)),
        Kind::Binary => {
            let broadcast = known(&BROADCASTS, &op.broadcast());
            let broadcast = broadcast.ok_or(ReadError::UnknownValue {
                what: "PtoOp.broadcast",
                value: op.broadcast().0.into(),
            })?;
            Ok(Compute::Binary(named(op, Binary::from_name)?, broadcast))
        }
        other => known(&TILES, &other).ok_or(ReadError::UnknownValue {
            what: "PtoOp.kind",
            value: other.0.into(),
        }),
    }
}

/// Returns the element-wise function of an operation.
fn named<F>(op: fb::PtoOp<'_>, find: impl Fn(&str) -> Option<F>) -> Result<F, ReadError> {
    let name = op.function().unwrap_or_default();
    find(name).ok_or_else(|| ReadError::UnknownFunction(name.to_owned()))
}
