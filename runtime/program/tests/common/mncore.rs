//! A kernel for MN-Core 2 with arguments of every storage, shape of layout and choice of groups.

use tessera_isa_mncore::word::Mode;
use tessera_ops::View;
use tessera_program::{MncoreProgram, MncoreStorage, MncoreTensor};
use tessera_pto::kernel::{Element, TensorType};

/// An argument of bf16.
pub fn argument([rows, columns]: [u32; 2], storage: MncoreStorage, layout: &str) -> MncoreTensor {
    MncoreTensor {
        tensor: TensorType {
            matrices: 1,
            rows,
            columns,
            element: Element::Bf16,
        },
        layout: layout.parse().expect(layout),
        storage,
        view: None,
    }
}

/// Returns instructions with two source locations, and one without a location between them.
pub fn mncore() -> MncoreProgram {
    use MncoreStorage::{Bf16, Single};
    let mut tensors = vec![
        argument([2, 3], Single, "r:(a:2) c[3]:(w:2,a:2*2) @DRAM+0, at(g=0)"),
        argument(
            [5, 3],
            Single,
            "r[5]:(a:8) c[3]:(w:2,a:2*8) @DRAM+64, rep(g)",
        ),
        argument([1, 5], Bf16, "i[5]:(h:4,a:2) @DRAM+192, rep(g)"),
        argument([2, 5], Single, "i[10]:(w:2,a:8) @DRAM+128, at(g=3)"),
    ];
    tensors[0].view = Some(View {
        offset: 5,
        extents: vec![2, 3],
        strides: vec![-3, -1],
    });
    let program = tessera_isa_mncore::parse(
        "mvp/n64i01 $d0@0 $lc0@0.0
         nop; wait i01
         linc $lr0 $lr0
         nop/2
         mvp/n64i02 $lc0@3.0 $d128@3
         nop; wait i02",
    )
    .expect("it is assembly");
    let places = [
        "",
        "a.mlir:7:7",
        "a.mlir:7:7",
        "",
        "",
        "a.mlir:9:9",
        "a.mlir:9:9",
    ];
    MncoreProgram::pack(3, tensors, &program, &places, Mode::AutoStride).expect("it has words")
}
