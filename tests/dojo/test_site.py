"""The site: it is whole, its links lead somewhere, and a browser asks nobody else for anything."""

import functools
import html
import http.server
import importlib.util
import json
import re
import threading
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest
import yaml
from markdown_it import MarkdownIt

from dojo.catalog import ROOT, katas
from dojo.site import build as tool
from dojo.site import pages
from dojo.tools import CommandError
from tests.dojo.report.chromium import DARK, LIGHT, PROGRAM, dom
from tests.dojo.tools.test_nightly import ACTION

WORKFLOW = ROOT / ".github" / "workflows" / "pages.yml"
needs_zensical = pytest.mark.skipif(
    importlib.util.find_spec("zensical") is None, reason="needs Zensical, 90 MB: pip install -e '.[site]'"
)
needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="needs Chromium: apt-get install chromium")
RESOURCES = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "srcset")}
LOOK = """
const wait = ms => new Promise(done => setTimeout(done, ms));
const look = async frame => {
  const page = frame.contentDocument, root = page.documentElement;
  const shown = () => [...page.querySelectorAll("article img")]
    .filter(image => frame.contentWindow.getComputedStyle(image).display !== "none" && image.naturalWidth > 0)
    .map(image => image.src.split("#")[1]);
  const scheme = () => page.body.dataset.mdColorScheme;
  const labels = () => [...page.querySelectorAll("[data-md-component=palette] label")].filter(label => !label.hidden);
  for (let turn = 0; turn < 40 && !labels().length; turn++) await wait(100);
  const before = [scheme(), ...shown()];
  const told = {wide: root.scrollWidth - frame.contentWindow.innerWidth, before};
  for (let press = 0; press < 3 && scheme() === before[0]; press++) { labels()[0].click(); await wait(300); }
  told.after = [scheme(), ...shown()];
  told.hosts = frame.contentWindow.performance.getEntriesByType("resource").map(entry => new URL(entry.name).host);
  return told;
};
addEventListener("load", async () => {
  const told = [];
  try {
    for (const frame of document.querySelectorAll("iframe")) told.push(await look(frame));
  } catch (error) { told.push(String(error)); }
  document.body.textContent = "measured" + JSON.stringify(told) + "measured";
});
"""


class Page(HTMLParser):
    """What a page links to, what names it has, and how many of each element its article holds."""

    def __init__(self, text):
        super().__init__()
        self.links, self.resources, self.names, self.inside = [], [], set(), False
        self.counts: Counter[str] = Counter()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Keep what matters of it."""
        for name, value in attrs:
            if (tag, name) in RESOURCES:
                self.resources.append(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
            elif name == "id":
                self.names.add(value)
        self.inside = self.inside or tag == "article"
        self.counts[tag] += self.inside

    def handle_endtag(self, tag):
        """Leave the article."""
        self.inside = self.inside and tag != "article"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site in a folder."""
    folder = tmp_path_factory.mktemp("built") / "site"
    assert "http.server" in tool.build(folder)
    return folder


def read(site):
    """Each page of it, by its address."""
    return {
        f"/{path.relative_to(site).as_posix()}": Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")
    }


@needs_zensical
def test_each_lesson_and_document_is_a_page(site):
    """With as many tables, list items, titles and blocks of code as GitHub shows of it."""
    found = read(site)
    markdown = MarkdownIt("gfm-like", {"linkify": False, "html": True})
    places = {name: f"/{name.removesuffix('.md')}/index.html" for name in pages.DOCUMENTS}
    places |= {f"katas/{slug}/README.md": f"/katas/{slug}/index.html" for slug in katas()}
    places["README.md"] = "/index.html"
    for name, place in places.items():
        wanted = Page(f"<article>{markdown.render((ROOT / name).read_text(encoding='utf-8'))}</article>").counts
        there = found[place].counts
        there["pre"] += name == "README.md"  # the flowchart is a picture
        for tag in ("h1", "h2", "h3", "ul", "ol", "li", "table", "tr", "td", "pre", "p", "em", "strong"):
            assert there[tag] == wanted[tag], (name, tag)
    searched = {entry["location"] for entry in json.loads((site / "search.json").read_text(encoding="utf-8"))["items"]}
    assert searched >= {place.removesuffix("index.html").removeprefix("/") for place in places.values()}


@needs_zensical
def test_each_link_leads_somewhere_and_no_resource_lies_elsewhere(site):
    """Pages, anchors, pictures, scripts: what Zensical does not check as well."""
    found = read(site)
    for place, page in found.items():
        if place == "/404.html":
            continue  # its links are made for the root of a host
        assert not [link for link in page.resources if urlsplit(link).netloc], place
        for link in page.links + page.resources:
            target = urlsplit(urljoin(place, link))
            if target.netloc:
                continue
            path = unquote(target.path) + ("index.html" if target.path.endswith("/") else "")
            assert (site / path[1:]).is_file(), (place, link)
            if target.fragment and path in found and link not in page.resources:
                assert unquote(target.fragment) in found[path].names | {"__skip"}, (place, link)
    linked = {urljoin("/", link) for link in found["/index.html"].links}
    assert linked >= {f"/katas/{slug}/" for slug in katas()}
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.findall(r"url\(\s*[\"']?(?:https?:)?//[^)]*|@import[^;]*", styles)


