#include "files/protected_content.h"

#include <gtest/gtest.h>

namespace ringwall::files {
namespace {

TEST(ContentOfEnv, OrdinaryOnesMayStay) {
  for (const char* text : {"",
                           "# only words; `here`\n",
                           "A=b\n",
                           "export A=b\nB = c\n",
                           "DATABASE_URL=postgres://u@h/d?a=b&c=d\n",
                           "APP_NAME=My App\n",
                           "MAIL_FROM=\"Example App\"\n",
                           "PASSWORD='a`b$(c)'\n",
                           "A=${B}/c\n",
                           "KEY=\"-----BEGIN X-----\nabc def\n-----END X-----\"\n",
                           "NODE_OPTIONS=--max-old-space-size=4096\n",
                           "PYTHONUNBUFFERED=1\n",
                           "ENV=production\nNODE_ENV=test\n",
                           "GIT_SHA=abc\n",
                           "CORS_OPTIONS=a\n",
                           "APP_PATH=/srv\nMYPATH=/x\nSECRET_KEY=x\n",
                           "A=1 # a comment, then words\n",
                           "A=b\r\nC=d\r\n",
                           "EMPTY=\n\nB=\n",
                           "BROWSER=none\nUV_THREADPOOL_SIZE=8\nDENO_DEPLOY_TOKEN=x\nENV=\n",
                           "A=b\\ c\n",
                           "PRICE=$5\n"})
    EXPECT_EQ(judge_env(text), "") << text;
}

TEST(ContentOfEnv, WhatRunsSomething) {
  for (const char* text : {"PATH=/x\n",
                           "export PATH=/x\n",
                           "  PATH = /x",
                           "A=b\rPATH=/x\n",
                           "A='\nPATH=/x\n'\n",
                           "LD_PRELOAD=x\n",
                           "GIT_SSH_COMMAND=x\n",
                           "BASH_ENV=x\n",
                           "ENV=./x\n",
                           "NODE_OPTIONS=--require=./x\n",
                           "NODE_OPTIONS=\"--max-old-space-size=1 -r ./x\"\n",
                           "PYTHONPATH=src\n",
                           "PYTHONSTARTUP=x\n",
                           "JAVA_TOOL_OPTIONS=-javaagent:x\n",
                           "RUBYOPT=-rx\n",
                           "\xEF\xBB\xBFPATH=/x\n",
                           "A=b\nPATH: /x\n",
                           "X=$(touch x)\n",
                           "X=\"$(touch x)\"\n",
                           "X=`touch x`\n",
                           "X=<(touch x)\n",
                           "touch x\n",
                           "./x\n",
                           "A=b ./x\n",
                           "A=b; touch x\n",
                           "A=b & touch x\n",
                           "A=b && touch x\n",
                           "A=b\\\n./x\n c\n. ./x\n",
                           "source x\n",
                           "A='b'; x\n",
                           "export A=b; x\n",
                           "f() { x; }\n",
                           "X=$((a[$(touch x)]))\n",
                           "if true; then x; fi\n"})
    EXPECT_NE(judge_env(text), "") << text;
}

TEST(ContentOfToolVersions, VersionsStayAndFoldersDoNot) {
  for (const char* text : {"", "node 20.1.0\npython 3.11 3.10 # two\n", "# path:x\nruby ref:abc\n",
                           "nodejs latest\njava openjdk-17\n"})
    EXPECT_EQ(judge_tool_versions(text), "") << text;
  for (const char* text :
       {"node path:dist\n", "node path:/x/dist\n", "node 20 path:x\n", "node ../x\n",
        "node {{exec(command='x')}}\n", "node\tpath:x", "node ~/x\n"})
    EXPECT_NE(judge_tool_versions(text), "") << text;
}

TEST(ContentOfPnpmWorkspace, PackagesAndVersionsStay) {
  for (const char* text :
       {"", "packages:\n  - 'packages/*'\n  - apps/*\n",
        "packages:\n- a\n- b\ncatalog:\n  react: ^18\n",
        "# words\n---\ncatalogs:\n  a:\n    pnpmfile: 1.0.0\n", "\"packages\": [a]\n",
        "onlyBuiltDependencies:\n  - esbuild\noverrides:\n  a: 1\n", "packages:\r\n  - a\r\n"})
    EXPECT_EQ(judge_pnpm_workspace(text), "") << text;
  for (const char* text :
       {"pnpmfile: x.cjs\n", "packages: [a]\npnpmfile: x\n", "{pnpmfile: x}\n",
        "--- {pnpmfile: x}\n", "\"pnpmfile\": x\n", "\"pnpm\\u0066ile\": x\n", "? pnpmfile\n: x\n",
        "  pnpmfile: x\n", "&a pnpmfile: x\n", "configDependencies:\n  a: 1\n", "scriptShell: x\n",
        "packages: [a]\rpnpmfile: x\n", "<<: *a\n", "registries:\n  default: x\n",
        "nodeOptions: -r x\n", "%YAML 1.2\n---\na: b\n", "!!map\npnpmfile: x\n",
        "'packages' : [a]\npnpmfile : x\n"})
    EXPECT_NE(judge_pnpm_workspace(text), "") << text;
}

}  // namespace
}  // namespace ringwall::files
