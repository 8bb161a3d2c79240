# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F


def part_000(x, mean, scale, weight, bias):
    y = (x[..., 0:4] - mean) * scale
    return F.gelu(y * weight[0:4] + bias[0:4])


def part_004(x, mean, scale, weight, bias):
    y = (x[..., 4:8] - mean) * scale
    return F.gelu(y * weight[4:8] + bias[4:8])


def part_008(x, mean, scale, weight, bias):
    y = (x[..., 8:12] - mean) * scale
    return F.gelu(y * weight[8:12] + bias[8:12])


def part_012(x, mean, scale, weight, bias):
    y = (x[..., 12:16] - mean) * scale
    return F.gelu(y * weight[12:16] + bias[12:16])


def part_016(x, mean, scale, weight, bias):
    y = (x[..., 16:20] - mean) * scale
    return F.gelu(y * weight[16:20] + bias[16:20])


def part_020(x, mean, scale, weight, bias):
    y = (x[..., 20:24] - mean) * scale
    return F.gelu(y * weight[20:24] + bias[20:24])


def part_024(x, mean, scale, weight, bias):
    y = (x[..., 24:28] - mean) * scale
    return F.gelu(y * weight[24:28] + bias[24:28])


def part_028(x, mean, scale, weight, bias):
    y = (x[..., 28:32] - mean) * scale
    return F.gelu(y * weight[28:32] + bias[28:32])


def part_032(x, mean, scale, weight, bias):
    y = (x[..., 32:36] - mean) * scale
    return F.gelu(y * weight[32:36] + bias[32:36])


def part_036(x, mean, scale, weight, bias):
    y = (x[..., 36:40] - mean) * scale
    return F.gelu(y * weight[36:40] + bias[36:40])


def part_040(x, mean, scale, weight, bias):
    y = (x[..., 40:44] - mean) * scale
    return F.gelu(y * weight[40:44] + bias[40:44])


def part_044(x, mean, scale, weight, bias):
    y = (x[..., 44:48] - mean) * scale
    return F.gelu(y * weight[44:48] + bias[44:48])


def part_048(x, mean, scale, weight, bias):
    y = (x[..., 48:52] - mean) * scale
    return F.gelu(y * weight[48:52] + bias[48:52])


def part_052(x, mean, scale, weight, bias):
    y = (x[..., 52:56] - mean) * scale
    return F.gelu(y * weight[52:56] + bias[52:56])


def part_056(x, mean, scale, weight, bias):
    y = (x[..., 56:60] - mean) * scale
    return F.gelu(y * weight[56:60] + bias[56:60])


def part_060(x, mean, scale, weight, bias):
    y = (x[..., 60:64] - mean) * scale
    return F.gelu(y * weight[60:64] + bias[60:64])


def part_064(x, mean, scale, weight, bias):
    y = (x[..., 64:68] - mean) * scale
    return F.gelu(y * weight[64:68] + bias[64:68])


def part_068(x, mean, scale, weight, bias):
    y = (x[..., 68:72] - mean) * scale
    return F.gelu(y * weight[68:72] + bias[68:72])


def part_072(x, mean, scale, weight, bias):
    y = (x[..., 72:76] - mean) * scale
    return F.gelu(y * weight[72:76] + bias[72:76])


def part_076(x, mean, scale, weight, bias):
    y = (x[..., 76:80] - mean) * scale
    return F.gelu(y * weight[76:80] + bias[76:80])


def part_080(x, mean, scale, weight, bias):
    y = (x[..., 80:84] - mean) * scale
    return F.gelu(y * weight[80:84] + bias[80:84])


def part_084(x, mean, scale, weight, bias):
    y = (x[..., 84:88] - mean) * scale
    return F.gelu(y * weight[84:88] + bias[84:88])


def part_088(x, mean, scale, weight, bias):
    y = (x[..., 88:92] - mean) * scale
    return F.gelu(y * weight[88:92] + bias[88:92])


