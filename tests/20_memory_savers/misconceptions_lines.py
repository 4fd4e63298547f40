"""Wrong answers that people give to kata 20 about what autograd saves and what is written to."""

from dojo.judging.diagnose import believes, solution

from .versions import INPUT, NOTHING, RESULT, Versions

solved = solution("20_memory_savers")

# overwritten


@believes("A derivative is written with the input", about="overwritten")
def saves_inputs(program):
    """That of exp is exp itself: exp, tanh, sigmoid and relu save their result, and their input is free."""

    class Inputs(Versions):
        saves_input, saves_result = INPUT + RESULT, ()

    return Inputs().run(program)


@believes("What is saved is the result", about="overwritten")
def saves_results(program):
    """sin's derivative is cos of the input: sin, cos and square save that."""

    class Results(Versions):
        saves_input, saves_result = (), INPUT + RESULT

    return Results().run(program)


@believes("relu has to remember its input", about="overwritten")
def saves_the_input_of_relu(program):
    """Where the result is above 0 the input was: it saves the result, which the next layer needs anyway."""

    class Relu(Versions):
        saves_input, saves_result = (*INPUT, "relu"), ("exp", "tanh", "sigmoid")

    return Relu().run(program)


@believes("The derivative of tanh is written with its input", about="overwritten")
def saves_the_input_of_tanh(program):
    """It is 1 - tanh², and that of sigmoid likewise: both save their result."""

    class Tanh(Versions):
        saves_input, saves_result = (*INPUT, "tanh", "sigmoid"), ("exp", "relu")

    return Tanh().run(program)


@believes("The derivative of a square is written with the square", about="overwritten")
def saves_the_result_of_square(program):
    """It is 2 · x: the input is saved, and the result is free."""

    class Square(Versions):
        saves_input, saves_result = ("sin", "cos"), (*RESULT, "square")

    return Square().run(program)


@believes("Every operation saves its input", about="overwritten")
def saves_for_mul(program):
    """The derivative of 2 · x is 2: mul, add and neg with numbers save nothing."""

    class All(Versions):
        saves_input = INPUT + NOTHING

    return All().run(program)


@believes("A product always saves both factors", about="overwritten")
def saves_both_factors(program):
    """A factor is needed for the gradient of the other one: if that needs none, it is not saved."""

    class Both(Versions):
        def product(self, index, first, second):
            if self.tensors[first][1] or self.tensors[second][1]:
                self.save(index, first)
                self.save(index, second)

    return Both().run(program)


@believes("A product saves the factors that need a gradient", about="overwritten")
def saves_its_own_factor(program):
    """The gradient of one factor is made of the other: that one is saved."""

    class Own(Versions):
        def product(self, index, first, second):
            super().product(index, *(name for name in (first, second)))
            if self.tensors[first][1] != self.tensors[second][1]:
                self.saved.pop()
                self.save(index, first if self.tensors[first][1] else second)

    return Own().run(program)


@believes("A product saves nothing", about="overwritten")
def saves_no_factor(program):
    """The gradient of each factor is made of the other: both are saved, if both need one."""

    class Free(Versions):
        def product(self, index, first, second):
            pass

    return Free().run(program)


@believes("A view has a version of its own", about="overwritten")
def copies_for_views(program):
    """It shares memory and version with what it is a view of: a write to one is a write to the other."""

    class Copying(Versions):
        def result(self, index, operation, memory, needs):
            if operation == "view" and memory != -1:
                return index, needs
            return super().result(index, operation, memory, needs)

    return Copying().run(program)


@believes("What is detached is a copy", about="overwritten")
def copies_for_detach(program):
    """It shares the memory, and the version with it: only clone() copies."""

    class Copying(Versions):
        def result(self, index, operation, memory, needs):
            return (index, False) if operation == "detach" else super().result(index, operation, memory, needs)

    return Copying().run(program)


@believes("What is written to without a gradient is not noticed", about="overwritten")
def writes_unseen(program):
    """The version counts every write, also one to what is detached."""

    class Unseen(Versions):
        def in_place(self, index, operation, source):
            if self.tensors[source][1]:
                super().in_place(index, operation, source)

    return Unseen().run(program)


