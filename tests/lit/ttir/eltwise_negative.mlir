// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<4x64x128xbf16>, %b: tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16> {
  // expected-error@+1 {{'ttir.add' op operand shape (2, 64, 128) is not broadcast compatible with inferred operand shapes (4, 64, 128)}}
  %r = "ttir.add"(%a, %b) : (tensor<4x64x128xbf16>, tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16>
  return %r : tensor<4x64x128xbf16>
}

// -----

func.func @f(%a: tensor<1x64xbf16>, %b: tensor<64xbf16>) -> tensor<2x64xbf16> {
  // expected-error@+1 {{'ttir.add' op result shape (2, 64) doesn't match expected shape after broadcasting (1, 64)}}
  %r = "ttir.add"(%a, %b) : (tensor<1x64xbf16>, tensor<64xbf16>) -> tensor<2x64xbf16>
  return %r : tensor<2x64xbf16>
}

// -----

func.func @f(%a: tensor<4x64x128xbf16>, %b: tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16> {
  // expected-error@+1 {{'ttir.subtract' op operand shape (2, 64, 128) is not broadcast compatible with inferred operand shapes (4, 64, 128)}}
  %r = "ttir.subtract"(%a, %b) : (tensor<4x64x128xbf16>, tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16>
  return %r : tensor<4x64x128xbf16>
}

// -----

func.func @f(%a: tensor<1x64xbf16>, %b: tensor<64xbf16>) -> tensor<2x64xbf16> {
  // expected-error@+1 {{'ttir.subtract' op result shape (2, 64) doesn't match expected shape after broadcasting (1, 64)}}
  %r = "ttir.subtract"(%a, %b) : (tensor<1x64xbf16>, tensor<64xbf16>) -> tensor<2x64xbf16>
  return %r : tensor<2x64xbf16>
}

// -----

func.func @f(%a: tensor<4x64x128xbf16>, %b: tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16> {
  // expected-error@+1 {{'ttir.multiply' op operand shape (2, 64, 128) is not broadcast compatible with inferred operand shapes (4, 64, 128)}}
  %r = "ttir.multiply"(%a, %b) : (tensor<4x64x128xbf16>, tensor<2x64x128xbf16>) -> tensor<4x64x128xbf16>
  return %r : tensor<4x64x128xbf16>
}

// -----

func.func @f(%a: tensor<1x64xbf16>, %b: tensor<64xbf16>) -> tensor<2x64xbf16> {
  // expected-error@+1 {{'ttir.multiply' op result shape (2, 64) doesn't match expected shape after broadcasting (1, 64)}}
  %r = "ttir.multiply"(%a, %b) : (tensor<1x64xbf16>, tensor<64xbf16>) -> tensor<2x64xbf16>
  return %r : tensor<2x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x32xbf16> {
  // expected-error@+1 {{'ttir.relu' op result shape (64, 32) doesn't match expected shape after broadcasting (64, 64)}}
  %r = "ttir.relu"(%a) : (tensor<64x64xbf16>) -> tensor<64x32xbf16>
  return %r : tensor<64x32xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x32xbf16> {
  // expected-error@+1 {{'ttir.neg' op result shape (64, 32) doesn't match expected shape after broadcasting (64, 64)}}
  %r = "ttir.neg"(%a) : (tensor<64x64xbf16>) -> tensor<64x32xbf16>
  return %r : tensor<64x32xbf16>
}

// -----

func.func @f(%a: tensor<1x64xf32>) -> tensor<2x64xbf16> {
  // expected-error@+1 {{'ttir.typecast' op result shape (2, 64) doesn't match expected shape after broadcasting (1, 64)}}
  %r = "ttir.typecast"(%a) : (tensor<1x64xf32>) -> tensor<2x64xbf16>
  return %r : tensor<2x64xbf16>
}

// -----

func.func @f(%a: tensor<64xf32>) -> tensor<64xbf16> {
  // expected-error@+1 {{'ttir.typecast' op requires a single operand}}
  %r = "ttir.typecast"(%a, %a) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xbf16>
  return %r : tensor<64xbf16>
}
