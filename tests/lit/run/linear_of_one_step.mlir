// The bias is read in the second step of the tile, with zeros for SrcA whose buffer was never written.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run --device tensix --golden %t.ttnn | FileCheck %s

// CHECK: golden: 1 of 1 results are within their bounds
func.func @forward(%a: tensor<7x5xbf16>, %w: tensor<5x3xbf16>, %b: tensor<3xbf16>) -> tensor<7x3xbf16> {
  %0 = "ttir.linear"(%a, %w, %b) : (tensor<7x5xbf16>, tensor<5x3xbf16>, tensor<3xbf16>) -> tensor<7x3xbf16>
  return %0 : tensor<7x3xbf16>
}
