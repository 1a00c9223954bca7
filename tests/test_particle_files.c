/* Particles from files: as other programs write them, in every encoding, and
 * files that are torn, wrong or hostile, which give one sentence. label: small, one thread */
#include "surface_files.h"

#include <zlib.h>

#include "scenes.h"

/* ---- particles as text ---- */

static void read_text(const char *path, const char *text, rill_particles *p)
{
    file_put(path, text, strlen(text));
    read_good(path, p);
}

/* Two particles, at (1, 2, 3) and (-0.4, 50, 6e-3). */
static void check_two(const rill_particles *p)
{
    static const float expected[6] = {1, 2, 3, -0.4f, 50, 6e-3f};
    assert_int_equal(p->count, 2);
    assert_memory_equal(p->position, expected, sizeof expected);
}

static void test_text(void **state)
{
    static const struct {
        const char *name, *text, *value; /* value: a name whose first number is 7, or NULL */
    } good[] = {
        {"a.xyz", "1 2 3\n-0.4 50 6e-3\n", NULL},
        {"a.xyz", "2\n\n1 2 3\n-0.4 50 6e-3", NULL},
        {"a.xyz", "2\nwater, frame 1\nO 1 2 3 7\nO -.4 5.0e+1 +0.006 8\n\n", "column_5"},
        {"a.xyz", "# made by hand\r\n1\t2\t3\t7\r\n-0.4 50 6D-03 8\r\n", "column_4"},
        {"a.xyz", "x y z rho\n1, 2, 3, 7\n-0.4, 50, 6e-3, 8\n", "rho"},
        {"a.csv", "x,y,z\n1,2,3\n-0.4,50,6e-3\n", NULL},
        {"a.CSV", "\xef\xbb\xbf\"Points:0\",\"Points:1\",\"Points:2\",\"rho, kg\"\n1,2,3,7\n-0.4,50,6e-3,\n",
         "rho, kg"},
        {"a.csv", "rho,Points_0,Points_1,Points_2\n7,1,2,3\n8,-0.4,50,6e-3\n", "rho"},
        {"a.csv", "# a remark\n# position_x; position_y; position_z; p\n1;2;3;7\n\n-0.4;50;6e-3;nan\n", "p"},
        {"a.csv", "Pos.x [m],Pos.y [m],Pos.z [m],Press [Pa]\n1,2,3,7\n-0.4,50,6e-3,8\n", "Press"},
        {"a.csv", "kind\tX\tY\tZ\tm\n\"wa\tter\"\t1\t2\t3\t7\nice\t-0.4\t50\t6e-3\t8\n", "m"},
        {"a.csv", "x,y,z,q,\n1,2,3,7,\n-0.4,50,6e-3,8,\n", "q"},
        {"a.csv", "X Y Z q\n1 2 3 7\n-0.4  50 6e-3 8\n", "q"},
        {"a.ply", "ply\nformat ascii 1.0\ncomment x\nelement vertex 2\nproperty float x\nproperty float y\n"
                  "property float z\nend_header\n1 2 3\n-0.4 50 6e-3\n", NULL},
        {"a.ply", "ply\r\nformat ascii 1.0\r\nelement face 2\r\nproperty list uchar int vertex_indices\r\n"
                  "element vertex 2\r\nproperty double z\r\nproperty int8 w\r\nproperty list uint8 float more\r\n"
                  "property float32 y\r\nproperty uint16 x\r\nelement tail 1\r\nproperty int a\r\nend_header\r\n"
                  "3 0 1 1\r\n4 0 1 1 0\r\n3 7 0 2 1\r\n6e-3 -8 2 1 1 50 -0.4\r\n9\r\n", "w"},
        {"a.vtp", "<?xml version='1.0'?><!-- a > b --><VTKFile type='PolyData'><PolyData><FieldData><DataArray "
                  "type='Float64' Name='t' format='ascii'>1</DataArray></FieldData>"
                  "<Piece NumberOfPoints='1'><PointData><DataArray type='Int16' Name='k' format='ascii'> 7 </DataArray>"
                  "<DataArray type='String' Name='s'>no</DataArray></PointData>"
                  "<CellData><DataArray type='Int16' Name='c' format='ascii'>5 5</DataArray></CellData>"
                  "<Points><DataArray type='Float32' NumberOfComponents='3' format='ascii'>\n1 2\n3</DataArray>"
                  "</Points>"
                  "</Piece><Piece NumberOfPoints='0'/><Piece NumberOfPoints='1'><Points><DataArray type='Float64' "
                  "NumberOfComponents='3' format='ascii'>-0.4 50 6e-3</DataArray></Points><PointData><DataArray "
                  "type='Float32' Name='k' format='ascii'>8</DataArray></PointData></Piece></PolyData></VTKFile>", "k"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        rill_particles p;
        read_text(path_of(*state, good[i].name), good[i].text, &p);
        check_two(&p);
        assert_int_equal(p.value_count, good[i].value ? 1 : 0);
        if (good[i].value) assert_true(value_of(&p, good[i].value)->data[0] == 7);
        rill_particles_free(&p);
    }
}

/* Columns that belong together come back as one value. */
static void test_vectors(void **state)
{
    rill_particles p;
    read_text(path_of(*state, "a.csv"),
              "x,y,z,vx,vy,vz,force:0,force:1,force:2,a0,a1,a2,u_x,u_y,w_z\n0,0,0,1,2,3,4,5,6,7,8,9,10,11,12\n", &p);
    assert_int_equal(p.value_count, 8);
    const rill_values *v = value_of(&p, "velocity"), *f = value_of(&p, "force");
    assert_true(v->lanes == 3 && v->data[0] == 1 && v->data[2] == 3);
    assert_true(f->lanes == 3 && f->data[0] == 4 && f->data[2] == 6);
    assert_true(value_of(&p, "a1")->data[0] == 8 && value_of(&p, "w_z")->data[0] == 12);
    rill_particles_free(&p);
}

/* ---- particles as bytes ---- */

enum { BIG = 1, BASE64 = 2, SHRUNK = 4, WIDE = 8, INLINE = 16 };

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static void add(bytes *b, const void *data, size_t size, bool turn)
{
    b->data = realloc(b->data, b->size + size + 1);
    for (size_t i = 0; i < size; i++) b->data[b->size + i] = ((const char *)data)[turn ? size - 1 - i : i];
    b->size += size;
    b->data[b->size] = '\0';
}

static void say(bytes *b, const char *text)
{
    add(b, text, strlen(text), false);
}

static void add_base64(bytes *b, const bytes *from)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < from->size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (i + k < from->size ? (unsigned char)from->data[i + k] : 0);
        char group[4];
        for (int k = 0; k < 4; k++) group[k] = letters[bits >> (18 - 6 * k) & 63];
        for (size_t k = from->size - i; k < 3; k++) group[k + 1] = '=';
        add(b, group, 4, false);
    }
}

