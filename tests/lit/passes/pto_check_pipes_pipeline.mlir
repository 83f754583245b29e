// Pipelines check pipes unless they are told not to.
// RUN: not ttmlir-opt --ttnn-to-tensix-pipeline %s 2>&1 | FileCheck %s
// RUN: not ttmlir-opt --ttnn-to-tensix-pipeline --no-check-pipes %s 2>&1 | FileCheck %s --check-prefix=UNCHECKED
// RUN: not ttmlir-opt --pass-pipeline="builtin.module(ttnn-to-tensix-pipeline)" --no-check-pipes %s 2>&1 | FileCheck %s --check-prefix=UNCHECKED
// RUN: not ttmlir-opt --pto-check-pipes --no-check-pipes %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: the argument '--pto-check-pipes[=<OPTIONS>]' cannot be used with '--no-check-pipes'
// RUN: not ttmlir-opt --ttnn-to-tensix-pipeline=check-pipes=false %s 2>&1 | FileCheck %s --check-prefix=UNCHECKED

pto.func @to_itself(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %ring = pto.reserve_buffer "ring" auto : <4096, vec>
  %in = pto.aic_initialize_pipe %ring : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  %out = pto.aiv_initialize_pipe %ring : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  // CHECK: error: 'pto.tpop' op deadlocks: @to_itself_aiv waits for a tile of pipe "ring" of @to_itself_aiv from @to_itself_aic
  // UNCHECKED: error: 'pto.tpop' op communicates with the other kernel of its group, which has no counterpart at this position
  %t = pto.tpop %out : <c2v, 1 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tfree %t, %out : <tensor<32x32xf32>, vec>, <c2v, 1 x 4096>
  pto.return
}
