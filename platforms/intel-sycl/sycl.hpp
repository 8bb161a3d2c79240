// Names of SYCL and of PyTorch's C++ side for a syntax check by a C++ compiler: nothing here computes.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace sycl {
struct id_like {
    operator size_t() const;
    size_t operator[](int) const;
    size_t get(int) const;
    size_t size() const;
};
template <int D = 1> struct range : id_like { template <class... T> range(T...); };
template <int D = 1> struct id : id_like { template <class... T> id(T...); };
template <int D = 1> struct nd_range { template <class... T> nd_range(T...); };
template <int D = 1> struct group : id_like {
    size_t get_group_id(int) const; id<D> get_group_id() const; size_t get_local_id(int) const; size_t get_local_range(int) const;
    size_t get_group_linear_id() const; size_t get_local_linear_id() const; bool leader() const; size_t get_group_range(int) const;
};
struct sub_group : id_like {
    id<1> get_local_id() const; range<1> get_local_range() const; id<1> get_group_id() const; range<1> get_group_range() const;
    size_t get_local_linear_id() const; size_t get_group_linear_id() const; bool leader() const; range<1> get_max_local_range() const;
};
namespace access {
enum class fence_space { local_space, global_space, global_and_local };
enum class address_space { global_space, local_space, private_space, generic_space };
enum class decorated { no, yes, legacy };
enum class mode { read, write, read_write };
enum class target { device, local };
}
template <int D = 1> struct nd_item {
    size_t get_global_id(int) const; id<D> get_global_id() const; size_t get_local_id(int) const; id<D> get_local_id() const;
    size_t get_group(int) const; group<D> get_group() const; sub_group get_sub_group() const; size_t get_local_range(int) const;
    range<D> get_local_range() const; size_t get_global_range(int) const; size_t get_group_range(int) const;
    size_t get_global_linear_id() const; size_t get_local_linear_id() const; size_t get_group_linear_id() const;
    void barrier(access::fence_space s = access::fence_space::global_and_local) const;
};
template <int D = 1> struct item : id_like { size_t get_id(int) const; id<D> get_id() const; size_t get_linear_id() const; };
template <class T, int D = 1> struct local_accessor {
    template <class... A> local_accessor(A...); T& operator[](size_t) const; T& operator[](id<D>) const; T* get_pointer() const;
    template <access::decorated> T* get_multi_ptr() const;
};
struct event { void wait() const; };
struct handler {
    template <class N = void, class... A> void parallel_for(A...) {} template <class N = void, class F> void single_task(F) {}
    template <class... A> void depends_on(A...);
};
struct queue {
    template <class F> event submit(F f) { handler h; f(h); return {}; }
    template <class N = void, class... A> event parallel_for(A...) { return {}; }
    template <class... A> event memset(A...); template <class... A> event memcpy(A...); template <class... A> event fill(A...);
    void wait();
};
template <class T, int N> struct vec {
    template <class... A> vec(A...); T& operator[](int); const T& operator[](int) const; T& x(); T& y(); T& z(); T& w();
    template <class... A> void load(A...); template <class... A> void store(A...) const;
};
template <class T, int N> vec<T, N> operator+(vec<T, N>, vec<T, N>); template <class T, int N> vec<T, N> operator-(vec<T, N>, vec<T, N>);
template <class T, int N> vec<T, N> operator*(vec<T, N>, vec<T, N>); template <class T, int N> vec<T, N> operator/(vec<T, N>, vec<T, N>);
using float2 = vec<float, 2>; using float4 = vec<float, 4>; using float8 = vec<float, 8>; using int2 = vec<int, 2>; using int4 = vec<int, 4>;
struct half { half(float = 0); operator float() const; };
using half2 = vec<half, 2>; using half4 = vec<half, 4>; using half8 = vec<half, 8>;
template <class T = void> struct plus {}; template <class T = void> struct multiplies {}; template <class T = void> struct maximum {};
template <class T = void> struct minimum {}; template <class T = void> struct logical_or {}; template <class T = void> struct logical_and {};
template <class G, class T, class O> T reduce_over_group(G, T, O); template <class G, class T, class U, class O> T reduce_over_group(G, T, U, O);
template <class G, class T, class O> T inclusive_scan_over_group(G, T, O); template <class G, class T, class O> T exclusive_scan_over_group(G, T, O);
template <class G, class T, class... A> T group_broadcast(G, T, A...); template <class G, class T, class I> T select_from_group(G, T, I);
template <class G, class T, class I> T permute_group_by_xor(G, T, I); template <class G, class T> T shift_group_left(G, T, size_t = 1);
template <class G, class T> T shift_group_right(G, T, size_t = 1); template <class G> bool any_of_group(G, bool); template <class G> bool all_of_group(G, bool);
enum class memory_scope { work_item, sub_group, work_group, device, system };
enum class memory_order { relaxed, acquire, release, acq_rel, seq_cst };
template <class G> void group_barrier(G, memory_scope s = memory_scope::work_group);
void atomic_fence(memory_order, memory_scope);
template <class T, memory_order O = memory_order::relaxed, memory_scope S = memory_scope::device, access::address_space A = access::address_space::generic_space>
struct atomic_ref { atomic_ref(T&); T fetch_add(T); T fetch_max(T); T fetch_min(T); T load(); void store(T); T operator+=(T); };
#define KF_UNARY(f) template <class T> T f(T);
#define KF_BINARY(f) template <class T, class U> T f(T, U);
KF_UNARY(exp) KF_UNARY(exp2) KF_UNARY(expm1) KF_UNARY(log) KF_UNARY(log2) KF_UNARY(log10) KF_UNARY(log1p) KF_UNARY(sqrt) KF_UNARY(rsqrt) KF_UNARY(cbrt)
KF_UNARY(sin) KF_UNARY(cos) KF_UNARY(tan) KF_UNARY(tanh) KF_UNARY(sinh) KF_UNARY(cosh) KF_UNARY(erf) KF_UNARY(erfc) KF_UNARY(floor) KF_UNARY(ceil)
KF_UNARY(round) KF_UNARY(rint) KF_UNARY(trunc) KF_UNARY(fabs) KF_UNARY(abs) KF_UNARY(sign) KF_UNARY(isnan) KF_UNARY(isinf) KF_UNARY(isfinite)
KF_BINARY(fmax) KF_BINARY(fmin) KF_BINARY(max) KF_BINARY(min) KF_BINARY(pow) KF_BINARY(fmod) KF_BINARY(atan2) KF_BINARY(ldexp) KF_BINARY(dot)
template <class T, class U, class V> T clamp(T, U, V); template <class T, class U, class V> T fma(T, U, V); template <class T, class U, class V> T mad(T, U, V);
template <class T, class U, class V> T select(T, U, V);
template <class T, class U> T bit_cast(U);
namespace ext { namespace oneapi { struct bfloat16 { bfloat16(float = 0); operator float() const; }; } }
namespace native { KF_UNARY(exp) KF_UNARY(log) KF_UNARY(sqrt) KF_UNARY(rsqrt) KF_UNARY(recip) KF_UNARY(tanh) }
}  // namespace sycl

