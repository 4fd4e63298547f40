"""Wrong answers that people give to kata 20 about what autograd saves and what is written to."""

from dojo.judging.diagnose import believes, solution

from .versions import INPUT, NOTHING, RESULT, Versions

solved = solution("20_memory_savers")

# overwritten


@believes("exp, tanh, sigmoid and relu save their input", about="overwritten")
def saves_inputs(program):
    """Their derivatives can be computed from the result, which is what they save: their input may be overwritten."""

    class Inputs(Versions):
        saves_input, saves_result = INPUT + RESULT, ()

    return Inputs().run(program)


@believes("sin, cos and square save their result", about="overwritten")
def saves_results(program):
    """Their derivatives need the input: cos(x) for sin, for example."""

    class Results(Versions):
        saves_input, saves_result = (), INPUT + RESULT

    return Results().run(program)


@believes("relu saves its input", about="overwritten")
def saves_the_input_of_relu(program):
    """The result is above 0 where the input was: it saves the result, which the next layer needs anyway."""

    class Relu(Versions):
        saves_input, saves_result = (*INPUT, "relu"), ("exp", "tanh", "sigmoid")

    return Relu().run(program)


@believes("tanh and sigmoid save their input", about="overwritten")
def saves_the_input_of_tanh(program):
    """The derivative of tanh is 1 - tanh², that of sigmoid s · (1 - s): both save their result."""

    class Tanh(Versions):
        saves_input, saves_result = (*INPUT, "tanh", "sigmoid"), ("exp", "relu")

    return Tanh().run(program)


@believes("square saves its result", about="overwritten")
def saves_the_result_of_square(program):
    """The derivative is 2 · x: the input is saved, and the result may be overwritten."""

    class Square(Versions):
        saves_input, saves_result = ("sin", "cos"), (*RESULT, "square")

    return Square().run(program)


@believes("neg, add and mul save their input", about="overwritten")
def saves_for_mul(program):
    """The derivative of 2 · x is 2: mul, add and neg save nothing."""

    class All(Versions):
        saves_input = INPUT + NOTHING

    return All().run(program)


@believes("A product always saves both factors", about="overwritten")
def saves_both_factors(program):
    """A factor is saved for the gradient of the other one: if that needs none, it is not saved."""

    class Both(Versions):
        def product(self, index, first, second):
            if self.tensors[first][1] or self.tensors[second][1]:
                self.save(index, first)
                self.save(index, second)

    return Both().run(program)


@believes("A product saves those factors that need a gradient", about="overwritten")
def saves_its_own_factor(program):
    """The gradient of one factor is computed from the other: the other one is saved."""

    class Own(Versions):
        def product(self, index, first, second):
            super().product(index, *(name for name in (first, second)))
            if self.tensors[first][1] != self.tensors[second][1]:
                self.saved.pop()
                self.save(index, first if self.tensors[first][1] else second)

    return Own().run(program)


@believes("A product saves nothing", about="overwritten")
def saves_no_factor(program):
    """The gradient of each factor is computed from the other: both are saved, if both need one."""

    class Free(Versions):
        def product(self, index, first, second):
            pass

    return Free().run(program)


@believes("A view has a version of its own", about="overwritten")
def copies_for_views(program):
    """A view shares memory and version with its source: a write to one is a write to the other."""

    class Copying(Versions):
        def result(self, index, operation, memory, needs):
            if operation == "view" and memory != -1:
                return index, needs
            return super().result(index, operation, memory, needs)

    return Copying().run(program)


@believes("detach makes a copy", about="overwritten")
def copies_for_detach(program):
    """The result shares memory and version with its source: only clone() copies."""

    class Copying(Versions):
        def result(self, index, operation, memory, needs):
            return (index, False) if operation == "detach" else super().result(index, operation, memory, needs)

    return Copying().run(program)


@believes("A write to a detached tensor does not count", about="overwritten")
def writes_unseen(program):
    """The version counts every write, also through what is detached."""

    class Unseen(Versions):
        def in_place(self, index, operation, source):
            if self.tensors[source][1]:
                super().in_place(index, operation, source)

    return Unseen().run(program)


@believes("In-place operations save nothing", about="overwritten")
def saves_nothing_in_place(program):
    """exp_ saves the result that it has written, as exp does: a later write overwrites it."""

    class Free(Versions):
        def in_place(self, index, operation, source):
            super().in_place(index, "neg", source)

    return Free().run(program)


@believes("sin_ overwrites what it saves", about="overwritten")
def overwrites_its_input(program):
    """It saves a copy of the input, which nothing can write to."""

    class Own(Versions):
        def in_place(self, index, operation, source):
            if self.tensors[source][1] and operation in INPUT:
                self.save(index, source)
            super().in_place(index, operation, source)

    return Own().run(program)


@believes("sin_, cos_ and square_ overwrite nothing", about="overwritten")
def spares_others_by_a_copy(program):
    """Their copy is for their own backward pass: they write like any other, also to what an earlier line has saved."""

    class Sparing(Versions):
        def in_place(self, index, operation, source):
            if operation not in INPUT:
                super().in_place(index, operation, source)

    return Sparing().run(program)


@believes("exp_ overwrites its own result", about="overwritten")
def saves_before_it_writes(program):
    """It saves the result after it has written it: only later writes count."""

    class Early(Versions):
        def in_place(self, index, operation, source):
            if self.tensors[source][1] and operation in RESULT:
                self.save(index, source)
            super().in_place(index, "neg", source)

    return Early().run(program)


