// RUN: ttmlir-opt --const-eval-hoist-transform %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// Hoisting again changes nothing.
// RUN: ttmlir-opt --const-eval-hoist-transform %t.mlir | diff %t.mlir -

// One subgraph, whose constant moves along. What depends on an input stays.
// CHECK-LABEL: func.func private @one_const_eval_0
// CHECK-SAME: (%arg0: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %arg1: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<constant>})
// CHECK-SAME: -> tensor<4x4xf32> attributes {tt.function_type = "const_eval"}
// CHECK-NEXT: %[[TWO:.*]] = "ttir.full"
// CHECK-NEXT: %[[SUM:.*]] = "ttir.add"(%arg0, %arg1)
// CHECK-NEXT: %[[TWICE:.*]] = "ttir.multiply"(%[[SUM]], %[[TWO]])
// CHECK-NEXT: return %[[TWICE]]
// CHECK-LABEL: func.func @one(
// CHECK-NEXT: %[[CACHED:.*]] = ttcore.load_cached(@one_const_eval_0, [%arg1, %arg2]) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[NEG:.*]] = "ttir.neg"(%arg0)
// CHECK-NEXT: %[[RESULT:.*]] = "ttir.matmul"(%[[NEG]], %[[CACHED]])
// CHECK-NEXT: return %[[RESULT]]
func.func @one(%x: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %c: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<4x4xf32> {
  %0 = "ttir.neg"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 4, 4>}> : () -> tensor<4x4xf32>
  %2 = "ttir.add"(%w, %c) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "ttir.multiply"(%2, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "ttir.matmul"(%0, %3) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// Two subgraphs that share only an argument and a constant, which also stays for another reader.
// CHECK-LABEL: func.func private @two_const_eval_0
// CHECK-NEXT: "ttir.full"
// CHECK-NEXT: "ttir.add"(%arg0
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @two_const_eval_1
// CHECK-NEXT: "ttir.full"
// CHECK-NEXT: "ttir.multiply"(%arg0
// CHECK-NEXT: return
// CHECK-LABEL: func.func @two(
// CHECK-NEXT: %[[A:.*]] = ttcore.load_cached(@two_const_eval_0, [%arg1])
// CHECK-NEXT: %[[B:.*]] = ttcore.load_cached(@two_const_eval_1, [%arg1])
// CHECK-NEXT: %[[TWO:.*]] = "ttir.full"
// CHECK-NEXT: %[[C:.*]] = "ttir.where"(%arg0, %[[A]], %[[B]])
// CHECK-NEXT: "ttir.add"(%[[C]], %[[TWO]])
func.func @two(%x: tensor<4xf32>, %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4xf32> {
  %0 = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %1 = "ttir.add"(%w, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.multiply"(%w, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.where"(%x, %1, %2) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "ttir.add"(%3, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Branches that meet are one subgraph; it has each result that is read outside, also by the return.
// CHECK-LABEL: func.func private @joined_const_eval_0
// CHECK-NEXT: %[[A:.*]] = "ttir.exp"(%arg0)
// CHECK-NEXT: %[[B:.*]] = "ttir.neg"(%arg1)
// CHECK-NEXT: %[[C:.*]] = "ttir.add"(%[[A]], %[[B]])
// CHECK-NEXT: return %[[A]], %[[C]]
// CHECK-LABEL: func.func @joined(
// CHECK-NEXT: %[[R:.*]]:2 = ttcore.load_cached(@joined_const_eval_0, [%arg1, %arg2]) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[D:.*]] = "ttir.multiply"(%arg0, %[[R]]#0)
// CHECK-NEXT: return %[[D]], %[[R]]#1
func.func @joined(%x: tensor<4xf32>, %v: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "ttir.exp"(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.neg"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.multiply"(%x, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3, %2 : tensor<4xf32>, tensor<4xf32>
}

// A subgraph of constants alone has no operands.
// CHECK-LABEL: func.func private @constants_const_eval_0() -> tensor<4xf32>
// CHECK: "ttir.cumsum"
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: ttcore.load_cached(@constants_const_eval_0, []) : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.add"
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %1 = "ttir.cumsum"(%0) <{dim = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.add"(%x, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A free name is taken.
// CHECK-LABEL: func.func private @named_const_eval_0()
func.func private @named_const_eval_0()
// CHECK-LABEL: func.func private @named_const_eval_1
// CHECK-LABEL: func.func @named(
// CHECK-NEXT: ttcore.load_cached(@named_const_eval_1, [%arg0])
// CHECK-NEXT: return
func.func @named(%w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4xf32> {
  %0 = "ttir.neg"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Of what nothing reads, and in a private function, nothing is hoisted.
// CHECK-NOT: load_cached
// CHECK-LABEL: func.func @unread(
// CHECK-NEXT: "ttir.neg"(%arg0)
// CHECK-NEXT: return
func.func @unread(%w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) {
  %0 = "ttir.neg"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// CHECK-LABEL: func.func private @private(
// CHECK-NEXT: "ttir.neg"(%arg0)
func.func private @private(%w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4xf32> {
  %0 = "ttir.neg"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Nothing to hoist: constants alone are cheap, an input is no weight, and an argument that is not
// marked may be an input. Weights may be returned.
// CHECK-NOT: load_cached
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: %[[ONE:.*]] = "ttir.full"
// CHECK-NEXT: %[[A:.*]] = "ttir.add"(%arg0, %[[ONE]])
// CHECK-NEXT: %[[B:.*]] = "ttir.add"(%arg1, %arg2)
// CHECK-NEXT: return %[[ONE]], %[[A]], %[[B]], %arg2
func.func @nothing(%x: tensor<4xf32>, %y: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "ttir.full"() <{fill_value = 1.0 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %1 = "ttir.add"(%x, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.add"(%y, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
