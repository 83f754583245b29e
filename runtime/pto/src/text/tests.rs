use crate::builder::Builder;
use crate::kernel::{Compute, Direction, Element, Group, Pipe, Split, TensorType, TileType};
use crate::target::{Accumulators, Buffer, Numerics, Placement, Ring, RingEnd, Unit};

fn group() -> Group {
    let tile = TileType::full(4, 4, Element::F32);
    Group {
        tensors: vec![TensorType {
            matrices: 1,
            rows: 4,
            columns: 8,
            element: Element::F32,
        }],
        pipes: vec![Pipe {
            name: "sums".to_owned(),
            direction: Direction::CubeToVector,
            slots: 2,
            split: Split::None,
            cube: 0,
            vector: vec![1],
            ring: Ring::default(),
        }],
        kernels: vec![
            Builder::kernel("cube", |cube| {
                cube.repeat(2, |cube, _| {
                    let half = cube.compute(Compute::Fill(0.5), &[], tile);
                    cube.push(0, half);
                });
            }),
            Builder::kernel("vector", |vector| {
                vector.local(TensorType {
                    matrices: 2,
                    rows: 4,
                    columns: 4,
                    element: Element::Bf16,
                });
                let [zero, one] = [0, 1].map(|number| vector.constant(number));
                let popped = vector.pop(0, tile);
                vector.store(0, popped, zero, one);
                let free = |vector: &mut Builder| {
                    vector.free(0, popped);
                    vec![]
                };
                vector.branch(one, &[], free, |_| vec![]);
            }),
        ],
        locations: vec!["model.mlir:3:5".to_owned()],
        placement: Placement::default(),
    }
}

const TEXT: &str = "\
tensor 0: 1x4x8xf32
pipe 0 \"sums\": CubeToVector, 2 slots, split None, cube 0, vector [1]
kernel \"cube\"
  %0 = constant 0  # model.mlir:3:5
  %1 = constant 2  # model.mlir:3:5
  %2 = constant 1  # model.mlir:3:5
  for %0, %1, %2  # model.mlir:3:5
    given %3
    %4: 4x4xf32 = Fill(0.5)  # model.mlir:3:5
    push pipe 0 %4  # model.mlir:3:5
  end
kernel \"vector\"
  local tensor 1: 2x4x4xbf16
  %0 = constant 0  # model.mlir:3:5
  %1 = constant 1  # model.mlir:3:5
  %2: 4x4xf32 = pop pipe 0  # model.mlir:3:5
  store tensor 0 %2, %0, %1  # model.mlir:3:5
  if %1  # model.mlir:3:5
    free pipe 0 %2  # model.mlir:3:5
  else
  end
";

#[test]
fn a_group_reads_well() {
    assert_eq!(group().to_string(), TEXT);
}

#[test]
fn target_data_has_a_text_and_can_be_left_out() {
    let mut with = group();
    with.placement = Placement::Cluster;
    with.kernels[0].numerics = Numerics {
        phases: 2,
        accumulators: Accumulators::B16,
    };
    with.kernels[1].body.ops[2].unit = Some(Unit::Sfpu);
    let end = |kernel, buffer| RingEnd {
        kernel,
        buffer,
        location: 0,
    };
    let buffer = |address| {
        let location = 9;
        Some(Buffer { address, location })
    };
    with.pipes[0].ring = Ring {
        slot_bytes: 64,
        ends: vec![end(0, buffer(Some(96))), end(1, buffer(None)), end(1, None)],
    };
    let pipe = TEXT.lines().nth(1).expect("a pipe");
    let ring = "  slots of 64 bytes
  kernel 0: at 96  # model.mlir:3:5
  kernel 1: anywhere  # model.mlir:3:5
  kernel 1: in global memory  # model.mlir:3:5
placement Cluster";
    let text = TEXT
        .replace(pipe, &format!("{pipe}\n{ring}"))
        .replace("\"cube\"", "\"cube\", 2 phases, accumulators B16")
        .replace("pop pipe 0", "pop pipe 0 on sfpu");
    assert_eq!(with.to_string(), text);
    assert_eq!(with.without_target_data(), group());
}
