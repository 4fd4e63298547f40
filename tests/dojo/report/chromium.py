"""Pages measured in headless Chromium: each in a frame of a given width, light and dark, by one script around them."""

import html
import json
import re
import shutil
import subprocess

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LIGHT, DARK = "1", "0"
"""What Chromium calls them."""

SCRIPT = """
const channel = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const light = colour => {
  const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(channel);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = element => {
  for (let at = element; at; at = at.parentElement) {
    const colour = at.ownerDocument.defaultView.getComputedStyle(at).backgroundColor;
    if (!/, 0\\)$/.test(colour)) return colour;
  }
};
const contrast = element => {
  const style = element.ownerDocument.defaultView.getComputedStyle(element);
  const ink = light(element.tagName === "text" ? style.fill : style.color), paper = light(behind(element));
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
};
const written = element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
addEventListener("load", () => {
  const told = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, root = page.documentElement, texts = [...page.querySelectorAll("body *")];
    const boxes = [...page.querySelectorAll("pre, .picture")];
    const drawn = [...page.querySelectorAll(".picture")].filter(box => box.clientWidth);
    return {
      inner: frame.contentWindow.innerWidth,
      scroll: root.scrollWidth,
      scrolled: boxes.filter(box => box.scrollWidth > box.clientWidth).length,
      pictures: drawn.map(box => box.firstChild.getBoundingClientRect().width / box.parentElement.clientWidth),
      contrast: Math.min(...texts.filter(written).map(contrast)),
      paper: page.defaultView.getComputedStyle(page.body).backgroundColor,
      title: page.title,
      run: window.run || false,
    };
  });
  document.body.replaceChildren();
  document.body.textContent = "measured" + JSON.stringify(told) + "measured";
});
"""


def measured(folder, pages, width, scheme):
    """What each page shows at this width, in the light or in the dark."""
    frames = "".join(
        f'<iframe style="border:0;width:{width}px;height:600px" srcdoc="{html.escape(page)}"></iframe>'
        for page in pages
    )
    wrapper = folder / f"measure_{width}_{scheme}.html"
    wrapper.write_text(
        f'<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body>{frames}'
        f"<script>{SCRIPT}</script></body>",
        encoding="utf-8",
    )
    text = dom(folder, wrapper.as_uri(), f"--blink-settings=preferredColorScheme={scheme}")
    found = re.search("measured(.*)measured", text)
    assert found, text[-500:]
    return json.loads(html.unescape(found[1]))


def dom(folder, address, *options):
    """What a page consists of once it is loaded."""
    assert PROGRAM is not None
    # root has no sandbox, and the pages are our own
    command = [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command += [*options, "--dump-dom", address]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.stdout, done.stderr[-500:]
    return done.stdout
