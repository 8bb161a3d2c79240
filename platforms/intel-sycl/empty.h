// The shim of sycl/sycl.hpp holds these names.
