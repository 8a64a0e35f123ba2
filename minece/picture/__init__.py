"""Builds as pictures: painted by numbers such as stress, seen from above a corner, drawn by numpy alone."""

from minece.picture.drawing import Marks as Marks
from minece.picture.drawing import draw as draw
from minece.picture.files import Pictures as Pictures
from minece.picture.png import png as png

__all__ = ["Marks", "Pictures", "draw", "png"]
