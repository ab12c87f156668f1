#!/usr/bin/env python3
"""Made the snapshots of this folder, with h5py, an implementation of none of our code: bodies as GADGET-4 and SWIFT write
them. Not run by tests, which read what it made.

    tests/snapshots/make.py        gadget.hdf5, swift.hdf5, parts.0.hdf5, parts.1.hdf5, comoving.hdf5, unknown.hdf5,
                               sparse.hdf5, unwritten.hdf5

Values are small fractions, exact in 32 bits: body i of a file has x = i, y = i / 2, z = -i, vx = i / 4, vy = 1, vz = 0.
"""
import pathlib

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def write_kind(file, kind, first, n, masses=None, width="f4", extra=()):
    i = np.arange(first, first + n)
    group = file.create_group(f"PartType{kind}")
    group["Coordinates"] = np.column_stack([i, i / 2, -i]).astype(width)
    group["Velocities"] = np.column_stack([i / 4, np.ones(n), np.zeros(n)]).astype("f4")
    group["ParticleIDs"] = (1000 + i).astype("u4" if width == "f4" else "u8")
    if masses is not None:
        group["Masses"] = np.asarray(masses, width)
    for name in extra:
        group[name] = np.zeros(n, "f4")


def write_header(file, counts, totals=None, files=1, masses=None, time=0.5):
    header = file.create_group("Header")
    header.attrs["NumPart_ThisFile"] = np.array(counts, "u4")
    header.attrs["NumPart_Total"] = np.array(totals or counts, "u8")
    header.attrs["MassTable"] = np.array(masses or [0.0] * len(counts))
    header.attrs["Time"], header.attrs["Redshift"], header.attrs["BoxSize"] = time, 0.0, 100.0
    header.attrs["NumFilesPerSnapshot"] = np.int32(files)


def write_parameters(file, gravity=0.0, comoving=0):
    parameters = file.create_group("Parameters")
    parameters.attrs["GravityConstantInternal"] = gravity
    parameters.attrs["UnitLength_in_cm"] = 3.085678e21
    parameters.attrs["UnitMass_in_g"] = 1.989e43
    parameters.attrs["UnitVelocity_in_cm_per_s"] = 1e5
    parameters.attrs["ComovingIntegrationOn"] = np.int32(comoving)
    parameters.attrs["InitCondFile"] = np.bytes_("./galaxy.dat")


def gadget():
    """Four of halo, whose mass the table has, and three of disk with masses of their own; G follows from the units."""
    with h5py.File(HERE / "gadget.hdf5", "w") as file:
        write_header(file, [0, 4, 3, 0, 0, 0], masses=[0, 0.25, 0, 0, 0, 0])
        write_parameters(file)
        write_kind(file, 1, 0, 4)
        write_kind(file, 2, 4, 3, [0.5, 0.125, 0.0625])


def swift():
    """Seven kinds, attributes that are arrays of one, names that are links, groups that others ignore."""
    with h5py.File(HERE / "swift.hdf5", "w") as file:
        header = file.create_group("Header")
        counts = np.array([2, 3, 0, 0, 1, 0, 0])
        header.attrs["NumPart_ThisFile"] = counts.astype("i8")
        header.attrs["NumPart_Total"] = counts.astype("u4")
        header.attrs["NumPart_Total_HighWord"] = np.zeros(7, "u4")
        header.attrs["MassTable"] = np.zeros(7)
        header.attrs["Time"], header.attrs["BoxSize"] = np.array([0.5]), np.array([8.0, 8.0, 8.0])
        header.attrs["NumFilesPerSnapshot"] = np.array([1], "i4")
        header.attrs["Code"] = np.bytes_("SWIFT")
        units = file.create_group("Units")
        for name, value in (("length", ("U_L", 3.08567758e24)), ("mass", ("U_M", 1.98841e43)),
                            ("time", ("U_t", 3.08567758e19)), ("current", ("U_I", 1)), ("temperature", ("U_T", 1))):
            units.attrs[f"Unit {name} in cgs ({value[0]})"] = np.array([value[1]], float)
        file.create_group("PhysicalConstants/CGS").attrs["newton_G"] = np.array([6.6743e-8])
        file.create_group("Cosmology").attrs["Cosmological run"] = np.array([0], "i4")
        file.create_group("Cells")["Counts"] = np.zeros((4, 7), "i8")
        write_kind(file, 0, 0, 2, [1, 2], "f8", ("Densities", "SmoothingLengths"))
        write_kind(file, 1, 2, 3, [3, 4, 5], "f8")
        write_kind(file, 4, 5, 1, [6], "f8")
        file["GasParticles"] = h5py.SoftLink("/PartType0")
        dataset = file["PartType1"].create_dataset("Softenings", data=np.ones(3, "f4"), compression="gzip", shuffle=True)
        dataset.attrs["U_L exponent"] = 1.0


def parts():
    """One snapshot in two files, both with halo and disk; the constant is stated."""
    for part in range(2):
        with h5py.File(HERE / f"parts.{part}.hdf5", "w") as file:
            write_header(file, [0, 2, 1, 0, 0, 0], [0, 4, 2, 0, 0, 0], 2, [0, 1, 0, 0, 0, 0])
            write_parameters(file, gravity=2.0)
            write_kind(file, 1, 2 * part, 2)
            write_kind(file, 2, 4 + part, 1, [0.5 + part])


def comoving():
    with h5py.File(HERE / "comoving.hdf5", "w") as file:
        write_header(file, [0, 2, 0, 0, 0, 0], time=1.0)
        write_parameters(file, comoving=1)
        write_kind(file, 1, 0, 2, [1, 1])


def unknown():
    """No units, no constant."""
    with h5py.File(HERE / "unknown.hdf5", "w") as file:
        write_header(file, [0, 2, 0, 0, 0, 0])
        write_kind(file, 1, 0, 2, [1, 1])


def sparse(name="sparse.hdf5", written=1):
    """A hundred million bodies by their header, of which a chunk is written, or nothing."""
    n = 100_000_000
    with h5py.File(HERE / name, "w") as file:
        write_header(file, [0, n, 0, 0, 0, 0])
        write_parameters(file, gravity=1.0)
        group = file.create_group("PartType1")
        for values in ("Coordinates", "Velocities"):
            data = group.create_dataset(values, (n, 3), "f4", chunks=(16, 3) if written else None)
            if written:
                data[:16] = 1
        for values, width in (("Masses", "f4"), ("ParticleIDs", "u4")):
            group.create_dataset(values, (n,), width, chunks=(16,) if written else None)


def unwritten():
    sparse("unwritten.hdf5", written=0)


if __name__ == "__main__":
    for make in (gadget, swift, parts, comoving, unknown, sparse, unwritten):
        make()
