"""What the commands do, a module for each; dojo/cli.py declares them."""


class CommandError(Exception):
    """Why a command did nothing, in one line that says what to do."""
