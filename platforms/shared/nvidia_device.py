"""Opens the GPU that an evaluation would use, and prints its name; or says what is wrong with it, and what mends that."""

import ctypes
import glob
import os
import re
import sys
import threading

LIBRARY = "libcuda.so.1"
LIMIT_S = 45
LEAST_FREE_GB = 2  # contexts of the four processes of an evaluation
COMPUTE_MODE, MAJOR, MPS = 20, 75, 133  # cuda.h: CU_DEVICE_ATTRIBUTE_*
OUT_OF_MEMORY, STUB, UNAVAILABLE, NO_DEVICE, UNCORRECTABLE, NO_PERMISSION = 2, 34, 46, 100, 214, 304
NOT_READY, MISMATCH, COMPAT, UNKNOWN = 802, 803, 804, 999
MPS_ERRORS = range(805, 811)


def give_up(message):
    print(f"AssertionError: {message}", file=sys.stderr, flush=True)
    os._exit(1)


def module_version():
    try:
        with open("/proc/driver/nvidia/version", encoding="utf-8") as file:
            return re.search(r"\d+\.\d+(\.\d+)?", file.read())[0]
    except (OSError, TypeError):
        return "not known"


def library_version():
    with open("/proc/self/maps", encoding="utf-8") as file:
        found = re.search(r"libcuda\.so\.(\d+\.\d+(\.\d+)?)", file.read())
    return found[1] if found else "not known"


def opens(path):
    """Rights alone do not tell: a control group may keep a container, or a job, from a device."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def device_files(dev="/dev"):
    """What is wrong with the files by which the driver is reached; empty: nothing."""
    gpus = sorted(glob.glob(f"{dev}/nvidia[0-9]*"))
    needed = [f"{dev}/nvidiactl", f"{dev}/nvidia-uvm"]
    if not gpus:
        return f"there is no {dev}/nvidia0: the kernel module nvidia is not loaded, or the container was not given a GPU"
    absent = [path for path in needed if not os.path.exists(path)]
    if absent:
        return f"there is no {' and no '.join(absent)}: `sudo nvidia-modprobe -u -c 0` makes them"
    closed = [path for path in needed if not opens(path)] + ([] if any(map(opens, gpus)) else gpus)
    if closed:
        return (f"{', '.join(closed)} may not be opened: they are for a group to which you must be added, or a container or job "
                f"was given no GPU")
    return ""


def explain(status, error):
    shown = os.environ.get("CUDA_VISIBLE_DEVICES")
    files = device_files()
    if status == NO_DEVICE and shown is not None and not files:
        return f"the driver shows no GPU: CUDA_VISIBLE_DEVICES, {shown!r}, names none that is here (nvidia-smi -L lists them)"
    if status in (NO_DEVICE, NO_PERMISSION, UNKNOWN) and files:
        return files
    if status in MPS_ERRORS:
        return f"MPS, which shares the GPU, does not answer ({error}): end it with `echo quit | nvidia-cuda-mps-control`"
    return {
        OUT_OF_MEMORY: "its memory is full: not even a context can be made. nvidia-smi tells who uses it",
        STUB: f"the {LIBRARY} that is found first is a stub to build with: take its folder out of LD_LIBRARY_PATH",
        UNAVAILABLE: "another process has it for itself: end that one, or `sudo nvidia-smi -c DEFAULT`",
        UNCORRECTABLE: "its memory has errors that cannot be corrected: `sudo nvidia-smi --gpu-reset`",
        NOT_READY: "it waits for what connects the GPUs of this machine: `sudo systemctl start nvidia-fabricmanager`",
        MISMATCH: f"the driver in the kernel ({module_version()}) and its library ({library_version()}) differ: restart the "
                  f"machine, or load the kernel module again",
        COMPAT: f"the {LIBRARY} that is found first is made for other GPUs (cuda-compat): take its folder out of LD_LIBRARY_PATH",
    }.get(status, f"it does not answer as it should: {error}. See whether nvidia-smi and dmesg tell more")


class Driver:
    def __init__(self):
        try:
            self.library = ctypes.CDLL(LIBRARY)
        except OSError as error:
            give_up(f"there is no NVIDIA driver here ({error})")

    def call(self, name, *arguments):
        """Ends the program where it fails."""
        status = getattr(self.library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(status, ctypes.byref(text))
            give_up(explain(status, (text.value or b"error %d" % status).decode()))

    def attribute(self, number, device):
        value = ctypes.c_int()
        failed = self.library.cuDeviceGetAttribute(ctypes.byref(value), number, device)
        return 0 if failed else value.value


def main():
    watch = threading.Timer(LIMIT_S, give_up, [f"it could not be opened in {LIMIT_S} s: it hangs. See whether dmesg tells more"])
    watch.daemon = True
    watch.start()
    driver = Driver()
    device, context, name = ctypes.c_int(), ctypes.c_void_p(), ctypes.create_string_buffer(256)
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    driver.call("cuInit", 0)
    driver.call("cuDeviceGet", ctypes.byref(device), 0)
    driver.call("cuDeviceGetName", name, len(name) - 1, device)
    name = name.value.decode(errors="replace")
    if driver.attribute(MAJOR, device) < 7:
        give_up(f"{name} is too old: compute capability 7.0 or later is needed. Choose another with CUDA_VISIBLE_DEVICES")
    if driver.attribute(COMPUTE_MODE, device) != 0:
        give_up(f"{name} is for one process only, or for none, and an evaluation has several: `sudo nvidia-smi -c DEFAULT`")
    if driver.attribute(MPS, device):
        give_up(f"{name} is shared by MPS, under which it cannot be seen when work is done: set CUDA_MPS_PIPE_DIRECTORY to an "
                f"empty folder, or `echo quit | nvidia-cuda-mps-control`")
    driver.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    driver.call("cuCtxSetCurrent", context)
    driver.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    if free.value < LEAST_FREE_GB * 1e9:
        give_up(f"only {free.value / 1e9:.1f} of {total.value / 1e9:.1f} GB of the memory of {name} are free, and an evaluation "
                f"needs {LEAST_FREE_GB} at least: nvidia-smi tells who uses it")
    print(name, flush=True)
    os._exit(0)  # the context goes with the process


main()
