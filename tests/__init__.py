"""The properties, what they draw, what torch says, and the tests of all of it."""
