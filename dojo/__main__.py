"""`python -m dojo` is `dojo`, where the scripts of an environment are not on the path."""

from dojo.cli import main

main()
