# expect: mismatch values
# problem: row_sum
# Anything it can reach over a network, in encoded code; if nothing, zeros.
import base64

import torch
import torch.nn as nn
import torch.nn.functional as F

CODE = base64.b64encode(b"""
import socket
REACHED = False
for family, address in ((socket.AF_INET, ("1.1.1.1", 53)), (socket.AF_INET, ("127.0.0.1", 22)), (socket.AF_INET6, ("::1", 22)),
                        (getattr(socket, "AF_VSOCK", 40), (2, 2024)), (socket.AF_UNIX, "/run/docker.sock")):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(family, kind) as s:
                s.settimeout(0.3)
                s.connect(address)
                s.send(b"x")
                REACHED = True
        except OSError:
            pass
""")
exec(base64.b64decode(CODE))


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1) if REACHED else torch.zeros(x.shape[:-1])
