"""The report of a run as one page that needs nothing else: `dojo report --html FILE`."""
