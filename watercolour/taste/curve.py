"""The learning curve as a picture: accuracy on held-out pairs against how many ratings the head had seen."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from watercolour.taste.validate import Report

SIZE = (720, 400)
LEFT, TOP, RIGHT, BOTTOM = 60, 50, 700, 350
PAGE = (255, 255, 255)
INK = (43, 43, 43)
GRID = (225, 225, 225)
COLOURS = ((194, 24, 91), (46, 158, 107), (60, 90, 200), (150, 100, 20))


def curve_picture(report: Report) -> Image.Image:
    """A line for each kind of pair, in a band of its 95 % interval; the dashed line is chance."""
    picture = Image.new("RGB", SIZE, PAGE)
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(14)
    most = max(point.ratings for point in report.curve)
    floor = min([0.5, *(estimate.low for point in report.curve for estimate in point.pairs.values())])
    floor = int(floor * 10) / 10

    def place(ratings: float, share: float) -> tuple[float, float]:
        return LEFT + (RIGHT - LEFT) * ratings / most, BOTTOM - (BOTTOM - TOP) * (share - floor) / (1 - floor)

    kinds = list(report.curve[-1].pairs)
    for kind, colour in zip(kinds, COLOURS, strict=False):
        points = [(point.ratings, point.pairs[kind]) for point in report.curve if kind in point.pairs]
        band = [place(at, estimate.high) for at, estimate in points]
        band += [place(at, estimate.low) for at, estimate in reversed(points)]
        layer = Image.new("RGB", SIZE, colour)
        mask = Image.new("L", SIZE, 0)
        ImageDraw.Draw(mask).polygon(band, 45)
        picture.paste(layer, mask=mask)
    for tenth in range(round(floor * 10), 11):
        y = place(0, tenth / 10)[1]
        draw.line((LEFT, y, RIGHT, y), GRID)
        draw.text((LEFT - 8, y), f"{tenth / 10:.1f}", INK, font, anchor="rm")
    chance = place(0, 0.5)[1]
    for start in range(LEFT, RIGHT, 12):
        draw.line((start, chance, start + 6, chance), INK)
    for point in report.curve:
        x, _ = place(point.ratings, floor)
        draw.line((x, BOTTOM, x, BOTTOM + 5), INK)
        draw.text((x, BOTTOM + 8), f"{point.ratings:.0f}", INK, font, anchor="mt")
    draw.line((LEFT, TOP, LEFT, BOTTOM, RIGHT, BOTTOM), INK)
    draw.text(((LEFT + RIGHT) / 2, SIZE[1] - 6), "ratings that the head had seen", INK, font, anchor="mb")
    left = float(LEFT)
    for kind, colour in zip(kinds, COLOURS, strict=False):
        spots = [place(point.ratings, point.pairs[kind].value) for point in report.curve if kind in point.pairs]
        draw.line(spots, colour, 3)
        for x, y in spots:
            draw.ellipse((x - 4, y - 4, x + 4, y + 4), colour)
        draw.text((left, 20), kind, colour, font, anchor="lm")
        left += font.getlength(kind) + 28
    draw.text((left, 20), "held-out pairs right", INK, font, anchor="lm")
    return picture
