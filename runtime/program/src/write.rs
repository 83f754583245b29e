//! Encodes program files.

use std::collections::HashMap;

use flatbuffers::{UnionWIPOffset, Vector, WIPOffset};

use crate::builder::Builder;
use crate::entry;
use crate::generated as fb;
use crate::groups;
use crate::mncore;
use crate::schema::{schema_hash, FILE_IDENTIFIER};
use crate::tensor_op;
use crate::{
    Binary, CachedCall, Digest, Image, Kernel, KernelBody, KernelOp, KernelRef, Op, Operation,
    Program, TensixImages, TensixLists, TensorDesc, ValidateError,
};

impl Binary {
    /// Returns the file: one size-prefixed FlatBuffer.
    ///
    /// # Errors
    /// If the value is inconsistent, so that [`Binary::read`] would refuse the file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ValidateError> {
        self.validate()?;
        let mut builder = Builder::default();
        let b = &mut builder;
        let root = self.write(b);
        b.finish_size_prefixed(root, Some(FILE_IDENTIFIER));
        Ok(b.finished_data().to_vec())
    }

    fn write<'f>(&self, b: &mut Builder<'f>) -> WIPOffset<fb::Binary<'f>> {
        let version = fb::Version::create(
            b,
            &fb::VersionArgs {
                major: self.version.major,
                minor: self.version.minor,
                patch: self.version.patch,
            },
        );
        let schema_hash = b.create_string(&schema_hash().to_string());
        let chips = self.system_desc.chips.iter().copied();
        let chips: Vec<fb::Chip> = chips.map(entry::store_chip).collect();
        let chips = b.create_vector(&chips);
        let system_desc = fb::SystemDesc::create(b, &fb::SystemDescArgs { chips: Some(chips) });
        let mlir = self.mlir.as_ref().map(|mlir| {
            let name = b.create_string(&mlir.name);
            let source = b.create_string(&mlir.source);
            fb::Mlir::create(
                b,
                &fb::MlirArgs {
                    name: Some(name),
                    source: Some(source),
                },
            )
        });
        let mut images = ImagePool::default();
        let kernels: Vec<_> = self
            .kernels
            .iter()
            .map(|kernel| write_kernel(b, kernel, &mut images))
            .collect();
        let kernels = b.create_vector(&kernels);
        let images = vector(b, &images.images, write_image);
        let programs = vector(b, &self.programs, write_program);
        fb::Binary::create(
            b,
            &fb::BinaryArgs {
                version: Some(version),
                schema_hash: Some(schema_hash),
                system_desc: Some(system_desc),
                mlir,
                images: Some(images),
                kernels: Some(kernels),
                programs: Some(programs),
            },
        )
    }
}

/// Writes every item, then the vector of them.
fn vector<'f, T, F: 'f>(
    b: &mut Builder<'f>,
    items: &[T],
    write: fn(&mut Builder<'f>, &T) -> WIPOffset<F>,
) -> WIPOffset<Vector<'f, flatbuffers::ForwardsUOffset<F>>> {
    let offsets: Vec<_> = items.iter().map(|item| write(b, item)).collect();
    b.create_vector(&offsets)
}

fn write_program<'f>(b: &mut Builder<'f>, program: &Program) -> WIPOffset<fb::Program<'f>> {
    let name = b.create_string(&program.name);
    let tensors = vector(b, &program.tensors, write_tensor);
    let inputs = b.create_vector(&program.inputs);
    let cached = vector(b, &program.cached, write_cached_call);
    let outputs = b.create_vector(&program.outputs);
    let operations = vector(b, &program.operations, write_operation);
    fb::Program::create(
        b,
        &fb::ProgramArgs {
            name: Some(name),
            private: program.private,
            tensors: Some(tensors),
            inputs: Some(inputs),
            cached: Some(cached),
            outputs: Some(outputs),
            operations: Some(operations),
        },
    )
}

fn write_cached_call<'f>(b: &mut Builder<'f>, call: &CachedCall) -> WIPOffset<fb::CachedCall<'f>> {
    let program = b.create_string(&call.program);
    let inputs = b.create_vector(&call.inputs);
    let outputs = b.create_vector(&call.outputs);
    fb::CachedCall::create(
        b,
        &fb::CachedCallArgs {
            program: Some(program),
            inputs: Some(inputs),
            outputs: Some(outputs),
        },
    )
}

fn write_tensor<'f>(b: &mut Builder<'f>, desc: &TensorDesc) -> WIPOffset<fb::TensorDesc<'f>> {
    let name = desc.name.as_ref().map(|name| b.create_string(name));
    let shape = b.create_vector(&desc.shape);
    fb::TensorDesc::create(
        b,
        &fb::TensorDescArgs {
            name,
            shape: Some(shape),
            data_type: desc.data_type.to_fb(),
            layout: desc.layout.to_fb(),
            memory: desc.memory.to_fb(),
        },
    )
}

fn write_operation<'f>(b: &mut Builder<'f>, operation: &Operation) -> WIPOffset<fb::Operation<'f>> {
    let (kind_type, kind) = write_op(b, &operation.op);
    let debug_info = b.create_string(&operation.debug_info);
    let loc = b.shared_string(&operation.loc);
    fb::Operation::create(
        b,
        &fb::OperationArgs {
            kind_type,
            kind: Some(kind),
            debug_info: Some(debug_info),
            loc: Some(loc),
        },
    )
}

