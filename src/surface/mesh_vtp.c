/* A mesh as VTK's XML poly data, as ParaView reads it: points with normals and
 * values, and triangles as polygons. */
#include "format/point.h"
#include "format/vtp.h"
#include "surface/mesh_write.h"

static void put_floats(rill_vtp_file *file, const char *name, const float *data, size_t count, uint32_t lanes)
{
    if (!rill_vtp_array(file, name, RILL_SCALAR_F32, count, lanes, "")) return;
    rill_store_write(file->store, data, sizeof *data * lanes * count);
}

static void put_points(rill_vtp_file *file, const rill_mesh *mesh, rill_vec3 origin)
{
    if (!rill_vtp_array(file, "Points", rill_point_type(origin), mesh->vertex_count, 3, "")) return;
    for (size_t i = 0; i < mesh->vertex_count; i++) rill_point_write(file->store, origin, mesh->position + 3 * i);
}

/* The corners of all triangles, then where each triangle ends among them; both as short as the counts allow. */
static void put_triangles(rill_vtp_file *file, const rill_mesh *mesh)
{
    const size_t corners = 3 * mesh->triangle_count;
    const bool wide = corners > INT32_MAX || mesh->vertex_count > INT32_MAX;
    const rill_scalar type = wide ? RILL_SCALAR_I64 : RILL_SCALAR_I32;
    const size_t size = rill_scalar_size(type);
    if (rill_vtp_array(file, "connectivity", type, corners, 1, "")) {
        if (!wide) rill_store_write(file->store, mesh->triangle, size * corners);
        for (size_t i = 0; wide && i < corners; i++) {
            const int64_t number = mesh->triangle[i];
            rill_store_write(file->store, &number, sizeof number);
        }
    }
    if (!rill_vtp_array(file, "offsets", type, mesh->triangle_count, 1, "")) return;
    for (size_t i = 1; i <= mesh->triangle_count; i++) {
        const int64_t end = 3 * (int64_t)i;
        rill_store_write(file->store, &end, size); /* little-endian: the low half */
    }
}

static void put_all(rill_vtp_file *file, const rill_mesh *mesh, rill_vec3 origin)
{
    rill_vtp_say(file,
                 "    <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\""
                 " NumberOfPolys=\"%zu\">\n      <PointData%s>\n",
                 mesh->vertex_count, mesh->triangle_count, mesh->normal ? " Normals=\"Normals\"" : "");
    if (mesh->normal) put_floats(file, "Normals", mesh->normal, mesh->vertex_count, 3);
    for (uint32_t i = 0; i < mesh->value_count; i++)
        put_floats(file, mesh->values[i].name, mesh->values[i].data, mesh->vertex_count, mesh->values[i].lanes);
    rill_vtp_say(file, "      </PointData>\n      <Points>\n");
    put_points(file, mesh, origin);
    rill_vtp_say(file, "      </Points>\n      <Polys>\n");
    put_triangles(file, mesh);
    rill_vtp_say(file, "      </Polys>\n    </Piece>\n");
}

void rill_mesh_write_vtp(rill_store *store, const rill_mesh *mesh, rill_vec3 origin)
{
    rill_vtp_file file = rill_vtp_begin(store);
    put_all(&file, mesh, origin);
    rill_vtp_open_raw(&file);
    put_all(&file, mesh, origin);
    rill_vtp_end(&file);
}
