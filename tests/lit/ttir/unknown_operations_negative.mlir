// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --list-operations=ttir | FileCheck %s --check-prefix=LIST
// RUN: ttmlir-opt --list-operations | FileCheck %s --check-prefix=ALL
// RUN: not ttmlir-opt --list-operations=ttri 2>&1 | FileCheck %s --check-prefix=DIALECT

// LIST-NOT: ttnn
// LIST: ttir.abs
// LIST: ttir.matmul
// ALL: arith.addi
// ALL: ttir.matmul
// ALL: ttnn.matmul
// DIALECT: error: unknown dialect 'ttri'; did you mean 'ttir'?; known: arith, builtin

func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  // expected-error@+1 {{'ttir.all_reduce' is not supported; 'ttmlir-opt --list-operations=ttir' lists the operations that are}}
  %0 = "ttir.all_reduce"(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// -----

func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  // expected-error@+1 {{'ttnn.reluu' is not supported; did you mean 'ttnn.relu'?; 'ttmlir-opt --list-operations=ttnn' lists the operations that are}}
  %0 = "ttnn.reluu"(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// -----

func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  // expected-error@+1 {{'ttir.matmull' is not supported; did you mean 'ttir.matmul'?}}
  %0 = ttir.matmull %a : tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
