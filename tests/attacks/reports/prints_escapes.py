"""Paints over the report with cursor movements, titles, bidi marks and null bytes, printed, raised and returned."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops, mlp_flops

PAINT = "\x1b[2J\x1b[1;1H\x1b[32mdone\x1b[0m\x1b]0;1 passed\x07\x1b]52;c;AAAA\x07"
PAINT += "\x9b2K\r\b\x00\u202e\u2066\u200b\u2028\x85"
MARKUP = "</pre><script>alert(1)</script> ``` \n```\n# done\n| done |\n![](https://host.example/) ]]>&lt;"


def matmul_flops(a_shape, b_shape):
    print(PAINT, MARKUP)
    return PAINT + MARKUP


def linear_flops(x_shape, out_features):
    raise type(PAINT + MARKUP, (ValueError,), {})(PAINT + MARKUP)


def mlp_flops(batch, dims):
    return type(PAINT + MARKUP, (), {"__module__": MARKUP})()
