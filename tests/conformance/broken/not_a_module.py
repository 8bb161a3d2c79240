# expect: compilation_failure import
# evidence: NewModel
class NewModel:
    def forward(self, x):
        return x
