"""Builds as pages: one HTML file per build that shows it in three dimensions, with its verdicts, from disk.

:func:`page` makes the text of a page from builds, verdicts and numbers per block. It reads no file but those that lie
beside this one and gives the same text for the same input.
"""

from minece.viewer.content import MOST_BLOCKS as MOST_BLOCKS
from minece.viewer.content import Field as Field
from minece.viewer.content import Turn as Turn
from minece.viewer.page import page as page
from minece.viewer.pages import Pages as Pages
from minece.viewer.stresses import stress_fields as stress_fields

__all__ = ["MOST_BLOCKS", "Field", "Pages", "Turn", "page", "stress_fields"]