static void add_length(bytes *b, uint64_t length, int how)
{
    const uint32_t narrow = (uint32_t)length;
    if (how & WIDE) add(b, &length, 8, how & BIG);
    else add(b, &narrow, 4, how & BIG);
}

/* An array as VTK writes it; blocks of 1000 bytes when it is shrunk. */
static void add_array(bytes *b, const float *numbers, size_t count, int how)
{
    bytes head = {0}, data = {0}, raw = {0};
    for (size_t i = 0; i < count; i++) add(&raw, numbers + i, 4, how & BIG);
    if (how & SHRUNK) {
        const size_t blocks = (raw.size + 999) / 1000;
        add_length(&head, blocks, how);
        add_length(&head, 1000, how);
        add_length(&head, raw.size % 1000, how);
        for (size_t i = 0; i < blocks; i++) {
            const size_t part = raw.size - 1000 * i < 1000 ? raw.size - 1000 * i : 1000;
            unsigned char block[1200];
            uLongf size = sizeof block;
            assert_int_equal(compress(block, &size, (unsigned char *)raw.data + 1000 * i, part), Z_OK);
            add_length(&head, size, how);
            add(&data, block, size, false);
        }
    } else {
        add_length(&data, raw.size, how); /* in one stream with the data */
        add(&data, raw.data, raw.size, false);
    }
    if (how & BASE64) {
        add_base64(b, &head);
        add_base64(b, &data);
    } else {
        if (head.size) add(b, head.data, head.size, false);
        add(b, data.data, data.size, false);
    }
    free(head.data);
    free(data.data);
    free(raw.data);
}

