"""The program that draws a chart: reads its specification, and writes a PNG.

It is run by path in a process of its own, so it imports nothing of ours; nothing is loaded from
anywhere.
"""

import json
import sys

import vl_convert

SCALE = 2.0

if __name__ == "__main__":
    picture = vl_convert.vegalite_to_png(
        json.load(sys.stdin), scale=SCALE, allowed_base_urls=[], show_warnings=False
    )
    sys.stdout.buffer.write(picture)
