//! Kernels of the pto dialect as groups of [`tessera_pto`]: what the checker of pipes and the interpreter run.
//!
//! A kernel that launches others becomes a list of groups, one for each launch, that run one after the other on the same tensors;
//! any other kernel is a group of its own. The two lanes of a vector kernel that runs twice are two kernels of the group, so
//! `pto.subblock_index` is a constant. Layouts, spaces but for what they say of rings, and platforms make no difference here: a move is a
//! move.
//!
//! Checked here: that the numbers of a kernel are indices and truths, that elements are f32 or bf16, that an orchestration is
//! launches one after the other, and that nobody but a launch starts a kernel with one end of a pipe. That a group is well formed
//! is for [`tessera_pto::validate`], and follows from what the dialect verifies.

mod kernel;
mod numbers;

use std::collections::HashMap;

use tessera_dialects::mlir::{AttributeValue, Op, Reported, TensorType as _, Type, Value};
use tessera_dialects::pto::{self, Direction, Kind, Split};
use tessera_pto::kernel::{self as group, Element, Group, Pipe, TensorType};

use crate::promised::promised;
use kernel::Translation;

/// A group, and the operations that its locations stand for.
pub struct Translated<'a> {
    /// The group.
    pub group: Group,
    /// For each location the operation.
    pub ops: Vec<Op<'a>>,
}

