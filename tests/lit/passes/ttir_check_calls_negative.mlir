// Calls that inlining cannot remove are errors at the call, in every pipeline.
// RUN: ttmlir-opt --ttir-check-calls --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --ttir-to-mncore-pipeline --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  // expected-error@+1 {{'func.call' op calls 'f' from itself; recursion is not supported, repeat its operations}}
  %0 = func.call @f(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// -----

func.func private @g(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = func.call @f(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  // expected-error@+1 {{'func.call' op closes a cycle of calls through 'g', 'f'; recursion is not supported, repeat the operations}}
  %1 = func.call @g(%0) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %1 : tensor<2x3xbf16>
}

// -----

// expected-note@+1 {{declared here}}
func.func private @elsewhere(tensor<2x3xbf16>) -> tensor<2x3xbf16>
func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  // expected-error@+1 {{'func.call' op calls 'elsewhere', which has no body; define it in this module}}
  %0 = func.call @elsewhere(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// -----

func.func private @g(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  return %a : tensor<2x3xbf16>
}
func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %g = func.constant @g : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  // expected-error@+1 {{'func.call_indirect' op calls a function indirectly; call it by its name}}
  %0 = func.call_indirect %g(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// -----

// Calls that end are not touched: twice the same function, and one through another.
func.func private @h(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
func.func private @g(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = func.call @h(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
func.func @f(%a: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = func.call @g(%a) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  %1 = func.call @h(%0) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  %2 = func.call @h(%1) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %2 : tensor<2x3xbf16>
}
