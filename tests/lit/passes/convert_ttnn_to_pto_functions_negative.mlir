// RUN: ttmlir-opt --convert-ttnn-to-pto=target=mncore --split-input-file --verify-diagnostics %s

func.func @apart(%a: tensor<4x8x8xf32>) -> tensor<1x8x1xf32> {
  // expected-error @below {{'ttnn.sum' op reduces dimensions [0, 2] of 3, which are not adjacent: run ttnn-decompose-reductions first}}
  %0 = "ttnn.sum"(%a) <{dim_arg = [0 : i32, 2 : i32], keep_dim = true}> : (tensor<4x8x8xf32>) -> tensor<1x8x1xf32>
  return %0 : tensor<1x8x1xf32>
}

// -----

func.func @spread(%a: tensor<2x3x7x5xf32>, %b: tensor<2x1x7x1xf32>) -> tensor<2x3x7x5xf32> {
  // expected-error @below {{'ttnn.add' op broadcasts 2x7x1 to 6x7x5; kernels for this target broadcast a row, a column or one element, within each matrix or the same in all: run ttnn-materialize-broadcasts first}}
  %0 = "ttnn.add"(%a, %b) : (tensor<2x3x7x5xf32>, tensor<2x1x7x1xf32>) -> tensor<2x3x7x5xf32>
  return %0 : tensor<2x3x7x5xf32>
}

// -----

func.func @mixed(%a: tensor<8x8xf32>, %b: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  // expected-error @below {{'ttnn.matmul' op has no kernel for tensors of f32 and of bf16; cast them to one type with ttir.typecast}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<8x8xf32>, tensor<8x8xbf16>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{'ttnn.softmax' op has no kernel of its own; run ttir-to-ttir-decomposition before ttnn-layout}}
  %0 = "ttnn.softmax"(%a) <{dimension = 1 : si32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @cast(%a: tensor<4x8xui8>) -> tensor<4x8xf32> {
  // expected-error @below {{'ttnn.typecast' op has no kernel from ui8 to f32; those between bf16, f32 and si32 have one}}
  %0 = "ttnn.typecast"(%a) : (tensor<4x8xui8>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matrices(%a: tensor<2x1x8x32xf32>, %b: tensor<2x3x32x8xf32>) -> tensor<2x3x8x8xf32> {
  // expected-error @below {{'ttnn.matmul' op broadcasts 2 matrices to 6; kernels for this target broadcast one matrix: run ttnn-materialize-broadcasts first}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<2x1x8x32xf32>, tensor<2x3x32x8xf32>) -> tensor<2x3x8x8xf32>
  return %0 : tensor<2x3x8x8xf32>
}
