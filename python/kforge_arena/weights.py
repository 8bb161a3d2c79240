"""Weights that a candidate is checked with, besides those that the problem makes."""

import copy

import torch

from . import blanks, problem as problems, shaken, tensors
from .buffers import Buffers

_LATCH = 2.5  # a unit that sees itself by such a weight stays what it is
_SEED_OF_A_CANDIDATE = 0
_FEW = 3  # elements of a parameter
_MANY = 16  # units, of which a few can be missing
_IN_COMMON = 0.05  # of the usual weight: what is wrong in the same way with all units does not cancel out in a sum over them
_CALM = 128  # units of the last place: inputs are moved by eight
_SMALL, _LARGE = 0.02, 16.0  # times as large as others
_STEADY = 1e-3  # of the usual value: results that move further with the last places of the inputs say nothing


def share_what_is_not_loaded(model, problem):
    """Tensors that a module keeps beside its parameters and buffers (a first state) are those of the seed with which a candidate
    is made as well, see player.py: one that makes the same in the same order has them."""
    def plain(module):
        return [name for name, value in vars(module).items() if isinstance(value, torch.Tensor)]

    if any(plain(module) for module in model.modules()):
        for module, other in zip(model.modules(), problem.make_model(_SEED_OF_A_CANDIDATE).modules(), strict=True):
            for name in plain(module):
                setattr(module, name, getattr(other, name))


def vary(problem, model, inputs, seed, timed, wide):
    """Other weights than the problem makes: as far from them as the reference gives results that mean something. For the timed
    calls that is one that hangs by no thread; nothing is gained then by what is quick as long as nobody has trained the weights.
    Where `wide`, numbers have the range for units that are far larger than others."""
    blank, whole = blanks.find(problem, model, inputs)
    _fill(problem, model, inputs, whole, seed)
    plain, hanging = copy.deepcopy(model.state_dict()), None
    for change in _changes(inputs, timed, wide):
        _perturb(model, seed, blank)
        generator = torch.Generator().manual_seed(seed)
        change(model, generator)
        if timed:
            _lower_scalars(model, generator)
        gathered = _gather_statistics(problem, model, inputs)
        if not timed and change is not _embolden:
            _silence(gathered, generator)
        is_calm = _steadiness(problem, model, inputs) in (("calm",) if timed else ("calm", "steady"))
        if is_calm and (change is not _stretch or _is_calm_for_weights(problem, model, inputs)):
            # Units without weights can make all of a result hang by rounding: no test of anybody, where there are others as far.
            is_far = timed and change in (_wither, _embolden, _retain)
            if not is_far and hanging:
                break
            if not is_far or _is_calm_when_shaken(problem, model, inputs):
                return
            hanging = hanging or copy.deepcopy(model.state_dict())
        model.load_state_dict(plain)
    if hanging:
        model.load_state_dict(hanging)
    else:
        move_a_little(problem, model, inputs, seed, blank)


def move_a_little(problem, model, inputs, seed, blank=()):
    """As weights are that were trained for a while: none is far from what it was."""
    plain = copy.deepcopy(model.state_dict())
    _perturb(model, seed, blank)
    _gather_statistics(problem, model, inputs)
    if not _all_finite(_values(problem, model, inputs)):
        model.load_state_dict(plain)


def _changes(inputs, timed, wide):
    """The furthest first. The weights that nothing is timed with are met on other numbers than the problem's own only: where inputs
    have none, those for the timed calls take their place."""
    if not timed:
        return [_wither_and_stretch] * wide + [_wither_and_keep, _wither, _embolden]
    only_whole = not any(map(tensors.is_inexact, tensors.tensors_of(inputs)))
    # Units without weights come here too: nobody shall be able to tell by them that nothing is timed.
    return [_stretch] * (wide and only_whole) + [_wither, _embolden, _retain, _embolden_vectors, _move_nothing]


def _values(problem, model, inputs):
    return problem.infinities.without(problem.forward(model, inputs))


def _all_finite(outputs):
    return all(torch.isfinite(o).all() for o in outputs if tensors.is_inexact(o))


def _moved(tensor):
    return tensor * (1 + 8 * torch.finfo(tensor.dtype).eps) if tensor.dtype.is_floating_point else tensor


def _steadiness(problem, model, inputs):
    """`calm` where results stay what they are when the last places of the inputs move, `steady` where most of them do, or empty."""
    moved = tensors.map_tensors(inputs, _moved)
    try:
        outputs, others = (_values(problem, model, each) for each in (inputs, moved))
    except problems.ProblemError:
        return ""
    return _likeness(outputs, others)


