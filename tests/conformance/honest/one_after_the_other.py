# expect: correct
# problem: long_rows
# Plain loops in single precision.
import torch
import torch.nn as nn


import ctypes
import subprocess
import tempfile
from ctypes import c_long as L

SOURCE = r"""
extern "C" void run(const float*x,float*y,float*z,float*v,long m,long n){
#pragma omp parallel for
 for(long i=0;i<m;i++){ const float*a=x+i*n; float s=0,q=0; for(long l=0;l<n;l++) s+=a[l]; float mu=s/n; for(long l=0;l<n;l++) q+=(a[l]-mu)*(a[l]-mu); y[i]=s; z[i]=mu; v[i]=q/(n-1); } }
"""
FOLDER = tempfile.mkdtemp()
with open(FOLDER + "/k.cpp", "w") as file:
    file.write(SOURCE)
subprocess.run(["g++", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", FOLDER + "/k.cpp", "-o", FOLDER + "/k.so"], check=True)
LIB = ctypes.CDLL(FOLDER + "/k.so")


def P(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


class NewModel(nn.Module):
    def forward(self, x):
        y, z, v = torch.empty(64), torch.empty(64), torch.empty(64)
        LIB.run(P(x), P(y), P(z), P(v), L(64), L(4096))
        return y, z, v
