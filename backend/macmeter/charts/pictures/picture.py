"""A complete picture: a titled chart with all the context that a reader needs."""

from base64 import b64encode
from dataclasses import dataclass, replace
from functools import cache

from macmeter.charts.figure import Chart, Figure
from macmeter.charts.notes import flags_in_words
from macmeter.charts.pictures import layout, lettering, svg
from macmeter.charts.pictures.draw_cases import draw_cases
from macmeter.charts.pictures.draw_plots import (
    draw_panels,
    draw_points,
    legend_of_lines,
    legend_of_targets,
)
from macmeter.charts.pictures.lettering import FOLDER
from macmeter.charts.pictures.palette import THEMES, ThemeName
from macmeter.platform.plain_text import isolated

# Size of link previews.
PREVIEW = (1200, 630)
# Magnifications for previews, which are mostly seen small.
ZOOMS = (2.0, 1.75, 1.5, 1.35, 1.2, 1.1)
# Wider pictures are laid out at this width and enlarged.
LAID_OUT = 800
NARROW = 560
TITLE = 19.0
# Size of a chart's heading if a picture has several, and the gap between charts.
PART, BETWEEN = 15.0, 22.0
# Lines of notes for which a chart in a fixed frame leaves space.
NOTE_LINES = 2
# Gaps above the chart, its key, the notes and the foot.
CHART, KEY, NOTES, FOOT = 14.0, 10.0, 8.0, 8.0


@dataclass(frozen=True)
class Caption:
    """Text around the chart: `dated` is "as of …" or "frozen on …", `link` leads back.

    `demo` marks all figures as invented; `private` names the owners unless it is public.
    """

    dated: str
    link: str
    title: str | None = None
    demo: bool = False
    private: str | None = None


@dataclass(frozen=True)
class Picture:
    """SVG of `width` by `height` pixels, without its typeface, which `with_typeface` adds."""

    svg: str
    width: int
    height: int

    def with_typeface(self) -> str:
        """Return the SVG with its typeface embedded, for viewers that don't have it."""
        opening, _, rest = self.svg.partition(">")
        return f"{opening}><style>{typeface()}</style>{rest}"


def draw(figure: Figure, caption: Caption, theme: ThemeName, width: int | None = None) -> Picture:
    """Draw a picture `width` wide and as high as needed; without a width, a link preview."""
    if width is None:
        return _preview(figure, caption, theme)
    zoom = max(1.0, width / LAID_OUT)
    return _Page(figure, caption, theme, width / zoom, None).picture(zoom)


def _preview(figure: Figure, caption: Caption, theme: ThemeName) -> Picture:
    """Draw the largest preview that shows the whole answer; if none does, the first cases in the
    smallest text.
    """
    width, height = PREVIEW
    for zoom in ZOOMS:
        page = _Page(figure, caption, theme, width / zoom, height / zoom)
        if not page.cramped:
            break
    return page.picture(zoom)


