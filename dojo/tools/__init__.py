"""What the commands of `dojo` do."""
