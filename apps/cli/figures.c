#include "figures.h"

#include <stdio.h>

void figures_print(const figure *figures, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("%s\"%s\":%.15g", i == 0 ? "{" : ",", figures[i].name, figures[i].value);
    }
    printf("}\n");
}
