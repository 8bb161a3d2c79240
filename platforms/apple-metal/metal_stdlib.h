// Names of Metal's standard library for a syntax check by a C++ compiler: nothing here computes.
#pragma once
#define kernel
#define device
#define constant
#define thread
#define threadgroup
#define threadgroup_imageblock
typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned char uchar; typedef unsigned long ulong;
typedef _Float16 half; typedef __bf16 bfloat; typedef unsigned long size_t;
typedef int int32_t; typedef unsigned int uint32_t; typedef long int64_t; typedef unsigned long uint64_t;
typedef short int16_t; typedef unsigned short uint16_t; typedef signed char int8_t; typedef unsigned char uint8_t;
#define VECTORS(T) typedef T T##2 __attribute__((ext_vector_type(2))); typedef T T##3 __attribute__((ext_vector_type(3))); \
    typedef T T##4 __attribute__((ext_vector_type(4)));
VECTORS(float) VECTORS(half) VECTORS(int) VECTORS(uint) VECTORS(short) VECTORS(ushort) VECTORS(char) VECTORS(uchar) VECTORS(long) VECTORS(ulong) VECTORS(bool)
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX 3.402823466e38f
#define M_PI_F 3.14159265f
namespace metal {
struct anything { template <class T> operator T() const; template <class T> operator T&() const; };
enum class mem_flags { mem_none, mem_device, mem_threadgroup, mem_texture };
enum memory_order { memory_order_relaxed };
struct atomic_int {}; struct atomic_uint {}; struct atomic_float {}; template <class T> struct atomic {};
#define UNARY(f) template <class T> T f(T x);
#define BINARY(f) template <class T, class U> T f(T x, U y);
#define TERNARY(f) template <class T, class U, class V> T f(T x, U y, V z);
#define MATH UNARY(exp) UNARY(exp2) UNARY(log) UNARY(log2) UNARY(log10) UNARY(sqrt) UNARY(rsqrt) UNARY(sin) UNARY(cos) UNARY(tan) \
    UNARY(tanh) UNARY(sinh) UNARY(cosh) UNARY(asin) UNARY(acos) UNARY(atan) UNARY(floor) UNARY(ceil) UNARY(round) UNARY(rint) UNARY(trunc) \
    UNARY(abs) UNARY(fabs) UNARY(sign) UNARY(saturate) BINARY(pow) BINARY(powr) BINARY(atan2) BINARY(fmod) BINARY(divide)
MATH
namespace precise { MATH BINARY(max) BINARY(min) } namespace fast { MATH BINARY(max) BINARY(min) }
BINARY(max) BINARY(min) BINARY(fmax) BINARY(fmin) TERNARY(clamp) TERNARY(mix) TERNARY(fma) TERNARY(select) BINARY(step)
UNARY(isnan) UNARY(isinf) UNARY(isfinite) UNARY(any) UNARY(all) UNARY(popcount) UNARY(clz) UNARY(length) UNARY(normalize)
template <class T, class U> float dot(T x, U y);
UNARY(simd_sum) UNARY(simd_max) UNARY(simd_min) UNARY(simd_product) UNARY(simd_prefix_inclusive_sum) UNARY(simd_prefix_exclusive_sum)
UNARY(simd_broadcast_first) BINARY(simd_shuffle) BINARY(simd_shuffle_xor) BINARY(simd_shuffle_down) BINARY(simd_shuffle_up) BINARY(simd_broadcast)
UNARY(quad_sum) UNARY(quad_max)
template <class T, class U> T as_type(U x);
void threadgroup_barrier(mem_flags f); void simdgroup_barrier(mem_flags f);
template <class A, class B, class C> anything atomic_fetch_add_explicit(A a, B b, C c);
template <class A, class B, class C> anything atomic_store_explicit(A a, B b, C c);
template <class A, class B> anything atomic_load_explicit(A a, B b);
template <class T, int R, int C> struct simdgroup_matrix { simdgroup_matrix(); explicit simdgroup_matrix(T); };
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8; typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
template <class... T> void simdgroup_load(T... t); template <class... T> void simdgroup_store(T... t);
template <class... T> void simdgroup_multiply_accumulate(T... t); template <class... T> void simdgroup_multiply(T... t);
template <class T> struct numeric_limits { static T max(); static T min(); static T lowest(); static T infinity(); static T quiet_NaN(); };
template <class T, class U> struct is_same { static const bool value = false; };
template <class T> struct is_same<T, T> { static const bool value = true; };
template <class T, class U> constexpr bool is_same_v = is_same<T, U>::value;
template <class T, int N> struct array { T& operator[](int); };
template <class T, int N> struct vec;
}
