// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// An output operand counts as one only if an empty tensor defines it; these are block arguments.

func.func @f(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.relu' op requires a single operand}}
  %r = "ttir.relu"(%a, %b) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f() -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.neg' op requires a single operand}}
  %r = "ttir.neg"() : () -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.add' op expected 2 operands, but found 3}}
  %r = "ttir.add"(%a, %b, %c) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.add' op expected 2 operands, but found 1}}
  %r = "ttir.add"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.matmul' op expected 2 operands, but found 3}}
  %r = "ttir.matmul"(%a, %b, %c) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.linear' op expected 2 or more operands, but found 1}}
  %r = "ttir.linear"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x64xbf16>, %d: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{'ttir.linear' op expected 3 operands, but found 4}}
  %r = "ttir.linear"(%a, %b, %c, %d) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %e = ttir.empty() : tensor<64x64xbf16>
  // expected-error@+1 {{'ttir.add' op expected 2 operands, but found 4}}
  %r = "ttir.add"(%a, %a, %a, %e) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %e = ttir.empty() : tensor<64x32xbf16>
  // expected-error@+1 {{'ttir.relu' op expected an output operand of the result type, got tensor<64x32xbf16>}}
  %r = "ttir.relu"(%a, %e) : (tensor<64x64xbf16>, tensor<64x32xbf16>) -> tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

// -----

func.func @empty_operand(%arg0: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = ttir.empty() : tensor<4xbf16>
  // expected-error @below {{expected 2 operands besides the output, which an empty tensor in the last place is; found 1}}
  %1 = "ttir.add"(%arg0, %0) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}
