# Integer inputs, several outputs, lists of tensors, other dtypes, no parameters, KernelBench's ModelNew.
. "$ROOT/tests/fixtures/e2e.sh"
head='import torch\nimport torch.nn as nn\n\n\n'
# works PROBLEM-BODY INPUTS RIGHT [WRONG]: the verdicts on two candidates.
works() {
    printf "${head}class Model(nn.Module):\n    def forward(self, *a):\n        %s\n\n
def get_inputs():\n    return [%s]\n\n\ndef get_init_inputs():\n    return []\n" "$1" "$2" >problem.py
    printf "${head}class NewModel(nn.Module):\n    def forward(self, *a):\n        %s\n" "$3" >right.py
    printf "${head}class NewModel(nn.Module):\n    def forward(self, *a):\n        %s\n" "$4" >wrong.py
    expect 1 "$KFORGE" eval right.py wrong.py --problem problem.py "${FAST[@]}" --json
    check '[x["state"] for x in r["results"]] == ["correct", "mismatch"]'
}
works 'return a[0] * 3 + 1' 'torch.randint(-9, 9, (8, 32))' 'return a[0] + a[0] + a[0] + 1' 'return a[0] * 3 + (a[0] > 7)'
works 'return torch.sin(a[0]), a[0].sum(-1), a[0] > 0' 'torch.randn(8, 32)' \
    'return a[0].sin(), a[0].sum(1), a[0].gt(0)' 'return torch.sin(a[0]), a[0].sum(-1)'
works 'return a[0][0] + a[0][1] * a[1]' '[torch.randn(8, 32), torch.randn(8, 32)], 3' \
    'return torch.add(a[0][0], a[0][1], alpha=a[1])' 'return a[0][0] * a[1] + a[0][1]'
works 'return nn.functional.embedding(a[0], a[1])' 'torch.randint(0, 5, (8,)), torch.randn(5, 32)' \
    'return a[1][a[0]]' 'return a[1][a[0] * 0]'
works 'return a[0] + a[0]' 'torch.randn(8, 32, dtype=torch.float64)' 'return a[0] * 2' 'return (a[0] * 2).float()'
works 'return a[0] + a[0]' 'torch.randn(8, 32, dtype=torch.bfloat16)' 'return a[0] * 2' 'return a[0] * 2.05'
sed -i 's/NewModel/ModelNew/' right.py
expect 0 "$KFORGE" eval right.py --problem problem.py "${FAST[@]}"
