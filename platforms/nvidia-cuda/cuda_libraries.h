// Types of CUDA's libraries that ATen/cuda/CUDAContext.h names, for the check without the device. Included by many names.
#ifndef KFORGE_CUDA_LIBRARIES
#define KFORGE_CUDA_LIBRARIES
typedef struct cublasContext* cublasHandle_t;
typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusolverDnContext* cusolverDnHandle_t;
typedef enum { CUBLAS_STATUS_SUCCESS } cublasStatus_t;
typedef enum { CUSPARSE_STATUS_SUCCESS } cusparseStatus_t;
typedef enum { CUSOLVER_STATUS_SUCCESS } cusolverStatus_t;
#endif
