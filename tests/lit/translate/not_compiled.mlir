// RUN: not ttmlir-translate --ttnn-to-flatbuffer %s 2>&1 | FileCheck %s

// CHECK: not_compiled.mlir:{{.*}}: error: 'builtin.module' op describes no system (ttcore.system_desc or mncore.system_desc); run ttcore-register-device first, or a pipeline that ends in kernels
func.func @forward(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
