//! Decodes program files. Nothing in a file is trusted before it is checked.

use std::sync::Arc;

use flatbuffers::{InvalidFlatbuffer, VerifierOptions};

use tessera_isa_mncore::layout::LayoutError;
use tessera_isa_tensix::list::Lists;

use crate::entry;
use crate::generated as fb;
use crate::groups;
use crate::mncore;
use crate::schema::{schema_hash, FILE_IDENTIFIER};
use crate::tensor_op;
use crate::{
    Binary, CachedCall, CoreImage, DataType, Digest, Image, Kernel, KernelBody, KernelOp,
    KernelRef, Layout, MemorySpace, Mlir, Op, Operation, Program, Step, SystemDesc, TensixImages,
    TensixLists, TensorDesc, TileRing, UnknownOp, ValidateError, Version,
};

/// Largest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 30;

/// Bytes of the size prefix.
const PREFIX: usize = 4;

/// Limits of the structural verifier. The deepest table is an attribute of an operation in a kernel
/// group: Binary, Program, Operation, KernelOp, Operation, TensorOp, Attribute, ComputeConfig, and
/// the vectors between them.
const LIMITS: VerifierOptions = VerifierOptions {
    max_depth: 16,
    max_tables: 4_000_000,
    max_apparent_size: MAX_FILE_BYTES,
    ignore_missing_null_terminator: false,
};

/// Why bytes are not a program file that this version can use.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// More bytes than [`MAX_FILE_BYTES`].
    #[error(
        "the file has {size} bytes, more than the limit of {MAX_FILE_BYTES}: split the model into \
         several programs"
    )]
    TooLarge {
        /// Size of the file.
        size: usize,
    },
    /// Fewer bytes than the file says it has.
    #[error(
        "the file is truncated: it has {size} of {expected} bytes; translate the module again with \
         ttmlir-translate --ttnn-to-flatbuffer"
    )]
    Truncated {
        /// Size of the file.
        size: usize,
        /// Size by its own prefix, or of the shortest possible file.
        expected: usize,
    },
    /// More bytes than the file says it has.
    #[error(
        "the file has {size} bytes but says it has {expected}: something was appended to it, or it \
         is no size-prefixed FlatBuffer"
    )]
    TrailingBytes {
        /// Size of the file.
        size: usize,
        /// Size by its own prefix.
        expected: usize,
    },
    /// Another file identifier.
    #[error("not a Tessera program: its file identifier is '{found}', expected \
             '{FILE_IDENTIFIER}'{hint}", hint = identifier_hint(found))]
    Identifier {
        /// The identifier found, escaped.
        found: String,
    },
    /// Written by another version.
    #[error(
        "the file was written by Tessera {found}, this is {}: translate the module again with this \
         version's ttmlir-translate",
        Version::CURRENT
    )]
    Version {
        /// Version of the writer.
        found: Version,
    },
    /// Written against another schema.
    #[error(
        "the file has schema hash {found}, this build reads {}: translate the module again with \
         this build's ttmlir-translate",
        schema_hash()
    )]
    SchemaHash {
        /// Hash in the file, escaped.
        found: String,
    },
    /// Not a FlatBuffer of the schema; holds what the verifier says.
    #[error("the file is damaged: {0}")]
    Structure(String),
    /// A value that no writer writes.
    #[error("the file is damaged: {what} has the unknown value {value}")]
    UnknownValue {
        /// The field.
        what: &'static str,
        /// Its value.
        value: u32,
    },
    /// A name that no function has.
    #[error("the file is damaged: there is no function '{0}'")]
    UnknownFunction(String),
    /// A name that no operation has.
    #[error("the file is damaged: {0}")]
    UnknownOp(UnknownOp),
    /// A name that no attribute of an operation has.
    #[error("the file is damaged: '{op}' has no attribute '{attribute}'")]
    UnknownAttribute {
        /// The operation.
        op: &'static str,
        /// The attribute.
        attribute: String,
    },
    /// An attribute that an operation has twice.
    #[error("the file is damaged: '{op}' has attribute '{attribute}' twice")]
    RepeatedAttribute {
        /// The operation.
        op: &'static str,
        /// The attribute.
        attribute: &'static str,
    },
    /// A text that is not a layout.
    #[error("the file is damaged: the layout of argument {argument}: {error}")]
    Layout {
        /// The number of the argument of its kernel.
        argument: usize,
        /// What is wrong with the text.
        error: Box<LayoutError>,
    },
    /// A kernel is not what was written.
    #[error(
        "the file is damaged: kernel {index} ('{name}') does not have the content its hash names"
    )]
    KernelHash {
        /// Index in the pool.
        index: usize,
        /// Its name.
        name: String,
        /// The hash that the file names.
        named: Vec<u8>,
        /// The hash of the content.
        found: Digest,
    },
    /// Contradicts itself.
    #[error("the file is inconsistent: {0}")]
    Invalid(ValidateError),
}

