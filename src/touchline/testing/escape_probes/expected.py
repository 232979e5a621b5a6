"""Which probes a tier cannot block, and why. Every other probe must be blocked in it."""

from __future__ import annotations

CANNOT_BLOCK: dict[str, dict[str, str]] = {
    "A": {},
    "B": {
        "record-size": "Landlock does not hide that a file exists, nor its size and times",
    },
}
"""The reasons by tier and probe. Tier A blocks all probes: an escape from it is a bug, not an entry here."""

NEEDS_KERNEL: dict[str, str] = {
    "alg-socket": "CONFIG_CRYPTO_USER_API",
    "bpf": "CONFIG_BPF_SYSCALL",
    "compat-calls": "CONFIG_IA32_EMULATION or CONFIG_X86_X32_ABI",
    "control-groups": "mounted control groups",
    "disks": "a disk in /dev",
    "fanotify": "CONFIG_FANOTIFY",
    "io-uring": "CONFIG_IO_URING, and kernel.io_uring_disabled=0",
    "kernel-devices": "one of these devices in /dev",
    "kexec": "CONFIG_KEXEC",
    "load-module": "CONFIG_MODULES",
    "perf": "CONFIG_PERF_EVENTS",
    "swapon": "CONFIG_SWAP",
    "tcp-ipv6": "CONFIG_IPV6",
    "terminal-input": "CONFIG_LEGACY_TIOCSTI or a capability",
    "unload-module": "CONFIG_MODULES",
    "userfaultfd": "CONFIG_USERFAULTFD",
    "vsock": "CONFIG_VSOCKETS",
}
"""What a probe needs to get through even for root without any sandbox; every other one then always does."""
