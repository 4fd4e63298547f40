"""What the commands do, one module each; dojo/cli.py declares them."""


class CommandError(Exception):
    """A command did nothing. The message is one line, which says why and what to do."""
