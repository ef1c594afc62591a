# SPDX-License-Identifier: Apache-2.0
"""Prints what a QR code says, as zbar reads it. An SVG's path is drawn first: rectangles, as our writer makes them."""
import pathlib
import re
import sys

from PIL import Image, ImageDraw
from pyzbar.pyzbar import ZBarSymbol, decode


def drawn(text):
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', text).group(1))
    scale = 4
    image = Image.new("L", (side * scale, side * scale), 255)
    draw = ImageDraw.Draw(image)
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", text):
        x, y, width = int(x), int(y), int(width)
        draw.rectangle((x * scale, y * scale, (x + width) * scale - 1, (y + 1) * scale - 1), fill=0)
    return image


path = pathlib.Path(sys.argv[1])
image = drawn(path.read_text()) if path.suffix == ".svg" else Image.open(path)
print(decode(image, symbols=[ZBarSymbol.QRCODE])[0].data.decode(), end="")
