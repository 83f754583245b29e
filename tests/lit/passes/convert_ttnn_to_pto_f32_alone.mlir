// RUN: ttmlir-opt --ttir-to-tensix-pipeline --verify-diagnostics --split-input-file %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline=fusion=none %s --split-input-file 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s --split-input-file 2>&1 | FileCheck %s --check-prefix=QUIET

// A product of f32 has a kernel of its own on Tensix, and a remark reports operations after it.

// QUIET-NOT: remark

func.func @product_then_function(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark@+1 {{ttnn.gelu is not fused into the product that it reads, whose result goes through DRAM: a Tensix kernel that multiplies f32 can unpack only factors; with bf16 factors both would share a kernel}}
  %1 = "ttir.gelu"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// Two products do not share a kernel in any case; nor does what has two readers, or of bf16 anything remain to be said.

func.func @nothing_to_say(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xbf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xbf16>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = "ttir.matmul"(%0, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = "ttir.relu"(%1) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = "ttir.matmul"(%c, %c) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %4 = "ttir.relu"(%3) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %1, %2, %4 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xbf16>
}
