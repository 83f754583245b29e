// RUN: not ttmlir-translate --ttnn-to-flatbuffer %s 2>&1 | FileCheck %s

// CHECK: not_compiled.mlir:{{.*}}: error: 'builtin.module' op has no ttcore.system_desc; compile it first: ttmlir-opt --ttir-to-tensix-pipeline
func.func @forward(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
