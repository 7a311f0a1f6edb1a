"""Short hibiscus sketches written by rule: what a tiny model is warm-started on, so that it can write p5.brush at all.

They keep to the hibiscus medium's skeleton and methods. Their structure is regular, so that a 135M model picks it up in
some sixty steps, and their quality is mixed on purpose, so that a reward has something to choose between: small and
large, pale and strong, centred and not, from a ring of flat discs to petals in three washes over a stem. Without the
better ones there is nothing that training could find: rings of discs alone differ in taste by less than its noise.
Only the colour is not mixed: a sketch written for a subject has that subject's colours, since what a word looks like in
hexadecimal is to be learnt here. One is 125-360 tokens of SmolLM2's vocabulary.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from watercolour.colours import colours_in

HEAD = """function setup() {
  createCanvas(600, 600, WEBGL);
  brush.scaleBrushes(3);
  angleMode(DEGREES);
  noLoop();
}
function draw() {
  translate(-width / 2, -height / 2);
"""

PALETTES = {
    "peach": ("#f4a582", "#f2b08c", "#ee9a78", "#f7bfa0", "#e88f6e"),
    "white": ("#c4b0a4", "#b8aabf", "#b6b8ac", "#c6b2aa", "#a4b0c0"),
    "magenta": ("#c2307a", "#d0458f", "#b02a6e", "#d86aa4", "#a82460"),
    "yellow": ("#f0c23c", "#e8b02e", "#f2d060", "#dca428", "#ecc84c"),
    "coral": ("#f0705c", "#e85f4c", "#f58a74", "#e07050", "#d8523f"),
    "red": ("#c8202c", "#b81c28", "#d63038", "#a81a26", "#cc2a3c"),
    "crimson": ("#a3123a", "#8f1034", "#b81c44", "#9c1838", "#ac2048"),
    "scarlet": ("#d8301c", "#cc2a18", "#e03c22", "#c83020", "#dc4028"),
    "orange": ("#ee8a2a", "#e67e22", "#f29a40", "#e08830", "#ec9234"),
    "gold": ("#d8a020", "#cc9418", "#e0ac30", "#d49a2c", "#c89020"),
    "cream": ("#e8d4a4", "#e2cc9a", "#ecdab0", "#dcc898", "#e6d2a8"),
    "grey": ("#8c9096", "#9a9a9e", "#7c8288", "#a2a4a8", "#86868c"),
    "black": ("#2a282c", "#1e2024", "#34302e", "#262a2e", "#302c34"),
    "brown": ("#7a4e2c", "#6a4226", "#8a5c38", "#744a30", "#805434"),
    "pink": ("#f0a0b4", "#ea90a8", "#f4b0c0", "#e898b0", "#ee8ca4"),
    "violet": ("#7840b0", "#6a34a0", "#8a50c0", "#743c9c", "#8048a8"),
    "lilac": ("#c0a0d8", "#b890d0", "#ccb0e0", "#b49cd4", "#c4a4dc"),
    "blue": ("#3a62c8", "#2c54b8", "#4c78d4", "#3068c0", "#5a80cc"),
    "navy": ("#202c6a", "#1c2660", "#28347a", "#242e70", "#1e2a58"),
    "turquoise": ("#2aa8b0", "#209aa4", "#40b4b8", "#309ca8", "#38a8b4"),
    "green": ("#5a9a40", "#4e8c38", "#6aa850", "#58923c", "#64a048"),
}
"""Petal colours by the words of watercolour/colours.py; white is painted as its shade, since paint that the paper
swallows is no paint."""

USUAL = ("peach", "white", "magenta", "yellow", "coral")
"""What a flower is painted in where no subject names its colour."""

PAPERS = ("#fbf6ee", "#faf6f0", "#f8f4ea", "#fdfaf4")
EYES = ("#8c1f3c", "#a02840", "#f2c230", "#d8902c", "#6e1a34")
GREENS = ("#6f9a55", "#5d8a4a", "#7fa866", "#4f7d48", "#8aa860")


def template_sketches(count: int, seed: int, subjects: Sequence[str] = ()) -> list[str]:
    """`count` different complete sketches, each ending in a line break. The same arguments give the same ones in order.

    The subjects take turns: the first sketch is for the first of them. One that names a colour is painted in it, with
    an eye in its second colour where it names two.
    """
    rng = random.Random(seed)
    asked = [colours_in(subject) for subject in subjects] or [()]
    sketches: dict[str, None] = {}
    while len(sketches) < count:
        sketches[_Draft(rng, asked[len(sketches) % len(asked)]).sketch()] = None
    return list(sketches)


class _Draft:
    """One flower being drawn up: where it stands, how far it reaches, in which colour."""

    def __init__(self, rng: random.Random, colours: Sequence[str] = ()) -> None:
        self.rng = rng
        self.x, self.y = rng.randrange(240, 361, 10), rng.randrange(220, 341, 10)
        self.reach = rng.randrange(130, 231, 10)
        self.tones = PALETTES[colours[0] if colours else rng.choice(USUAL)]
        self.colour = rng.choice(self.tones)
        self.eyes = PALETTES[colours[1]] if len(colours) > 1 else ()
        self.lines: list[str] = []

    def sketch(self) -> str:
        self.lines += [f'background("{self.rng.choice(PAPERS)}");', "brush.noStroke();"]
        plans: tuple[Callable[[], None], ...] = (
            self.discs_with_eye,
            self.discs_with_leaf,
            self.discs_with_stem,
            self.textured_discs,
            self.layered_discs,
            self.rosette,
            self.placed_petals,
            self.round_washes,
            self.round_washes,
            self.petal_washes,
            self.petal_washes,
        )
        plan = self.rng.choice(plans)
        plan()
        if self.eyes and plan not in (self.discs_with_eye, self.round_washes, self.petal_washes):
            self.eye()
        return HEAD + "".join(f"  {line}\n" for line in self.lines) + "}\n"

    def discs_with_eye(self) -> None:
        self.bleed()
        self.discs()
        self.eye()

    def discs_with_leaf(self) -> None:
        self.bleed()
        self.fill(self.rng.choice(GREENS))
        side = self.rng.choice((-1, 1)) * self.rng.randrange(60, 141, 10)
        size = self.rng.randrange(30, 71, 5)
        self.lines.append(f"brush.circle({self.x + side}, {self.y + 200}, {size}, {self.tenths(2, 6)});")
        self.discs()

    def discs_with_stem(self) -> None:
        self.fill(self.rng.choice(GREENS))
        self.lines += [
            f"for (let y = {self.y + self.reach // 2}; y < 600; y += {self.rng.randrange(6, 10)}) {{",
            f"  brush.circle({self.x}, y, {self.rng.randrange(5, 10)});",
            "}",
        ]
        self.discs(scribble=False)

    def textured_discs(self) -> None:
        self.bleed()
        self.texture()
        self.discs()

    def discs(self, scribble: bool = True) -> None:
        size = self.reach * self.rng.randrange(35, 51, 5) // 100
        out = self.reach - size
        last = f", {self.tenths(1, 6)}" if scribble else ""
        self.fill(self.colour)
        self.lines += [
            f"for (let a = {self.rng.choice((0, 18, 36, 54))}; a < 360; a += {self.rng.choice((72, 72, 72, 60))}) {{",
            f"  brush.circle({self.x} + {out} * cos(a), {self.y} + {out} * sin(a), {size}{last});",
            "}",
        ]

    def layered_discs(self) -> None:
        out = self.reach * 55 // 100
        self.bleed()
        self.fill(self.colour)
        self.lines += [
            f"for (let r = {out}; r > {out // 3}; r -= {self.rng.randrange(20, 41, 5)}) {{",
            f"  for (let a = 0; a < 360; a += {self.rng.choice((72, 72, 72, 60))}) {{",
            f"    brush.circle({self.x} + r * cos(a), {self.y} + r * sin(a), r, {self.tenths(1, 6)});",
            "  }",
            "}",
        ]

    def rosette(self) -> None:
        depth = self.reach * self.rng.randrange(20, 41, 5) // 100
        self.texture()  # without it one large shape is too pale to count
        self.fill(self.colour)
        self.lines += [
            f"brush.beginShape({self.tenths(3, 9)});",
            f"for (let a = 0; a < 360; a += {self.rng.choice((9, 12, 18))}) {{",
            f"  const r = {self.reach - depth} + {depth} * cos(a * 5);",
            f"  brush.vertex({self.x} + r * cos(a), {self.y} + r * sin(a));",
            "}",
            "brush.endShape(true);",
        ]

    def placed_petals(self) -> None:
        out, size = self.reach * 55 // 100, self.reach * 45 // 100
        self.fill(self.colour)
        for across, down in ((0, -1), (0.95, -0.31), (0.59, 0.81), (-0.59, 0.81), (-0.95, -0.31)):
            x = round(self.x + across * out + self.rng.randint(-9, 9))
            y = round(self.y + down * out + self.rng.randint(-9, 9))
            self.lines.append(f"brush.circle({x}, {y}, {size + self.rng.randint(-9, 9)}, {self.tenths(1, 6)});")

    def round_washes(self) -> None:
        self.washes_begin(("", "stem", "stem and leaf"))
        self.lines += [
            f"for (const [k, c] of {self.washes(self.reach * 55 // 100)}) {{",
            f"  brush.fill(c, {self.rng.randrange(140, 221, 10)});",
            f"  for (let a = {self.rng.choice((0, 18, 36, 54))}; a < 360; a += 72) "
            f"brush.circle(k * cos(a), k * sin(a), k * {self.tenths(6, 9)}, {self.tenths(2, 6)});",
            "}",
        ]

    def petal_washes(self) -> None:
        self.washes_begin(("", "stem"))
        self.lines += [
            f"for (const [k, c] of {self.washes(self.reach)})",
            f"  for (let a = {self.rng.choice((0, 18, 36, 54))}; a < 360; a += 72) {{",
            f"    brush.fill(c, {self.rng.randrange(140, 221, 10)});",
            f"    brush.beginShape({self.tenths(4, 8)});",
            "    for (let d = -60; d <= 60; d += 20) {",
            "      const r = k * cos(d * 1.5);",
            "      brush.vertex(r * cos(a + d), r * sin(a + d));",
            "    }",
            "    brush.endShape(true);",
            "  }",
        ]

    def washes_begin(self, behind: Sequence[str]) -> None:
        """The origin in the flower's middle, and one of `behind` behind it."""
        self.bleed()
        self.texture()
        self.lines.append(f"translate({self.x}, {self.y});")
        chosen = self.rng.choice(behind)
        if chosen:
            self.fill(self.rng.choice(GREENS))
            lean = self.rng.choice(("y / 9", "-y / 9"))
            self.lines.append(f"for (let y = 0; y < {600 - self.y}; y += 8) brush.circle({lean}, y, 8);")
        if chosen == "stem and leaf":
            x = self.rng.choice(("30 + i * 12", "-30 - i * 12"))
            self.lines.append(f"for (let i = 0; i < 9; i++) brush.circle({x}, 230 - i * 6, 22, 0.3);")

    def washes(self, reach: int) -> str:
        """Two washes of the flower's colour, the smaller one the darker, and one for its eye: [reach, colour] each."""
        pale, strong = sorted(self.rng.sample(self.tones, 2), key=lightness, reverse=True)
        eye = self.rng.choice(self.eyes or EYES)
        rings = [(reach, pale), (reach * self.rng.randrange(55, 76, 5) // 100, strong), (reach * 3 // 10, eye)]
        if not self.eyes and self.rng.random() < 0.3:
            rings.pop()
        return "[" + ", ".join(f'[{k}, "{colour}"]' for k, colour in rings) + "]"

    def eye(self) -> None:
        self.fill(self.rng.choice(self.eyes or EYES))
        self.lines.append(f"brush.circle({self.x}, {self.y}, {self.rng.randrange(16, 45, 4)}, {self.tenths(1, 5)});")

    def bleed(self) -> None:
        self.lines.append(f"brush.fillBleed({self.tenths(1, 4)});")

    def texture(self) -> None:
        self.lines.append(f"brush.fillTexture({self.tenths(1, 5)}, {self.tenths(1, 5)});")

    def fill(self, colour: str) -> None:
        self.lines.append(f'brush.fill("{colour}", {self.rng.randrange(130, 251, 10)});')

    def tenths(self, low: int, high: int) -> str:
        return f"0.{self.rng.randint(low, high)}"


def lightness(colour: str) -> int:
    """How light a hex colour is, for sorting: the sum of its channels."""
    return sum(bytes.fromhex(colour[1:]))