def _is_calm_for_weights(problem, model, inputs):
    """The same, by the last places of the weights: inputs that are whole numbers have none."""
    other = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in _floats(other):
            parameter.copy_(_moved(parameter))
    return _likeness(*(_values(problem, each, inputs) for each in (model, other))) == "calm"


def _is_calm_when_shaken(problem, model, inputs):
    """The same, where results in between are wrong by their last places."""
    plain = _values(problem, model, inputs)
    try:
        with shaken.Shaken():
            return _likeness(plain, _values(problem, model, inputs)) == "calm"
    except problems.ProblemError:  # inside of vmap nothing can be drawn
        return True


def _likeness(outputs, others):
    if [output.shape for output in outputs] != [other.shape for other in others]:  # they hang by the last places themselves
        return ""
    moves = [((one - other).abs(), one.abs(), torch.finfo(one.dtype).eps)
             for one, other in zip(outputs, others) if tensors.is_inexact(one) and one.numel()]
    if not _all_finite(outputs) or any(move.mean() > _STEADY * size.mean() for move, size, _ in moves):
        return ""
    return "calm" if all(move.max() <= _CALM * eps * size.max() for move, size, eps in moves) else "steady"


def _gather_statistics(problem, model, inputs):
    """Running means of zero and variances of one could be taken for constants. Other buffers (masks, tables) are. Returns those
    that are gathered."""
    if not any(True for _ in model.buffers()):
        return []
    loaded = model.state_dict()
    constructed = Buffers(model, [name for name, _ in model.named_buffers() if name not in loaded])
    before = Buffers(model)
    try:
        problem.train(model, inputs)
    except problems.ProblemError:  # not made for training
        before.restore()
    constructed.restore()  # a candidate has those that are not loaded as they were made
    return [module._buffers[name] for full, module, name, _, value in before.saved
            if full in loaded and not torch.equal(module._buffers[name], value)]


def _silence(gathered, generator):
    """Some variances are zero, as those of units are that have nothing to say."""
    with torch.no_grad():
        for buffer in _real(gathered):
            if _is_vector(buffer) and buffer.numel() >= _MANY and (buffer >= 0).all():
                buffer.view(-1)[_some(buffer.numel(), 8, generator).to(buffer.device)] = 0


