// RUN: not ttmlir-opt --convert-ttir-to-ttnn %s 2>&1 | FileCheck %s

// CHECK: error: 'ttir.relu' op 'tensor<2x3xbf16>' has no layout that TTNN operations work on; run ttnn-layout first
func.func @no_layout(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
