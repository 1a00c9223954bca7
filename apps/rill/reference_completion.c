/* Completion for shells: what goes around the parts of the commands. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "reference_parts.h"
#include "say.h"

/* ---- bash ---- */

static const char bash_opening[] =
    "# Completion of rill for bash, made by 'rill reference completion bash'.\n\n"
    "# Each offers what goes on as the word under the cursor does.\n"
    "_rill_add() {\n"
    "    local found\n"
    "    mapfile -t found\n"
    "    COMPREPLY+=(\"${found[@]}\")\n"
    "}\n"
    "_rill_words() { _rill_add < <(compgen -W \"$1\" -- \"$word\"); }\n"
    "_rill_scenes() { _rill_words \"$(\"$program\" scenes --names 2>/dev/null)\"; }\n"
    "_rill_files() { compopt -o filenames 2>/dev/null; _rill_add < <(compgen -f -- \"$word\"); }\n"
    "_rill_folders() { compopt -o filenames 2>/dev/null; _rill_add < <(compgen -d -- \"$word\"); }\n"
    "# Words with commas between them.\n"
    "_rill_list() {\n"
    "    local last=${word##*,}\n"
    "    compopt -o nospace 2>/dev/null\n"
    "    _rill_add < <(compgen -W \"$1\" -P \"${word%\"$last\"}\" -- \"$last\")\n"
    "}\n\n"
    "_rill() {\n"
    "    local program=$1 word=$2 before=$3\n"
    "    COMPREPLY=()\n"
    "    # Bash takes --name=value for three words.\n"
    "    if [[ $word == = ]]; then word=\n"
    "    elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _rill_words '";

static int bash_print(void)
{
    fputs(bash_opening, stdout);
    for (size_t i = 0; command_at(i); i++) printf("%s ", command_at(i)->name);
    puts("--help --version'\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    reference_commands("bash");
    puts("    esac\n}\ncomplete -F _rill rill");
    return EXIT_FINE;
}

/* ---- zsh ---- */

static const char zsh_opening[] =
    "#compdef rill\n"
    "# Completion of rill for zsh, made by 'rill reference completion zsh'.\n\n"
    "_rill_scenes() {\n"
    "    local -a names\n"
    "    names=(${(f)\"$($rill_program scenes --names 2>/dev/null)\"})\n"
    "    compadd -a names\n"
    "}\n\n"
    "_rill() {\n"
    "    local curcontext=$curcontext state line rill_program=$words[1]\n"
    "    local -A opt_args\n"
    "    _arguments -C '(- *)--version[name the version]' '(- *)--help[list the commands]' \\\n"
    "        '1:command:->command' '*::word:->word'\n"
    "    case $state in\n"
    "    (command)\n"
    "        local -a commands\n"
    "        commands=(\n";

static int zsh_print(void)
{
    fputs(zsh_opening, stdout);
    for (size_t i = 0; command_at(i); i++) {
        printf("            '%s:", command_at(i)->name);
        for (const char *c = command_at(i)->about; *c; c++) printf(*c == '\'' ? "'\\''" : "%c", *c);
        puts("'");
    }
    puts("        )\n        _describe command commands ;;\n    (word)\n        case $words[1] in");
    reference_commands("zsh");
    puts("        esac ;;\n    esac\n}\n\n_rill \"$@\"");
    return EXIT_FINE;
}

/* ---- fish ---- */

static const char fish_opening[] =
    "# Completion of rill for fish, made by 'rill reference completion fish'.\n\n"
    "function __rill_at --description 'Whether the word under the cursor is the one of this number, rill being 0'\n"
    "    test (count (commandline -opc)) -eq $argv[1]\n"
    "end\n"
    "function __rill_in --description 'Whether this is the command'\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
    "end\n"
    "function __rill_scenes --description 'The built-in scenes'\n"
    "    set -l words (commandline -opc)\n"
    "    $words[1] scenes --names 2>/dev/null\n"
    "end\n"
    "function __rill_list --description 'Words with commas between them'\n"
    "    set -l begun (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')\n"
    "    for word in $argv\n"
    "        echo $begun$word\n"
    "    end\n"
    "end\n\n"
    "complete -c rill -f\n"
    "complete -c rill -n '__rill_at 1' -l help -d 'list the commands'\n"
    "complete -c rill -n '__rill_at 1' -l version -d 'name the version'\n";

static int fish_print(void)
{
    fputs(fish_opening, stdout);
    for (size_t i = 0; command_at(i); i++) {
        printf("complete -c rill -n '__rill_at 1' -a %s -d '", command_at(i)->name);
        for (const char *c = command_at(i)->about; *c; c++) printf(strchr("'\\", *c) ? "\\%c" : "%c", *c);
        puts("'");
    }
    reference_commands("fish");
    return EXIT_FINE;
}

/* ---- which ---- */

static const struct {
    const char *name;
    int (*print)(void);
} shells[] = {{"bash", bash_print}, {"zsh", zsh_print}, {"fish", fish_print}};

const char *reference_shell_at(const void *unused, int i)
{
    (void)unused;
    return (size_t)i < sizeof shells / sizeof *shells ? shells[i].name : NULL;
}

int reference_completion(const char *shell)
{
    if (!shell) shell = "bash";
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (!strcmp(shells[i].name, shell)) return shells[i].print();
    return say_error(EXIT_USER, "There is no completion for '%s'; there are bash, zsh and fish.", shell);
}
