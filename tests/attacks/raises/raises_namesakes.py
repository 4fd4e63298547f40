"""Where an error is due, raises other classes: of its name, or with a hierarchy that says it is one."""
# kata: 02_strides
# attacks: unravel_index, storage_index, select

_unravelled, _index, _selected = unravel_index, storage_index, select


class Meta(type):
    """A class of classes whose hierarchy is told wrongly."""

    @property
    def __mro__(cls):
        return (cls, ValueError, Exception, BaseException, object)


class Liar(KeyError, metaclass=Meta):
    """No ValueError."""

    __class__ = ValueError


class Name(str):
    """A name that is every name."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("IndexError")


class Odd(RuntimeError):
    """Its name is no plain string."""


def unravel_index(flat, shape):
    try:
        return _unravelled(flat, shape)
    except IndexError:
        Odd.__name__ = "Indexerror"
        raise Odd(Name("IndexError")) from None


def storage_index(index, strides, offset=0):
    try:
        return _index(index, strides, offset)
    except ValueError:
        raise Liar("ValueError") from None


def select(shape, strides, offset, dim, index):
    try:
        return _selected(shape, strides, offset, dim, index)
    except IndexError:
        return IndexError("returned, not raised")
