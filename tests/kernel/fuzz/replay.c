/* Runs the harness once on each file that it is given, where there is no libFuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **paths)
{
    static uint8_t data[1 << 16];
    for (int index = 1; index < count; index++) {
        FILE *file = fopen(paths[index], "rb");
        if (!file) {
            fprintf(stderr, "%s cannot be read\n", paths[index]);
            return 2;
        }
        size_t size = fread(data, 1, sizeof(data), file);
        fclose(file);
        fprintf(stderr, "%s\n", paths[index]);
        LLVMFuzzerTestOneInput(data, size);
    }
    return 0;
}
