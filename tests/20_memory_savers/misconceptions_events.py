"""Wrong answers that people give to kata 20 about the most bytes at one time."""

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")

# peak_bytes


class Memory:
    """The answer in parts, all of them right."""

    def __init__(self):
        self.storage_of, self.sizes = {}, {}
        self.peak = self.made = 0

    def run(self, events):
        """The most bytes of all moments."""
        for event in events:
            self.happens(*event)
            self.peak = max(self.peak, self.now())
        return self.peak

    def happens(self, word, name, *rest):
        """One event."""
        self.check(word, name, *rest)
        if word == "new":
            self.new(name, *rest)
        elif word == "view":
            self.view(name, *rest)
        else:
            self.delete(name)

    def check(self, word, name, *rest):
        """Refuse what cannot happen."""
        self.check_word(word)
        if word == "new":
            self.check_new(name)
            self.check_bytes(rest[0])
        if word == "view":
            self.check_view(name)
            self.check_of(rest[0])
        if word == "del":
            self.check_delete(name)

    def check_word(self, word):
        """There are three."""
        if word not in ("new", "view", "del"):
            raise ValueError(word)

    def check_new(self, name):
        """Under a free name."""
        if name in self.storage_of:
            raise ValueError(name)

    check_view = check_new

    def check_of(self, name):
        """Of what is alive."""
        if name not in self.storage_of:
            raise ValueError(name)

    check_delete = check_of

    def check_bytes(self, nbytes):
        """None or more."""
        if nbytes < 0:
            raise ValueError(nbytes)

    def new(self, name, nbytes):
        """A storage."""
        self.made += 1
        self.storage_of[name], self.sizes[self.made] = self.made, nbytes

    def view(self, name, of):
        """A name."""
        self.storage_of[name] = self.storage_of[of]

    def delete(self, name):
        """A name goes."""
        del self.storage_of[name]

    def now(self):
        """The bytes that are alive."""
        return sum(self.sizes[storage] for storage in {*self.storage_of.values()})


@believes("A view has memory of its own", about="peak_bytes")
def copies_views(events):
    """A view is another name for the same storage, which counts once."""

    class Copying(Memory):
        def view(self, name, of):
            self.new(name, self.sizes[self.storage_of[of]])

    return Copying().run(events)


@believes("A storage is freed with the name it was made under", about="peak_bytes")
def frees_with_the_first_name(events):
    """It stays until its last name is deleted: a view of one element keeps all of it."""

    class Early(Memory):
        def new(self, name, nbytes):
            super().new(name, nbytes)
            self.owners = {**getattr(self, "owners", {}), name: self.made}

        def delete(self, name):
            self.sizes[self.owners.pop(name, 0)] = 0
            super().delete(name)

    return Early().run(events)


@believes("Deleted names free nothing before the end", about="peak_bytes")
def never_frees(events):
    """A storage without a name is freed at once, before later events."""

    class Keeping(Memory):
        def now(self):
            return sum(self.sizes.values())

    return Keeping().run(events)


@believes("The peak is at the end", about="peak_bytes")
def takes_the_end(events):
    """It may have been in between: check after each event."""
    memory = Memory()
    memory.run(events)
    return memory.now()


@believes("The peak is the largest storage", about="peak_bytes")
def takes_the_largest(events):
    """Storages that are alive at the same time add up."""

    class Largest(Memory):
        def now(self):
            return max([0, *(self.sizes[storage] for storage in self.storage_of.values())])

    return Largest().run(events)


@believes("A name that is given again replaces the old one", about="peak_bytes")
def gives_names_again(events):
    """It would in Python; here "new" under a name that is alive raises a ValueError."""

    class Rebinding(Memory):
        def check_new(self, name):
            pass

    return Rebinding().run(events)


@believes("A view may take a name that is alive", about="peak_bytes")
def views_under_any_name(events):
    """The name already refers to a storage: raise ValueError, as for "new"."""

    class Rebinding(Memory):
        def check_view(self, name):
            pass

    return Rebinding().run(events)


