// The operations of an attention are the stages of one kernel, whose intermediate results are local tensors.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=none" %s | FileCheck %s --check-prefix=APART
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="placement=cluster" %s | FileCheck %s --check-prefix=APART
// MN-Core 2 joins the same stages, of fewer groups.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline=mock-system-desc-arch=mncore2 --convert-ttnn-to-pto=target=mncore %s | FileCheck %s --check-prefix=MNCORE
// A kernel that is shared with another target has stages that both join.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --ttnn-share-kernels=target=mncore --convert-ttnn-to-pto %s | FileCheck %s --check-prefix=SHARED
// Products of fewer fidelity phases than the element-wise operations stay apart.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline=compute-cfg-math-fidelity=lofi --convert-ttnn-to-pto %s | FileCheck %s --check-prefix=LOFI
// LOFI-NOT: pto.func @{{[a-z_]*}}matmul_{{[a-z_]*}}matmul
// LOFI: pto.func @attention_matmul_0(
// LOFI-NOT: pto.alloc_tensor
// LOFI: pto.func @attention_add_max_subtract_exp_sum_divide_1(
// LOFI: pto.func @attention_matmul_2(
// LOFI-NOT: pto.func @{{[a-z_]*}}matmul_{{[a-z_]*}}matmul
// APART-NOT: pto.alloc_tensor
// APART-NOT: tt.shared_with

// CHECK-LABEL: pto.func @attention_matmul_add_max_subtract_exp_sum_divide_matmul_0(%arg0: memref<2x64x32xf32>, %arg1: memref<2x32x96xf32>, %arg2: memref<1x96xf32>, %arg3: memref<2x96x64xf32>, %arg4: memref<2x64x64xf32>)
// CHECK-SAME: kind = #pto.kind<mixed>, placement = #pto.placement<same_core>
// CHECK: %[[SCORES:.*]] = pto.alloc_tensor : memref<32x96xf32>
// CHECK: %[[MASKED:.*]] = pto.alloc_tensor : memref<32x96xf32>
// CHECK: %[[MAX:.*]] = pto.alloc_tensor : memref<32x1xf32>
// CHECK: %[[EXP:.*]] = pto.alloc_tensor : memref<32x96xf32>
// CHECK: %[[SUM:.*]] = pto.alloc_tensor : memref<32x1xf32>
// CHECK: %[[WEIGHTS:.*]] = pto.alloc_tensor : memref<32x96xf32>
// Matrices, rows of tiles, and the columns of each stage.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: pto.tload %arg0
// CHECK: pto.tload %arg1
// CHECK: %[[PRODUCT:.*]] = pto.tmatmul
// CHECK: %[[MOVED:.*]] = pto.tmove %[[PRODUCT]] : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
// CHECK: pto.tstore %[[MOVED]], %[[SCORES]][%{{.*}}, %[[COLUMN]]]
// CHECK: scf.for
// CHECK: pto.tload %[[SCORES]]
// CHECK: pto.tload %arg2
// CHECK: pto.tstore %{{.*}}, %[[MASKED]]
// CHECK: pto.trowmax
// CHECK: pto.tstore %{{.*}}, %[[MAX]]
// CHECK: pto.tload %[[MASKED]]
// CHECK: pto.tload %[[MAX]]
// CHECK: pto.texp
// CHECK: pto.tstore %{{.*}}, %[[EXP]]
// CHECK: pto.trowsum
// CHECK: pto.tstore %{{.*}}, %[[SUM]]
// CHECK: pto.tdiv
// CHECK: pto.tstore %{{.*}}, %[[WEIGHTS]]
// The last stage computes two columns of tiles at a time.
// CHECK: %[[FACTOR:.*]] = pto.tload %[[WEIGHTS]]{{.*}} -> <tensor<32x32xf32>, vec>
// CHECK: %[[CROSSED:.*]] = pto.tmove %[[FACTOR]] : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, mat>
// CHECK: pto.tmatmul %[[CROSSED]], %{{.*}} -> <tensor<32x64xf32>, acc>
// CHECK: pto.tmatmul_acc
// CHECK: pto.tstore %{{.*}}, %arg4
// CHECK: "ttnn.kernel_region"(%arg0, %arg1, %arg3, %arg2)
// MNCORE-LABEL: pto.func @attention_matmul_add_max_subtract_exp_sum_divide_matmul_0(
// MNCORE-COUNT-5: pto.alloc_tensor : memref<32x{{96|1}}xf32>
// SHARED-LABEL: pto.func @attention_matmul_add_max_subtract_exp_sum_divide_matmul_0(
// SHARED-COUNT-6: pto.alloc_tensor : memref<32x{{96|1}}xf32>
// SHARED: "ttnn.kernel_region"{{.*}}@attention_matmul_add_max_subtract_exp_sum_divide_matmul_0
func.func @attention(%q: tensor<2x64x32xf32>, %k: tensor<2x32x96xf32>, %v: tensor<2x96x64xf32>, %mask: tensor<1x96xf32>) -> tensor<2x64x64xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<2x64x32xf32>, tensor<2x32x96xf32>) -> tensor<2x64x96xf32>
  %1 = "ttir.add"(%0, %mask) : (tensor<2x64x96xf32>, tensor<1x96xf32>) -> tensor<2x64x96xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 2 : si32}> : (tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %3 = "ttir.matmul"(%2, %v) : (tensor<2x64x96xf32>, tensor<2x96x64xf32>) -> tensor<2x64x64xf32>
  return %3 : tensor<2x64x64xf32>
}

