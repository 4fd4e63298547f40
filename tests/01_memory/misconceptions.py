"""Wrong answers that people give to kata 01, each with the belief behind it."""

import math
from itertools import chain

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("01_memory")


@believes("Every element takes 4 bytes", about="get_memory_usage")
def takes_float32_for_granted(x):
    """Four bytes is the size of a float32. The dtype of the tensor decides: 1 byte for bool, 16 for complex128."""
    return x.numel() * 4


@believes("A tensor takes the bytes of its storage", about="get_memory_usage")
def counts_the_storage(x):
    """A view shows only a part of its storage, and an expanded tensor shows the same part many times.

    The shape says how many elements a tensor has.
    """
    return x.untyped_storage().nbytes()


@believes("An element that is shown many times counts once", about="get_memory_usage")
def counts_expanded_elements_once(x):
    """The shape of an expanded tensor says how many elements it has. A fresh tensor of that shape stores them all."""
    shown = [min(size, 1) if stride == 0 else size for size, stride in zip(x.shape, x.stride(), strict=True)]
    return math.prod(shown) * x.element_size()


@believes("A tensor without dimensions has no elements", about="get_memory_usage")
def thinks_that_0d_is_empty(x):
    """A 0-d tensor holds one number. Only a tensor with a size of 0 is empty."""
    return x.numel() * x.element_size() if x.shape else 0


@believes("A bool takes one bit", about="get_memory_usage")
def packs_bools(x):
    """torch gives each bool a whole byte, so that it has an address. It packs no dtype, not even torch.int4."""
    return (x.numel() + 7) // 8 if x.dtype == torch.bool else x.nbytes


@believes("A float holds every count of bytes", about="get_memory_usage")
def counts_in_floats(x):
    """A float has 53 bits and cannot hold every integer above 2**53. Python's integers are exact: use //."""
    return int(x.numel() * (8 * x.element_size() / 8))


@believes("A tensor keeps alive only the elements that it shows", about="get_storage_usage")
def adds_up_elements(*tensors):
    """A view keeps its whole storage alive, however little it shows. A storage that two views share counts once."""
    return sum(x.nbytes for x in tensors)


@believes("Every tensor has its own storage", about="get_storage_usage")
def counts_a_storage_for_each_tensor(*tensors):
    """Views share the storage of the tensor that they were made from. That storage is in memory once."""
    return sum(x.untyped_storage().nbytes() for x in tensors)


@believes("Two tensors share a storage only if they are the same object", about="get_storage_usage")
def tells_tensors_apart_instead_of_storages(*tensors):
    """A view is a new tensor object on an old storage: compare storages, not tensors."""
    return sum(x.untyped_storage().nbytes() for x in {id(x): x for x in tensors}.values())


@believes("Different storages have different data pointers", about="get_storage_usage")
def tells_storages_apart_by_their_data(*tensors):
    """A storage on meta has no data, so its data pointer is 0, like that of every other storage on meta."""
    storages = [x.untyped_storage() for x in tensors]
    found = {}
    for storage in storages:
        found.setdefault(storage.data_ptr(), storage.nbytes())
    return sum(found.values())


@believes("Tensors that share a storage start at the same address", about="get_storage_usage")
def tells_storages_apart_by_where_a_view_starts(*tensors):
    """x[1:] starts further along in the storage of x. The address of its first element is not that of the storage."""
    starts = {x.data_ptr(): x for x in tensors}
    return sum(x.untyped_storage().nbytes() for x in starts.values())


@believes("A view always knows its base", about="get_storage_usage")
def asks_for_the_base(*tensors):
    """_base is there for autograd, and is None for a detached tensor, which still shares the storage."""
    bases = [x if x._base is None else x._base for x in tensors]
    return sum(x.untyped_storage().nbytes() for x in {id(x): x for x in bases}.values())


@believes("A tensor keeps its gradient alive, so the gradient counts", about="get_storage_usage")
def counts_gradients_of_tensors(*tensors):
    """A gradient is another tensor with its own storage. It counts only if it is passed in too."""
    gradients = [x.grad for x in tensors if x.is_leaf and x.grad is not None]
    return solved.get_storage_usage(*tensors, *gradients)


@believes("Gradients have to be turned off before a storage is measured", about="get_storage_usage")
def turns_gradients_off(*tensors):
    """requires_grad_ changes the tensor itself. Nothing has to be turned off to ask for a storage."""
    return solved.get_storage_usage(*(x.requires_grad_(False) if x.is_leaf else x for x in tensors))