enum { POINTS = 250 };

static void cloud_make(float *x, float *v)
{
    for (int i = 0; i < 3 * POINTS; i++) {
        x[i] = sinf((float)i);
        v[i] = i % 7 ? 0 : cosf((float)i);
    }
}

static bytes vtp_make(int how)
{
    static float x[3 * POINTS], v[3 * POINTS];
    bytes b = {0}, raw = {0};
    char text[400];
    const char *format = how & INLINE ? "format=\"binary\"" : "format=\"appended\" offset=";
    cloud_make(x, v);
    snprintf(text, sizeof text,
             "<VTKFile type=\"PolyData\" byte_order=\"%s\"%s%s>\n<PolyData>\n<Piece NumberOfPoints=\"%d\">\n",
             how & BIG ? "BigEndian" : "LittleEndian", how & WIDE ? " header_type=\"UInt64\"" : "",
             how & SHRUNK ? " compressor=\"vtkZLibDataCompressor\"" : "", POINTS);
    say(&b, text);
    say(&b, "<PointData>\n<DataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\" ");
    say(&b, format);
    say(&b, how & INLINE ? ">\n  " : "\"0\"/>\n");
    add_array(how & INLINE ? &b : &raw, v, 3 * POINTS, how);
    say(&b, how & INLINE ? "\n</DataArray>\n" : "");
    say(&b, "</PointData>\n<Points>\n<DataArray type=\"Float32\" NumberOfComponents=\"3\" ");
    say(&b, format);
    snprintf(text, sizeof text, "\"%zu\"/>\n", raw.size);
    say(&b, how & INLINE ? ">" : text);
    add_array(how & INLINE ? &b : &raw, x, 3 * POINTS, how);
    say(&b, how & INLINE ? "</DataArray>\n" : "");
    say(&b, "</Points>\n</Piece>\n</PolyData>\n");
    if (!(how & INLINE)) {
        say(&b, how & BASE64 ? "<AppendedData encoding=\"base64\">\n _" : "<AppendedData encoding=\"raw\">\n _");
        add(&b, raw.data, raw.size, false);
        say(&b, "\n</AppendedData>\n");
    }
    say(&b, "</VTKFile>\n");
    free(raw.data);
    return b;
}

static bytes ply_make(bool big)
{
    static float x[3 * POINTS], v[3 * POINTS];
    bytes b = {0};
    cloud_make(x, v);
    say(&b, "ply\nformat ");
    say(&b, big ? "binary_big_endian 1.0\n" : "binary_little_endian 1.0\n");
    say(&b, "element face 1\nproperty list uchar int vertex_indices\nelement vertex 250\nproperty ushort k\n"
            "property double x\nproperty list uchar short some\nproperty float vx\nproperty float vy\n"
            "property float vz\nproperty double y\nproperty float z\nend_header\n");
    const unsigned char corners = 3, few = 2;
    const int32_t face[3] = {0, 1, 2};
    add(&b, &corners, 1, false);
    for (int i = 0; i < 3; i++) add(&b, &face[i], 4, big);
    for (int i = 0; i < POINTS; i++) {
        const uint16_t k = (uint16_t)(40000 + i);
        const double wide[2] = {x[3 * i], x[3 * i + 1]};
        add(&b, &k, 2, big);
        add(&b, &wide[0], 8, big);
        add(&b, &few, 1, false);
        add(&b, &k, 2, big);
        add(&b, &k, 2, big);
        for (int j = 0; j < 3; j++) add(&b, &v[3 * i + j], 4, big);
        add(&b, &wide[1], 8, big);
        add(&b, &x[3 * i + 2], 4, big);
    }
    return b;
}

