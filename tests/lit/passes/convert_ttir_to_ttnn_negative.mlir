// RUN: not ttmlir-opt --convert-ttir-to-ttnn --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: 'ttir.relu' op 'tensor<2x3xbf16>' has no layout that TTNN operations work on; run ttnn-layout first
func.func @no_layout(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// -----

// CHECK: error: 'arith.addf' op has no TTNN counterpart; express it in TTIR
func.func @arith(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = arith.addf %a, %a : tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// -----

// CHECK: error: 'tensor.empty' op has no TTNN counterpart; express it in TTIR
func.func @empty() -> tensor<2x3xbf16> {
  %0 = tensor.empty() : tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