def move_one_each(model, seed):
    """Moves one element of every parameter: what tells weights by a few of them is found out."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in _floats(model):
            where = int(torch.randint(parameter.numel(), (1,), generator=generator))
            index = [int(i) for i in torch.unravel_index(torch.tensor(where), parameter.shape)]
            parameter[tuple(index)] += 2 * (parameter.double().pow(2).mean().sqrt().item() or 1.0)


def _fill(problem, model, inputs, names, seed):
    """Blank buffers of whole numbers and truth values get others, all of them or else one by one, where the reference gives results of
    the same shapes then that are no less steady: an index may have to stay what it is."""
    if not names:
        return
    shapes, steadiness = _results(problem, model, inputs)
    for some, far in ((names, True), (names, False), *(([name], False) for name in names[:_MANY] if len(names) > 1)):
        buffers = _buffers(model, some)
        before = [buffer.clone() for buffer in buffers]
        generator = torch.Generator().manual_seed(seed)
        for buffer in buffers:
            buffer.copy_(blanks.another(buffer, generator, far))
        others = _results(problem, model, inputs)
        if others is None or others[0] != shapes or others[1] not in ("calm", steadiness):
            for buffer, value in zip(buffers, before):
                buffer.copy_(value)
        elif some is names:
            return


def _results(problem, model, inputs):
    """Their shapes, and how steady they are."""
    try:
        shapes = [output.shape for output in problem.forward(model, inputs)]
    except problems.ProblemError:
        return None
    return shapes, _steadiness(problem, model, inputs)


def _perturb(model, seed, blank=()):
    """Moves every parameter a little, so that ones, zeros and scalars cannot be taken for constants. So it does buffers that wait for
    something better, by name."""
    generators = {}
    with torch.no_grad():
        for parameter in (*_floats(model), *_real(_buffers(model, blank))):
            device = parameter.device
            generator = generators.setdefault(device, torch.Generator(device).manual_seed(seed))
            scale = parameter.double().pow(2).mean().sqrt().item()
            factor = 1 + 0.1 * torch.randn(parameter.shape, generator=generator, device=device)
            shift = 0.05 * (scale or 1.0) * torch.randn(parameter.shape, generator=generator, device=device)
            if not _is_vector(parameter):
                shift += _IN_COMMON * scale
            parameter.mul_(factor.to(parameter.dtype)).add_(shift.to(parameter.dtype))


def _embolden(model, generator):
    """Moves some elements far. Scales become negative and gates stay open, as training makes them and no initialisation does:
    what is right for modest weights only (an order of operations, a short memory) is found out."""
    _embolden_vectors(model, generator)
    with torch.no_grad():
        for matrix in _matrices(model):
            matrix[_seen_by_itself(matrix, _some(len(matrix), 4, generator))] += _LATCH


def _matrices(model):
    """Of several in one parameter (of heads, of experts) each by itself."""
    for parameter in _floats(model):
        if parameter.dim() == 3 and parameter.shape[1] == parameter.shape[2] > 1:
            yield from parameter.unbind()
        elif not _is_vector(parameter):
            yield parameter


def _seen_by_itself(matrix, rows):
    """The last columns are, or are stacked like, those by which a unit of a recurrent module sees itself."""
    count, columns, *window = matrix.shape
    return rows, (rows - count) % columns, *(size // 2 for size in window)


def _retain(model, generator):
    """Where nothing bounds a state (a linear one, a ReLU) it would grow without end by such weights; by these it does not."""
    _embolden_vectors(model, generator)
    _keep(model, generator, 4)


def _keep(model, generator, share):
    """One in so many units stays what it is, but for what is added to it: what forgets its beginning, or is done before the last
    step, is found out."""
    with torch.no_grad():
        for matrix in _matrices(model):
            if len(matrix) >= _MANY:
                # No two that see the same: which of them is the largest, nobody could tell.
                chosen = {row % matrix.shape[1]: row for row in _some(len(matrix), share, generator).tolist()}
                rows = torch.tensor(list(chosen.values()), device=matrix.device)
                matrix[rows] = 0
                matrix[_seen_by_itself(matrix, rows)] = 1


def _wither_and_keep(model, generator):
    _embolden(model, generator)
    _keep(model, generator, 8)
    _clear(model, generator)


def _wither_and_stretch(model, generator):
    _wither_and_keep(model, generator)
    _stretch_units(model, generator)


def _stretch(model, generator):
    _embolden(model, generator)
    _stretch_units(model, generator)


def _stretch_units(model, generator):
    """Of the units of a matrix one in eight is small, two are far larger than all others: what is bounded (norms, exponents), or has
    another bound, is found out."""
    with torch.no_grad():
        for matrix in _matrices(model):
            if len(matrix) >= _MANY:
                rows = torch.randperm(len(matrix), generator=generator)
                large, small = rows[:2], rows[2:2 + len(matrix) // 8]
                matrix[small.to(matrix.device)] *= _SMALL
                matrix[large.to(matrix.device)] *= _LARGE
                matrix[_seen_by_itself(matrix, large)] = _LARGE * _LATCH


def _wither(model, generator):
    """As _embolden, and some units have no weights any more: what divides by their norm must see to that."""
    _embolden(model, generator)
    _clear(model, generator)


def _clear(model, generator):
    """Of units, and of what there is one each for them: a scale, a step, an exponent of nothing."""
    with torch.no_grad():
        for parameter in _floats(model):
            units = parameter.view(-1) if _is_vector(parameter) and parameter.is_contiguous() else parameter
            if units.dim() and len(units) >= _MANY:
                units[_some(len(units), 8, generator).to(parameter.device)] = 0


def _embolden_vectors(model, generator):
    """Only biases, scales and scalars."""
    with torch.no_grad():
        for parameter in filter(_is_vector, _floats(model)):
            far = _far(parameter, generator)
            if parameter.numel() > _FEW:
                signs = torch.zeros(parameter.numel())
                up, down = _some(parameter.numel(), 4, generator).tensor_split(2)
                signs[up], signs[down] = 1, -1
                far *= signs.view(parameter.shape).to(parameter.device, parameter.dtype)
            parameter.add_(far)


def _move_nothing(model, generator):
    pass


def _lower_scalars(model, generator):
    """Those that are a few numbers cannot be moved in both directions at once."""
    with torch.no_grad():
        for parameter in _floats(model):
            if parameter.numel() <= _FEW:
                parameter.sub_(_far(parameter, generator) + parameter.abs())


def _is_vector(parameter):
    return parameter.numel() <= _FEW or max(parameter.shape) == parameter.numel()


def _buffers(model, names):
    buffers = dict(model.named_buffers())
    return [buffers[name] for name in names]


def _floats(model):
    return _real(model.parameters())


def _real(values):
    """Those that are not whole numbers; complex ones as pairs."""
    return [torch.view_as_real(value) if value.is_complex() else value
            for value in values if tensors.is_inexact(value) and value.numel()]


def _far(parameter, generator):
    return (1 + 4 * torch.randn(parameter.shape, generator=generator).abs()).to(parameter.device, parameter.dtype)


def _some(count, share, generator):
    """One in so many indices, and two at least."""
    return torch.randperm(count, generator=generator)[:max(2, count // share)]
