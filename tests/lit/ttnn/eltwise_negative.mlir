// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<4x64x128xbf16>, %b: tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16> {
  // expected-error@+1 {{'ttnn.add' op operand shape (2, 64, 128) is not broadcast compatible with inferred operand shapes (4, 64, 128)}}
  %r = "ttnn.add"(%a, %b) : (tensor<4x64x128xbf16>, tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16>
  return %r : tensor<4x64x128xbf16>
}

// -----

func.func @f(%a: tensor<1x64xbf16>, %b: tensor<64xbf16>) -> tensor<2x64xbf16> {
  // expected-error@+1 {{'ttnn.add' op result shape (2, 64) doesn't match expected shape after broadcasting (1, 64)}}
  %r = "ttnn.add"(%a, %b) : (tensor<1x64xbf16>, tensor<64xbf16>) -> tensor<2x64xbf16>
  return %r : tensor<2x64xbf16>
}

// -----

func.func @f(%a: tensor<4x64x128xbf16>, %b: tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16> {
  // expected-error@+1 {{'ttnn.subtract' op operand shape (2, 64, 128) is not broadcast compatible with inferred operand shapes (4, 64, 128)}}
  %r = "ttnn.subtract"(%a, %b) : (tensor<4x64x128xbf16>, tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16>
  return %r : tensor<4x64x128xbf16>
}

// -----

func.func @f(%a: tensor<1x64xbf16>, %b: tensor<64xbf16>) -> tensor<2x64xbf16> {
  // expected-error@+1 {{'ttnn.subtract' op result shape (2, 64) doesn't match expected shape after broadcasting (1, 64)}}
  %r = "ttnn.subtract"(%a, %b) : (tensor<1x64xbf16>, tensor<64xbf16>) -> tensor<2x64xbf16>
  return %r : tensor<2x64xbf16>
}

// -----

func.func @f(%a: tensor<4x64x128xbf16>, %b: tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16> {
  // expected-error@+1 {{'ttnn.multiply' op operand shape (2, 64, 128) is not broadcast compatible with inferred operand shapes (4, 64, 128)}}
  %r = "ttnn.multiply"(%a, %b) : (tensor<4x64x128xbf16>, tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16>
  return %r : tensor<4x64x128xbf16>
}

// -----

func.func @f(%a: tensor<1x64xbf16>, %b: tensor<64xbf16>) -> tensor<2x64xbf16> {
  // expected-error@+1 {{'ttnn.multiply' op result shape (2, 64) doesn't match expected shape after broadcasting (1, 64)}}
  %r = "ttnn.multiply"(%a, %b) : (tensor<1x64xbf16>, tensor<64xbf16>) -> tensor<2x64xbf16>
  return %r : tensor<2x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x32xbf16> {
  // expected-error@+1 {{'ttnn.relu' op result shape (64, 32) doesn't match expected shape after broadcasting (64, 64)}}
  %r = "ttnn.relu"(%a) : (tensor<64x64xbf16>) -> tensor<64x32xbf16>
  return %r : tensor<64x32xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x32xbf16> {
  // expected-error@+1 {{'ttnn.neg' op result shape (64, 32) doesn't match expected shape after broadcasting (64, 64)}}
  %r = "ttnn.neg"(%a) : (tensor<64x64xbf16>) -> tensor<64x32xbf16>
  return %r : tensor<64x32xbf16>
}
