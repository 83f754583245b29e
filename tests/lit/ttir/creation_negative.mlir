// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f() -> tensor<3x2xbf16> {
  // expected-error@+1 {{'ttir.full' op expected shape (3, 2), got (2, 3)}}
  %r = "ttir.full"() <{fill_value = 1.0 : f32, shape = array<i32: 2, 3>}> : () -> tensor<3x2xbf16>
  return %r : tensor<3x2xbf16>
}

// -----

func.func @f() -> tensor<3x2xbf16> {
  // expected-error@+1 {{'ttir.zeros' op expected shape (3, 2), got (2, 3)}}
  %r = "ttir.zeros"() <{shape = array<i32: 2, 3>}> : () -> tensor<3x2xbf16>
  return %r : tensor<3x2xbf16>
}

// -----

func.func @f() -> tensor<3x2xbf16> {
  // expected-error@+1 {{'ttir.ones' op expected shape (3, 2), got (-3, 2)}}
  %r = "ttir.ones"() <{shape = array<i32: -3, 2>}> : () -> tensor<3x2xbf16>
  return %r : tensor<3x2xbf16>
}

// -----

func.func @f() -> tensor<3x2xbf16> {
  // expected-error@+1 {{'ttir.full' op attribute 'fill_value' failed to satisfy constraint: 32-bit float attribute or 32-bit signless integer attribute}}
  %r = "ttir.full"() <{fill_value = 1.0 : f64, shape = array<i32: 3, 2>}> : () -> tensor<3x2xbf16>
  return %r : tensor<3x2xbf16>
}

// -----

func.func @f() -> tensor<3xbf16> {
  // expected-error@+1 {{'ttir.constant' op failed to verify that all of {value, result} have same shape}}
  %r = "ttir.constant"() <{value = dense<1.0> : tensor<2xbf16>}> : () -> tensor<3xbf16>
  return %r : tensor<3xbf16>
}

// -----

func.func @f() -> tensor<2xbf16> {
  // expected-error@+1 {{'ttir.constant' op value has elements of type f32, but the result of type bf16}}
  %r = "ttir.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

func.func @f() -> tensor<2x2xbf16> {
  // expected-error@+1 {{'ttir.constant' op value attribute must be one of DenseResourceElementsAttr or DenseElementsAttr.}}
  %r = "ttir.constant"() <{value = sparse<[[0, 0]], [1.0]> : tensor<2x2xbf16>}> : () -> tensor<2x2xbf16>
  return %r : tensor<2x2xbf16>
}
