"""Answers with a dict that looks like an int on the wire."""
# like: tags_its_answers
# kata: 03_flops
# attacks: linear_flops


def linear_flops(x_shape, out_features):
    count = 2 * out_features
    for size in x_shape:
        count *= size
    return {"int": hex(count)}
