"""One candidate for each way in which right numbers can be handed over wrongly."""

from promise import TINY_NORM as PROBLEM, expect, tiny_norm

# What forward does: which verdict it gets.
FORMS = {
    "plain": ("return right(x)", ["correct"]),
    "in a list": ("return [right(x)]", ["correct"]),
    "another shape": ("return right(x)[:-1]", ["mismatch shape"]),
    "one dimension more": ("return right(x)[None]", ["mismatch shape"]),
    "twice": ("y = right(x)\nreturn y, y.clone()", ["mismatch shape"]),
    "another dtype": ("return right(x).double()", ["mismatch dtype"]),
    "another layout": ("return right(x).t().contiguous().t()", ["mismatch shape"]),
    "rows apart": ("y = torch.empty(64, 512)[:, :256]\nreturn y.copy_(right(x))", ["mismatch shape"]),
    "sparse": ("return right(x).to_sparse()", ["mismatch shape"]),
    "no tensor": ("return right(x).numpy()", ["mismatch shape"]),
    "a subclass": ("class Lazy(torch.Tensor):\n    pass\nreturn right(x).as_subclass(Lazy)", ["disqualified integrity"]),
    "in the input": ("return x.copy_(right(x))", ["disqualified integrity"]),
    "in a parameter": ("if not hasattr(self, 'own'):\n    self.own = nn.Parameter(torch.zeros(64, 256))\n"
                       "self.own.data = self.own.data.clone()\nself.own.data.copy_(right(x))\nreturn self.own.data",
                       ["disqualified integrity"]),
    "in an earlier output": ("if not hasattr(self, 'last'):\n    self.last = torch.zeros(64, 256)\n"
                             "return self.last.copy_(right(x))", ["disqualified integrity"]),
    "an input changed": ("y = right(x)\nx[0, 0] += 1\nreturn y", ["disqualified integrity"]),
    "a parameter changed": ("y = right(x)\nself.norm.weight[0] += 1e-6\nreturn y", ["disqualified integrity"]),
    "not all of it": ("y = torch.empty_like(x)\ny[:-1] = right(x)[:-1]\nreturn y",
                      ["mismatch non_finite", "mismatch values"]),
}
CANDIDATES = {name: tiny_norm(body) for name, (body, _) in FORMS.items()}


def check(found, world):
    for name, (_, verdicts) in FORMS.items():
        expect(found, name, *verdicts)
