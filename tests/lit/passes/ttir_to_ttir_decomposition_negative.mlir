// RUN: ttmlir-opt --split-input-file --verify-diagnostics --ttir-to-ttir-decomposition %s

// The free dimensions become one.
func.func @f(%a: tensor<3x65536x65536x4xf32>, %b: tensor<3x7x4xf32>) -> tensor<3x65536x65536x7xf32> {
  // expected-error@+1 {{'ttir.dot_general' op decomposes into a 'ttir.reshape' with numbers that do not fit 32 bits; split the tensor}}
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 3>, batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 2>}> : (tensor<3x65536x65536x4xf32>, tensor<3x7x4xf32>) -> tensor<3x65536x65536x7xf32>
  return %0 : tensor<3x65536x65536x7xf32>
}
