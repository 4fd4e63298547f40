"""An answer to kata 20's overwritten in parts, of which a wrong one replaces one."""

INPUT, RESULT, NOTHING = ("sin", "cos", "square"), ("exp", "tanh", "sigmoid", "relu"), ("neg", "add", "mul")
IN_PLACE = {f"{name}_" for name in INPUT + RESULT + NOTHING}
LEAF = (-1, True)


class Versions:
    """The answer in parts, all of them right."""

    saves_input: tuple[str, ...] = INPUT
    saves_result: tuple[str, ...] = RESULT

    def __init__(self):
        self.tensors, self.versions, self.saved = {"x": LEAF}, {}, []

    def run(self, program):
        """All lines, and what was overwritten by then."""
        for index, (target, operation, *sources) in enumerate(program):
            self.line(index, target, operation, sources)
        return self.overwritten()

    def overwritten(self):
        """Whatever has a newer version."""
        return sorted({index for index, memory, version in self.saved if self.version(memory) > version})

    def version(self, memory):
        """How often it was written to."""
        return self.versions.get(memory, 0)

    def line(self, index, target, operation, sources):
        """One line."""
        for source in sources:
            self.check_source(source)
        self.check_operation(operation)
        if operation in IN_PLACE:
            self.check_in_place(target, sources[0])
            self.in_place(index, operation.removesuffix("_"), sources[0])
        else:
            self.out_of_place(index, target, operation, sources)

    def check_source(self, source):
        """It is there."""
        if source not in self.tensors:
            raise ValueError(source)

    def check_operation(self, operation):
        """It is known."""
        if operation not in {*INPUT, *RESULT, *NOTHING, *IN_PLACE, "view", "detach", "product"}:
            raise ValueError(operation)

    def check_in_place(self, target, source):
        """It writes to what it reads, and that is not the leaf."""
        self.check_target(target, source)
        self.check_leaf(source)

    def check_target(self, target, source):
        """It is the source."""
        if target != source:
            raise ValueError(target)

    def check_leaf(self, source):
        """Nobody writes to it."""
        if self.tensors[source] == LEAF:
            raise ValueError(source)

    def save(self, index, name):
        """What the backward pass needs."""
        memory, _ = self.tensors[name]
        self.saved.append((index, memory, self.version(memory)))

    def in_place(self, index, operation, source):
        """Write, and save."""
        memory, needs = self.tensors[source]
        self.versions[memory] = self.version(memory) + 1
        if needs and operation in RESULT:
            self.save(index, source)

    def out_of_place(self, index, target, operation, sources):
        """Save the input, bind the result, save the result."""
        memory, needs = self.tensors[sources[0]]
        if operation == "product":
            self.product(index, *sources)
            needs = needs or self.tensors[sources[1]][1]
        if self.records(needs) and operation in self.saves_input:
            self.save(index, sources[0])
        self.tensors[target] = self.result(index, operation, memory, needs)
        if self.records(needs) and operation in self.saves_result:
            self.save(index, target)

    def records(self, needs):
        """Whether there will be a backward pass."""
        return needs

    def result(self, index, operation, memory, needs):
        """Memory of its own, or the source's."""
        if operation == "view":
            return memory, needs
        return (memory, False) if operation == "detach" else (index, needs)

    def product(self, index, first, second):
        """Each factor, for the gradient of the other one."""
        if self.tensors[second][1]:
            self.save(index, first)
        if self.tensors[first][1]:
            self.save(index, second)