impl From<InvalidFlatbuffer> for ReadError {
    /// Joins the verifier's text, a list of lines with the innermost table first, to one line.
    fn from(error: InvalidFlatbuffer) -> Self {
        let text = error.to_string();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Self::Structure(lines.collect::<Vec<_>>().join(" "))
    }
}

fn identifier_hint(found: &str) -> &'static str {
    match found {
        "TTNN" => {
            " (this is a file of tt-mlir: compile the module with Tessera's ttmlir-opt and \
             ttmlir-translate)"
        }
        "TTSY" => " (this is a system description of tt-mlir)",
        _ => ": give a file made by ttmlir-translate --ttnn-to-flatbuffer",
    }
}

/// Converts a stored enumeration to the owned one; missing and unknown values are errors.
macro_rules! known {
    ($type:ty, $value:expr, $what:literal) => {{
        let value = $value;
        <$type>::from_fb(value).ok_or(ReadError::UnknownValue {
            what: $what,
            value: value.0.into(),
        })?
    }};
}

impl Binary {
    /// Reads a program file; see the crate's documentation for what has been checked.
    ///
    /// # Errors
    /// If the bytes are anything but a consistent file of this build's schema.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        check_envelope(bytes)?;
        // Reading as a `Header` first tells a file of another schema, which may fail any other
        // check, from damage.
        let header = flatbuffers::size_prefixed_root_with_opts::<fb::Header>(&LIMITS, bytes)?;
        check_header(header)?;
        let root = flatbuffers::size_prefixed_root_with_opts::<fb::Binary>(&LIMITS, bytes)?;
        let binary = read_binary(root)?;
        binary.validate().map_err(ReadError::Invalid)?;
        Ok(binary)
    }
}

/// Checks the size prefix and the file identifier, before any offset is followed.
fn check_envelope(bytes: &[u8]) -> Result<(), ReadError> {
    const IDENTIFIER: std::ops::Range<usize> = 8..12;
    let size = bytes.len();
    if size > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge { size });
    }
    let (Some(prefix), Some(identifier)) = (bytes.first_chunk::<PREFIX>(), bytes.get(IDENTIFIER))
    else {
        return Err(ReadError::Truncated {
            size,
            expected: IDENTIFIER.end,
        });
    };
    if identifier != FILE_IDENTIFIER.as_bytes() {
        return Err(ReadError::Identifier {
            found: identifier.escape_ascii().to_string(),
        });
    }
    let expected = PREFIX + u32::from_le_bytes(*prefix) as usize;
    match size.cmp(&expected) {
        std::cmp::Ordering::Less => Err(ReadError::Truncated { size, expected }),
        std::cmp::Ordering::Greater => Err(ReadError::TrailingBytes { size, expected }),
        std::cmp::Ordering::Equal => Ok(()),
    }
}