@believes("In place nothing is saved", about="overwritten")
def saves_nothing_in_place(program):
    """exp_ saves the result that it has written, as exp does: a write after that overwrites it."""

    class Free(Versions):
        def in_place(self, index, operation, source):
            super().in_place(index, "neg", source)

    return Free().run(program)


@believes("sin_ overwrites what it saves", about="overwritten")
def overwrites_its_input(program):
    """It knows that it does, and saves a copy of the input: nobody else can write to that."""

    class Own(Versions):
        def in_place(self, index, operation, source):
            if self.tensors[source][1] and operation in INPUT:
                self.save(index, source)
            super().in_place(index, operation, source)

    return Own().run(program)


@believes("exp_ overwrites its own result", about="overwritten")
def saves_before_it_writes(program):
    """It saves the result after it has written it: only a later write is one too many."""

    class Early(Versions):
        def in_place(self, index, operation, source):
            if self.tensors[source][1] and operation in RESULT:
                self.save(index, source)
            super().in_place(index, "neg", source)

    return Early().run(program)


@believes("A name that is bound anew overwrites what it stood for", about="overwritten")
def writes_by_binding(program):
    """The old tensor stays as it was: only an operation with a _ writes to memory."""

    class Binding(Versions):
        def out_of_place(self, index, target, operation, sources):
            old = self.tensors.get(target)
            super().out_of_place(index, target, operation, sources)
            if old and old[0] != self.tensors[target][0]:
                self.versions[old[0]] = self.version(old[0]) + 1

    return Binding().run(program)


@believes("Every operation is recorded", about="overwritten")
def saves_without_gradients(program):
    """What needs no gradient has no backward pass, and saves nothing."""

    class All(Versions):
        def records(self, needs):
            return True

    return All().run(program)


@believes("A leaf is what is called x", about="overwritten")
def knows_the_leaf_by_name(program):
    """After x is bound anew it is a tensor like others, and a view of the leaf is the leaf's memory."""

    class Named(Versions):
        def check_in_place(self, target, source):
            self.check_target(target, source)
            if source == "x":
                raise ValueError(source)

    return Named().run(program)


@believes("A view of a leaf may be written to", about="overwritten")
def writes_to_views_of_the_leaf(program):
    """It is the leaf's memory, and torch refuses that as well; what is detached of it may be."""

    class Views(Versions):
        def __init__(self):
            super().__init__()
            self.names = {"x"}

        def out_of_place(self, index, target, operation, sources):
            super().out_of_place(index, target, operation, sources)
            self.names.discard(target)

        def check_leaf(self, source):
            if source in self.names:
                raise ValueError(source)

    return Views().run(program)


@believes("The memory of a leaf is never written to", about="overwritten")
def refuses_what_is_detached_of_the_leaf(program):
    """What is detached of it needs no gradient, and may be: the leaf changes with it, and its version."""

    class Strict(Versions):
        def check_leaf(self, source):
            if self.tensors[source][0] == -1:
                raise ValueError(source)

    return Strict().run(program)


@believes("A leaf is a tensor like others", about="overwritten")
def writes_to_the_leaf(program):
    """Its old value would be gone, and its gradient would be of what? torch refuses, and so do we: ValueError."""

    class Free(Versions):
        def check_leaf(self, source):
            pass

    return Free().run(program)


@believes("An in-place operation may have another target", about="overwritten")
def binds_in_place(program):
    """It writes to its source, so the target is the source: ValueError otherwise."""

    class Free(Versions):
        def check_target(self, target, source):
            pass

    return Free().run(program)


@believes("A name that is not there yet needs no check", about="overwritten")
def makes_names(program):
    """Nothing can be computed of it: ValueError."""

    class Free(Versions):
        def check_source(self, source):
            self.tensors.setdefault(source, (source, False))

    return Free().run(program)


@believes("An operation that is not known saves nothing", about="overwritten")
def takes_any_operation(program):
    """Nobody can say what it saves: ValueError."""

    class Free(Versions):
        def check_operation(self, operation):
            pass

    return Free().run(program)


@believes("Each saved tensor is an entry of the answer", about="overwritten")
def counts_twice(program):
    """The answer names operations: a product of which both factors were overwritten is in it once."""

    class Each(Versions):
        def overwritten(self):
            return sorted(index for index, memory, version in self.saved if self.version(memory) > version)

    return Each().run(program)
