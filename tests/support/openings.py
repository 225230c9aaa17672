"""What every view opens with on a fleet: its cases, and its figures beside the documents'."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from macmeter.catalog.terms import MOST_GROUPED

from support import recomputed
from support.planted import speaks_of
from support.server import Server
from support.views import default_questions

Json = dict[str, Any]
VIEWS: dict[str, str] = {
    f"{view['page']} {view['view']}": view["question"] for view in default_questions()["views"]
}
# A view draws along these, so their values aren't cases of their own.
_ALONG = ("threads", "active_cores", "file_size")


@dataclass
class Opened:
    """A view's answer without any choice of its page, and the one that the page opens with."""

    everything: Json
    shown: Json
    start: Json
    """The response that led from one to the other."""

    @property
    def is_empty(self) -> bool:
        """Whether the page shows nothing while the question has an answer."""
        return bool(self._cases(self.everything)) and not self._cases(self.shown)

    @property
    def keeps_cases(self) -> bool:
        """Whether the page shows every case, or says how many Macs' cases it leaves out where a
        question has no room for a split.
        """
        all_cases, shown_cases = self._cases(self.everything), self._cases(self.shown)
        if len(self.everything["question"]["by"]) < MOST_GROUPED:
            return shown_cases == all_cases
        hidden = {case for case in all_cases - shown_cases if not case[-1]}
        return bool(shown_cases) == bool(all_cases) and len(hidden) == self.start["hidden"]

    @property
    def mixes(self) -> list[Json]:
        """What groups pool. Ratios of like with like are combined within settings."""
        if self.shown["question"]["relative_to"]:
            return []
        return [mix for group in _groups(self.shown) for mix in group["mixes"]]

    def _cases(self, answer: Json) -> set[tuple[Any, ...]]:
        aside = {*_ALONG, *self.start["merged"]}
        names = [name for name in self.everything["question"]["by"] if name not in aside]
        return {
            (result["metric"], *(group["key"][name] for name in names), group["published"])
            for result in answer["results"]
            for group in result["groups"]
        }

    @property
    def measured(self) -> int:
        """Number of groups that `differences` checks."""
        if self.shown["question"]["relative_to"]:
            return 0
        return sum(not group["published"] for group in _groups(self.shown))

    def differences(self, known: Collection[recomputed.Result]) -> list[str]:
        """Return the differences from figures computed from documents; ratios have other tests."""
        question = self.shown["question"]
        if question["relative_to"]:
            return []
        wrong: list[str] = []
        for result in self.shown["results"]:
            groups = [group for group in result["groups"] if not group["published"]]
            where = tuple(
                (term["dimension"], term["op"] == "not", term["value"])
                for term in question["where"]
                if speaks_of(result["metric"], term["dimension"])
            )
            own_asked = recomputed.Asked(result["metric"], tuple(question["by"]), where)
            wrong += recomputed.differences([*known], own_asked, {"results": [{"groups": groups}]})
        return wrong


def _groups(answer: Json) -> list[Json]:
    return [group for result in answer["results"] for group in result["groups"]]


async def opened(server: Server, question: str) -> Opened:
    start = (await server.client.get(f"/api/v1/starting-point?{question}")).json()
    return Opened(await server.answer(question), await server.answer(start["canonical"]), start)