fn check_header(header: fb::Header<'_>) -> Result<(), ReadError> {
    let found = read_version(header.version());
    if (found.major, found.minor) != (Version::CURRENT.major, Version::CURRENT.minor) {
        return Err(ReadError::Version { found });
    }
    let found = header.schema_hash();
    if found != schema_hash().to_string() {
        return Err(ReadError::SchemaHash {
            found: found
                .chars()
                .take(64)
                .flat_map(char::escape_default)
                .collect(),
        });
    }
    Ok(())
}

fn read_version(version: fb::Version<'_>) -> Version {
    Version {
        major: version.major(),
        minor: version.minor(),
        patch: version.patch(),
    }
}

fn read_binary(root: fb::Binary<'_>) -> Result<Binary, ReadError> {
    let images: Vec<_> = root.images().iter().map(read_image).collect();
    Ok(Binary {
        version: read_version(root.version()),
        system_desc: SystemDesc {
            chips: root
                .system_desc()
                .chips()
                .iter()
                .map(entry::load_chip)
                .collect::<Result<_, _>>()?,
        },
        mlir: root.mlir().map(|mlir| Mlir {
            name: mlir.name().to_owned(),
            source: mlir.source().to_owned(),
        }),
        kernels: root
            .kernels()
            .iter()
            .enumerate()
            .map(|(index, kernel)| read_kernel(index, kernel, &images))
            .collect::<Result<_, _>>()?,
        programs: root
            .programs()
            .iter()
            .map(read_program)
            .collect::<Result<_, _>>()?,
    })
}

fn read_program(program: fb::Program<'_>) -> Result<Program, ReadError> {
    Ok(Program {
        name: program.name().to_owned(),
        private: program.private(),
        tensors: program
            .tensors()
            .iter()
            .map(read_tensor)
            .collect::<Result<_, _>>()?,
        inputs: program.inputs().iter().collect(),
        cached: program.cached().iter().map(read_cached_call).collect(),
        outputs: program.outputs().iter().collect(),
        operations: read_operations(program.operations().iter())?,
    })
}

fn read_cached_call(call: fb::CachedCall<'_>) -> CachedCall {
    CachedCall {
        program: call.program().to_owned(),
        inputs: call.inputs().iter().collect(),
        outputs: call.outputs().iter().collect(),
    }
}

fn read_tensor(desc: fb::TensorDesc<'_>) -> Result<TensorDesc, ReadError> {
    Ok(TensorDesc {
        name: desc.name().map(str::to_owned),
        shape: desc.shape().iter().collect(),
        data_type: known!(DataType, desc.data_type(), "TensorDesc.data_type"),
        layout: known!(Layout, desc.layout(), "TensorDesc.layout"),
        memory: known!(MemorySpace, desc.memory(), "TensorDesc.memory"),
    })
}

fn read_operations<'a>(
    operations: impl Iterator<Item = fb::Operation<'a>>,
) -> Result<Vec<Operation>, ReadError> {
    operations
        .map(|operation| {
            Ok(Operation {
                op: read_op(operation)?,
                debug_info: operation.debug_info().to_owned(),
                loc: operation.loc().to_owned(),
            })
        })
        .collect()
}

fn read_op(operation: fb::Operation<'_>) -> Result<Op, ReadError> {
    if let Some(op) = operation.kind_as_tensor_op() {
        return Ok(tensor_op::read(op)?.into());
    }
    if let Some(op) = operation.kind_as_kernel_op() {
        return Ok(read_kernel_op(op)?.into());
    }
    Err(ReadError::UnknownValue {
        what: "Operation.kind",
        value: operation.kind_type().0.into(),
    })
}

/// Reads a kernel group. The verifier's depth limit bounds the nesting.
fn read_kernel_op(op: fb::KernelOp<'_>) -> Result<KernelOp, ReadError> {
    Ok(KernelOp {
        operations: read_operations(op.operations().iter())?,
        outputs: op.outputs().iter().collect(),
        kernels: op
            .kernels()
            .iter()
            .map(|kernel| KernelRef {
                kernel: kernel.kernel(),
                args: kernel.args().iter().collect(),
            })
            .collect(),
    })
}