@believes("A deleted name may not be used again", about="peak_bytes")
def uses_names_once(events):
    """It may: only a name that is alive is refused."""

    class Once(Memory):
        def __init__(self):
            super().__init__()
            self.used = set()

        def check_new(self, name):
            if name in self.used:
                raise ValueError(name)
            self.used.add(name)

        check_view = check_new

    return Once().run(events)


@believes("Deleting a name that is not alive does no harm", about="peak_bytes")
def deletes_anything(events):
    """It is a mistake in the list of events: raise ValueError."""

    class Careless(Memory):
        def check_delete(self, name):
            self.storage_of.setdefault(name, 0)
            self.sizes[0] = 0

    return Careless().run(events)


@believes("A view of an unknown name is empty", about="peak_bytes")
def views_nothing(events):
    """There is nothing it could be a view of: raise ValueError."""

    class Careless(Memory):
        def check_of(self, name):
            self.sizes[0] = 0
            self.storage_of = {name: 0, **self.storage_of}

        def check_delete(self, name):
            Memory.check_of(self, name)

    return Careless().run(events)


@believes("nbytes need not be checked", about="peak_bytes")
def takes_any_bytes(events):
    """nbytes below 0 raises a ValueError; 0 is allowed."""

    class Careless(Memory):
        def check_bytes(self, nbytes):
            pass

    return Careless().run(events)


@believes("nbytes has to be above 0", about="peak_bytes")
def refuses_empty_storages(events):
    """An empty tensor has a storage of 0 bytes: only less than 0 is refused."""

    class Strict(Memory):
        def check_bytes(self, nbytes):
            if nbytes <= 0:
                raise ValueError(nbytes)

    return Strict().run(events)


@believes("An unknown word is skipped", about="peak_bytes")
def skips_other_words(events):
    """There are three words: raise ValueError for any other."""
    return solved.peak_bytes([event for event in events if event[0] in ("new", "view", "del")])


@believes("A float holds every count of bytes", about="peak_bytes")
def counts_in_floats(events):
    """A float has 53 bits, and cannot hold every integer from 2**53 on. Python's integers are exact."""

    class Floating(Memory):
        def now(self):
            return float(super().now())

    return int(Floating().run(events))


@believes("The list of events may be used up", about="peak_bytes")
def takes_events_off(events):
    """The list belongs to the caller: iterate over it, and leave it as it is."""
    peak = solved.peak_bytes(events)
    events.clear()
    return peak


@believes("What is neither new nor view is a del", about="peak_bytes")
def deletes_by_any_word(events):
    """There are three words: raise ValueError for any other, even if the name is alive."""
    return solved.peak_bytes([event if event[0] in ("new", "view") else ("del", event[1]) for event in events])


@believes("A view may be a view of itself", about="peak_bytes")
def views_itself(events):
    """Its name refers to nothing yet, so there is nothing to view: raise ValueError."""

    class Early(Memory):
        def check_view(self, name):
            super().check_view(name)
            self.storage_of[name] = self.sizes[0] = 0

    return Early().run(events)


@believes("A storage of 0 bytes is not alive", about="peak_bytes")
def gives_empty_names_again(events):
    """It is, until its last name is deleted: ask whether the name is there, not whether its bytes are above 0."""

    class Falsy(Memory):
        def check_new(self, name):
            if self.sizes.get(self.storage_of.get(name)):
                raise ValueError(name)

        check_view = check_new

    return Falsy().run(events)


@believes("A word is known by how it begins", about="peak_bytes")
def reads_the_beginning_of_words(events):
    """There are three words: compare the whole word, and raise ValueError for any other."""
    known = {word[0]: word for word in ("new", "view", "del")}
    return solved.peak_bytes([(known.get(event[0][:1], event[0]), *event[1:]) for event in events])


@believes("A name stands for one storage for all time", about="peak_bytes")
def knows_storages_by_their_first_name(events):
    """It may be deleted and given again while a view of the old storage is alive: number the storages."""

    class Named(Memory):
        def new(self, name, nbytes):
            self.storage_of[name], self.sizes[name] = name, nbytes

    return Named().run(events)
