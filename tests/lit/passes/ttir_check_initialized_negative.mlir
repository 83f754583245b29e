// RUN: not ttmlir-opt --split-input-file --ttir-to-ttnn-backend-pipeline %s 2>&1 | FileCheck %s
// RUN: not ttmlir-opt --split-input-file --ttir-to-tensix-pipeline %s 2>&1 | FileCheck %s
// RUN: not ttmlir-opt --split-input-file --ttir-to-mncore-pipeline %s 2>&1 | FileCheck %s

// CHECK: error: 'ttir.empty' op its tensor is returned, but nothing writes it; use 'ttir.zeros' or 'ttir.full' for a tensor with values, and the result of an operation rather than its output operand
// CHECK: note: returned here, by 'func.return'
func.func @returned(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = ttir.empty() : tensor<32x32xbf16>
  %1 = "ttir.add"(%a, %a, %0) : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}

// -----

// CHECK: error: 'tensor.empty' op its tensor is read, but nothing writes it;
// CHECK: note: read here, by 'ttir.add'
func.func @read(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = tensor.empty() : tensor<32x32xbf16>
  %1 = "ttir.add"(%0, %a) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// -----

// CHECK: error: 'ttir.empty' op its tensor is read, but nothing writes it;
// CHECK: note: read here, by 'ttir.relu'
func.func private @callee(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
func.func @passed() -> tensor<32x32xbf16> {
  %0 = ttir.empty() : tensor<32x32xbf16>
  %1 = func.call @callee(%0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}