// bf16 tensors are stored as such, and the mask belongs to the stage of the product.
// CHECK-LABEL: pto.func @narrow_matmul_add_max_subtract_exp_sum_divide_matmul_0
// CHECK-COUNT-5: pto.alloc_tensor : memref<32x{{96|1}}xbf16>
// CHECK-NOT: pto.alloc_tensor
// CHECK-LABEL: func.func @narrow
func.func @narrow(%q: tensor<2x64x32xbf16>, %k: tensor<2x32x96xbf16>, %v: tensor<2x96x64xbf16>, %mask: tensor<1x96xbf16>) -> tensor<2x64x64xbf16> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<2x64x32xbf16>, tensor<2x32x96xbf16>) -> tensor<2x64x96xbf16>
  %1 = "ttir.add"(%0, %mask) : (tensor<2x64x96xbf16>, tensor<1x96xbf16>) -> tensor<2x64x96xbf16>
  %2 = "ttir.softmax"(%1) <{dimension = 2 : si32}> : (tensor<2x64x96xbf16>) -> tensor<2x64x96xbf16>
  %3 = "ttir.matmul"(%2, %v) : (tensor<2x64x96xbf16>, tensor<2x96x64xbf16>) -> tensor<2x64x64xbf16>
  return %3 : tensor<2x64x64xbf16>
}

// The weights are read elsewhere, too.
// CHECK-LABEL: func.func @weights_are_returned
// CHECK-COUNT-2: ttnn.matmul
func.func @weights_are_returned(%q: tensor<64x32xbf16>, %k: tensor<32x96xbf16>, %v: tensor<96x64xbf16>) -> (tensor<64x96xbf16>, tensor<64x64xbf16>) {
  %0 = "ttir.matmul"(%q, %k) : (tensor<64x32xbf16>, tensor<32x96xbf16>) -> tensor<64x96xbf16>
  %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = "ttir.matmul"(%1, %v) : (tensor<64x96xbf16>, tensor<96x64xbf16>) -> tensor<64x64xbf16>
  return %1, %2 : tensor<64x96xbf16>, tensor<64x64xbf16>
}

// A softmax along columns needs other rows.
// CHECK-NOT: pto.alloc_tensor
func.func @along_columns(%q: tensor<64x32xbf16>, %k: tensor<32x96xbf16>, %v: tensor<96x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<64x32xbf16>, tensor<32x96xbf16>) -> tensor<64x96xbf16>
  %1 = "ttir.softmax"(%0) <{dimension = 0 : si32}> : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = "ttir.matmul"(%1, %v) : (tensor<64x96xbf16>, tensor<96x64xbf16>) -> tensor<64x64xbf16>
  return %2 : tensor<64x64xbf16>
}

