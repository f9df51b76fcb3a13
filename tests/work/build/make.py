"""builds two dozen files by make with its job server, and a second time nothing"""

NEEDS = {"make": "make", "gcc": "gcc"}
ACT = "make -s -j4 && ./app; echo $?; make -q app; echo $?; touch f3.c && make -n app | grep -c f3.c && make -s clean && ls *.o 2> /dev/null | wc -l"


def prepare(host):
    names = [f"f{number}" for number in range(24)]
    for name in names:
        host.write(f"{name}.c", f"int {name}(void) {{ return 1; }}\n")
    declared = "".join(f"int {name}(void);\n" for name in names)
    host.write("main.c", f"{declared}int main(void) {{ return {'+'.join(f'{n}()' for n in names)} - 17; }}\n")
    objects = " ".join(f"{name}.o" for name in names)
    host.write(
        "Makefile",
        f"all: sub app\napp: main.o {objects}\n\tcc -o $@ $^\nsub:\n\t+$(MAKE) -s main.o\nclean:\n\trm -f *.o app\n.PHONY: all sub clean\n",
    )


def works(host, done):
    return done.status == 0 and done.out.split() == ["7", "0", "1", "0"]
