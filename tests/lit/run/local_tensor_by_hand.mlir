// A kernel written by hand, on the interpreter: the softmax of the rows of a product. The vector side keeps a row of tiles of scores
// in the memory of its core, which it reads three times. Only the result goes to global memory.
// RUN: ttmlir-opt --ttcore-register-device --pto-expand-mixed-kernel --pto-check-pipes %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --seed 3 --golden --device interpreter -o %t.npy | FileCheck %s
// CHECK: output 0: 64x128 f32
// CHECK: golden: 1 of 1 results are within their bounds
// RUN: ttrt run %t.ttnn --seed 3 --device interpreter --schedule-seed 1 -o %t.seed.npy
// RUN: cmp %t.npy %t.seed.npy

// Two vector kernels keep a half each.
// RUN: ttmlir-opt --ttcore-register-device --pto-expand-mixed-kernel=split=up_down --pto-check-pipes %s -o %t.split.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.split.mlir -o %t.split.ttnn
// RUN: ttrt run %t.split.ttnn --seed 3 --golden --device interpreter -o %t.split.npy | FileCheck %s
// RUN: cmp %t.npy %t.split.npy

// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s --check-prefix=JSON
// JSON: "tensor 2: 1x64x128xf32",
// JSON: "kernel \"@attend_aic\"",
// JSON-NOT: local tensor
// JSON: "kernel \"@attend_aiv\"",
// JSON-NEXT: "  local tensor 3: 1x32x128xf32",
// JSON: load tensor 3 %{{.*}} # {{.*}}local_tensor_by_hand.mlir.tmp.mlir:

// Unchecked, a kernel that does not store what it loads stops.
// RUN: sed '/pto.tstore.*memref<32x128xf32>/d' %t.mlir | ttmlir-translate --ttnn-to-flatbuffer -o %t.undefined.ttnn
// RUN: not ttrt run %t.undefined.ttnn --device interpreter 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: kernel @attend_aiv at {{.*}}, iteration [0, 0]: tile [0, 0] of 32 x 32 elements of local tensor 3 has undefined content: this kernel has not stored a tile of this shape there

#queries = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#keys = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#scores = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#rounded = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#column = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>

pto.func @attend(%a: memref<64x32xbf16>, %b: memref<32x128xbf16>, %c: memref<64x128xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %scores = pto.alloc_tensor : memref<32x128xf32>
  scf.for %i = %0 to %2 step %1 {
    %least = pto.tfill -3.0e38 {unit = #pto.unit<sfpu>} : <tensor<32x1xf32>, vec>
    %max = scf.for %j = %0 to %4 step %1 iter_args(%so_far = %least) -> (!pto.tile<tensor<32x1xf32>, vec>) {
      %x = pto.tload %a[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
      %y = pto.tload %b[%0, %j] : memref<32x128xbf16> -> <tensor<32x32xbf16>, mat>
      %p = pto.tmatmul %x, %y : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
      %score = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
      pto.tstore %score, %scores[%0, %j] : <tensor<32x32xf32>, vec> -> memref<32x128xf32>
      %own = pto.trowmax %score {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x1xf32>, vec>
      %greater = pto.tmax %so_far, %own {unit = #pto.unit<sfpu>} : <tensor<32x1xf32>, vec>, <tensor<32x1xf32>, vec> -> <tensor<32x1xf32>, vec>
      scf.yield %greater : !pto.tile<tensor<32x1xf32>, vec>
    }
    %zero = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x1xf32>, vec>
    %sum = scf.for %j = %0 to %4 step %1 iter_args(%so_far = %zero) -> (!pto.tile<tensor<32x1xf32>, vec>) {
      %score = pto.tload %scores[%0, %j] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
      %below = pto.tsub %score, %max {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x1xf32>, vec> -> <tensor<32x32xf32>, vec>
      %power = pto.texp %below {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
      pto.tstore %power, %scores[%0, %j] : <tensor<32x32xf32>, vec> -> memref<32x128xf32>
      %own = pto.trowsum %power {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x1xf32>, vec>
      %more = pto.tadd %so_far, %own {unit = #pto.unit<sfpu>} : <tensor<32x1xf32>, vec>, <tensor<32x1xf32>, vec> -> <tensor<32x1xf32>, vec>
      scf.yield %more : !pto.tile<tensor<32x1xf32>, vec>
    }
    scf.for %j = %0 to %4 step %1 {
      %power = pto.tload %scores[%0, %j] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
      %share = pto.tdiv %power, %sum {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x1xf32>, vec> -> <tensor<32x32xf32>, vec>
      pto.tstore %share, %c[%i, %j] : <tensor<32x32xf32>, vec> -> memref<64x128xf32>
    }
  }
  pto.return
}

func.func @forward(%a: tensor<64x32xbf16, #queries>, %b: tensor<32x128xbf16, #keys>) -> tensor<64x128xf32, #scores> {
  %0 = "ttnn.kernel_region"(%a, %b) <{arch = #ttcore.arch<wormhole_b0>, kernel = @attend, target = "tensix"}> ({
  ^bb0(%x: tensor<64x32xbf16, #queries>, %y: tensor<32x128xbf16, #keys>):
    %1 = "ttnn.matmul"(%x, %y) <{transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16, #queries>, tensor<32x128xbf16, #keys>) -> tensor<64x128xbf16, #rounded>
    %2 = "ttnn.typecast"(%1) : (tensor<64x128xbf16, #rounded>) -> tensor<64x128xf32, #scores>
    %3 = "ttnn.max"(%2) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x128xf32, #scores>) -> tensor<64x1xf32, #column>
    %4 = "ttnn.subtract"(%2, %3) : (tensor<64x128xf32, #scores>, tensor<64x1xf32, #column>) -> tensor<64x128xf32, #scores>
    %5 = "ttnn.exp"(%4) : (tensor<64x128xf32, #scores>) -> tensor<64x128xf32, #scores>
    %6 = "ttnn.sum"(%5) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x128xf32, #scores>) -> tensor<64x1xf32, #column>
    %7 = "ttnn.divide"(%5, %6) : (tensor<64x128xf32, #scores>, tensor<64x1xf32, #column>) -> tensor<64x128xf32, #scores>
    "ttnn.yield"(%7) : (tensor<64x128xf32, #scores>) -> ()
  }) : (tensor<64x32xbf16, #queries>, tensor<32x128xbf16, #keys>) -> tensor<64x128xf32, #scores>
  return %0 : tensor<64x128xf32, #scores>
}
