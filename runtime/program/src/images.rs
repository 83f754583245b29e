//! Kernels of RISC-V images: owned form, validation and text.

use std::sync::Arc;

use serde::Serialize;
use tessera_isa_tensix::tile::{self, Argument, CORES};
use tessera_isa_tensix::worker_grid::GROUPS;
use tessera_isa_tensix::{Arch, Instruction};
use tessera_riscv::table::Op;

use crate::entry::store_arch;
use crate::hash::{Digest, Hasher};
use crate::validate::Problem;

/// The start of the code of an operation in an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Index of the first word.
    pub word: u32,
    /// Index of the operation.
    pub operation: u32,
}

/// Code of one RISC-V core of a tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    words: Vec<u32>,
    steps: Vec<Step>,
    digest: Digest,
}

impl Image {
    /// Creates an image of these words; `steps` assign operations to words, in ascending order.
    pub fn new(words: Vec<u32>, steps: Vec<Step>) -> Self {
        let mut hasher = Hasher::default();
        hasher.length(words.len());
        words.iter().for_each(|word| hasher.word(*word));
        for step in &steps {
            hasher.words([step.word, step.operation]);
        }
        let digest = hasher.finish();
        Self {
            words,
            steps,
            digest,
        }
    }

    /// Returns the words; the first is at the core's reset address.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the operation of each word.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the SHA-256 of the image. It is computed once, so that kernels that share an image
    /// do not hash it again.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

/// The code and arguments of one core of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreImage {
    /// The code; a file stores equal images once.
    pub image: Arc<Image>,
    /// The words of its argument block.
    pub arguments: Vec<Argument>,
    /// The source location of each operation of the image, an index of [`TensixImages::places`].
    pub places: Vec<u32>,
}

/// A ring between two tiles of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TileRing {
    /// The tile that pops.
    pub consumer: u32,
    /// Counter of ready slots, in the consumer.
    pub ready: u32,
    /// The tile that pushes.
    pub producer: u32,
    /// Counter of freed slots, in the producer.
    pub freed: u32,
}

/// Images for the five cores of each tile of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensixImages {
    /// The instruction set of pushed words, and the chip.
    pub arch: Arch,
    /// Number of arguments that are read; they are numbered from 0.
    pub inputs: u16,
    /// Number of arguments that are written; they are numbered after the inputs.
    pub outputs: u16,
    /// Number of independent pieces of work, which are distributed over tiles.
    pub work: u32,
    /// The images of each tile of a cluster, in the order of [`CORES`]; a single tile if tiles run
    /// independently.
    pub tiles: Vec<[CoreImage; 5]>,
    /// The rings between the tiles of a cluster.
    pub rings: Vec<TileRing>,
    /// Rows and columns of the grid of pieces, if the tiles that execute it exchange operands
    /// ([`tessera_isa_tensix::worker_grid`]). The work is a number of such grids.
    pub grid: Option<[u32; 2]>,
    /// Source locations of operations.
    pub places: Vec<String>,
}

impl TensixImages {
    /// Returns the source location of the instruction at an address of a tile, or `None` if no
    /// image is there.
    pub fn place(&self, tile: usize, address: u32) -> Option<&str> {
        let core = tile::IMAGES
            .iter()
            .position(|room| room.contains(&address))?;
        let word = (address - tile::IMAGES[core].start) / 4;
        let core = &self.tiles.get(tile)?[core];
        if word as usize >= core.image.words.len() {
            return None;
        }
        self.place_of_word(core, word)
    }

    fn place_of_word(&self, core: &CoreImage, word: u32) -> Option<&str> {
        let steps = &core.image.steps;
        let behind = steps.partition_point(|step| step.word <= word);
        let step = steps.get(behind.checked_sub(1)?)?;
        let place = core.places.get(step.operation as usize)?;
        self.places.get(*place as usize).map(String::as_str)
    }

    /// Hashes everything except its location in the file.
    pub(crate) fn hash(&self, hasher: &mut Hasher) {
        hasher.bytes(b"tensix images");
        hasher.word(store_arch(self.arch).0.into());
        hasher.words([self.inputs.into(), self.outputs.into(), self.work]);
        hasher.length(self.tiles.len());
        for core in self.tiles.iter().flatten() {
            hasher.bytes(&core.image.digest.0);
            hasher.length(core.arguments.len());
            for argument in &core.arguments {
                let (kind, number) = argument.parts();
                hasher.length(kind.len());
                hasher.bytes(kind.as_bytes());
                hasher.word(number.unwrap_or(0));
            }
            hasher.length(core.places.len());
            core.places.iter().for_each(|place| hasher.word(*place));
        }
        hasher.length(self.rings.len());
        for ring in &self.rings {
            hasher.words([ring.consumer, ring.ready, ring.producer, ring.freed]);
        }
        hasher.words(self.grid.unwrap_or_default());
        hasher.length(self.places.len());
        for place in &self.places {
            hasher.length(place.len());
            hasher.bytes(place.as_bytes());
        }
    }