/// The groups that a kernel stands for, in the order they run in, all with the tensors that the kernel is given.
///
/// # Errors
/// At the first operation that a group cannot say.
pub fn translate(kernel: Op<'_>) -> Result<Vec<Translated<'_>>, Reported> {
    let arguments = kernel
        .body()
        .map(|body| body.arguments())
        .unwrap_or_default();
    let mut tensors = Vec::new();
    let mut given = Vec::new();
    for argument in &arguments {
        given.push(if pto::slot_buffer(argument.r#type()).is_some() {
            None
        } else {
            tensors.push(tensor(kernel, argument.r#type())?);
            Some(tensors.len() - 1)
        });
    }
    if pto::kind(kernel) != Some(Kind::Orchestration) {
        let members = [Member::new(kernel, 0, 1)];
        return Ok(vec![translate_group(kernel, &members, &tensors, &given)?]);
    }
    let known: HashMap<Value, Option<usize>> = arguments.into_iter().zip(given).collect();
    let mut groups = Vec::new();
    for op in kernel.children() {
        match op.name() {
            "pto.launch" => {
                let given = op.operands().into_iter();
                let given: Vec<_> = given
                    .map(|operand| known.get(&operand).copied().flatten())
                    .collect();
                groups.push(translate_group(op, &members(op)?, &tensors, &given)?);
            }
            "pto.alloc_slot_buffer" | "pto.return" | "arith.constant" => {}
            _ => {
                return Err(op.error(
                    "has no place in an orchestration that runs: its launches come one after the other, each once",
                ))
            }
        }
    }
    Ok(groups)
}

/// What a tensor argument is.
fn tensor(kernel: Op, r#type: Type) -> Result<TensorType, Reported> {
    let refuse = || {
        kernel.error(format!(
            "has argument {type}; a group has matrices of f32, bf16 or i32, with extents of 32 bits"
        ))
    };
    let narrow = |extent: u64| u32::try_from(extent).ok();
    let shape = r#type.static_shape().unwrap_or_default();
    let shape: Option<Vec<u32>> = shape.into_iter().map(narrow).collect();
    let (matrices, rows, columns) = match shape.as_deref() {
        Some(&[rows, columns]) => (1, rows, columns),
        Some(&[matrices, rows, columns]) => (matrices, rows, columns),
        _ => return Err(refuse()),
    };
    Ok(TensorType {
        matrices,
        rows,
        columns,
        element: r#type.element_type().and_then(element).ok_or_else(refuse)?,
    })
}

/// What elements of a type are; nothing if groups do not have them.
fn element(r#type: Type) -> Option<Element> {
    Element::named(&r#type.to_string())
}

/// A kernel of a group.
struct Member<'a> {
    kernel: Op<'a>,
    /// Which of the vector kernels it is.
    lane: usize,
    /// Its name in messages.
    name: String,
}

impl<'a> Member<'a> {
    /// A kernel that is launched so many times.
    fn new(kernel: Op<'a>, lane: usize, times: usize) -> Self {
        let symbol = kernel.symbol().unwrap_or_default();
        Member {
            kernel,
            lane,
            name: match times {
                1 => format!("@{symbol}"),
                _ => format!("@{symbol} (lane {lane})"),
            },
        }
    }
}

/// The kernels of a launch, the cube kernel first.
fn members(launch: Op<'_>) -> Result<Vec<Member<'_>>, Reported> {
    let cube = launch
        .attribute("cube")
        .and_then(AttributeValue::symbol_name);
    let vector = launch
        .attribute("vector")
        .and_then(AttributeValue::elements);
    let vector = vector.unwrap_or_default().into_iter();
    let vector: Vec<_> = vector.filter_map(AttributeValue::symbol_name).collect();
    let beside = pto::enclosing(launch).and_then(Op::parent);
    let find = |symbol: &str| {
        let beside = beside.map(Op::children).unwrap_or_default();
        let mut kernels = beside.into_iter().filter(|op| op.is("pto.func"));
        promised(
            launch,
            kernels.find(|kernel| kernel.symbol() == Some(symbol)),
        )
    };
    let mut members = Vec::new();
    if let Some(cube) = cube {
        members.push(Member::new(find(cube)?, 0, 1));
    }
    for (lane, symbol) in vector.iter().enumerate() {
        let times = vector.iter().filter(|other| *other == symbol).count();
        members.push(Member::new(find(symbol)?, lane, times));
    }
    Ok(members)
}

/// A group of kernels that are given these tensors. `at` is what starts them.
fn translate_group<'a>(
    at: Op<'a>,
    members: &[Member<'a>],
    tensors: &[TensorType],
    given: &[Option<usize>],
) -> Result<Translated<'a>, Reported> {
    let mut pipes = Pipes::default();
    for (number, member) in members.iter().enumerate() {
        pipes.add(number, member)?;
    }
    pipes.require_both_ends(at, members)?;
    let mut ops = Vec::new();
    let mut kernels = Vec::new();
    for member in members {
        let translation = Translation::new(member, given, &pipes.numbers, &mut ops);
        kernels.push(translation.kernel()?);
    }
    let location = |op: &Op| match op.place() {
        Some(place) => place.to_string(),
        None => format!("an unknown place ('{}')", op.name()),
    };
    Ok(Translated {
        group: Group {
            tensors: tensors.to_vec(),
            pipes: pipes.pipes,
            kernels,
            locations: ops.iter().map(location).collect(),
        },
        ops,
    })
}

/// The pipes of a group, found by both of their ends.
#[derive(Default)]
struct Pipes {
    pipes: Vec<Pipe>,
    /// By the name of the ring.
    numbers: HashMap<String, usize>,
    /// For each, whether its cube side was found.
    has_cube: Vec<bool>,
}

impl Pipes {
    /// The ends that a kernel has.
    fn add(&mut self, number: usize, member: &Member) -> Result<(), Reported> {
        for initialize in member.kernel.children() {
            for end in initialize.results() {
                let Some((_, side)) = pto::initialized_by(end) else {
                    continue;
                };
                let known = pto::pipe(end.r#type()).zip(pto::ring(member.kernel, end));
                let (r#type, ring) = promised(initialize, known)?;
                let index = self.pipe(initialize, ring, r#type)?;
                match side {
                    pto::Side::Cube => {
                        self.pipes[index].cube = number;
                        self.has_cube[index] = true;
                    }
                    pto::Side::Vector => self.pipes[index].vector.push(number),
                }
            }
        }
        Ok(())
    }

    /// The number of a pipe, which is new if this is its first end.
    fn pipe(&mut self, at: Op, ring: String, r#type: pto::Pipe) -> Result<usize, Reported> {
        if let Some(number) = self.numbers.get(&ring) {
            return Ok(*number);
        }
        let slots = u32::try_from(r#type.slot_num).ok();
        let slots = slots.filter(|slots| *slots <= MOST_SLOTS).ok_or_else(|| {
            at.error(format!(
                "makes a ring of {} slots; the interpreter has at most {MOST_SLOTS}",
                r#type.slot_num
            ))
        })?;
        self.numbers.insert(ring.clone(), self.pipes.len());
        self.has_cube.push(false);
        self.pipes.push(Pipe {
            name: ring,
            direction: match r#type.direction {
                Direction::C2V => group::Direction::CubeToVector,
                Direction::V2C => group::Direction::VectorToCube,
            },
            slots,
            split: match r#type.split {
                Split::None => group::Split::None,
                Split::UpDown => group::Split::UpDown,
                Split::LeftRight => group::Split::LeftRight,
            },
            cube: 0,
            vector: vec![],
        });
        Ok(self.pipes.len() - 1)
    }

    /// Checks that no pipe ends outside of the group.
    fn require_both_ends(&self, at: Op, members: &[Member]) -> Result<(), Reported> {
        for (pipe, has_cube) in self.pipes.iter().zip(&self.has_cube) {
            let lanes = pipe.split.lanes();
            if *has_cube && pipe.vector.len() == lanes {
                continue;
            }
            let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
            return Err(at.error(format!(
                "starts {} alone, but pipe {} has another end; start the kernels of a group together with pto.launch",
                names.join(" and "),
                pipe.name
            )));
        }
        Ok(())
    }
}

/// The most slots of a ring: as many as a search for enough of them tries.
const MOST_SLOTS: u32 = tessera_pto::liveness::MOST_SLOTS;
