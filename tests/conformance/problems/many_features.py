"""Many small elementwise features of a few hundred numbers in two precisions: time goes into calling operators."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def features(x):
    a = torch.abs(x)
    s = torch.sigmoid(x)
    y = torch.sin(x) + torch.cos(x)
    y = y + torch.tanh(x)
    y = y + torch.exp(-a)
    y = y + torch.log1p(a)
    y = y + torch.sqrt(a + 1)
    y = y + torch.rsqrt(a + 1)
    y = y + torch.atan(x)
    y = y + torch.asinh(x)
    y = y + torch.erf(x)
    y = y + torch.expm1(-a)
    y = y + torch.reciprocal(a + 1)
    y = y + torch.square(s)
    y = y + torch.exp2(-a)
    y = y + torch.log2(a + 1)
    y = y + torch.log10(a + 1)
    y = y + F.softplus(x)
    y = y + F.elu(x)
    y = y + F.selu(x)
    y = y + F.gelu(x)
    y = y + F.silu(x)
    y = y + F.mish(x)
    y = y + F.hardtanh(x)
    y = y + F.hardswish(x)
    y = y + F.hardsigmoid(x)
    y = y + F.leaky_relu(x)
    y = y + F.logsigmoid(x)
    y = y + F.softsign(x)
    y = y + F.celu(x)
    y = y + F.relu6(x)
    y = y + torch.sinc(x)
    y = y + torch.erfc(x)
    y = y + torch.asin(s)
    y = y + torch.acos(s)
    y = y + torch.hypot(x, s)
    y = y + torch.atan2(x, s)
    y = y + torch.logaddexp(x, s)
    y = y + torch.maximum(x, s)
    y = y + torch.minimum(x, s)
    y = y + torch.clamp(x, -1, 1)
    y = y + torch.lerp(x, s, 0.25)
    y = y + torch.addcmul(x, x, s)
    y = y + torch.addcdiv(x, x, a + 1)
    y = y + torch.cumsum(x, -1)
    y = y + torch.softmax(x, -1)
    y = y + torch.log_softmax(x, -1)
    y = y + torch.mean(x, -1, keepdim=True)
    y = y + torch.var(x, -1, keepdim=True)
    y = y + torch.logsumexp(x, -1, keepdim=True)
    y = y + torch.amax(x, -1, keepdim=True)
    y = y + torch.amin(x, -1, keepdim=True)
    y = y + torch.flip(x, (-1,))
    y = y + torch.roll(x, 3, -1)
    y = y + F.layer_norm(x, (64,))
    y = y + F.group_norm(x[None], 4)[0]
    y = y + (x @ x.t()).sum(-1, keepdim=True) / 64
    y = y + torch.topk(x, 5, -1).values.sum(-1, keepdim=True)
    y = y + torch.cumprod(s, -1)
    y = y + torch.cummax(x, -1).values
    y = y + torch.where(x > 0, s, a)
    y = y + torch.tril(x) + torch.triu(x, 3)
    y = y + F.pad(x, (1, 1))[:, 2:]
    y = y + x.unfold(-1, 4, 4).amax(-1).sum(-1, keepdim=True)
    y = y + torch.std(x, -1, keepdim=True)
    y = y + torch.prod(s + 0.5, -1, keepdim=True)
    y = y + F.normalize(a + 1, dim=-1)
    y = y + F.cosine_similarity(a + 1, s, dim=-1)[:, None]
    y = y + torch.pow(a + 1, 1.5)
    y = y + torch.outer(s[:, 0], s[0])
    y = y + torch.nan_to_num(x)
    y = y + F.glu(torch.cat([x, s], -1)) + F.tanhshrink(x) + F.softshrink(x) + F.hardshrink(a)
    y = y + F.tanhshrink(x) + F.softshrink(x) + F.hardshrink(a) + F.mse_loss(x, s) + F.l1_loss(x, s) + F.smooth_l1_loss(x, s)
    return y


class Model(nn.Module):
    def forward(self, x):
        return features(x) + features(x.double()).float()


def get_inputs():
    return [torch.randn(16, 64)]


def get_init_inputs():
    return []