/// Writes an operation; returns its table and tag.
fn write_op(b: &mut Builder<'_>, op: &Op) -> (fb::OperationKind, WIPOffset<UnionWIPOffset>) {
    match op {
        Op::Tensor(op) => (
            fb::OperationKind::TensorOp,
            tensor_op::write(b, op).as_union_value(),
        ),
        Op::Kernel(group) => (
            fb::OperationKind::KernelOp,
            write_kernel_op(b, group).as_union_value(),
        ),
    }
}

fn write_kernel_op<'f>(b: &mut Builder<'f>, group: &KernelOp) -> WIPOffset<fb::KernelOp<'f>> {
    let operations = vector(b, &group.operations, write_operation);
    let outputs = b.create_vector(&group.outputs);
    let kernels = vector(b, &group.kernels, write_kernel_ref);
    let args = fb::KernelOpArgs {
        operations: Some(operations),
        outputs: Some(outputs),
        kernels: Some(kernels),
    };
    fb::KernelOp::create(b, &args)
}

fn write_kernel_ref<'f>(b: &mut Builder<'f>, kernel: &KernelRef) -> WIPOffset<fb::KernelRef<'f>> {
    let args = Some(b.create_vector(&kernel.args));
    fb::KernelRef::create(
        b,
        &fb::KernelRefArgs {
            kernel: kernel.kernel,
            args,
        },
    )
}

fn write_kernel<'f, 'k>(
    b: &mut Builder<'f>,
    kernel: &'k Kernel,
    images: &mut ImagePool<'k>,
) -> WIPOffset<fb::Kernel<'f>> {
    let name = b.create_string(&kernel.name);
    let hash = b.create_vector(&kernel.hash().0);
    let (body_type, body) = match &kernel.body {
        KernelBody::Tensix(lists) => (
            fb::KernelBody::TensixLists,
            write_lists(b, lists).as_union_value(),
        ),
        KernelBody::TensixImages(body) => (
            fb::KernelBody::TensixImages,
            write_images(b, body, images).as_union_value(),
        ),
        KernelBody::Pto(body) => (
            fb::KernelBody::PtoGroups,
            groups::write(b, body).as_union_value(),
        ),
        KernelBody::Mncore(body) => (
            fb::KernelBody::MncoreProgram,
            mncore::write(b, body).as_union_value(),
        ),
    };
    fb::Kernel::create(
        b,
        &fb::KernelArgs {
            name: Some(name),
            hash: Some(hash),
            body_type,
            body: Some(body),
        },
    )
}

fn write_lists<'f>(b: &mut Builder<'f>, lists: &TensixLists) -> WIPOffset<fb::TensixLists<'f>> {
    let [unpack, math, pack] = lists
        .lists
        .threads()
        .map(|(_, list)| b.create_vector_from_iter(list.iter().copied().map(entry::store)));
    let dm = b.create_vector_from_iter(lists.lists.dm.iter().copied().map(entry::store_dm));
    fb::TensixLists::create(
        b,
        &fb::TensixListsArgs {
            arch: entry::store_arch(lists.arch),
            inputs: lists.inputs,
            outputs: lists.outputs,
            l1_end: lists.l1_end,
            unpack: Some(unpack),
            math: Some(math),
            pack: Some(pack),
            dm: Some(dm),
        },
    )
}

/// The distinct images of a file, in the order of their first use.
#[derive(Default)]
struct ImagePool<'k> {
    images: Vec<&'k Image>,
    numbers: HashMap<Digest, u32>,
}

impl<'k> ImagePool<'k> {
    fn number(&mut self, image: &'k Image) -> u32 {
        *self.numbers.entry(image.digest()).or_insert_with(|| {
            self.images.push(image);
            self.images.len() as u32 - 1
        })
    }
}

fn write_images<'f, 'k>(
    b: &mut Builder<'f>,
    body: &'k TensixImages,
    images: &mut ImagePool<'k>,
) -> WIPOffset<fb::TensixImages<'f>> {
    let cores: Vec<_> = body
        .tiles
        .iter()
        .flatten()
        .map(|core| {
            let arguments = core.arguments.iter().copied().map(entry::store_argument);
            let arguments = b.create_vector_from_iter(arguments);
            let places = b.create_vector(&core.places);
            fb::CoreImage::create(
                b,
                &fb::CoreImageArgs {
                    image: images.number(&core.image),
                    arguments: Some(arguments),
                    places: Some(places),
                },
            )
        })
        .collect();
    let cores = b.create_vector(&cores);
    let places: Vec<_> = body
        .places
        .iter()
        .map(|place| b.shared_string(place))
        .collect();
    let places = b.create_vector(&places);
    let rings = body.rings.iter();
    let rings = b.create_vector_from_iter(
        rings.map(|ring| fb::TileRing::new(ring.consumer, ring.ready, ring.producer, ring.freed)),
    );
    let grid = body
        .grid
        .map(|[rows, columns]| fb::Grid::new(rows, columns));
    fb::TensixImages::create(
        b,
        &fb::TensixImagesArgs {
            arch: entry::store_arch(body.arch),
            inputs: body.inputs,
            outputs: body.outputs,
            work: body.work,
            cores: Some(cores),
            places: Some(places),
            rings: Some(rings),
            grid: grid.as_ref(),
        },
    )
}

fn write_image<'f>(b: &mut Builder<'f>, image: &&Image) -> WIPOffset<fb::Image<'f>> {
    let words = b.create_vector(image.words());
    let steps = image.steps().iter();
    let steps = b.create_vector_from_iter(steps.map(|s| fb::Step::new(s.word, s.operation)));
    fb::Image::create(
        b,
        &fb::ImageArgs {
            words: Some(words),
            steps: Some(steps),
        },
    )
}
