"""Texts that would do something where they are shown, if nobody sanitized them."""

from hypothesis import strategies as st

FORMULAE = ("=1+1", "+1", "-1", "@A1", "\tname", "  =1", "＝1")
HOSTILE = (
    "\x1b[31mred\x1b[0m \x9b2J \x07 \r overwritten",
    "::add-mask::1",
    "  ::stop-commands::x",
    "\u2003::error::x",
    "a ##[error]b",
    "###[group]",
    "```\n# out of the fence",
    "```",
    "`````",
    "a ````` five",
    "\u2764\ufe0f",
    "<script>alert(1)</script></pre><img src=x onerror=y> & &amp; ]]>",
    "@everyone ![i](http://a.b/c) [l](http://a.b) https://a.b www.a.b a@b.cd #1 | x \\| y",
    "\u202eevil\u2066 \u200bzero\ufeff \U000e0041tag \u2028line\u2029 \ud800 \ufffe \x00 \ufe0f\u3164",
    *FORMULAE,
)
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(alphabet=st.characters(exclude_categories=())), st.text("`:#[|\n "))
