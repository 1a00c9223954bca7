/* rill plot: parts of a whole as stacked bars, one stack for each of several things. */
#include <math.h>

#include "plot_parts.h"

static void axes_write(FILE *out, const plot_stacks *stacks)
{
    double most = 0;
    for (size_t i = 0; i < stacks->count; i++) {
        double height = 0;
        for (size_t l = 0; l < stacks->layer_count; l++) height += stacks->heights[i][l];
        most = fmax(most, height);
    }
    fputs("set ylabel ", out);
    plot_text_write(out, stacks->unit);
    fprintf(out, " textcolor '#1a1a1a'\nset yrange [0:%.7g]\nset xrange [-0.6:%zu.6]\n", most > 0 ? 1.06 * most : 1,
            stacks->count - 1);
    fputs("set style data histograms\nset style histogram rowstacked\nset boxwidth 0.6 relative\n"
          "set style fill solid 1.0 noborder\nset format y '%g'\nset border 3 linecolor '#888888' linewidth 1\n"
          "set tics nomirror textcolor '#1a1a1a'\nset grid ytics linetype 1 linecolor '#dddddd' linewidth 1\n"
          "set tmargin at screen 0.79\n"
          "set key at graph 0,1.03 left bottom horizontal Left reverse samplen 1.2 textcolor '#1a1a1a'\n", out);
}

void plot_stacks_write(FILE *out, const void *what, const plot_sheet *sheet)
{
    const plot_stacks *stacks = what;
    plot_sheet_write(out, sheet, stacks->title, stacks->note);
    axes_write(out, stacks);
    fputs("$stacks << END\n", out);
    for (size_t i = 0; i < stacks->count; i++) {
        fprintf(out, "%s", stacks->labels[i]);
        for (size_t l = 0; l < stacks->layer_count; l++) fprintf(out, " %.7g", stacks->heights[i][l]);
        fputc('\n', out);
    }
    fputs("END\nplot ", out);
    for (size_t l = 0; l < stacks->layer_count; l++) {
        fprintf(out, "%s$stacks using %zu%s linecolor '#%06x' title ", l ? ", " : "", l + 2, l ? "" : ":xtic(1)",
                rill_chart_colour(l));
        plot_text_write(out, stacks->layers[l]);
    }
    fputc('\n', out);
}
