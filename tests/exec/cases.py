"""The table of roads to a denied program: what is tried, and what each way of enforcement makes of it.

Each case is a shell script. $KIT is a read-only tree that holds the target and the tools of the
attack, $WORK the workspace. A road that leads to the end prints TARGET-RAN.

    bare      without Ringwall
    allowed   inside, and nothing is denied
    view, stop, tracepoints, lsm
              inside, the target denied: by taking it away; by the exec stop; by root's guard

An enforcement that a case does not name is not tried: its column is somebody else's, or it makes no
promise there.
"""

from dataclasses import dataclass, field

RAN, STOPPED = "ran", "stopped"
LOADER = "$(ls /lib64/ld-linux-x86-64.so.2)"


@dataclass(frozen=True)
class Case:
    name: str
    script: str
    bare: str = RAN
    allowed: str = RAN
    deny: dict = field(default_factory=lambda: {"view": STOPPED})


def copied(road):
    """The same with a copy that the attacker makes."""
    return f"cp $KIT/target $WORK/mine && chmod 755 $WORK/mine && {road}"


CASES = [
    # Names
    Case("direct", "$KIT/target"),
    Case("by PATH", "PATH=$KIT:$PATH target"),
    Case("another name, hard link", "$KIT/alias"),
    Case("another name, copy deep below", "$KIT/deep/er/other"),
    Case("copy without x bit, by the loader", f"{LOADER} $KIT/data.bin"),
    Case("symbolic link", "$KIT/link"),
    Case("link to a link", "$KIT/deep/link"),
    Case("link made inside", "ln -s $KIT/target $WORK/l && $WORK/l"),
    Case("renamed copy", copied("mv $WORK/mine $WORK/renamed && $WORK/renamed")),
    Case("/proc/self/root", "/proc/self/root$KIT/target"),
    Case("/proc/1/root", "/proc/$$/root$KIT/target"),
    Case("/proc/self/cwd", "cd $KIT && /proc/self/cwd/target"),
    Case("dots and slashes", "$KIT/deep/..//./target"),
    Case("relative", "cd $KIT && ./target"),
    Case("multi-call link", "$KIT/applet"),
    # Wrappers and scripts
    Case("wrapper script", "$KIT/wrapper"),
    Case("wrapper of its own folder", "$KIT/wrapper-beside"),
    Case("sh wrapper", "sh $KIT/wrapper"),
    Case("script made inside", "printf '#!/bin/sh\\nexec %s\\n' $KIT/target > $WORK/s; chmod +x $WORK/s; $WORK/s"),
    Case("as an interpreter", "printf '#!%s\\n' $KIT/target > $WORK/s; chmod +x $WORK/s; $WORK/s"),
    Case("exec of a shell", "sh -c 'exec $KIT/target'"),
    Case("env", "env -i $KIT/target"),
    Case("python subprocess", "python3 -c 'import os,subprocess; subprocess.run([os.environ[\"KIT\"]+\"/target\"], check=True)'"),
    Case("python copies in memory", "python3 -c 'import os; b=open(os.environ[\"KIT\"]+\"/target\",\"rb\").read(); f=os.memfd_create(\"x\"); os.write(f,b); os.execve(f,[\"x\"],os.environ)'"),
    # Loaders
    Case("ld.so", f"{LOADER} $KIT/target"),
    Case("copy of ld.so", f"cp {LOADER} $WORK/loader && chmod 755 $WORK/loader && $WORK/loader $KIT/target"),
    Case("ld.so on a copy", copied(f"{LOADER} $WORK/mine")),
    Case("LD_PRELOAD", "LD_PRELOAD=$KIT/libtarget.so /bin/true"),
    Case("dlopen", "$KIT/attack dlopen $KIT/libtarget.so"),
    Case("dlopen of a copy", "cp $KIT/libtarget.so $WORK/x.so && $KIT/attack dlopen $WORK/x.so"),
    # Descriptors
    Case("execve", "$KIT/attack execve $KIT/target"),
    Case("fexecve", "$KIT/attack fexecve $KIT/target"),
    Case("O_PATH", "$KIT/attack opath $KIT/target"),
    Case("/proc/self/fd", "$KIT/attack proc-fd $KIT/target"),
    Case("AT_EXECVE_CHECK", "$KIT/attack check $KIT/target"),
    # Memory
    Case("memfd", "$KIT/attack memfd $KIT/target"),
    Case("O_TMPFILE", "cd $WORK && $KIT/attack tmpfile $KIT/target"),
    Case("unlinked", "cd $WORK && $KIT/attack unlinked $KIT/target"),
    Case("mmap X", "$KIT/attack map $KIT/target"),
    Case("mmap R, mprotect X", "$KIT/attack protect $KIT/target"),
    # Content
    Case("read", "$KIT/attack read $KIT/target"),
    Case("padded copy", copied("echo pad >> $WORK/mine && $WORK/mine")),
    Case("piped through a pipe", "cat $KIT/target > $WORK/c; chmod +x $WORK/c; $WORK/c"),
    Case("tar", "tar -C $KIT -cf - target | tar -C $WORK -xf - && $WORK/target"),
    Case("hard link made inside", "ln $KIT/target $WORK/h && $WORK/h", bare=RAN, allowed=STOPPED),
    # Writable trees
    Case("lies in the workspace", "$WORK/brought"),
    Case("workspace, through ld.so", f"{LOADER} $WORK/brought"),
    Case("workspace, copied", "cp $WORK/brought $WORK/c2 && $WORK/c2"),
    Case("workspace, renamed", "mv $WORK/brought $WORK/c3 && $WORK/c3"),
    Case("workspace, folder renamed", "mv $WORK/sub $WORK/sub2 && $WORK/sub2/brought"),
    Case("workspace, hard link made inside", "ln $WORK/brought $WORK/c4 && $WORK/c4"),
    Case("workspace, hard link that was there", "$WORK/second-name"),
    Case("workspace, memfd", "$KIT/attack memfd $WORK/brought"),
]