def part_092(x, mean, scale, weight, bias):
    y = (x[..., 92:96] - mean) * scale
    return F.gelu(y * weight[92:96] + bias[92:96])


def part_096(x, mean, scale, weight, bias):
    y = (x[..., 96:100] - mean) * scale
    return F.gelu(y * weight[96:100] + bias[96:100])


def part_100(x, mean, scale, weight, bias):
    y = (x[..., 100:104] - mean) * scale
    return F.gelu(y * weight[100:104] + bias[100:104])


def part_104(x, mean, scale, weight, bias):
    y = (x[..., 104:108] - mean) * scale
    return F.gelu(y * weight[104:108] + bias[104:108])


def part_108(x, mean, scale, weight, bias):
    y = (x[..., 108:112] - mean) * scale
    return F.gelu(y * weight[108:112] + bias[108:112])


def part_112(x, mean, scale, weight, bias):
    y = (x[..., 112:116] - mean) * scale
    return F.gelu(y * weight[112:116] + bias[112:116])


def part_116(x, mean, scale, weight, bias):
    y = (x[..., 116:120] - mean) * scale
    return F.gelu(y * weight[116:120] + bias[116:120])


def part_120(x, mean, scale, weight, bias):
    y = (x[..., 120:124] - mean) * scale
    return F.gelu(y * weight[120:124] + bias[120:124])


def part_124(x, mean, scale, weight, bias):
    y = (x[..., 124:128] - mean) * scale
    return F.gelu(y * weight[124:128] + bias[124:128])


def part_128(x, mean, scale, weight, bias):
    y = (x[..., 128:132] - mean) * scale
    return F.gelu(y * weight[128:132] + bias[128:132])


def part_132(x, mean, scale, weight, bias):
    y = (x[..., 132:136] - mean) * scale
    return F.gelu(y * weight[132:136] + bias[132:136])


def part_136(x, mean, scale, weight, bias):
    y = (x[..., 136:140] - mean) * scale
    return F.gelu(y * weight[136:140] + bias[136:140])


def part_140(x, mean, scale, weight, bias):
    y = (x[..., 140:144] - mean) * scale
    return F.gelu(y * weight[140:144] + bias[140:144])


def part_144(x, mean, scale, weight, bias):
    y = (x[..., 144:148] - mean) * scale
    return F.gelu(y * weight[144:148] + bias[144:148])


def part_148(x, mean, scale, weight, bias):
    y = (x[..., 148:152] - mean) * scale
    return F.gelu(y * weight[148:152] + bias[148:152])


def part_152(x, mean, scale, weight, bias):
    y = (x[..., 152:156] - mean) * scale
    return F.gelu(y * weight[152:156] + bias[152:156])


def part_156(x, mean, scale, weight, bias):
    y = (x[..., 156:160] - mean) * scale
    return F.gelu(y * weight[156:160] + bias[156:160])


def part_160(x, mean, scale, weight, bias):
    y = (x[..., 160:164] - mean) * scale
    return F.gelu(y * weight[160:164] + bias[160:164])


def part_164(x, mean, scale, weight, bias):
    y = (x[..., 164:168] - mean) * scale
    return F.gelu(y * weight[164:168] + bias[164:168])


def part_168(x, mean, scale, weight, bias):
    y = (x[..., 168:172] - mean) * scale
    return F.gelu(y * weight[168:172] + bias[168:172])


def part_172(x, mean, scale, weight, bias):
    y = (x[..., 172:176] - mean) * scale
    return F.gelu(y * weight[172:176] + bias[172:176])


def part_176(x, mean, scale, weight, bias):
    y = (x[..., 176:180] - mean) * scale
    return F.gelu(y * weight[176:180] + bias[176:180])


def part_180(x, mean, scale, weight, bias):
    y = (x[..., 180:184] - mean) * scale
    return F.gelu(y * weight[180:184] + bias[180:184])


