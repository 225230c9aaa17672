"""Runs on one thread, two, and so on: compression and cores."""

from __future__ import annotations

from collections.abc import Sequence

from macmeter import Json

from demo import laws
from demo.dice import Dice, context, rounded, series
from demo.fleet import Planned
from demo.target import speeds, target

# Round loop counts, as the agent's calibration chooses them.
_LOOP_STEPS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def compression(run: Planned, dice: Dice) -> Json:
    mac, files = run.mac, run.detail.get("files", False)
    most = mac.vcpus or mac.chip.cores
    durations: list[float] = []
    results: list[Json] = []
    write = speeds(run)[0] * dice.disk
    for threads in range(1, most + 1):
        speed = laws.compression(mac.chip, threads, run.mode)
        if mac.host is not None:
            speed *= laws.VIRTUAL_SPEED
        speed *= dice.cpu
        if files:
            speed = min(speed, laws.FROM_STORAGE * write)
        speed = dice.about(speed)
        parameters = {
            "threads": threads,
            "qos": "user-interactive",
            "core_context": context(run, threads),
            "file_size": laws.CORPUS,
        }
        position = dice.random.randrange(most) + 1
        durations.append(laws.CORPUS / speed)
        results += [
            series("compression.duration", durations[-1:], [position], **parameters),
            series("compression.speed", [round(speed)], [position], **parameters),
        ]
    result: Json = {
        "suite": "compression",
        "method": "thread-sweep-files" if files else "thread-sweep",
        "parameters": {
            "place": "files" if files else "memory",
            "algorithm": "lzfse",
            "block_size": 1 << 20,
            "corpus_bytes": laws.CORPUS,
            "corpus_seed": 1,
            "repetitions": 1,
            "seed": dice.random.randrange(10**6),
            "qualities": "user-interactive",
            "placement": "assumed",
        },
        "series": results,
        "seconds": round(sum(durations)),
    }
    if files:
        result["parameters"] |= {"cache": "invalidated", "flushed": True}
        result["target"] = target(run)
    if mac.host is not None:
        result["warnings"] = [{"code": "threads_are_vcpus"}]
    return result


def cores(run: Planned, dice: Dice) -> Json:
    mac = run.mac
    fastest = mac.vcpus or mac.chip.tiers[0].cores
    core_count = mac.vcpus or mac.chip.cores
    lowest = mac.vcpus or mac.chip.tiers[-1].cores
    high = sorted({1, 2, min(4, fastest), fastest, (fastest + core_count) // 2, core_count})
    low = sorted({1, min(2, lowest), lowest})
    results: list[Json] = []
    slopes: list[Json] = []
    position = 0
    for kernel in laws.KERNELS:
        added: list[tuple[int, float]] = []
        for quality, counts in (("background", low), ("user-interactive", high)):
            background = quality == "background"
            thread_rate = _rates(run, kernel, 1, background)[0]
            loops = _round_loops(thread_rate * 2.5)
            for threads in counts:
                position += 1
                rates = [
                    dice.about(rate * dice.cpu, 0.004)
                    for rate in _rates(run, kernel, threads, background)
                ]
                parameters: Json = {
                    "kernel": kernel,
                    "threads": threads,
                    "core_context": context(run, threads, background=background),
                    "qos": quality,
                }
                slowest, total = round(loops / min(rates), 9), round(loops / min(rates) + 2e-4, 9)
                with_loops: Json = {**parameters, "loops": loops}
                results += [
                    series("cores.loop_rate", rounded(rates), [position] * threads, **parameters),
                    series("cores.total_time", [total], [position], **with_loops),
                    series("cores.slowest_thread", [slowest], [position], **with_loops),
                ]
                if not background and threads >= fastest:
                    added.append((threads, sum(rates)))
        if len(added) > 1:
            parameters = {
                "kernel": kernel,
                "core_context": f"{mac.chip.tiers[-1].name}/high",
                "qos": "user-interactive",
            }
            slopes.append(series("cores.added_loop_rate", [_median_slope(added)], **parameters))
    parameters = {
        "kernels": ",".join(laws.KERNELS),
        "seed": dice.random.randrange(10**6),
        "qualities": "user-interactive,background",
        "repetitions": 1,
        "seconds": 2.5,
        "placement": "assumed",
        "empty_loop": "subtracted",
    }
    if slopes:
        parameters["derived"] = "cores.added_loop_rate"
    result: Json = {
        "suite": "cores",
        "method": "in-core",
        "parameters": parameters,
        "series": results + slopes,
        "seconds": round(position * 3),
    }
    if mac.host is not None:
        result["warnings"] = [{"code": "threads_are_vcpus"}]
    return result


def _rates(run: Planned, kernel: str, threads: int, background: bool) -> list[float]:
    """Rates of each thread; a guest's threads run on its host's fastest cores in any case."""
    chip = run.mac.chip
    if run.mac.host is not None:
        rates = laws.loop_rates(chip, kernel, threads, "automatic", background=False)
        return [rate * laws.VIRTUAL_SPEED for rate in rates]
    return laws.loop_rates(chip, kernel, threads, run.mode, background=background)


def _round_loops(loops: float) -> int:
    scale = 1000.0
    while scale * 10 <= loops:
        scale *= 10
    return int(
        min(
            (step * scale for step in _LOOP_STEPS),
            key=lambda n: max(n, loops) / max(1.0, min(n, loops)),
        )
    )


def _median_slope(points: Sequence[tuple[int, float]]) -> float:
    slopes = sorted(
        (b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(points) for b in points[i + 1 :]
    )
    middle = len(slopes) // 2
    return slopes[middle] if len(slopes) % 2 else (slopes[middle - 1] + slopes[middle]) / 2