class _Page:
    """Layout of a picture, in units that `zoom` converts to pixels."""

    def __init__(
        self,
        figure: Figure,
        caption: Caption,
        theme: ThemeName,
        width: float,
        height: float | None,
    ) -> None:
        self.figure, self.caption, self.theme = figure, caption, THEMES[theme]
        self.width = width
        self.margin = 16.0 if width < NARROW else 24.0
        # Height inside the margins; None takes what it needs.
        self.inner = None if height is None else height - 2 * self.margin
        self.space = layout.Space(
            width - 2 * self.margin, None, self.theme, dense=height is not None
        )
        head, foot = self._head(), 22.0
        chart = self._chart(head.height + foot)
        key = layout.draw_legend(chart.legend, self.space)
        notes = _notes(figure, chart.letters)
        taken = head.height + CHART + chart.height + KEY + key.height + NOTES + FOOT + foot
        lines = (
            None if self.inner is None else max(int((self.inner - taken) // layout.NOTE_LINE), 0)
        )
        blocks = [(head, 0.0), (chart, CHART), (key, KEY)]
        blocks.append((layout.draw_notes(notes, self.space, lines), NOTES))
        y, self.body = 0.0, ""
        for block, gap in blocks:
            if block.height:
                self.body += layout.translated(block.body, 0, y + gap)
                y += gap + block.height
        end = y + FOOT + foot if self.inner is None else self.inner
        self.missing, self.cramped = chart.missing, chart.cramped
        self.body += layout.translated(self._foot(), 0, end - foot)
        self.total = end + 2 * self.margin

    def _head(self) -> layout.Drawn:
        """Draw the title, and below it filters, runs and date."""
        question = self.figure.title
        title = isolated(self.caption.title or question)
        room, theme = self.space.width, self.theme
        size = TITLE if not self.space.narrow else 17.0
        body, y = "", 0.0
        for line in lettering.wrapped(title, room, size, 2, "semibold"):
            body += svg.text(
                line, 0, y + size * 0.6, svg.Look(theme.ink, size=size, weight="semibold")
            )
            y += size * 1.25
        texts = ["Demo with invented figures"] if self.caption.demo else []
        texts += [isolated(self.caption.private)] if self.caption.private else []
        texts += [isolated(question)] if self.caption.title else []
        texts += [*filter(None, [self.figure.mixed]), *self.figure.told, self.caption.dated]
        texts = [text.replace(" ", "\u00a0") if len(text) < 40 else text for text in texts]
        for line in lettering.wrapped(" · ".join(texts), room, 12.5, 2 if self.inner else 6):
            body += svg.text(line, 0, y + 11, svg.Look(theme.ink_3, size=12.5))
            y += 17
        return layout.Drawn(body, y)

    def _chart(self, taken: float) -> layout.Drawn:
        """Draw a chart for each unit; in a fixed frame, leave room for `taken` and first notes."""
        charts = [chart for chart in self.figure.charts if not chart.is_empty]
        if not charts:
            return self._nothing()
        keys = [self._key_of(chart) for chart in charts]
        # Shared key entries appear once.
        legend = list({(item.text, item.drawing): item for key in keys for item in key}.values())
        room = self._room(taken, legend)
        drawings: list[layout.Drawn] = []
        body, y = "", 0.0
        for index, chart in enumerate(charts):
            heading = self._heading(chart) if len(charts) > 1 else layout.Drawn("", 0.0)
            # A chart that needs less than its share leaves the rest to later ones.
            left = None if room is None else (room - y) / (len(charts) - index) - heading.height
            drawing = _DRAWERS[chart.kind](chart, replace(self.space, height=left))
            drawings.append(drawing)
            body += layout.translated(heading.body, 0, y) + layout.translated(
                drawing.body, 0, y + heading.height
            )
            y += heading.height + drawing.height + BETWEEN * (index < len(charts) - 1)
        missing = " ".join(filter(None, (drawing.missing for drawing in drawings))) or None
        letters = frozenset().union(*(drawing.letters for drawing in drawings))
        cramped = any(drawing.cramped for drawing in drawings)
        return layout.Drawn(body, y, missing, cramped, letters, tuple(legend))

    def _key_of(self, chart: Chart) -> list[layout.LegendEntry]:
        names = {"lines": legend_of_lines, "targets": legend_of_targets}.get(chart.kind)
        entries = names(chart, self.space) if names else []
        return [*entries, *(layout.legend_entry_of(entry, self.theme) for entry in chart.key)]

    def _heading(self, chart: Chart) -> layout.Drawn:
        title = lettering.fitted(chart.title, self.space.width, PART, "semibold")
        look = svg.Look(self.theme.ink, size=PART, weight="semibold")
        return layout.Drawn(svg.text(title, 0, 9, look), 26.0)

    def _room(self, taken: float, legend: list[layout.LegendEntry]) -> float | None:
        if self.inner is None:
            return None
        key = layout.draw_legend(legend, self.space).height
        notes = layout.draw_notes(_notes(self.figure, frozenset()), self.space, NOTE_LINES).height
        return self.inner - taken - (CHART + KEY + key + NOTES + notes + FOOT)

    def _nothing(self) -> layout.Drawn:
        lines = lettering.wrapped(self.figure.nothing, self.space.width, 15, 2)
        body = "".join(
            svg.text(line, 0, 40 + 20 * index, svg.Look(self.theme.ink_2, size=15))
            for index, line in enumerate(lines)
        )
        return layout.Drawn(body, 70.0 + 20 * len(lines))

    def _foot(self) -> str:
        """Draw the picture's source and what didn't fit."""
        width, theme = self.space.width, self.theme
        line = svg.Line(svg.SMALL)
        link = lettering.fitted(isolated(self.caption.link), width * 0.6, svg.SMALL, "semibold")
        line.add(link, theme.ink_2, weight="semibold")
        if self.missing:
            room = width - line.width - 90
            line.add(lettering.fitted(self.missing, room, svg.SMALL), theme.ink_3, gap=12)
        name = "Macmeter demo" if self.caption.demo else "Macmeter"
        name = svg.text(name, width, 15, svg.small(theme.ink_3, "end"))
        return svg.path(f"M0 0.5H{svg.number(width)}", theme.rule) + line.at(0, 15) + name

    def picture(self, zoom: float) -> Picture:
        width, height = round(self.width * zoom), round(self.total * zoom)
        title = isolated(self.caption.title or self.figure.title)
        paper = svg.element("rect", width=self.width, height=self.total, fill=self.theme.paper)
        content = paper + layout.translated(self.body, self.margin, self.margin)
        drawn = framed(title, content, (width, height), (self.width, self.total))
        return Picture(drawn, width, height)


def framed(title: str, body: str, size: tuple[int, int], space: tuple[float, float]) -> str:
    """Wrap content drawn in `space` in an SVG of `size` pixels; `title` is for screen readers."""
    return svg.element(
        "svg",
        svg.element("title", svg.escape(title)) + body,
        xmlns="http://www.w3.org/2000/svg",
        width=size[0],
        height=size[1],
        viewBox=f"0 0 {svg.number(space[0])} {svg.number(space[1])}",
        role="img",
        font_family="'IBM Plex Sans', 'Helvetica Neue', Arial, sans-serif",
        font_size=layout.LABEL,
    )


_DRAWERS = {"cases": draw_cases, "lines": draw_panels, "targets": draw_points}


def _notes(figure: Figure, letters: frozenset[str]) -> list[str]:
    """Return the notes by importance: in a fixed frame the last ones may not fit.

    `letters` are the flags' letters that occur in a chart; empty for charts without letters.
    """
    notes = [fit for chart in figure.charts for fit in chart.fits]
    notes += [note.text for note in figure.notes if not note.minor]
    notes += flags_in_words(figure.flags, letters)
    notes += [f"{source.dagger} {source.text}" for source in figure.sources]
    notes += [note.text for note in figure.notes if note.minor]
    return list(map(isolated, notes))


@cache
def typeface() -> str:
    """Return CSS with our two weights of Latin embedded: a picture must be self-contained."""
    rules = []
    for weight, name in ((400, "Regular"), (600, "SemiBold")):
        data = (FOLDER / f"IBMPlexSans-{name}.latin.woff2").read_bytes()
        rules.append(
            "@font-face{font-family:'IBM Plex Sans';font-weight:"
            f"{weight};src:url(data:font/woff2;base64,{b64encode(data).decode()})}}"
        )
    return "".join(rules)


WIDTH, HEIGHT = 480, 96
GONE = "This comparison is no longer available."
WHY = "Open its link to see why."


def draw_gone(theme: ThemeName) -> Picture:
    """Draw the same picture for every comparison that is gone, whatever it was."""
    colours = THEMES[theme]
    outline = f"M.5 .5H{WIDTH - 0.5}V{HEIGHT - 0.5}H.5Z"
    body = (
        svg.element("path", d=outline, fill=colours.paper, stroke=colours.rule)
        + svg.text(GONE, 24, 38, svg.Look(colours.ink, size=layout.LABEL, weight="semibold"))
        + svg.text(WHY, 24, 60, svg.Look(colours.ink_2, size=layout.LABEL))
        + svg.text("Macmeter", WIDTH - 24, 60, svg.small(colours.ink_3, "end"))
    )
    return Picture(framed(GONE, body, (WIDTH, HEIGHT), (WIDTH, HEIGHT)), WIDTH, HEIGHT)