def test_the_map_has_each_kata_and_an_arrow_for_each_that_it_comes_after():
    """As the flowchart that it stands for."""
    picture = pages.files()["README.md"].partition('<div class="map">')[2].partition("</div>")[0]
    assert re.findall(r'href="katas/(\w+)/"', picture).sort() == [*katas()].sort()
    assert picture.count("<rect") == len(katas())
    assert picture.count('<path d="M') - 1 == sum(len(kata.after) for kata in katas().values())
    boxes = {number: float(y) for y, number in re.findall(r'y="(\d+)" width.*?<text[^>]*>(\d\d)<', picture)}
    for kata in katas().values():
        assert all(boxes[number] < boxes[kata.number] for number in kata.after)


def test_a_figure_is_drawn_for_the_scheme_of_the_page():
    """Light and dark apart, each in one scheme whatever the system has."""
    files = pages.files()
    for slug in katas():
        original = (ROOT / "katas" / slug / "figure.svg").read_text(encoding="utf-8")
        light, dark = (files[f"katas/{slug}/figure-{scheme}.svg"] for scheme in ("light", "dark"))
        assert "prefers-color-scheme" in original
        assert "prefers-color-scheme" not in light + dark
        assert "--c2:#ffffff" in light
        assert "#0d1117" not in light
        assert dark.index("--c2:#ffffff") < dark.index("--c2:#0d1117")  # the later one holds


@needs_zensical
def test_a_link_that_leads_nowhere_is_an_error(tmp_path, monkeypatch):
    """The page, the place and what is wrong with it; nothing is written."""
    broken = {**pages.files(), "AGENTS.md": "# A\n\n[one](nowhere.md) and [two](README.md#nowhere)\n"}
    monkeypatch.setattr(pages, "files", lambda: broken)
    with pytest.raises(CommandError, match=r"(?s)not written.*page does not exist.*AGENTS.md:3.*anchor does not exist"):
        tool.build(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_what_is_there_is_not_written_over(tmp_path, monkeypatch):
    """A folder with something in it, a file; and without Zensical the remedy is told."""
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    for out in (tmp_path, tmp_path / "mine"):
        with pytest.raises(CommandError, match="--out must be a new or empty folder, got "):
            tool.build(out)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match=r"pip install -e '\.\[site\]'"):
        tool.build(tmp_path / "site")


class Silent(http.server.SimpleHTTPRequestHandler):
    """Serves files, and writes nothing of it on the screen."""

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def served(site):
    """The address of the site on this machine."""
    handler = functools.partial(Silent, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@needs_zensical
@needs_chromium
@pytest.mark.parametrize(("system", "scheme", "other"), [(LIGHT, "default", "slate"), (DARK, "slate", "default")])
def test_a_browser_shows_it_at_each_width(site, served, tmp_path, system, scheme, other):
    """No page is wider than a phone, the figure follows the page's own scheme, and nobody else is asked."""
    addresses = ["./", "GRADING/", *(f"katas/{slug}/" for slug in [*katas()][:3])]
    frames = [
        f'<iframe src="{address}" style="width:{width}px"></iframe>' for address in addresses for width in (360, 1280)
    ]
    (site / "look.html").write_text(f"<!doctype html><body>{''.join(frames)}<script>{LOOK}</script>", encoding="utf-8")
    text = dom(
        tmp_path, f"{served}look.html", f"--blink-settings=preferredColorScheme={system}", "--virtual-time-budget=30000"
    )
    (site / "look.html").unlink()
    found = re.search(r"measured(\[.*\])measured", text)
    assert found, text[-500:]
    seen = json.loads(html.unescape(found[1]))
    assert len(seen) == len(frames)
    figures = {"default": "only-light", "slate": "only-dark"}
    for number, told in enumerate(seen):
        has_figure = number >= 4
        assert told["wide"] <= 0, frames[number]
        assert told["before"] == [scheme, figures[scheme]][: 1 + has_figure], frames[number]
        assert told["after"] == [other, figures[other]][: 1 + has_figure], frames[number]
        assert set(told["hosts"]) == {urlsplit(served).netloc}


def test_the_workflow_may_publish_and_nothing_else():
    """Each job has the rights that it needs; actions are fixed to commits, and scripts hold no expression."""
    text = WORKFLOW.read_text(encoding="utf-8")
    read = yaml.safe_load(text)
    assert read["permissions"] == {}
    jobs = read["jobs"]
    assert {name: job["permissions"] for name, job in jobs.items()} == {
        "build": {"contents": "read"},
        "deploy": {"pages": "write", "id-token": "write"},
    }
    assert jobs["build"]["if"] == "vars.PAGES == 'true'"
    assert jobs["build"]["steps"][0]["with"] == {"persist-credentials": False}
    scripts = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert 'dojo" site --out ' in scripts[-1]
    assert not any("${{" in script for script in scripts)
    assert len(ACTION.findall(text)) == text.count("uses:") == 4
    others = (ROOT / ".github" / "workflows" / "grade.yml").read_text(encoding="utf-8")
    assert len({*ACTION.findall(text)} & {*ACTION.findall(others)}) == 2