    /// Returns whether the cores have room for it, and what names something names what there is.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.work == 0 {
            return Err(Problem::NoWork);
        }
        let lines = tile::LINES.len() as u32 / tile::LINE;
        let is_sound = |ring: &TileRing| {
            let ends = [ring.consumer, ring.producer];
            ends.iter().all(|end| (*end as usize) < self.tiles.len())
                && ring.ready < lines
                && ring.freed < lines
        };
        if self.tiles.is_empty() || !self.rings.iter().all(is_sound) {
            return Err(Problem::Cluster {
                tiles: self.tiles.len(),
            });
        }
        if let Some([rows, columns]) = self.grid {
            let pieces = rows.checked_mul(columns).filter(|pieces| *pieces > 0);
            if self.tiles.len() > 1 || pieces.is_none_or(|pieces| self.work % pieces != 0) {
                return Err(Problem::Grid { rows, columns });
            }
        }
        self.tiles.iter().try_for_each(|cores| {
            let mut cores = cores.iter().enumerate();
            cores.try_for_each(|(index, core)| self.check_core(index, core))
        })
    }

    fn check_core(&self, index: usize, core: &CoreImage) -> Result<(), Problem> {
        let name = CORES[index];
        let (words, room) = (core.image.words.len(), tile::IMAGES[index].len() / 4);
        if !(1..=room).contains(&words) {
            return Err(Problem::ImageSize {
                core: name,
                words,
                room,
            });
        }
        let damaged = |what| Problem::Image { core: name, what };
        let steps = &core.image.steps;
        if steps.windows(2).any(|pair| pair[0].word >= pair[1].word) {
            return Err(damaged("its steps are not in the order of words"));
        }
        if steps.iter().any(|step| step.word as usize >= words) {
            return Err(damaged("a step begins after its last word"));
        }
        let operations = core.places.len();
        if steps
            .iter()
            .any(|step| step.operation as usize >= operations)
        {
            return Err(damaged("a step is of an operation that has no place"));
        }
        let places = self.places.len();
        if core.places.iter().any(|place| *place as usize >= places) {
            return Err(damaged("an operation has a location that is not listed"));
        }
        let (found, room) = (core.arguments.len(), tile::ARG_WORDS);
        if found > room {
            return Err(Problem::ImageArguments {
                core: name,
                found,
                room,
            });
        }
        let tensors = usize::from(self.inputs) + usize::from(self.outputs);
        for &argument in &core.arguments {
            match argument {
                Argument::Peer(tile) if tile as usize >= self.tiles.len() => {
                    return Err(Problem::Cluster {
                        tiles: self.tiles.len(),
                    })
                }
                Argument::Base(tensor) if tensor as usize >= tensors => {
                    return Err(Problem::ImageTensor {
                        core: name,
                        tensor,
                        tensors,
                    })
                }
                Argument::Passes(axis)
                | Argument::Extent(axis)
                | Argument::Place(axis)
                | Argument::Leads(axis)
                | Argument::Leader(axis)
                | Argument::Group(axis)
                    if self.grid.is_none() || axis as usize >= GROUPS =>
                {
                    return Err(Problem::GridArgument {
                        core: name,
                        argument,
                    })
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the code of a core, an instruction a line: address, assembly, word, and where it
    /// comes from if that is elsewhere than for the line before. What a word pushes is shown as
    /// Tensix assembly.
    fn code(&self, index: usize, core: &CoreImage) -> Vec<String> {
        let mut last = None;
        let line = |(at, word): (usize, &u32)| {
            let address = tile::IMAGES[index].start + 4 * at as u32;
            let text = self.instruction(*word);
            let place = self.place_of_word(core, at as u32);
            let shown = place
                .filter(|_| place != last)
                .map(|place| format!("  {place}"));
            last = place;
            format!(
                "{address:#07x}  {text}  # {word:#010x}{}",
                shown.unwrap_or_default()
            )
        };
        core.image.words.iter().enumerate().map(line).collect()
    }

    fn instruction(&self, word: u32) -> String {
        let Ok(instruction) = tessera_riscv::Instruction::decode(word) else {
            return ".word".into();
        };
        match instruction.op {
            Op::Ttinsn => match Instruction::decode(self.arch, instruction.imm as u32) {
                Ok(pushed) => format!("push {}", pushed.text(self.arch)),
                Err(_) => instruction.to_string(),
            },
            _ => instruction.to_string(),
        }
    }
}

impl Serialize for TensixImages {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Core {
            core: &'static str,
            /// Equal images have equal digests; a file holds them once.
            image: String,
            arguments: Vec<String>,
            code: Vec<String>,
        }
        #[derive(Serialize)]
        struct View {
            arch: &'static str,
            inputs: u16,
            outputs: u16,
            work: u32,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            rings: Vec<TileRing>,
            #[serde(skip_serializing_if = "Option::is_none")]
            grid: Option<[u32; 2]>,
            tiles: Vec<Vec<Core>>,
        }
        let core = |(index, core): (usize, &CoreImage)| Core {
            core: CORES[index],
            image: core.image.digest.to_string(),
            arguments: core.arguments.iter().map(ToString::to_string).collect(),
            code: self.code(index, core),
        };
        View {
            arch: self.arch.name(),
            inputs: self.inputs,
            outputs: self.outputs,
            work: self.work,
            rings: self.rings.clone(),
            grid: self.grid,
            tiles: self
                .tiles
                .iter()
                .map(|cores| cores.iter().enumerate().map(core).collect())
                .collect(),
        }
        .serialize(serializer)
    }
}
