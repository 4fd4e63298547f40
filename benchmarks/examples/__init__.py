"""Hand-written examples, the peers of the properties: what a course's plain tests would ask."""