// Rows of 16384 scores do not fit into the memory of a core.
// CHECK-NOT: pto.alloc_tensor
// MNCORE: pto.func @too_long_matmul_0
// MNCORE-NOT: pto.alloc_tensor
// MNCORE: func.func @too_long
func.func @too_long(%q: tensor<32x32xbf16>, %k: tensor<32x16384xbf16>, %v: tensor<16384x64xbf16>) -> tensor<32x64xbf16> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<32x32xbf16>, tensor<32x16384xbf16>) -> tensor<32x16384xbf16>
  %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<32x16384xbf16>) -> tensor<32x16384xbf16>
  %2 = "ttir.matmul"(%1, %v) : (tensor<32x16384xbf16>, tensor<16384x64xbf16>) -> tensor<32x64xbf16>
  return %2 : tensor<32x64xbf16>
}

// A single head without a batch.
// CHECK-LABEL: pto.func @single_matmul_max_subtract_exp_sum_divide_matmul_0
// CHECK-COUNT-5: pto.alloc_tensor
// MNCORE: pto.func @single_matmul_max_subtract_exp_sum_divide_matmul_0
func.func @single(%q: tensor<64x32xbf16>, %k: tensor<32x96xbf16>, %v: tensor<96x32xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<64x32xbf16>, tensor<32x96xbf16>) -> tensor<64x96xbf16>
  %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = "ttir.matmul"(%1, %v) : (tensor<64x96xbf16>, tensor<96x32xbf16>) -> tensor<64x32xbf16>
  return %2 : tensor<64x32xbf16>
}

// Without a softmax, products use more cores in kernels of their own.
// CHECK-NOT: pto.alloc_tensor
// CHECK-LABEL: func.func @perceptron
func.func @perceptron(%x: tensor<64x32xf32>, %w: tensor<32x96xf32>, %u: tensor<96x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<64x32xf32>, tensor<32x96xf32>) -> tensor<64x96xf32>
  %1 = "ttir.exp"(%0) : (tensor<64x96xf32>) -> tensor<64x96xf32>
  %2 = "ttir.matmul"(%1, %u) : (tensor<64x96xf32>, tensor<96x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// The sums divide the result, in a stage of its own.
// CHECK-LABEL: pto.func @divided_matmul_exp_sum_matmul_divide_0
// CHECK: %[[SCORES:.*]] = pto.alloc_tensor : memref<32x96xf32>
// CHECK: %[[EXP:.*]] = pto.alloc_tensor : memref<32x96xf32>
// CHECK: %[[SUM:.*]] = pto.alloc_tensor : memref<32x1xf32>
// CHECK: %[[PRODUCT:.*]] = pto.alloc_tensor : memref<32x64xf32>
// CHECK: pto.tload %[[PRODUCT]]
// CHECK: pto.tload %[[SUM]]
// CHECK: pto.tdiv
// CHECK: pto.tstore %{{.*}}, %arg3
func.func @divided(%q: tensor<64x32xf32>, %k: tensor<32x96xf32>, %v: tensor<96x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<64x32xf32>, tensor<32x96xf32>) -> tensor<64x96xf32>
  %1 = "ttir.exp"(%0) : (tensor<64x96xf32>) -> tensor<64x96xf32>
  %2 = "ttir.sum"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x96xf32>) -> tensor<64x1xf32>
  %3 = "ttir.matmul"(%1, %v) : (tensor<64x96xf32>, tensor<96x64xf32>) -> tensor<64x64xf32>
  %4 = "ttir.div"(%3, %2) : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

// An element-wise group that reads the product only has a kernel of its own.
// CHECK-LABEL: pto.func @scaled_multiply_
// CHECK-LABEL: func.func @scaled
func.func @scaled(%q: tensor<64x32xf32>, %k: tensor<32x96xf32>, %v: tensor<96x64xf32>, %scale: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.matmul"(%q, %k) : (tensor<64x32xf32>, tensor<32x96xf32>) -> tensor<64x96xf32>
  %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<64x96xf32>) -> tensor<64x96xf32>
  %2 = "ttir.matmul"(%1, %v) : (tensor<64x96xf32>, tensor<96x64xf32>) -> tensor<64x64xf32>
  %3 = "ttir.multiply"(%2, %scale) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}