@believes("exp_ gives its target memory of its own", about="overwritten")
def moves_what_is_written(program):
    """It writes into the memory of its source: whatever shares that may overwrite the result that is saved."""

    class Moved(Versions):
        def in_place(self, index, operation, source):
            super().in_place(index, "neg" if operation in RESULT else operation, source)
            if operation in RESULT:
                self.out_of_place(index, source, operation, [source])

    return Moved().run(program)


@believes("Giving a name again overwrites its old tensor", about="overwritten")
def writes_by_binding(program):
    """The old tensor stays as it was: only an operation with a _ writes to memory."""

    class Binding(Versions):
        def out_of_place(self, index, target, operation, sources):
            old = self.tensors.get(target)
            super().out_of_place(index, target, operation, sources)
            if old and old[0] != self.tensors[target][0]:
                self.versions[old[0]] = self.version(old[0]) + 1

    return Binding().run(program)


@believes("Every operation saves something for the backward pass", about="overwritten")
def saves_without_gradients(program):
    """An operation on what needs no gradient is not recorded, and saves nothing."""

    class All(Versions):
        def records(self, needs):
            return True

    return All().run(program)


@believes("The leaf is whatever the name x refers to", about="overwritten")
def knows_the_leaf_by_name(program):
    """Once x names something else it is a tensor like others, and a view of the leaf is the leaf's memory."""

    class Named(Versions):
        def check_in_place(self, target, source):
            self.check_target(target, source)
            if source == "x":
                raise ValueError(source)

    return Named().run(program)


@believes("A view of a leaf may be written to", about="overwritten")
def writes_to_views_of_the_leaf(program):
    """It is the leaf's memory, so it raises a ValueError, as in torch; only what is detached may be written to."""

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
    """A tensor detached from it needs no gradient and may be written to; the leaf and its version change with it."""

    class Strict(Versions):
        def check_leaf(self, source):
            if self.tensors[source][0] == -1:
                raise ValueError(source)

    return Strict().run(program)


@believes("The leaf may be written to", about="overwritten")
def writes_to_the_leaf(program):
    """torch refuses an in-place operation on a leaf that requires grad: raise ValueError."""

    class Free(Versions):
        def check_leaf(self, source):
            pass

    return Free().run(program)


@believes("An in-place operation may have another target", about="overwritten")
def binds_in_place(program):
    """It writes to its source, so the target has to be the source: otherwise raise ValueError."""

    class Free(Versions):
        def check_target(self, target, source):
            pass

    return Free().run(program)


@believes("The target may be another name of the same memory", about="overwritten")
def binds_in_place_to_the_same_memory(program):
    """It has to be the same name, even if both share one memory: otherwise raise ValueError."""

    class Same(Versions):
        def check_target(self, target, source):
            if target not in self.tensors or self.tensors[target][0] != self.tensors[source][0]:
                raise ValueError(target)

    return Same().run(program)


@believes("A name may be used before the line that gives it", about="overwritten")
def knows_later_names(program):
    """Lines run in order: a source whose line comes later has no name yet, so raise ValueError."""

    class Later(Versions):
        def check_source(self, source):
            if source in {line[0] for line in program}:
                self.tensors.setdefault(source, (source, False))
            super().check_source(source)

    return Later().run(program)


@believes("A line may use the name that it gives", about="overwritten")
def knows_the_target_at_once(program):
    """The operation runs before its result has a name: look at the sources first, and raise ValueError."""

    class Early(Versions):
        def line(self, index, target, operation, sources):
            self.tensors.setdefault(target, (index, True))
            super().line(index, target, operation, sources)

    return Early().run(program)


@believes("Only the first factor has to have a name", about="overwritten")
def checks_the_first_source(program):
    """A product has two sources: raise ValueError for either one, not a KeyError."""

    class First(Versions):
        def line(self, index, target, operation, sources):
            if sources[0] in self.tensors:
                for source in sources[1:]:
                    self.tensors[source]
            super().line(index, target, operation, sources)

    return First().run(program)


@believes("A source without a name need not be checked", about="overwritten")
def makes_names(program):
    """Nothing can be computed from it: raise ValueError."""

    class Free(Versions):
        def check_source(self, source):
            self.tensors.setdefault(source, (source, False))

    return Free().run(program)


@believes("An unknown operation saves nothing", about="overwritten")
def takes_any_operation(program):
    """It is not known what it saves: raise ValueError."""

    class Free(Versions):
        def check_operation(self, operation):
            pass

    return Free().run(program)


@believes("Each overwritten tensor is an entry of the result", about="overwritten")
def counts_twice(program):
    """The result lists operations: a product is in it once, even if both of its factors were overwritten."""

    class Each(Versions):
        def overwritten(self):
            return sorted(index for index, memory, version in self.saved if self.version(memory) > version)

    return Each().run(program)


@believes("Whatever ends with _ is an in-place operation", about="overwritten")
def writes_by_any_underscore(program):
    """Only those that are listed: view_, for example, is unknown, so it raises a ValueError."""
    known = [name + "_" for name in INPUT + RESULT + NOTHING]
    return solved.overwritten(
        [(line[0], "neg_", *line[2:]) if line[1].endswith("_") and line[1] not in known else line for line in program]
    )


@believes('rstrip("_") removes one underscore', about="overwritten")
def strips_underscores(program):
    """It removes all of them, so that exp__ passes for exp_: removesuffix removes one, and the rest must be known."""
    return solved.overwritten(
        [(line[0], line[1].rstrip("_") + "_", *line[2:]) if line[1].endswith("_") else line for line in program]
    )
