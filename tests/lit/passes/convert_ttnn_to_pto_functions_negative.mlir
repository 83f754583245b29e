// RUN: ttmlir-opt --convert-ttnn-to-pto=chip=mncore --split-input-file --verify-diagnostics %s

func.func @outer(%a: tensor<4x8x8xf32>) -> tensor<1x8x8xf32> {
  // expected-error @below {{'ttnn.sum' op goes along dimension 0 of 3, which has no kernel; the last two have; take the matrices one by one}}
  %0 = "ttnn.sum"(%a) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<4x8x8xf32>) -> tensor<1x8x8xf32>
  return %0 : tensor<1x8x8xf32>
}

// -----

func.func @columns(%a: tensor<2x4x8xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{'ttnn.max' op leaves 2x4x1 as 2x4, which has no kernel; use keep_dim = true}}
  %0 = "ttnn.max"(%a) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<2x4x8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @permutation(%a: tensor<4x8x2xf32>) -> tensor<8x4x2xf32> {
  // expected-error @below {{'ttnn.permute' op permutes dimensions to [1, 0, 2], which has no kernel; the last two can change places}}
  %0 = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x8x2xf32>) -> tensor<8x4x2xf32>
  return %0 : tensor<8x4x2xf32>
}

// -----

func.func @clamp(%a: tensor<8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{'ttnn.clamp_tensor' op clamps to more elements than its input has, which has no kernel; give the input the shape of the result}}
  %0 = "ttnn.clamp_tensor"(%a, %b, %b) : (tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{'ttnn.softmax' op has no kernel of its own; run ttnn-decompose-softmax before}}
  %0 = "ttnn.softmax"(%a) <{dimension = 1 : si32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @cast(%a: tensor<4x8xui8>) -> tensor<4x8xf32> {
  // expected-error @below {{'ttnn.typecast' op has no kernel from ui8 to f32; those between bf16, f32 and si32 have one}}
  %0 = "ttnn.typecast"(%a) : (tensor<4x8xui8>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
