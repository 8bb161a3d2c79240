# expect: correct
# problem: tanh
# One minus a quotient of exponentials, and these by a polynomial.
import torch
import torch.nn as nn


import ctypes
import subprocess
import tempfile
from ctypes import c_long as L

SOURCE = r"""
#include <cmath>
#include <cstring>
static inline float fexp(float x){ x=fminf(fmaxf(x,-87.f),88.f); float n=rintf(x*1.44269504f); float r=x-n*0.693359375f+n*2.12194440e-4f;
 float p=1.9875691500e-4f; p=p*r+1.3981999507e-3f; p=p*r+8.3334519073e-3f; p=p*r+4.1665795894e-2f; p=p*r+1.6666665459e-1f; p=p*r+5.0000001201e-1f; p=p*r*r+r+1.f;
 int i=((int)n+127)<<23; float s; memcpy(&s,&i,4); return p*s; }
extern "C" void run(const float*x,float*y,long n){
#pragma omp parallel for
 for(long i=0;i<n;i++){ float e=fexp(2*x[i]); y[i]=1.f-2.f/(e+1.f);} }
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
        y = torch.empty_like(x)
        LIB.run(P(x), P(y), L(x.numel()))
        return y
