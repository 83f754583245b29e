// Casts: as kernels of their own, after products and before their factors.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=auto" %s | FileCheck %s --check-prefix=AUTO

// f32 is loaded as it is, and rounded by the packers.
// CHECK-LABEL: pto.func @to_bf16_typecast_0(%arg0: memref<33x65xf32>, %arg1: memref<33x65xbf16>)
// CHECK-SAME: kind = #pto.kind<mixed>}
// CHECK: %[[X:.*]] = pto.tload %arg0[{{.*}}] : memref<33x65xf32> -> <tensor<[[SHAPE:.*]]xf32>, vec>
// CHECK-NEXT: %[[R:.*]] = pto.tcvt %[[X]] {unit = #pto.unit<pack>} : <tensor<[[SHAPE]]xf32>, vec> -> <tensor<[[SHAPE]]xbf16>, vec>
// CHECK-NEXT: pto.tstore %[[R]], %arg1[{{.*}}] : <tensor<[[SHAPE]]xbf16>, vec> -> memref<33x65xbf16>
func.func @to_bf16(%a: tensor<33x65xf32>) -> tensor<33x65xbf16> {
  %0 = "ttir.typecast"(%a) : (tensor<33x65xf32>) -> tensor<33x65xbf16>
  return %0 : tensor<33x65xbf16>
}

// CHECK-LABEL: pto.func @to_f32_typecast_0(%arg0: memref<2x33x65xbf16>, %arg1: memref<2x33x65xf32>)
// CHECK: %[[X:.*]] = pto.tload %arg0[{{.*}}] : memref<2x33x65xbf16> -> <tensor<[[SHAPE:.*]]xbf16>, vec>
// CHECK-NEXT: %[[W:.*]] = pto.tcvt %[[X]] {unit = #pto.unit<fpu>} : <tensor<[[SHAPE]]xbf16>, vec> -> <tensor<[[SHAPE]]xf32>, vec>
// CHECK-NOT: pto.tcvt
// CHECK: pto.tstore %[[W]], %arg1[{{.*}}] : <tensor<[[SHAPE]]xf32>, vec> -> memref<2x33x65xf32>
func.func @to_f32(%a: tensor<2x33x65xbf16>) -> tensor<2x33x65xf32> {
  %0 = "ttir.typecast"(%a) : (tensor<2x33x65xbf16>) -> tensor<2x33x65xf32>
  return %0 : tensor<2x33x65xf32>
}

// A product is not rounded before it is stored as f32.
// CHECK-LABEL: pto.func @behind_matmul_typecast_0(
// CHECK-SAME: kind = #pto.kind<mixed>}
// CHECK: %[[SUM:.*]] = scf.for
// CHECK-NOT: pto.tcvt
// CHECK: pto.tstore %[[SUM]], %arg2[{{.*}}] : <tensor<[[SHAPE:.*]]xf32>, acc> -> memref<33x97xf32>
func.func @behind(%a: tensor<33x65xbf16>, %b: tensor<65x97xbf16>) -> tensor<33x97xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<33x65xbf16>, tensor<65x97xbf16>) -> tensor<33x97xbf16>
  %1 = "ttir.typecast"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xf32>
  return %1 : tensor<33x97xf32>
}

// Packers apply relu to what they round; the vector unit applies it to other values.
// CHECK-LABEL: pto.func @behind_relu_matmul_relu_typecast_0(
// CHECK-SAME: placement = #pto.placement<same_core>
// CHECK: %[[V:.*]] = pto.tmove {{.*}} vec>
// CHECK: %[[R:.*]] = pto.trelu %[[V]] {unit = #pto.unit<sfpu>}
// CHECK: pto.tstore %[[R]], %arg2{{.*}} memref<33x97xf32>
func.func @behind_relu(%a: tensor<33x65xbf16>, %b: tensor<65x97xbf16>) -> tensor<33x97xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<33x65xbf16>, tensor<65x97xbf16>) -> tensor<33x97xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %2 = "ttir.typecast"(%1) : (tensor<33x97xbf16>) -> tensor<33x97xf32>
  return %2 : tensor<33x97xf32>
}

// Before a factor, the vector side rounds and hands over; relu and neg of what is rounded are the same as of what will be.
// CHECK-LABEL: pto.func @before_typecast_neg_0(
// CHECK: pto.tload %arg0[{{.*}}] : memref<64x64xf32>
// CHECK-NEXT: pto.tneg
// CHECK-NEXT: pto.tcvt
// CHECK-LABEL: pto.func @before_matmul_1(
// AUTO-LABEL: pto.func @before_typecast_neg_matmul_0(%arg0: memref<64x64xf32>, %arg1: memref<64x32xbf16>, %arg2: memref<64x32xbf16>)
// AUTO-SAME: placement = #pto.placement<cluster>
// AUTO: %[[X:.*]] = pto.tload %arg0[{{.*}}] : memref<64x64xf32> -> <tensor<32x32xf32>, vec>
// AUTO-NEXT: %[[N:.*]] = pto.tneg %[[X]] {unit = #pto.unit<sfpu>}
// AUTO-NEXT: %[[R:.*]] = pto.tcvt %[[N]] {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
// AUTO-NEXT: %[[M:.*]] = pto.tmove %[[R]] : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, mat>
// AUTO: pto.tmatmul %[[M]],
func.func @before(%a: tensor<64x64xf32>, %b: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.typecast"(%a) : (tensor<64x64xf32>) -> tensor<64x64xbf16>
  %1 = "ttir.neg"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = "ttir.matmul"(%1, %b) : (tensor<64x64xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %2 : tensor<64x32xbf16>
}

// Other operations read the rounded value, so it is stored first.
// CHECK-LABEL: pto.func @rounded_before_typecast_0(
// CHECK-LABEL: pto.func @rounded_before_add_1(%arg0: memref<32x32xbf16>,
// AUTO-LABEL: pto.func @rounded_before_typecast_0(
// AUTO-LABEL: pto.func @rounded_before_add_1(
func.func @rounded_before(%a: tensor<32x32xf32>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.typecast"(%a) : (tensor<32x32xf32>) -> tensor<32x32xbf16>
  %1 = "ttir.add"(%0, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// A cast back asks for the rounding, too.
// The first cast shares the kernel of the one above.
// CHECK-NOT: pto.func @there_and_back_typecast_0
// CHECK-LABEL: pto.func @there_and_back_typecast_1(%arg0: memref<32x32xbf16>, %arg1: memref<32x32xf32>)
func.func @there_and_back(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.typecast"(%a) : (tensor<32x32xf32>) -> tensor<32x32xbf16>
  %1 = "ttir.typecast"(%0) : (tensor<32x32xbf16>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
