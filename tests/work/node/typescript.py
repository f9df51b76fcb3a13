"""builds a TypeScript project, an error of types among the first try"""

import work_tools

NEEDS = {"node": "nodejs"}
OPTIONS = {"read": ["@TOOLS@"]}
ACT = """tsc="node @TOOLS@/node_modules/typescript/bin/tsc"; $tsc -p . ; echo $?; sed -i 's/: number = "x"/: string = "x"/' src/part.ts; $tsc -p . && node dist/main.js && ls dist"""


def not_here():
    return work_tools.lacks("typescript")


def prepare(host):
    host.facts["TOOLS"] = work_tools.tools()
    host.write("tsconfig.json", '{"compilerOptions": {"target": "es2020", "module": "commonjs", "strict": true, "outDir": "dist", "rootDir": "src", "declaration": true, "noEmitOnError": true, "types": []}, "include": ["src"]}')
    host.write("src/part.ts", 'export const part: number = "x";\n')
    host.write("src/main.ts", 'import { part } from "./part";\ndeclare const console: { log(text: string): void };\nconsole.log(`typed ${part}`);\n')


def works(host, done):
    return "error TS2322" in done.out and done.out.endswith("1\ntyped x\nmain.d.ts\nmain.js\npart.d.ts\npart.js\n")
