"""What is compared is what lay in the output when the call had returned: neither what a player puts there when it is
next spoken to, nor what it spoils there then."""

from promise import TINY_NORM as PROBLEM, Skip, expect, tiny_norm

# The next message is the first moment at which anything of the player runs again.
LATER = '''
import sys

PENDING = []
channel = sys.modules["lennahc.anera_egrofk"[::-1]].Channel
receive = channel.receive


def act_first(self):
    message = receive(self)
    while PENDING:
        PENDING.pop()()
    return message


channel.receive = act_first
'''

CANDIDATES = {
    "in time": tiny_norm("y = torch.zeros_like(x)\ny.copy_(right(x))\nreturn y", LATER),
    "filled later": tiny_norm("y = torch.zeros_like(x)\nPENDING.append(lambda: y.copy_(right(x)))\nreturn y", LATER),
    "spoilt later": tiny_norm("y = right(x)\nPENDING.append(lambda: y.zero_())\nreturn y", LATER),
}


def check(found, world):
    expect(found, "in time", "correct")
    for promise in found["in time"]["open_promises"]:
        if promise.startswith("outputs are taken"):
            raise Skip(promise)
    expect(found, "filled later", "mismatch values")
    expect(found, "spoilt later", "disqualified integrity")  # a caller may hold it