@believes("A storage that was counted can be emptied, so that it is not counted again", about="get_storage_usage")
def empties_what_is_counted(*tensors):
    """Its tensors lose their data. Remember which storages were counted instead."""
    total = solved.get_storage_usage(*tensors)
    for x in tensors:
        if not x.is_meta:
            x.untyped_storage().resize_(0)
    return total


@believes("Gradients have to be turned off before a tensor is measured", about="get_memory_usage")
def turns_the_gradient_off(x):
    """requires_grad_ changes the tensor itself. Nothing has to be turned off to ask for a shape and a dtype."""
    return (x.requires_grad_(False) if x.is_leaf else x).nbytes


@believes("Only trainable parameters take memory", about="get_model_memory")
def leaves_out_what_is_frozen(model):
    """A frozen parameter is stored like any other. Freezing it saves only its gradient."""
    trainable = (parameter for parameter in model.parameters() if parameter.requires_grad)
    return solved.get_storage_usage(*chain(trainable, model.buffers()))


@believes("A model consists of its parameters", about="get_model_memory")
def leaves_out_buffers(model):
    """A model has buffers too: the running mean of a BatchNorm, a mask, a table of positions."""
    return solved.get_storage_usage(*model.parameters())


@believes("state_dict() holds everything that a model stores", about="get_model_memory")
def leaves_out_buffers_that_are_not_saved(model):
    """A buffer with persistent=False is not saved, so state_dict() leaves it out. It still takes memory."""
    return solved.get_storage_usage(*model.state_dict().values())


@believes("A model has to be measured in eval mode", about="get_model_memory")
def switches_to_eval_mode(model):
    """The bytes are the same in both modes, and later training would run without dropout."""
    return solved.get_model_memory(model.eval())


@believes("train(mode) restores the mode of every module", about="get_model_memory")
def switches_to_eval_mode_and_back(model):
    """It gives every module the mode of the whole model, also one that had another mode. No mode has to be switched."""
    was = model.training
    nbytes = solved.get_model_memory(model.eval())
    model.train(was)
    return nbytes


@believes("A model without gradients is the same model", about="get_model_memory")
def clears_the_gradients(model):
    """A training that goes on would miss them. Gradients do not count anyway: leave them alone."""
    model.zero_grad()
    return solved.get_model_memory(model)


@believes("Gradients of zeros are as good as untouched ones", about="get_model_memory")
def fills_the_gradients_with_zeros(model):
    """A training that goes on would miss them. Gradients do not count anyway: leave them alone."""
    model.zero_grad(set_to_none=False)
    return solved.get_model_memory(model)


@believes("A result may be kept as an attribute of the model", about="get_model_memory")
def keeps_the_result_on_the_model(model):
    """An attribute that nobody asked for is a change of the model: return the result and keep it nowhere."""
    model.nbytes = solved.get_model_memory(model)
    return model.nbytes


@believes("A model is a sequence of layers", about="get_model_memory")
def goes_through_a_sequence(model):
    """Only containers such as nn.Sequential can be iterated over, and a model can also be a single nn.Linear."""
    own = chain(model.parameters(recurse=False), model.buffers(recurse=False))
    inner = (x for layer in model for x in chain(layer.parameters(), layer.buffers()))
    return solved.get_storage_usage(*own, *inner)


@believes("A model is two layers deep at most", about="get_model_memory")
def looks_two_layers_deep(model):
    """A layer can have layers of its own, to any depth. modules() goes through all of them."""
    modules = [model, *model.children(), *(inner for outer in model.children() for inner in outer.children())]
    return solved.get_storage_usage(
        *(x for module in modules for x in chain(module.parameters(False), module.buffers(False)))
    )


@believes("Two parameters never share memory", about="get_model_memory")
def counts_tied_weights_twice(model):
    """parameters() gives each object once, but two objects can share a storage, as tied weights do."""
    return sum(x.nbytes for x in chain(model.parameters(), model.buffers()))


@believes("Two buffers never share memory", about="get_model_memory")
def counts_each_buffer(model):
    """A buffer can be a view of another one. Their storage is in memory once, like that of tied weights."""
    of_parameters = {x.untyped_storage()._cdata for x in model.parameters()}
    buffers = (x.untyped_storage() for x in model.buffers())
    return solved.get_storage_usage(*model.parameters()) + sum(
        storage.nbytes() for storage in buffers if storage._cdata not in of_parameters
    )


@believes("The gradients count as bytes of the model", about="get_model_memory")
def counts_gradients(model):
    """A gradient is neither a parameter nor a buffer. It comes with training and is counted there."""
    gradients = (parameter.grad for parameter in model.parameters() if parameter.grad is not None)
    return solved.get_storage_usage(*chain(model.parameters(), model.buffers(), gradients))


