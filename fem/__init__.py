"""From voxels to stress: the finite element solver will live here; nothing is in it yet."""
