// Nothing is to be said against it: as a program, and as a library.
#ifdef LIBRARY
int harmless(void) { return 0; }
#else
void _start(void) {
  asm volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11");
  __builtin_unreachable();
}
#endif