static void check_cloud(const rill_particles *p)
{
    static float x[3 * POINTS], v[3 * POINTS];
    cloud_make(x, v);
    assert_int_equal(p->count, POINTS);
    assert_memory_equal(p->position, x, sizeof x);
    assert_int_equal(value_of(p, "velocity")->lanes, 3);
    assert_memory_equal(value_of(p, "velocity")->data, v, sizeof v);
}

static void test_vtp_encodings(void **state)
{
    const char *path = path_of(*state, "a.vtp");
    for (int how = 0; how < 32; how++) {
        rill_particles p;
        if ((how & INLINE) && !(how & BASE64)) continue;
        bytes b = vtp_make(how);
        file_put(path, b.data, b.size);
        read_good(path, &p);
        check_cloud(&p);
        rill_particles_free(&p);
        free(b.data);
    }
}

static void test_ply_encodings(void **state)
{
    const char *path = path_of(*state, "a.ply");
    for (int big = 0; big < 2; big++) {
        rill_particles p;
        bytes b = ply_make(big);
        file_put(path, b.data, b.size);
        read_good(path, &p);
        check_cloud(&p);
        assert_true(value_of(&p, "k")->data[9] == 40009);
        assert_int_equal(p.value_count, 2);
        rill_particles_free(&p);
        free(b.data);
    }
}

/* What `rill export` writes, with positions in double precision and gaps between records. */
static void test_exported(void **state)
{
    static const char *const names[] = {[RILL_EXPORT_VTP] = "a.vtp", [RILL_EXPORT_PLY] = "a.ply"};
    for (int format = 0; format < 2; format++) {
        sample s = sample_make(300);
        s.frame.state.arrays = s.arrays;
        float *x = s.arrays[1].data, *v = s.arrays[2].data;
        for (int i = 0; i < 300; i++)
            for (int k = 0; k < 3; k++) x[4 * i + k] = 0.25f * (float)(i + k), v[5 * i + k] = (float)i;
        rill_particles p;
        rill_vec3 from;
        const char *path = path_of(*state, names[format]);
        assert_int_equal(rill_export_frame(&s.frame, (rill_export_format)format, path, NULL), RILL_OK);
        assert_int_equal(rill_particles_read_at(path, &p, &from, NULL), RILL_OK);
        assert_int_equal(p.count, 300);
        for (int i = 0; i < 300; i++) {
            assert_true(from.y + p.position[3 * i + 1] == s.frame.origin.y + x[4 * i + 1]);
            assert_memory_equal(value_of(&p, "velocity")->data + 3 * i, v + 5 * i, 12);
            assert_true(value_of(&p, "id")->data[i] == (float)((uint32_t *)s.arrays[0].data)[i]);
        }
        rill_particles_free(&p);
        sample_free(&s);
    }
}

/* ---- files that are wrong ---- */

#define PLY_TOP "ply\nformat ascii 1.0\nelement vertex "
#define PLY_XYZ "\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
#define VTP_TOP "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\""

