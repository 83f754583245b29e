// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @caller(%w: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'ttcore.load_cached' op 'missing' does not reference a function}}
  %0 = ttcore.load_cached(@missing, [%w]) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @public(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @caller(%w: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'ttcore.load_cached' op calls 'public', which is not private}}
  %0 = ttcore.load_cached(@public, [%w]) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @callee(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @caller(%w: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'ttcore.load_cached' op Incorrect number of operands for callee -- expected 1 but got: 2}}
  %0 = ttcore.load_cached(@callee, [%w, %w]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @callee(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @caller(%w: tensor<4xf32>) {
  // expected-error@+1 {{'ttcore.load_cached' op Incorrect number of results for callee -- expected 1 but got: 0}}
  ttcore.load_cached(@callee, [%w]) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func private @callee(%v: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @caller(%v: tensor<4xf32>, %w: tensor<4xbf16>) -> tensor<4xf32> {
  // expected-error@+1 {{'ttcore.load_cached' op Operand type mismatch at index 1}}
  %0 = ttcore.load_cached(@callee, [%v, %w]) : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @callee(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @caller(%w: tensor<4xf32>) -> tensor<4xbf16> {
  // expected-error@+1 {{'ttcore.load_cached' op Result type mismatch at index 0}}
  %0 = ttcore.load_cached(@callee, [%w]) : (tensor<4xf32>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

func.func private @callee(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'ttcore.load_cached' op expected arguments of the surrounding function as operands}}
  %1 = ttcore.load_cached(@callee, [%0]) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
