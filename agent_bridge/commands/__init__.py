"""Programs as lists of commands in JSON: the form for builders that plan all before they build.

A program is ``{"schema": "minece-commands/1", "do": [command, …]}``, or the bare list. A command is an object with one
verb, whose value says where: cells of the plot as ``[x, y, z]`` (x east, y up from the ground plane, z south), two
of them for the opposite corners of a box, both in it, in any order.

==========  =====================  =================================================================================
verb        where                  with
==========  =====================  =================================================================================
``place``   a cell                 ``block``; ``on``: the side at which the neighbour to click lies
``fill``    two corners            ``block``: in every cell
``box``     two corners            ``block``: in floor, walls and roof; ``"hollow": false`` fills it
``line``    two cells              ``block``: from the one to the other, the straightest way, also aslant
``remove``  a cell or two corners  nothing; takes away whatever is there, soil too
``copy``    two corners            ``to``: the low corner of the copy; ``mirror``: "x" exchanges east and west, "z"
                                   north and south; ``turn``: then 0 to 3 quarter turns clockwise seen from above
==========  =====================  =================================================================================

``block`` is an id or a state (``oak_stairs[facing=east]``); ``air`` removes. Blocks are placed as a player places
them: where that cannot be, the cell is refused and the rest goes on. Every command may have ``"exact": true``: its
cells then get exactly their states, nothing is clicked and nothing joins.

Cells are taken in snake order (see :mod:`minece.tasks.paths`), from the end nearest to the cell before. A copy holds
what stood there before it began; its empty cells change nothing, and what finds no hold yet is tried again after the
rest. By hand, what follows from neighbours (the arms of fences, the corners of stairs) follows from the new ones.

A list is read whole before anything is built: a mistake in it is a :class:`~minece.agent_bridge.errors.ProgramError`
that names the entry, counted from 1.
"""

from minece.agent_bridge.commands.reading import Command, read_commands
from minece.agent_bridge.commands.running import run_commands

__all__ = ["Command", "read_commands", "run_commands"]