static void test_wrong_files(void **state)
{
    static const struct {
        const char *name, *text, *says;
    } wrong[] = {
        {"a.stl", "solid", ".ply, .vtp, .xyz or .csv"},
        {"ply", "x", ".ply, .vtp, .xyz or .csv"},
        {"a.xyz", "", "holds no particles"},
        {"a.xyz", "1 2\n", "line 1: a particle needs three numbers"},
        {"a.xyz", "1 2 3\n4 5\n", "line 2: there are 2 numbers where 3 are wanted"},
        {"a.xyz", "1 2 3\n4 five 6\n", "line 2: 'five' is no number"},
        {"a.xyz", "1 2 3\n4 nan 6\n", "line 2: the position is not finite"},
        {"a.xyz", "3\n\n1 2 3\n4 5 6\n", "ends after 2 particles, and its line 1 promises 3"},
        {"a.xyz", "1\nfirst\n1 2 3\n1\nsecond\n1 2 3\n", "line 4"},
        {"a.xyz", "18446744073709551615\n\n1 2 3\n", "promises 18446744073709551614"},
        {"a.csv", "", "no header"},
        {"a.csv", "1,2,3\n", "line 1: there is no header"},
        {"a.csv", "a,b,c\n1,2,3\n", "it has a, b, c"},
        {"a.csv", "x,y,z\n1,2,3\n1,2\n", "line 3: there are 2 numbers"},
        {"a.csv", "x,y,z\n1,,3\n", "line 2: '' is no number (column y)"},
        {"a.csv", "x,y,z,p\n1,2,3,4\n\n1,2,3,4bar\n", "line 4: '4bar' is no number"},
        {"a.csv", "x;y;z\n1,5;2;3\n", "line 2: '1,5' is no number"},
        {"a.ply", "", "no PLY"},
        {"a.ply", "ply\n", "does not end"},
        {"a.ply", "plyfoo\n", "no PLY"},
        {"a.ply", "ply\nformat ascii 1.0\nend_header\n", "no element vertex"},
        {"a.ply", "ply\nelement vertex 0" PLY_XYZ, "names no format"},
        {"a.ply", "ply\nformat morse 1.0\n", "line 2"},
        {"a.ply", PLY_TOP "-1" PLY_XYZ, "line 3"},
        {"a.ply", PLY_TOP "2\nproperty complex x\n", "line 4: 'complex' is no type"},
        {"a.ply", PLY_TOP "2\nproperty float x\nproperty float y\nend_header\n1 2\n3 4\n", "it has x, y"},
        {"a.ply", PLY_TOP "2" PLY_XYZ "1 2 3\n4 5\n", "ends"},
        {"a.ply", PLY_TOP "2" PLY_XYZ "1 2 3\n4 5 x6\n", "line 9: there is no number"},
        {"a.ply", PLY_TOP "2" PLY_XYZ "1 2 3\n4 5 inf\n", "particle 2 is not finite"},
        {"a.ply", PLY_TOP "18446744073709551615" PLY_XYZ "1 2 3\n", "too early"},
        {"a.ply", PLY_TOP "99999999999999999999999" PLY_XYZ "1 2 3\n", "line 3"},
        {"a.ply", "ply\nformat binary_big_endian 1.0\nelement vertex 4000000000" PLY_XYZ "1234", "too early"},
        {"a.ply", "ply\nformat binary_little_endian 1.0\nelement f 1\nproperty list uint int v\nelement vertex 0"
                  PLY_XYZ "\377\377\377\377", "byte"},
        {"a.ply", PLY_TOP "2\nelement vertex 3" PLY_XYZ, "two elements vertex"},
        {"a.vtp", "", "no VTK file"},
        {"a.vtp", "<html></html>", "no VTK file"},
        {"a.vtp", "<VTKFile type=\"UnstructuredGrid\">", "line 1: this is no VTK file of poly data"},
        {"a.vtp", "<VTKFile type=\"PolyData\">\n<PolyData>\n<Piece Number",
         "byte 37: the file ends in the middle of a tag"},
        {"a.vtp", "<VTKFile type=\"PolyData\"></VTKFile>", "no piece"},
        {"a.vtp", VTP_TOP "2\"></Piece></PolyData></VTKFile>", "no points"},
        {"a.vtp", VTP_TOP "two\">", "is no whole number"},
        {"a.vtp", VTP_TOP "2\"><Points><DataArray type=\"Float32\" format=\"ascii\">1 2 3 4 5</DataArray></Points>",
         "ends after 5 of 6"},
        {"a.vtp", VTP_TOP "2\"><Points><DataArray type=\"Float32\" format=\"ascii\">1 2 3 4 5 x</DataArray></Points>",
         "no number"},
        {"a.vtp", VTP_TOP "2\"><Points><DataArray type=\"Float32\" format=\"ascii\" NumberOfComponents=\"2\">1 2 3 4",
         "2 components"},
        {"a.vtp", VTP_TOP "1099511627775\"><Points><DataArray type=\"Float32\" format=\"ascii\">1 2 3",
         "longer than the file"},
        {"a.vtp", VTP_TOP "99\"><Points><DataArray type=\"Float32\" format=\"binary\">!!!!</DataArray></Points>",
         "longer than the file"},
        {"a.vtp", VTP_TOP "2\"><Points><DataArray type=\"Float32\" format=\"binary\">!!!!</DataArray></Points>",
         "ends before its length"},
        {"a.vtp", VTP_TOP "2\"><Points><DataArray type=\"Float32\" format=\"appended\" offset=\"5\"/></Points>",
         "appended data is missing"},
        {"a.vtp", VTP_TOP "2\"><Points><DataArray type=\"Float32\" format=\"appended\" offset=\"9999\"/></Points>"
         "<AppendedData encoding=\"raw\">_1234", "behind the end"},
        {"a.vtp", "<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\"><PolyData>"
         "<Piece NumberOfPoints=\"2\"><Points>"
         "<DataArray type=\"Float32\" format=\"binary\">AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA</DataArray></Points>",
         "vtkLZ4DataCompressor"},
        {"a.vtp", "<VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><PolyData>"
         "<Piece NumberOfPoints=\"99\"><Points><DataArray type=\"Float32\" format=\"ascii\">1 2 3</DataArray></Points>",
         "longer than the file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *path = path_of(*state, wrong[i].name);
        rill_particles p;
        rill_error err = {0};
        file_put(path, wrong[i].text, strlen(wrong[i].text));
        const rill_status status = rill_particles_read(path, &p, &err);
        if (!strstr(err.text, wrong[i].says) || !strstr(err.text, wrong[i].name))
            fail_msg("%s: '%s' does not say '%s'", wrong[i].text, err.text, wrong[i].says);
        check_sentence(&err);
        assert_true(status == RILL_BAD_FILE || status == RILL_BAD_INPUT);
        assert_null(p.position);
    }
    rill_error err;
    rill_particles p;
    assert_int_equal(rill_particles_read(path_of(*state, "nowhere.csv"), &p, &err), RILL_BAD_INPUT);
    check_sentence(&err);
}

/* Whatever a file holds, the reader comes back with particles or a sentence. */
static void check_survives(const char *path, const char *data, size_t size)
{
    rill_particles p;
    rill_error err = {0};
    unlink(path); /* some file systems bring a file that is written over to the disk at once */
    file_put(path, data, size);
    const rill_status status = rill_particles_read(path, &p, &err);
    assert_int_not_equal(status, RILL_NO_MEMORY);
    if (status) check_sentence(&err);
    if (!status) rill_particles_free(&p);
}

static void damage(const char *path, bytes b)
{
    const int rounds = slow_build() ? 60 : 600;
    uint64_t seed = b.size;
    char *copy = malloc(b.size + 1);
    for (int i = 0; i < rounds; i++) {
        check_survives(path, b.data, random_next(&seed) % b.size);
        memcpy(copy, b.data, b.size);
        /* Most of a file is data, most of what can go wrong is in what describes it. */
        const size_t within = i % 2 && b.size > 400 ? 400 : b.size;
        for (uint64_t k = random_next(&seed) % 4; k < 4; k++) {
            static const char hostile[] = "0123456789\"<>/=_ \n\377\200e-,";
            copy[random_next(&seed) % within] = hostile[random_next(&seed) % (sizeof hostile)];
        }
        check_survives(path, copy, b.size);
    }
    free(copy);
    free(b.data);
}

static void test_damaged(void **state)
{
    for (int how = 0; how < 32; how += how & BASE64 ? 5 : 6) damage(path_of(*state, "a.vtp"), vtp_make(how));
    damage(path_of(*state, "a.ply"), ply_make(false));
    damage(path_of(*state, "a.ply"), ply_make(true));
    bytes text = {0};
    say(&text, "x,y,z,p,q\n");
    for (int i = 0; i < 40; i++) say(&text, "1.25,-3e-4,\"5\",6,nan\n");
    damage(path_of(*state, "a.csv"), text);
    text = (bytes){0};
    say(&text, "40\nremark\n");
    for (int i = 0; i < 40; i++) say(&text, "H 1.25 -3e-4 5 6\n");
    damage(path_of(*state, "a.xyz"), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_text, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_vectors, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_vtp_encodings, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_ply_encodings, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_exported, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_wrong_files, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_damaged, folder_make, folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
