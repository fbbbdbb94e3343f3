"""Poisson's equation on three meshes by dolfinx and PETSc, which asks MPI for no more than
MPI_THREAD_FUNNELED when it comes first. PT-Scotch divides the meshes among the ranks, in two threads
that call collectives at once. Prints what each solution comes to."""
import petsc4py

petsc4py.init()
from petsc4py import PETSc
from mpi4py import MPI
import dolfinx
import numpy
import ufl

world = MPI.COMM_WORLD


def solve(mesh, degree):
    space = dolfinx.fem.FunctionSpace(mesh, ("CG", degree))
    mesh.topology.create_connectivity(mesh.topology.dim - 1, mesh.topology.dim)
    boundary = dolfinx.mesh.exterior_facet_indices(mesh.topology)
    fixed = dolfinx.fem.dirichletbc(
        PETSc.ScalarType(0),
        dolfinx.fem.locate_dofs_topological(space, mesh.topology.dim - 1, boundary), space)
    u, v, x = ufl.TrialFunction(space), ufl.TestFunction(space), ufl.SpatialCoordinate(mesh)
    form = ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx
    load = ufl.inner(ufl.sin(3 * x[0]) * x[1], v) * ufl.dx
    problem = dolfinx.fem.petsc.LinearProblem(
        form, load, bcs=[fixed],
        petsc_options={"ksp_type": "cg", "pc_type": "jacobi", "ksp_rtol": 1e-12})
    found = problem.solve()
    square = dolfinx.fem.assemble_scalar(dolfinx.fem.form(ufl.inner(found, found) * ufl.dx))
    return numpy.sqrt(world.allreduce(square, op=MPI.SUM))


meshes = [
    ("square", dolfinx.mesh.create_unit_square(world, 60, 60), 1),
    ("square, quadratic", dolfinx.mesh.create_unit_square(world, 40, 40), 2),
    ("cube", dolfinx.mesh.create_unit_cube(world, 12, 12, 12), 1),
]
for name, mesh, degree in meshes:
    norm = solve(mesh, degree)
    cells = mesh.topology.index_map(mesh.topology.dim).size_global
    if world.rank == 0:
        print(f"poisson {name}: cells {cells} norm {abs(norm):.9f}", flush=True)
