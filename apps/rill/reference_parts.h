/* What `rill reference` prints about the program itself. */
#ifndef RILL_APP_REFERENCE_PARTS_H
#define RILL_APP_REFERENCE_PARTS_H

/* Every command's part in this form (help.h). */
void reference_commands(const char *form);

int reference_man(const char *unused);

/* The shells there is completion for; NULL past the last. */
const char *reference_shell_at(const void *unused, int i);
int reference_completion(const char *shell);

#endif
