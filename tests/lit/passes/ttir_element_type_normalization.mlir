// RUN: ttmlir-opt --ttir-element-type-normalization --split-input-file %s | FileCheck %s

// CHECK-LABEL: @signature
// CHECK-SAME: (%arg0: tensor<2xbf16>, %arg1: tensor<2xf32>, %arg2: tensor<2xbf16>, %arg3: tensor<2xf32>)
// CHECK-SAME: -> (tensor<2xbf16>, tensor<2xf32>, tensor<2xbf16>, tensor<2xf32>)
// CHECK: return {{.*}} : tensor<2xbf16>, tensor<2xf32>, tensor<2xbf16>, tensor<2xf32>
func.func @signature(%a: tensor<2xbf16>, %b: tensor<2xf32>, %c: tensor<2xf16>, %d: tensor<2xf64>) -> (tensor<2xbf16>, tensor<2xf32>, tensor<2xf16>, tensor<2xf64>) {
  return %a, %b, %c, %d : tensor<2xbf16>, tensor<2xf32>, tensor<2xf16>, tensor<2xf64>
}

// CHECK-LABEL: func.func private @integers(
// CHECK-SAME: tensor<2xbf16>, tensor<2xui8>, tensor<2xui8>, tensor<2xui16>, tensor<2xsi32>, tensor<2xsi32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>)
func.func private @integers(tensor<2xi1>, tensor<2xi8>, tensor<2xsi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xsi64>, tensor<2xui32>, tensor<2xui64>, tensor<2xindex>)

// -----

// CHECK-LABEL: @operations
// CHECK: "ttir.add"(%arg0, %arg0) : (tensor<2xsi32>, tensor<2xsi32>) -> tensor<2xsi32>
// CHECK: ttir.empty() : tensor<2xbf16>
func.func @operations(%a: tensor<2xi64>) -> tensor<2xi64> {
  %0 = "ttir.add"(%a, %a) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %1 = ttir.empty() : tensor<2xi1>
  return %0 : tensor<2xi64>
}

// -----

// CHECK-LABEL: @constants
// CHECK: "ttir.constant"() <{value = dense<[-2147483648, 2147483647, 3]> : tensor<3xsi32>}> : () -> tensor<3xsi32>
// CHECK: "ttir.constant"() <{value = dense<[1.000000e+00, 0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
// CHECK: "ttir.constant"() <{value = dense<1.500000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
// CHECK: "ttir.constant"() <{value = dense<1.500000e+00> : tensor<4xbf16>}> : () -> tensor<4xbf16>
func.func @constants() -> (tensor<3xi64>, tensor<2xi1>, tensor<4xf64>, tensor<4xbf16>) {
  %0 = "ttir.constant"() <{value = dense<[-2147483648, 2147483647, 3]> : tensor<3xi64>}> : () -> tensor<3xi64>
  %1 = "ttir.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  %2 = "ttir.constant"() <{value = dense<1.5> : tensor<4xf64>}> : () -> tensor<4xf64>
  %3 = "ttir.constant"() <{value = dense<1.5> : tensor<4xbf16>}> : () -> tensor<4xbf16>
  return %0, %1, %2, %3 : tensor<3xi64>, tensor<2xi1>, tensor<4xf64>, tensor<4xbf16>
}

// -----

// Casts from booleans, and casts from or to a type that is replaced.
// CHECK-LABEL: @casts
// CHECK: "ttir.typecast"(%arg0) {{.*}} : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK: "ttir.typecast"(%arg1) {{.*}} : (tensor<2xf32>) -> tensor<2xbf16>
func.func @casts(%a: tensor<2xi1>, %b: tensor<2xf64>) -> (tensor<2xf32>, tensor<2xf16>) {
  %0 = "ttir.typecast"(%a) : (tensor<2xi1>) -> tensor<2xf32>
  %1 = "ttir.typecast"(%b) : (tensor<2xf64>) -> tensor<2xf16>
  return %0, %1 : tensor<2xf32>, tensor<2xf16>
}

// -----

// CHECK-LABEL: @resource
// CHECK: "ttir.constant"() <{value = dense_resource<single> : tensor<2xf32>}> : () -> tensor<2xf32>
// CHECK: "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
// CHECK: "ttir.constant"() <{value = dense<[1.000000e+00, 0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
func.func @resource() -> (tensor<2xf32>, tensor<2xf64>, tensor<2xi1>) {
  %0 = "ttir.constant"() <{value = dense_resource<single> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = "ttir.constant"() <{value = dense_resource<double> : tensor<2xf64>}> : () -> tensor<2xf64>
  %2 = "ttir.constant"() <{value = dense_resource<booleans> : tensor<2xi1>}> : () -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf64>, tensor<2xi1>
}
{-#
  dialect_resources: {
    builtin: {
      single: "0x040000000000803F00000040",
      double: "0x08000000000000000000F03F0000000000000040",
      booleans: "0x010000000100"
    }
  }
#-}
