// Loops of a known number of iterations are unrolled, and branches become selections.
// RUN: ttmlir-opt --allow-unregistered-dialect --stablehlo-flatten-control-flow %s | FileCheck %s --implicit-check-not=stablehlo.while --implicit-check-not=stablehlo.if --implicit-check-not=stablehlo.case
// RUN: ttmlir-opt --stablehlo-to-ttir-pipeline %s | FileCheck %s --check-prefix=TTIR

// The counter is a constant in each iteration, and nothing is left of the condition.
// CHECK-LABEL: @counted
// CHECK-NOT: "stablehlo.compare"
// CHECK: "stablehlo.constant"() {value = dense<3> : tensor<i32>}
// CHECK-NEXT: %[[FIRST:.*]] = "stablehlo.add"(%arg0, %arg0)
// CHECK: "stablehlo.constant"() {value = dense<5> : tensor<i32>}
// CHECK-NEXT: %[[SECOND:.*]] = "stablehlo.add"(%[[FIRST]], %[[FIRST]])
// CHECK-NEXT: return %[[SECOND]]
func.func @counted(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %begin = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%begin, %arg0) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %end = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %less = "stablehlo.compare"(%i, %end) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%less) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %step = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %next = "stablehlo.add"(%i, %step) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%next, %sum) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}

// Both regions are computed, and only results that differ are selected.
// CHECK-LABEL: @condition
// CHECK: %[[ELSE:.*]] = "stablehlo.multiply"(%arg1, %arg2)
// CHECK: %[[THEN:.*]] = "stablehlo.add"(%arg1, %arg2)
// CHECK: %[[SELECTED:.*]] = "stablehlo.select"(%arg0, %[[THEN]], %[[ELSE]])
// CHECK-NEXT: return %[[SELECTED]], %arg2
func.func @condition(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "stablehlo.if"(%p) ({
    %s = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s, %b) : (tensor<4xf32>, tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.multiply"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s, %b) : (tensor<4xf32>, tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// The last region is the result for every index out of range.
// CHECK-LABEL: @index
// CHECK: %[[IS_ONE:.*]] = "stablehlo.compare"(%arg0, {{.*}}) {comparison_direction = #stablehlo<comparison_direction EQ>}
// CHECK: %[[FROM_ONE:.*]] = "stablehlo.select"(%[[IS_ONE]], %arg2, %arg3)
// CHECK: %[[IS_ZERO:.*]] = "stablehlo.compare"
// CHECK: %[[SELECTED:.*]] = "stablehlo.select"(%[[IS_ZERO]], %arg1, %[[FROM_ONE]])
// CHECK-NEXT: return %[[SELECTED]]
func.func @index(%i: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%c) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Of a branch whose index is known, one region is left.
// CHECK-LABEL: @known
// CHECK: return %arg2, %arg1, %arg0, %arg1
func.func @known(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %m1 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %true = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %false = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
  %last = "stablehlo.case"(%m1) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%c) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  %second = "stablehlo.case"(%1) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%c) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  %then = "stablehlo.if"(%true) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  %otherwise = "stablehlo.if"(%false) ({
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  return %last, %second, %then, %otherwise : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Slices at constant positions become static, and the loop's results one concatenation.
// TTIR-LABEL: @collected
// TTIR-COUNT-3: "ttir.slice_static"(%arg0)
// TTIR: %[[ALL:.*]] = "ttir.concat"(%{{.*}}, %{{.*}}, %{{.*}}) <{dim = 0 : si32}>
// TTIR-NEXT: return %[[ALL]]
func.func @collected(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
  %1:2 = "stablehlo.while"(%0, %zero) ({
  ^bb0(%i: tensor<i32>, %y: tensor<3x2xf32>):
    %end = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %less = "stablehlo.compare"(%i, %end) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%less) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<3x2xf32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = "stablehlo.dynamic_slice"(%x, %i, %0) <{slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %exp = "stablehlo.exponential"(%row) : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %z = "stablehlo.dynamic_update_slice"(%y, %exp, %i, %0) : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
    "stablehlo.return"(%next, %z) : (tensor<i32>, tensor<3x2xf32>) -> ()
  }) : (tensor<i32>, tensor<3x2xf32>) -> (tensor<i32>, tensor<3x2xf32>)
  return %1#1 : tensor<3x2xf32>
}
