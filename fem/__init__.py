"""From voxels to stress: what a build bears under its own weight, and how far that is from what it can bear."""

from minece.fem.analysis import analyse_structure, analyse_voxels
from minece.fem.errors import FemError, MaterialError, ModelError, TooLargeError
from minece.fem.from_blocks import analyse
from minece.fem.materials import Material, Profile, find_material, read_profile
from minece.fem.result import Governing, StressResult
from minece.fem.structure import Structure

__all__ = [
    "FemError",
    "Governing",
    "Material",
    "MaterialError",
    "ModelError",
    "Profile",
    "StressResult",
    "Structure",
    "TooLargeError",
    "analyse",
    "analyse_structure",
    "analyse_voxels",
    "find_material",
    "read_profile",
]
