use super::*;
use tessera_program::{KernelOp, TensorOp};

#[test]
fn kernels_are_called_by_what_they_compute() {
    let deallocate = Operation {
        op: TensorOp::new("deallocate", &[0], &[]).unwrap().into(),
        debug_info: String::new(),
        loc: String::new(),
    };
    assert_eq!(label(&deallocate.op), "deallocate");
    let kernel = Op::Kernel(KernelOp {
        operations: vec![deallocate.clone(), deallocate],
        outputs: vec![],
        kernels: vec![],
    });
    assert_eq!(label(&kernel), "deallocate + deallocate");
}