def part_184(x, mean, scale, weight, bias):
    y = (x[..., 184:188] - mean) * scale
    return F.gelu(y * weight[184:188] + bias[184:188])


def part_188(x, mean, scale, weight, bias):
    y = (x[..., 188:192] - mean) * scale
    return F.gelu(y * weight[188:192] + bias[188:192])


def part_192(x, mean, scale, weight, bias):
    y = (x[..., 192:196] - mean) * scale
    return F.gelu(y * weight[192:196] + bias[192:196])


def part_196(x, mean, scale, weight, bias):
    y = (x[..., 196:200] - mean) * scale
    return F.gelu(y * weight[196:200] + bias[196:200])


def part_200(x, mean, scale, weight, bias):
    y = (x[..., 200:204] - mean) * scale
    return F.gelu(y * weight[200:204] + bias[200:204])


def part_204(x, mean, scale, weight, bias):
    y = (x[..., 204:208] - mean) * scale
    return F.gelu(y * weight[204:208] + bias[204:208])


def part_208(x, mean, scale, weight, bias):
    y = (x[..., 208:212] - mean) * scale
    return F.gelu(y * weight[208:212] + bias[208:212])


def part_212(x, mean, scale, weight, bias):
    y = (x[..., 212:216] - mean) * scale
    return F.gelu(y * weight[212:216] + bias[212:216])


def part_216(x, mean, scale, weight, bias):
    y = (x[..., 216:220] - mean) * scale
    return F.gelu(y * weight[216:220] + bias[216:220])


def part_220(x, mean, scale, weight, bias):
    y = (x[..., 220:224] - mean) * scale
    return F.gelu(y * weight[220:224] + bias[220:224])


def part_224(x, mean, scale, weight, bias):
    y = (x[..., 224:228] - mean) * scale
    return F.gelu(y * weight[224:228] + bias[224:228])


def part_228(x, mean, scale, weight, bias):
    y = (x[..., 228:232] - mean) * scale
    return F.gelu(y * weight[228:232] + bias[228:232])


def part_232(x, mean, scale, weight, bias):
    y = (x[..., 232:236] - mean) * scale
    return F.gelu(y * weight[232:236] + bias[232:236])


def part_236(x, mean, scale, weight, bias):
    y = (x[..., 236:240] - mean) * scale
    return F.gelu(y * weight[236:240] + bias[236:240])


def part_240(x, mean, scale, weight, bias):
    y = (x[..., 240:244] - mean) * scale
    return F.gelu(y * weight[240:244] + bias[240:244])


def part_244(x, mean, scale, weight, bias):
    y = (x[..., 244:248] - mean) * scale
    return F.gelu(y * weight[244:248] + bias[244:248])


def part_248(x, mean, scale, weight, bias):
    y = (x[..., 248:252] - mean) * scale
    return F.gelu(y * weight[248:252] + bias[248:252])


def part_252(x, mean, scale, weight, bias):
    y = (x[..., 252:256] - mean) * scale
    return F.gelu(y * weight[252:256] + bias[252:256])


PARTS = [part_000, part_004, part_008, part_012, part_016, part_020, part_024, part_028, part_032, part_036, part_040, part_044, part_048, part_052, part_056, part_060, part_064, part_068, part_072, part_076, part_080, part_084, part_088, part_092, part_096, part_100, part_104, part_108, part_112, part_116, part_120, part_124, part_128, part_132, part_136, part_140, part_144, part_148, part_152, part_156, part_160, part_164, part_168, part_172, part_176, part_180, part_184, part_188, part_192, part_196, part_200, part_204, part_208, part_212, part_216, part_220, part_224, part_228, part_232, part_236, part_240, part_244, part_248, part_252]


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        scale = torch.rsqrt((x - mean).square().mean(dim=-1, keepdim=True) + self.norm.eps)
        return torch.cat([part(x, mean, scale, self.norm.weight, self.norm.bias) for part in PARTS], dim=-1)
