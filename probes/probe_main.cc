#include "probes/battery.h"
int main() { return 0; }
