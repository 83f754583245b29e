// A group written by hand whose launch gives tensors in another order than the orchestration has them, and whose kernels compute
// positions with unsigned numbers.
// RUN: ttmlir-opt --ttcore-register-device --pto-check-pipes --convert-pto-to-tensix --canonicalize --cse %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --seed 3 --golden | FileCheck %s
// RUN: ttrt run %t.ttnn --seed 3 --golden --device interpreter | FileCheck %s
// CHECK: output 0: 64x64 bf16
// CHECK: golden: 1 of 1 results are within their bounds

#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>

pto.func @cube(%b: memref<64x64xbf16>, %a: memref<64x64xbf16>, %c: memref<64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <8192, vec>
  %sums = pto.aic_initialize_pipe %peer : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %p = %0 to %4 step %1 {
    %i = arith.divui %p, %2 : index
    %rest = arith.remui %p, %2 : index
    %j = arith.minui %rest, %1 : index
    %x0 = pto.tload %a[%i, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
    %y0 = pto.tload %b[%0, %j] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
    %so_far = pto.tmatmul %x0, %y0 : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %x1 = pto.tload %a[%i, %1] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
    %y1 = pto.tload %b[%1, %j] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
    %sum = pto.tmatmul_acc %so_far, %x1, %y1 : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    pto.tpush %sum, %sums : <tensor<32x32xf32>, acc>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @vector(%b: memref<64x64xbf16>, %a: memref<64x64xbf16>, %c: memref<64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %own = pto.reserve_buffer "sums" auto : <8192, vec>
  %sums = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  scf.for %p = %0 to %4 step %1 {
    %i = arith.divui %p, %2 : index
    %j = arith.remui %p, %2 : index
    %sum = pto.tpop %sums : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    %rounded = pto.tcvt %sum {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
    pto.tstore %rounded, %c[%i, %j] : <tensor<32x32xbf16>, vec> -> memref<64x64xbf16>
    pto.tfree %sum, %sums : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  }
  pto.return
}

pto.func @k(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>)
    attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.launch cube @cube vector [@vector](%b, %a, %c) : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>
  pto.return
}

func.func @forward(%a: tensor<64x64xbf16, #layout>, %b: tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout> {
  %0 = "ttnn.kernel_region"(%a, %b) <{arch = #ttcore.arch<wormhole_b0>, kernel = @k, target = "tensix"}> ({
  ^bb0(%x: tensor<64x64xbf16, #layout>, %y: tensor<64x64xbf16, #layout>):
    %1 = "ttnn.matmul"(%x, %y) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
    "ttnn.yield"(%1) : (tensor<64x64xbf16, #layout>) -> ()
  }) : (tensor<64x64xbf16, #layout>, tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout>
  return %0 : tensor<64x64xbf16, #layout>
}