@believes("Parameters in different storages have different data pointers", about="get_model_memory")
def tells_parameters_apart_by_their_data(model):
    """On meta the data pointer of every storage is 0, so it does not tell them apart."""
    storages = [x.untyped_storage() for x in chain(model.parameters(), model.buffers())]
    return sum(storage.nbytes() for storage in {storage.data_ptr(): storage for storage in storages}.values())


@believes("Each value takes whole bytes", about="packed_bytes")
def rounds_up_each_value(numel, bits):
    """Packed without gaps, a value may begin in the middle of a byte. Only the total is rounded up to whole bytes."""
    solved.packed_bytes(numel, bits)
    return solved.packed_bytes(1, bits) * numel


@believes("A value does not cross from one byte into the next", about="packed_bytes")
def puts_whole_values_into_each_byte(numel, bits):
    """Without gaps, a value of 6 bits may span two bytes: 4 such values fill 3 bytes."""
    whole = solved.packed_bytes(numel, bits)
    return -(-numel // (8 // bits)) if bits < 8 else whole


@believes("A byte that is not full does not count", about="packed_bytes")
def rounds_down(numel, bits):
    """The last few bits need a byte too, even if they fill only a part of it."""
    return solved.packed_bytes(numel, bits) - (numel * bits % 8 > 0)


@believes("The answer is always numel * bits // 8 + 1", about="packed_bytes")
def adds_a_byte_to_full_ones(numel, bits):
    """If the bits fill whole bytes, as 8 bits or 0 bits do, no further byte is needed."""
    return solved.packed_bytes(numel, bits) + (numel * bits % 8 == 0)


@believes("Dividing with / and then rounding up is exact", about="packed_bytes")
def divides_floats(numel, bits):
    """`/` returns a float, which has 53 bits: above 2**53 it may be off by more than rounding up can correct."""
    solved.packed_bytes(numel, bits)
    return math.ceil(numel * bits / 8)


@believes("A bad argument always makes the product negative", about="packed_bytes")
def lets_values_of_no_bits_pass(numel, bits):
    """With 0 bits the product is 0 and looks harmless. Each of the two arguments has its own limit."""
    if numel * bits < 0:
        raise ValueError("numel and bits must not be negative")
    return (numel * bits + 7) // 8


@believes("Only the argument bits has to be checked", about="packed_bytes")
def lets_a_negative_number_of_values_pass(numel, bits):
    """A negative number of values makes no sense either: raise ValueError."""
    return (numel * bits + 7) // 8 if numel < 0 and bits > 0 else solved.packed_bytes(numel, bits)


@believes("The result is a number of bits", about="packed_bytes")
def counts_bits(numel, bits):
    """Eight bits are one byte, and what is left over takes one more."""
    solved.packed_bytes(numel, bits)
    return numel * bits


@believes("The allocator hands out exactly what was asked for", about="cuda_allocation")
def hands_out_the_request(nbytes):
    """It rounds up to a multiple of 512 bytes, so that even 1 byte takes 512."""
    solved.cuda_allocation(nbytes)
    return nbytes


@believes("The number of blocks is always nbytes // 512 + 1", about="cuda_allocation")
def adds_a_block_to_full_ones(nbytes):
    """A request of exactly 512 bytes fills one block, and a request of 0 bytes takes none."""
    return solved.cuda_allocation(nbytes) + 512 * (nbytes % 512 == 0)


@believes("Every request takes at least one block", about="cuda_allocation")
def hands_out_a_block_for_nothing(nbytes):
    """A request of 0 bytes gets no memory at all."""
    return max(512, solved.cuda_allocation(nbytes))


@believes("The allocator rounds up to a power of two", about="cuda_allocation")
def rounds_up_to_a_power_of_two(nbytes):
    """Any multiple of 512 will do: 1536 bytes are three blocks of 512, not 2048."""
    return 512 << (solved.cuda_allocation(nbytes) // 512 - 1).bit_length() if solved.cuda_allocation(nbytes) else 0


@believes("memory_allocated counts what the allocator has reserved", about="cuda_allocation")
def counts_what_is_reserved(nbytes):
    """The allocator reserves 2 MiB for small requests, which memory_reserved shows.

    memory_allocated counts only the part that it has handed out.
    """
    return 2 * 1024**2 if solved.cuda_allocation(nbytes) else 0


@believes("nbytes need not be checked", about="cuda_allocation")
def rounds_up_negative_requests(nbytes):
    """A negative size is a mistake, but rounded up it may look fine: raise ValueError."""
    return -(-nbytes // 512) * 512