namespace at {
enum ScalarType { kFloat, kHalf, kBFloat16, kDouble, kInt, kLong, kBool };
struct TensorOptions { template <class T> TensorOptions dtype(T) const; template <class T> TensorOptions device(T) const; };
struct IntArrayRef { template <class... T> IntArrayRef(T...); IntArrayRef(std::initializer_list<int64_t>); int64_t operator[](size_t) const; size_t size() const; };
struct Tensor {
    template <class T> T* data_ptr() const; template <class T> const T* const_data_ptr() const; template <class T> T* mutable_data_ptr() const;
    void* data_ptr() const; int64_t size(int64_t) const; int64_t stride(int64_t) const; int64_t numel() const; int64_t dim() const;
    IntArrayRef sizes() const; Tensor contiguous() const; bool is_contiguous() const; bool is_xpu() const; bool defined() const;
    TensorOptions options() const; ScalarType scalar_type() const; ScalarType dtype() const; int device() const;
    template <class... T> Tensor view(T...) const; Tensor view(IntArrayRef) const; template <class... T> Tensor to(T...) const; template <class... T> Tensor reshape(T...) const;
};
Tensor empty_like(const Tensor&); Tensor zeros_like(const Tensor&);
template <class... T> Tensor empty(IntArrayRef, T...); template <class... T> Tensor zeros(IntArrayRef, T...);
}  // namespace at
namespace torch { using namespace at; }
namespace c10 { namespace xpu { struct XPUStream { sycl::queue& queue() const; operator sycl::queue&() const; }; XPUStream getCurrentXPUStream(int = 0); } }
#define TORCH_CHECK(condition, ...) do { (void)(condition); } while (0)
#define PYBIND11_MODULE(name, m) void kf_bind()
#define SYCL_EXTERNAL