fn read_image(image: fb::Image<'_>) -> Arc<Image> {
    let step = |step: &fb::Step| Step {
        word: step.word(),
        operation: step.operation(),
    };
    let words = image.words().iter().collect();
    Arc::new(Image::new(words, image.steps().iter().map(step).collect()))
}

fn read_kernel(
    index: usize,
    kernel: fb::Kernel<'_>,
    images: &[Arc<Image>],
) -> Result<Kernel, ReadError> {
    let body = if let Some(lists) = kernel.body_as_tensix_lists() {
        KernelBody::Tensix(read_lists(lists)?)
    } else if let Some(body) = kernel.body_as_tensix_images() {
        KernelBody::TensixImages(Box::new(read_images(body, images)?))
    } else if let Some(body) = kernel.body_as_pto_groups() {
        KernelBody::Pto(groups::read(body)?)
    } else if let Some(body) = kernel.body_as_mncore_program() {
        KernelBody::Mncore(mncore::read(body)?)
    } else {
        return Err(ReadError::UnknownValue {
            what: "Kernel.body",
            value: kernel.body_type().0.into(),
        });
    };
    let owned = Kernel {
        name: kernel.name().to_owned(),
        body,
    };
    let (named, found) = (kernel.hash().bytes(), owned.hash());
    if named != found.0 {
        return Err(ReadError::KernelHash {
            index,
            name: owned.name,
            named: named.to_vec(),
            found,
        });
    }
    Ok(owned)
}

fn read_lists(lists: fb::TensixLists<'_>) -> Result<TensixLists, ReadError> {
    let list = |entries: flatbuffers::Vector<'_, fb::Entry>| -> Result<Vec<_>, ReadError> {
        entries.iter().map(entry::load).collect()
    };
    let dm = lists.dm().iter().map(entry::load_dm);
    Ok(TensixLists {
        arch: entry::load_arch(lists.arch(), "TensixLists.arch")?,
        inputs: lists.inputs(),
        outputs: lists.outputs(),
        l1_end: lists.l1_end(),
        lists: Lists {
            unpack: list(lists.unpack())?,
            math: list(lists.math())?,
            pack: list(lists.pack())?,
            dm: dm.collect::<Result<_, _>>()?,
        },
    })
}

fn read_images(
    body: fb::TensixImages<'_>,
    images: &[Arc<Image>],
) -> Result<TensixImages, ReadError> {
    let core = |core: fb::CoreImage<'_>| -> Result<CoreImage, ReadError> {
        let unknown = ReadError::UnknownValue {
            what: "CoreImage.image",
            value: core.image(),
        };
        let arguments = core.arguments().iter().map(entry::load_argument);
        Ok(CoreImage {
            image: images.get(core.image() as usize).ok_or(unknown)?.clone(),
            arguments: arguments.collect::<Result<_, _>>()?,
            places: core.places().iter().collect(),
        })
    };
    let cores = body.cores().iter().map(core);
    let cores: Vec<CoreImage> = cores.collect::<Result<_, _>>()?;
    let tiles = cores.chunks(5).map(|cores| cores.to_vec().try_into().ok());
    let tiles: Option<Vec<_>> = tiles.collect();
    let tiles = tiles.ok_or(ReadError::UnknownValue {
        what: "the number of TensixImages.cores",
        value: cores.len() as u32,
    })?;
    let rings = body.rings().iter().map(|ring| TileRing {
        consumer: ring.consumer(),
        ready: ring.ready(),
        producer: ring.producer(),
        freed: ring.freed(),
    });
    Ok(TensixImages {
        arch: entry::load_arch(body.arch(), "TensixImages.arch")?,
        inputs: body.inputs(),
        outputs: body.outputs(),
        work: body.work(),
        tiles,
        rings: rings.collect(),
        grid: body.grid().map(|grid| [grid.rows(), grid.columns()]),
        places: body.places().iter().map(str::to_owned).collect(),
    })
}
