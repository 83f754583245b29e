// RUN: ttmlir-opt --split-input-file --verify-diagnostics --allow-unregistered-dialect --stablehlo-flatten-control-flow %s

func.func @f(%a: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  // expected-error@+1 {{'stablehlo.while' op has a number of iterations that does not follow from constants, which is not supported; loop over a constant range, and select between values inside}}
  %0:2 = "stablehlo.while"(%zero, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %p = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    "stablehlo.return"(%i, %x) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.while' op makes the program exceed 100000 operations when loops are unrolled; divide the program}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %p = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<4xf32>):
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.while' op has results of other types than its operands}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %p = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<4xf32>):
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.while' op has a region whose arguments are not of types ('tensor<4xf32>')}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<5xf32>):
    %p = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<4xf32>):
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.while' op has a region whose arguments are not of types ('tensor<4xf32>')}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %p = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.while' op has a region that does not end with 'stablehlo.return'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %p = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<4xf32>):
    "stablehlo.abs"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %p = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    // expected-error@+1 {{'stablehlo.return' op needs operands of types ('tensor<i1>')}}
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }, {
  ^bb0(%x: tensor<4xf32>):
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.while' op needs two regions of one block}}
  %0 = "stablehlo.while"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%i: tensor<i64>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.case' op needs one operand of type 'tensor<i32>'}}
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i64>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%i: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.if' op needs one operand of type 'tensor<i1>'}}
  %0 = "stablehlo.if"(%i) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%i: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.if' op needs two regions of one block}}
  %0 = "stablehlo.if"(%i) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%i: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.case' op needs at least one region, and one block in each}}
  %0 = "stablehlo.case"(%i) : (tensor<i32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%i: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.case' op needs at least one region, and one block in each}}
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
  }) : (tensor<i32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

func.func @f(%i: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.case"(%i) ({
    // expected-error@+1 {{'stablehlo.abs' op uses a value before its definition}}
    %x = "stablehlo.abs"(%y) : (tensor<4xf32>) -> tensor<4xf32>
    %y = "stablehlo.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%y) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
