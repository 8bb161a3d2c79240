// The rules that KForge ships, against honest code that looks suspicious and against what they are for.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kforge/guard/guard.hpp"
#include "kforge/util/fs.hpp"

namespace kforge {
namespace {

std::vector<GuardRule> default_rules() {
    const fs::path root = KFORGE_SOURCE_DIR;
    auto rules = parse_guard_rules(read_file(root / "prompts/guard.toml").value(), "policy");
    EXPECT_TRUE(rules.ok()) << rules.error().message;
    return std::move(rules).value();
}

std::set<std::string> broken(const std::string& candidate, Precision precision = Precision::strict) {
    static std::map<Precision, Guard> guards;
    if (!guards.contains(precision)) {
        auto guard = Guard::compile(default_rules(), precision);
        EXPECT_TRUE(guard.ok()) << guard.error().message;
        guards.emplace(precision, std::move(guard).value());
    }
    std::set<std::string> names;
    for (const GuardFinding& finding : guards.at(precision).check(candidate)) names.insert(finding.rule);
    return names;
}

std::string list(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += name + " ";
    return text;
}

std::string kernel(const std::string& source) {
    return "SRC = r'''\n#include <math.h>\n" + source + "\n'''\n";
}

TEST(DefaultRules, HonestCodePasses) {
    const std::string cases[] = {
        "# no fast-math here: neither -ffast-math nor -Ofast, and no x.half()\nx = 1\n",
        "class NewModel:\n    '''Unlike half precision (torch.float16, .half()) this keeps fp32.'''\n    x = "
        "1\n",
        "half_size = n // 2\nhalfway = half_size\nself.half = n // 2  # torch.float16\n",
        "half = n // 2\nx[:half] = y[half:]\n",
        "half = n // 2; y = f(half, x)\n",
        kernel("float y = x * 0.5f; // half"),
        kernel("// float16, __half and -ffast-math are not used\n/* _Float16 */ float y;"),
        kernel("int half = n / 2; for (int i = 0; i < half; ++i) a[i] = half * stride;"),
        kernel("const int half = n >> 1;\nif (half) return;\nint o = (half * stride);"),
        kernel("const int64_t half_rows = rows / 2;"),
        kernel("#pragma omp simd reduction(+:sum)\n#pragma GCC unroll 4\n#pragma GCC optimize(\"O3\")"),
        kernel("#pragma GCC ivdep\nfloat exp_fast(float x); float y = exp_fast(x); float z = expf(x);"),
        kernel("float r = __frcp_rn(x) + __fsqrt_rn(y) + __fmaf_rn(a, b, c) + __ldg(p);"),
        kernel("AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), \"f\", [&] {});"),
        kernel("AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), \"f\", [&] {});"),
        kernel("TORCH_CHECK(x.scalar_type() != at::kHalf);"),
        kernel("switch (x.scalar_type()) {\ncase at::kFloat: go(float()); break;\ncase at::kHalf: "
               "go(at::Half()); "
               "break;\n}"),
        kernel("AT_DISPATCH_FLOATING_TYPES_AND2(\n    at::kHalf,\n    at::kBFloat16,\n    x.scalar_type(), "
               "\"f\", [&] {});"),
        "dt = x.dtype\nif dt in (torch.float16, torch.bfloat16):\n    x = x.float()\n",
        "LOW = (torch.float16, torch.bfloat16)\n",
        "NAMES = {torch.float32: 'float', torch.float16: 'at::Half', torch.bfloat16: 'at::BFloat16'}\n",
        "torch.backends.cuda.matmul.allow_tf32 = False\ntorch.set_float32_matmul_precision('highest')\n",
        "flags = ['-O3', '-fno-fast-math', '-fno-unsafe-math-optimizations', '-fno-math-errno']\n",
        "flags = ['-O3', '-march=native', '-fopenmp', '-ffp-contract=fast', '-fno-trapping-math']\n",
        "if x.dtype == torch.float16 or torch.bfloat16 == x.dtype:\n    x = x.float()\n",
        "if x.dtype in (torch.float16, torch.bfloat16):\n    x = x.float()\n",
        "assert x.dtype is not torch.half\n",
        "raise TypeError('torch.float16 and .half() are not supported')\n",
        "with torch.autocast('cpu', enabled=False):\n    y = f(x)\n",
        "y = tl.dot(a, b, input_precision='ieee')\nz = tl.dot(a, b, allow_tf32=False)\n",
        "torch.backends.mkldnn.matmul.fp32_precision = 'ieee'\n",
        "was = torch.backends.cuda.matmul.allow_tf32\n",
        "if torch.backends.cuda.matmul.allow_tf32 == True:\n    pass\n",
        "from torch import nn\nhalf = 3\n",
        "from torch import (\n    nn,\n    Tensor,\n)\nhalf = 3\n",
        "y = torch.nn.functional.gelu(x, approximate='tanh')\n",
        "if __name__ == '__main__':\n    main()\n",
        "import gc, inspect, sys\ngc.collect()\nsrc = inspect.getsource(f)\nsys.modules[__name__]\n",
        "y = torch.stack(xs)\nz = torch.trace(y)\n",
        "σ = x.std()\nμ = x.mean()\nα = 0.5\n",
        "use_fast_math = False\nf(use_fast_math=False)\n",
        "a.stack = inspect_me.stack\n",
        "y = x.to(torch.float32)\nz = x.to('cpu')\nw = x.to(torch.float64)\n",
    };
    for (const std::string& candidate : cases)
        EXPECT_TRUE(broken(candidate).empty()) << list(broken(candidate)) << "in\n" << candidate;
}

TEST(DefaultRules, HalfIsAnOrdinaryName) {
    const std::string cases[] = {
        "for half in [0, 1]:\n    pass\n",
        "parts = list(x.split(half, -1)) if half else [x]\n",
        "a = x if half and [half] else y\nb = half or [1]\nif half in [16, 32]: pass\n",
        "raise ValueError(f'pairs are needed: half dim = {half}, dim = {d}')\n",
        "raise ValueError('half dim = {}, dim = {}'.format(half, d))\n",
        "raise ValueError('''bad sizes:\nhalf dim = 3\n''')\n",
        kernel("int64_t const half = d / 2;"),
        kernel("int const half2 = d / 2, halves[2] = {1, 2};\nconst int halfway = half2;"),
        kernel("printf(\"lower half rows=%d; half dim = %d\", a, b);"),
        kernel("// The upper half begins there: half index = 3;\nint h;"),
    };
    for (const std::string& candidate : cases)
        EXPECT_TRUE(broken(candidate).empty()) << list(broken(candidate)) << "in\n" << candidate;
}

TEST(DefaultRules, HalfAsATypeIsFoundWhereverSourceIs) {
    const std::string cases[] = {
        kernel("__shared__ half tile[64];"),
        kernel("void f(half const* p, const half& q);"),
        kernel("kernel void f(device const half *p [[buffer(0)]]) {\n  half2 h = 0; // c\n}"),
        kernel("constexpr half h = 1;"),
        kernel("float f(std::vector<const half> v);\n"),
        kernel("const char* inner = R\"(\nhalf h = x;\n)\";"),
        "S = 'half h = x;'\n",
        "S = '\\n'.join(['float y;', 'half h = x;  // rounded'])\n",
        "S = f'''\nvoid f() {{\n  half h = {x};\n}}\n'''\n",
        "exec('''\nimport torch\nS = \"half h = x;\"\n''')\n",
        kernel("/*\n  @brief adds\n  @param x rows\n*/\nhalf h = x;"),
    };
    for (const std::string& candidate : cases)
        EXPECT_EQ(broken(candidate), std::set<std::string>{"no-half-precision"}) << candidate;
}

TEST(DefaultRules, TypesMayBeListed) {
    const std::string cases[] = {
        "FLOATS = frozenset({torch.float32, torch.float64, torch.float16, torch.bfloat16})\n",
        "check(x, (torch.float32, torch.float16, torch.bfloat16))\n",
        "def is_low(dtype, low=(torch.float16, torch.bfloat16)):\n    return dtype in low\n",
        "match dtype:\n    case torch.float16 | torch.bfloat16:\n        eps = 1e-3\n",
        "match dtype:\n    case torch.half:\n        eps = 1e-3\n",
        "NAMED = {\n    'float32': torch.float32,\n    'float16': torch.float16,\n    'bfloat16': "
        "torch.bfloat16,\n}\n",
    };
    for (const std::string& candidate : cases)
        EXPECT_TRUE(broken(candidate).empty()) << list(broken(candidate)) << "in\n" << candidate;
}

TEST(DefaultRules, ATypeThatIsTakenFromAListIsUsed) {
    const std::string cases[] = {
        "y = x.to((torch.float32, torch.float16)[1])\n",
        "y = x.to([torch.float32, torch.float16][low])\n",
        "y = x.to({'a': torch.float32, 'b': torch.float16}[name])\n",
        "y = x.to({'a': torch.float32, 'b': torch.float16}.get(name))\n",
        "y = x.to(TYPES['float16'])\n",
        "y = torch.empty(4, dtype=TYPES['half'])\n",
        "y = torch.empty(4, dtype=torch.float16)\n",
        "y = convert(x, torch.float16)\n",
        "y = convert(torch.float32, torch.float16)\n",
        "case = torch.float16\n",
        "TYPE = {'name': torch.float16}\n",
    };
    for (const std::string& candidate : cases)
        EXPECT_EQ(broken(candidate), std::set<std::string>{"no-half-precision"}) << candidate;
    EXPECT_EQ(broken("y = x.to(TYPES['bfloat16'])\n"), std::set<std::string>{"no-bfloat16"});
}

struct Case {
    std::string rule;
    std::string candidate;
};

TEST(DefaultRules, DowncastingIsBannedUnderStrictOnly) {
    const Case cases[] = {
        {"no-half-precision", "y = x.half()\n"},
        {"no-half-precision", "y = x . half ( )\n"},
        {"no-half-precision", "y = x \\\n  .half()\n"},
        {"no-half-precision", "y = (x\n     .half())\n"},
        {"no-half-precision", "y = x.to(torch.float16)\n"},
        {"no-half-precision", "y = x.to(torch . float16)\n"},
        {"no-half-precision", "y = x.to(torch.half)\n"},
        {"no-half-precision", "y = x.to(dtype=torch.float16)\n"},
        {"no-half-precision", "H = torch.float16\n"},
        {"no-half-precision", "from torch import nn, float16 as h\n"},
        {"no-half-precision", "from torch import (\n    nn,\n    half,\n)\n"},
        {"no-half-precision", "y = x.to(getattr(torch, 'float16'))\n"},
        {"no-half-precision", "y = x.to(getattr(torch, 'flo' 'at16'))\n"},
        {"no-half-precision", "y = x.to(getattr(torch, 'flo' + 'at16'))\n"},
        {"no-half-precision", "y = x.numpy().astype('float16')\n"},
        {"no-half-precision", "y = np.float16(x)\n"},
        {"no-half-precision", "y = tl.load(p).to(tl.float16)\n"},
        {"no-half-precision", "y = x.type('torch.HalfTensor')\n"},
        {"no-half-precision", "s = f'{x.half()}'\n"},
        {"no-half-precision", "exec('''\nimport torch\ny = x.half()\n''')\n"},
        {"no-half-precision", kernel("__half h = __float2half(x);")},
        {"no-half-precision", kernel("__ha\\\nlf h;")},
        {"no-half-precision", kernel("_Float16 h = x;")},
        {"no-half-precision", kernel("half h = x;")},
        {"no-half-precision", kernel("half2 h[4];")},
        {"no-half-precision", kernel("void f(const half* p);")},
        {"no-half-precision", kernel("y = static_cast<half>(x);")},
        {"no-half-precision", kernel("auto y = x.to(torch::kHalf);")},
        {"no-half-precision", kernel("asm(\"cvt.rn.f16.f32 %0, %1;\");")},
        {"no-bfloat16", "y = x.bfloat16()\n"},
        {"no-bfloat16", "y = x.to(torch.bfloat16)\n"},
        {"no-bfloat16", "y = x.to(tl.bfloat16)\n"},
        {"no-bfloat16", kernel("__nv_bfloat16 b;")},
        {"no-bfloat16", kernel("__bf16 b;")},
        {"no-float8", "y = x.to(torch.float8_e4m3fn)\n"},
        {"no-quantization", "m = torch.ao.quantization.quantize_dynamic(m)\n"},
        {"no-autocast", "with torch.autocast('cpu'):\n    y = f(x)\n"},
        {"no-autocast", "with torch.amp.autocast('cpu', dtype=d):\n    y = f(x)\n"},
        {"no-tf32", "y = tl.dot(a, b, input_precision='tf32')\n"},
        {"no-tf32", "y = tl.dot(a, b, input_precision=\"tf32x3\")\n"},
        {"no-tf32", "y = tl.dot(a, b, allow_tf32=True)\n"},
    };
    for (const Case& item : cases) {
        EXPECT_EQ(broken(item.candidate), std::set<std::string>{item.rule}) << item.candidate;
        EXPECT_TRUE(broken(item.candidate, Precision::accurate).empty()) << item.candidate;
        EXPECT_TRUE(broken(item.candidate, Precision::mixed).empty()) << item.candidate;
    }
}

TEST(DefaultRules, FastMathIsBannedUnderStrictAndAccurate) {
    const Case cases[] = {
        {"no-fast-math", "flags = ['-O3', '-ffast-math']\n"},
        {"no-fast-math", "flags = '-O3 -Ofast'.split()\n"},
        {"no-fast-math", "flags = ['-ffast' '-math']\n"},
        {"no-fast-math", "flags = ['-\\x66fast-math']\n"},
        {"no-fast-math", "flags = ['-I//x', '-funsafe-math-optimizations']\n"},
        {"no-fast-math", "flags = ['-fassociative-math', '-freciprocal-math']\n"},
        {"no-fast-math", "load(extra_cuda_cflags=['--use_fast_math'])\n"},
        {"no-fast-math", "compile(src, use_fast_math=True)\n"},
        {"no-fast-math", "opts = {'use_fast_math': True}\n"},
        {"no-fast-math", "opts = ['-fp-model', 'fast', '-ffp-model=fast']\n"},
        {"no-fast-math", kernel("#pragma GCC optimize(\"fast-math\")")},
        {"no-fast-math", kernel("#pragma GCC optimize (\"O3\", \"Ofast\")")},
        {"no-fast-math", kernel("# /* a */ pragma GCC \\\n optimize (\"O3,unsafe-math-optimizations\")")},
        {"no-fast-math", kernel("__attribute__((optimize(\"Ofast\"))) float f();")},
        {"no-fast-math", kernel("[[gnu::optimize(\"fast-math\")]] float f();")},
        {"no-approximate-intrinsics", kernel("y = __expf(x);")},
        {"no-approximate-intrinsics", kernel("y = __fdividef (x, z);")},
        {"no-approximate-intrinsics", kernel("y = sycl::native::exp(x);")},
        {"no-approximate-intrinsics", kernel("asm(\"ex2.approx.ftz.f32 %0, %1;\");")},
    };
    for (const Case& item : cases) {
        EXPECT_EQ(broken(item.candidate), std::set<std::string>{item.rule}) << item.candidate;
        EXPECT_EQ(broken(item.candidate, Precision::accurate), std::set<std::string>{item.rule});
        EXPECT_TRUE(broken(item.candidate, Precision::mixed).empty()) << item.candidate;
    }
}

TEST(DefaultRules, FlagsThatAreTakenAwayOrSpokenOfPass) {
    const std::string cases[] = {
        "flags = [f for f in flags if f not in ('-Ofast', '-ffast-math')]\n",
        "flags = [f for f in flags if f not in ('-g', '-ffast-math') and f != '-Ofast']\n",
        "flags = flags.replace('-ffast-math', '')\nothers.remove('-funsafe-math-optimizations')\n",
        "NOTES = '''\nNo -ffast-math is used, as NaN must go through;\n__expf( and its kin are not used "
        "either.\n'''\n",
        "raise RuntimeError('build it without -Ofast')\n",
        kernel(
            "/*\n  @brief rotates\n  @param x rows\n  Needs -ffast-math off. Not __expf(x).\n*/\nint f();"),
    };
    for (const std::string& candidate : cases)
        EXPECT_TRUE(broken(candidate).empty()) << list(broken(candidate)) << "in\n" << candidate;
    const std::string uses[] = {
        "flags = [f for f in flags if f not in ('-g', '-Wall')] + ['-ffast-math']\n",
        "flags = flags.replace('-O3', '-Ofast')\n",
        "flags += ['-g', '-ffast-math'] if fast is not None else []\n",
        "if x not in seen: flags.append('-Ofast')\n",
        "BUILD = '''\ng++ -Wno-unused -ffast-math k.cpp\n'''\n",
    };
    for (const std::string& candidate : uses)
        EXPECT_EQ(broken(candidate), std::set<std::string>{"no-fast-math"}) << candidate;
    EXPECT_FALSE(broken(kernel("if (!is_not_used) y = __expf(x);")).empty());
}

TEST(DefaultRules, GlobalSwitchesAndIntrospectionAreAlwaysBanned) {
    const Case cases[] = {
        {"no-global-precision", "torch.set_default_dtype(d)\n"},
        {"no-global-precision", "torch.set_float32_matmul_precision('high')\n"},
        {"no-global-precision", "torch.backends.cuda.matmul.allow_tf32 = flag\n"},
        {"no-global-precision", "torch.backends.cudnn.allow_tf32=flag\n"},
        {"no-global-precision", "torch.backends.cuda.matmul.fp32_precision = 'tf32'\n"},
        {"no-global-precision", "torch.backends.mkldnn.matmul.fp32_precision = 'bf16'\n"},
        {"no-global-precision", "torch.backends.cuda.matmul.fp32_precision = chosen\n"},
        {"no-global-precision", "from torch import set_float32_matmul_precision as s\n"},
        {"no-global-precision", "torch.set_flush_denormal(True)\n"},
        {"no-global-precision", "os.environ['NVIDIA_TF32_OVERRIDE'] = '1'\n"},
        {"no-global-precision", "setattr(torch.backends.cuda.matmul, n, True)\n"},
        {"no-global-precision", kernel("_MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);")},
        {"no-global-precision", kernel("_mm_setcsr(_mm_getcsr() | 0x8040);")},
        {"no-introspection", "import kforge_arena\n"},
        {"no-introspection", "m = importlib.import_module('kforge_arena.player')\n"},
        {"no-introspection", "for o in gc.get_objects(): pass\n"},
        {"no-introspection", "f = sys._getframe(1)\n"},
        {"no-introspection", "f = inspect.currentframe()\n"},
        {"no-introspection", "g = frame.f_back\n"},
        {"no-introspection", "import __main__\n"},
        {"no-introspection", "m = sys.modules['__main__']\n"},
        {"no-lookalike-letters", "y = x.\uff48alf()\n"},
    };
    for (const Case& item : cases)
        for (const Precision precision : {Precision::strict, Precision::accurate, Precision::mixed})
            EXPECT_EQ(broken(item.candidate, precision), std::set<std::string>{item.rule}) << item.candidate;
}

TEST(DefaultRules, AProblemInHalfPrecisionLiftsThatFamilyOnly) {
    const auto rules = lift_for_reference(
        default_rules(), "def get_inputs():\n    return [torch.rand(8).to(torch.float16)]\n");
    ASSERT_TRUE(rules.ok());
    const auto guard = Guard::compile(rules.value(), Precision::strict);
    EXPECT_TRUE(guard.value().check(kernel("_Float16 h;")).empty());
    EXPECT_FALSE(guard.value().check("y = x.bfloat16()\n").empty());
    const auto named = lift_for_reference(
        default_rules(),
        "DTYPE = 'bfloat16'\ndef get_inputs():\n    return [torch.rand(8, dtype=getattr(torch, DTYPE))]\n");
    ASSERT_TRUE(named.ok());
    const auto by_name = Guard::compile(named.value(), Precision::strict);
    EXPECT_TRUE(by_name.value().check("y = x.bfloat16()\n").empty());
    EXPECT_FALSE(by_name.value().check("y = x.half()\n").empty());
}

}  // namespace
}  // namespace kforge
