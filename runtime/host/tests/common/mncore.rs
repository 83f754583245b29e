//! Hand-written programs for MN-Core 2: sums of two tensors, on the PEs of one L2B of each group.

use tessera_isa_mncore::check::hazard;
use tessera_isa_mncore::word::Mode;
use tessera_isa_tensix::Arch;
use tessera_program::*;
use tessera_pto::kernel::{Element, TensorType};

use super::{op, operation, tensor};

/// Long words of each group that the kernels transfer: one step's accesses by all PEs of an L2B.
pub const WORDS: usize = 2048;

/// The shape, types and layout of a tensor. `{base}` in the layout stands for its first address.
#[derive(Clone, Debug)]
pub struct Form {
    pub shape: Vec<u64>,
    pub data_type: DataType,
    pub storage: MncoreStorage,
    pub layout: &'static str,
}

impl Form {
    pub fn singles(shape: &[u64], data_type: DataType, layout: &'static str) -> Form {
        Form {
            shape: shape.to_vec(),
            data_type,
            storage: MncoreStorage::Single,
            layout,
        }
    }

    pub fn desc(&self) -> TensorDesc {
        TensorDesc {
            data_type: self.data_type,
            ..tensor(&self.shape, MemorySpace::Dram)
        }
    }

    /// Returns an argument that begins at `number` times [`WORDS`].
    pub fn argument(&self, number: usize) -> MncoreTensor {
        let (matrices, rows, columns) = match self.shape[..] {
            [] => (1, 1, 1),
            [columns] => (1, 1, columns),
            [ref matrices @ .., rows, columns] => (matrices.iter().product(), rows, columns),
        };
        let [matrices, rows, columns] = [matrices, rows, columns].map(|extent| extent as u32);
        let layout: tessera_isa_mncore::layout::Layout = self.layout.parse().expect(self.layout);
        MncoreTensor {
            tensor: TensorType {
                matrices,
                rows,
                columns,
                element: match self.data_type {
                    DataType::BF16 => Element::Bf16,
                    DataType::SI32 => Element::I32,
                    _ => Element::F32,
                },
            },
            layout: layout
                .with_base((number * WORDS) as u32)
                .expect("there is room"),
            storage: self.storage,
            view: None,
        }
    }
}

/// Returns lines that transfer [`WORDS`] long words from each group's DRAM to registers of its PEs.
pub fn load(number: usize, register: &str, tag: u8) -> String {
    let (dram, l1) = (number * WORDS, number * 256);
    let mut lines = format!("mvp/n{WORDS}i{tag:02x} $d{dram} $lc{dram}@.0\nnop; wait i{tag:02x}\n");
    for part in 0..8 {
        let (l2, l1) = (dram + 256 * part, l1 + 32 * part);
        lines += &format!("l2bmd $lc{l2} $lb{l1}\n");
    }
    lines + &format!("l1bmd $lb{l1} ${register}v\n")
}

/// Returns lines that transfer registers of PEs to DRAM.
pub fn store(number: usize, register: &str, tag: u8) -> String {
    let (dram, l1) = (number * WORDS, number * 256);
    let mut lines = format!("l1bmd ${register}v $lb{l1}\n");
    for part in 0..8 {
        let (l2, l1) = (dram + 256 * part, l1 + 32 * part);
        lines += &format!("l2bmd $lb{l1} $lc{l2}\n");
    }
    lines + &format!("nop/2\nmvp/n{WORDS}i{tag:02x} $lc{dram}@.0 $d{dram}\nnop; wait i{tag:02x}\n")
}

/// Returns lines that compute the third argument as the sum of the first two.
pub fn sum() -> String {
    load(0, "lr0", 1) + &load(1, "ls0", 2) + "fvadd $lr0v $ls0v $lm0v\n" + &store(2, "lm0", 3)
}

/// Returns a kernel of these lines; line n has the location `sum.mlir:n:1`.
pub fn kernel(name: &str, inputs: u16, text: &str, tensors: Vec<MncoreTensor>) -> Kernel {
    let mut program = tessera_isa_mncore::parse(text).expect(text);
    hazard::insert_nops(&mut program);
    let places = program.statements.iter();
    let places = places.map(|statement| match statement.span.line {
        // A `nop` that `fix` put in.
        0 => String::new(),
        line => format!("sum.mlir:{line}:1"),
    });
    let places: Vec<_> = places.collect();
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    let body = MncoreProgram::pack(inputs, tensors, &program, &places, Mode::AutoStride);
    Kernel {
        name: name.into(),
        body: KernelBody::Mncore(body.expect("it has words")),
    }
}

/// Returns a kernel group that adds two tensors.
pub fn group(kernel: u32, args: [GlobalId; 3]) -> Operation {
    let [lhs, rhs, out] = args;
    operation(KernelOp {
        operations: vec![operation(op("add", &[lhs, rhs], &[out]))],
        outputs: vec![out],
        kernels: vec![KernelRef {
            kernel,
            args: args.to_vec(),
        }],
    })
}

/// Returns a program that computes `x + y` by a kernel of these lines.
pub fn binary_of(form: &Form, text: &str) -> Binary {
    let arguments = (0..3).map(|number| form.argument(number)).collect();
    let mut binary = Binary::new(Arch::WormholeB0);
    let kernel = binary.intern_kernel(kernel("sum", 2, text, arguments));
    binary.programs.push(Program {
        name: "forward".into(),
        private: false,
        tensors: vec![form.desc(); 3],
        inputs: vec![0, 1],
        cached: vec![],
        outputs: vec![2],
        operations: vec![group(kernel, [0, 1, 2])],
    });
    binary
}
