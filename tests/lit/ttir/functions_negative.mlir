// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<4x64xbf16>, %b: tensor<2x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error@+1 {{'ttir.div' op operand shape (2, 64) is not broadcast compatible with inferred operand shapes (4, 64)}}
  %r = "ttir.div"(%a, %b) : (tensor<4x64xbf16>, tensor<2x64xbf16>) -> tensor<4x64xbf16>
  return %r : tensor<4x64xbf16>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.exp' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.exp"(%a) : (tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{'ttir.bitwise_and' op does not support element type 'f32'; cast to 'i32' first}}
  %r = "ttir.bitwise_and"(%a, %a) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

func.func @f(%a: tensor<64xf32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.logical_left_shift' op Left operand element type must be integer, but got 'f32'}}
  %r = "ttir.logical_left_shift"(%a, %b) : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xf32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.logical_right_shift' op Right operand element type must be integer, but got 'f32'}}
  %r = "ttir.logical_right_shift"(%b, %a) : (tensor<64xi32>, tensor<64xf32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%b: tensor<64xi32>) -> tensor<64xf32> {
  // expected-error@+1 {{'ttir.logical_right_shift' op Output element type must be integer, but got 'f32'}}
  %r = "ttir.logical_right_shift"(%b, %b) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

func.func @f(%a: tensor<4x64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{'ttir.clamp_scalar' op input and output must have same shape.}}
  %r = "ttir.clamp_scalar"(%a) <{max = 3.0 : f32, min = 2.0 : f32}> : (tensor<4x64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

func.func @f(%a: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error@+1 {{'ttir.where' op expected 3 operands, but found 2}}
  %r = "ttir.where"(%a, %a) : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// -----

func.func @f(%a: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error@+1 {{'ttir.sum' op Reduce dimension 2 is out of range for input tensor of rank 2}}
  %r = "ttir.sum"(%a) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// -----

func.func @f(%a: tensor<4x64xf32>) -> tensor<4x1xf32> {
  // expected-error@+1 {{'ttir.max' op Reduce dimensions are not unique}}
  %r = "ttir.max"(%a) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<4x64xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// -----

func.func @f(%a: tensor<128x16x4xf32>) -> tensor<128x16x1xf32> {
  // expected-error@+1 {{'ttir.mean' op Expected output shape (128, 16), got (128, 16, 1)}}
  %r = "ttir.mean"(%a) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<128x16x4xf32>) -> tensor<128x16x1xf32>
  return %r : tensor<128x16x1xf32>
}

// -----

func.func @f(%a: tensor<4x64xi32>) -> tensor<4x1xi32> {
  // expected-error@+1 {{'ttir.mean' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.mean"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x64xi32>) -> tensor<4x1xi32>
  return %r : tensor<4x1xi32>
}

// -----

func.func @f(%a: tensor<4x64xf32>) -> tensor<4x1xf32> {
  // expected-error@+1 {{'ttir.min' op Expected output shape (), got (4, 1)}}
  %r = "ttir.min"(%a) <{keep_dim = false}> : (tensor<4x64xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// -----

func.func @f(%a: tensor<4x64xf32>) -> tensor<4x32xf32> {
  // expected-error@+1 {{'ttir.softmax' op Input and output shapes must be the same}}
  %r = "ttir.softmax"(%a) <{dimension = 1 : si32}> : (tensor<4x64xf32>) -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// -----

func.func @f(%a: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error@+1 {{'ttir.softmax' op Dimension attribute must be within the bounds of the input tensor}}
  %r = "ttir.softmax"(%a) <{dimension = -3 : si32}> : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'ttir.transpose' op Input must be at least a 2D tensor}}
  %r = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{'ttir.transpose' op Dimension 1 attribute must be within the bounds of the input tensor}}
  %r = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 2 : si32}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.transpose' op Input-output transpose dimension mismatch.}}
  %r = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x8x2xf32>) -> tensor<4x8x2xf32> {
  // expected-error@+1 {{'ttir.permute' op Expected a permutation of (0, 1, 2), got (0, 1, 1)}}
  %r = "ttir.permute"(%a) <{permutation = array<i64: 0, 1, 1>}> : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %r : tensor<4x8x2xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'ttir.permute' op Expected result shape (8, 4), got (4, 8)}}
  %r = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @elements_0(%a: tensor<4x64xi32>) -> tensor<4x64xi32> {
  // expected-error@+1 {{'ttir.atan2' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.atan2"(%a, %a) : (tensor<4x64xi32>, tensor<4x64xi32>) -> tensor<4x64xi32>
  return %r : tensor<4x64xi32>
}

// -----

func.func @elements_1(%a: tensor<4x64xi1>) -> tensor<4x64xi1> {
  // expected-error@+1 {{'ttir.bitwise_and' op does not support element type 'i1'; cast to 'i32' first}}
  %r = "ttir.bitwise_and"(%a, %a) : (tensor<4x64xi1>, tensor<4x64xi1>) -> tensor<4x64xi1>
  return %r : tensor<4x64xi1>
}

// -----

func.func @elements_2(%a: tensor<4x64xi1>) -> tensor<4x64xi1> {
  // expected-error@+1 {{'ttir.logical_left_shift' op does not support element type 'i1'; cast to 'i32' first}}
  %r = "ttir.logical_left_shift"(%a, %a) : (tensor<4x64xi1>, tensor<4x64xi1>) -> tensor<4x64xi1>
  return %r : tensor<4x64xi1>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.floor' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.floor"(%a) : (tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.log1p' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.log1p"(%a) : (tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.sin' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.sin"(%a) : (tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.cos' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.cos"(%a) : (tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.pow' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.pow"(%a, %a) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<4x64xf32>, %b: tensor<2x64xf32>) -> tensor<4x64xf32> {
  // expected-error@+1 {{'ttir.pow' op operand shape (2, 64) is not broadcast compatible with inferred operand shapes (4, 64)}}
  %r = "ttir.pow"(%a, %b) : (tensor<4x64xf32>, tensor<2x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.ceil' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.ceil"(%a) : (tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.atan2' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.atan2"(%a, %a) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.mish' op does not support element type 'i32'; cast to 'f32' first}}
  %r = "ttir.mish"(%a) : (tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<64xf32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{'ttir.right_shift' op Left operand element type must be integer, but got 'f32'}}
  %r = "ttir.right_shift"(%a, %b) : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @f(%a: tensor<2x64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{'ttir.square' op result shape (64) doesn't match expected shape after broadcasting (2, 64)}}
  %r = "ttir.square"(%a) : (tensor<2x64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
