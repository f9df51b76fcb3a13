#include "policy/variables.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::policy {
namespace {

using enum VariableKind;

constexpr std::string_view kCertificates = "certificates of this host";
constexpr std::string_view kLoader = "the loader loads code by it";
constexpr std::string_view kShell = "shells run code by it";
constexpr std::string_view kInterpreter = "the interpreter loads code by it";
constexpr std::string_view kVirtualMachine = "the virtual machine loads code by it";
constexpr std::string_view kGit = "git runs programs and reads other settings by it";
constexpr std::string_view kTool = "the tool runs another program by it";
constexpr std::string_view kProgram = "it names a program";
constexpr std::string_view kElsewhere = "programs look for their settings elsewhere by it";
constexpr std::string_view kDaemon = "it leads to a daemon of this host";
constexpr std::string_view kProxy = "programs send everything through what it names";
constexpr std::string_view kOurs = "Ringwall sets it";
// CVE-2026-21852, CVE-2025-61260: agents led to another server or home.
constexpr std::string_view kAgent = "the agent talks to another server, or obeys other settings";

constexpr KnownVariable kKnown[] = {
    {"NODE_EXTRA_CA_CERTS", certificate, kCertificates},
    {"SSL_CERT_FILE", certificate, kCertificates},
    {"SSL_CERT_DIR", certificate_folder, kCertificates},
    {"REQUESTS_CA_BUNDLE", certificate, kCertificates},
    {"CURL_CA_BUNDLE", certificate, kCertificates},
    {"GIT_SSL_CAINFO", certificate, kCertificates},
    {"AWS_CA_BUNDLE", certificate, kCertificates},
    {"CARGO_HTTP_CAINFO", certificate, kCertificates},
    {"DENO_CERT", certificate, kCertificates},
    {"PIP_CERT", certificate, kCertificates},
    {"NIX_SSL_CERT_FILE", certificate, kCertificates},
    {"GIT_AUTHOR_*", harmless, "names"},
    {"GIT_COMMITTER_*", harmless, "names"},
    {"GIT_TERMINAL_PROMPT", harmless, "a switch"},
    {"PYTHONUNBUFFERED", harmless, "a switch"},
    {"PYTHONDONTWRITEBYTECODE", harmless, "a switch"},
    {"PYTHONHASHSEED", harmless, "a number"},
    {"PYTHONIOENCODING", harmless, "an encoding"},
    {"PYTHONUTF8", harmless, "a switch"},
    {"PYTHONFAULTHANDLER", harmless, "a switch"},

    {"LD_*", injects, kLoader},
    {"GLIBC_TUNABLES", injects, kLoader},
    {"GCONV_PATH", injects, kLoader},
    {"LOCPATH", injects, kLoader},
    {"GTK_MODULES", injects, kLoader},
    {"GTK_PATH", injects, kLoader},
    {"QT_PLUGIN_PATH", injects, kLoader},
    {"BASH_ENV", injects, kShell},
    {"ENV", injects, kShell},
    {"SHELLOPTS", injects, kShell},
    {"BASHOPTS", injects, kShell},
    {"IFS", injects, kShell},
    {"PS4", injects, kShell},
    {"PROMPT_COMMAND", injects, kShell},
    {"BASH_FUNC_*", injects, kShell},
    {"ZDOTDIR", injects, kShell},
    {"NODE_OPTIONS", injects, kInterpreter},
    {"NODE_PATH", injects, kInterpreter},
    {"NODE_REPL_EXTERNAL_MODULE", injects, kInterpreter},
    {"PYTHON*", injects, kInterpreter},
    {"PERL5*", injects, kInterpreter},
    {"PERLLIB", injects, kInterpreter},
    {"RUBY*", injects, kInterpreter},
    {"LUA_INIT*", injects, kInterpreter},
    {"PHPRC", injects, kInterpreter},
    {"PHP_INI_SCAN_DIR", injects, kInterpreter},
    {"R_PROFILE*", injects, kInterpreter},
    {"TCLLIBPATH", injects, kInterpreter},
    {"LUA_PATH*", injects, kInterpreter},
    {"LUA_CPATH*", injects, kInterpreter},
    {"JAVA_TOOL_OPTIONS", injects, kVirtualMachine},
    {"_JAVA_OPTIONS", injects, kVirtualMachine},
    {"JDK_JAVA_OPTIONS", injects, kVirtualMachine},
    {"CLASSPATH", injects, kVirtualMachine},
    {"DOTNET_STARTUP_HOOKS", injects, kVirtualMachine},
    {"CORECLR_*", injects, kVirtualMachine},
    {"COR_*", injects, kVirtualMachine},
    {"ERL_FLAGS", injects, kVirtualMachine},
    {"ERL_AFLAGS", injects, kVirtualMachine},
    {"ERL_ZFLAGS", injects, kVirtualMachine},
    {"GIT_*", injects, kGit},
    {"RUSTC_WRAPPER", injects, kTool},
    {"RUSTC_WORKSPACE_WRAPPER", injects, kTool},
    {"CARGO_BUILD_RUSTC*", injects, kTool},
    {"*_COMPILER_LAUNCHER", injects, kTool},
    {"LESSOPEN", injects, kTool},
    {"LESSCLOSE", injects, kTool},
    {"VIMINIT", injects, kTool},
    {"EXINIT", injects, kTool},
    {"OPENSSL_CONF", injects, "OpenSSL loads modules by it"},
    {"OPENSSL_MODULES", injects, "OpenSSL loads modules by it"},
    {"OPENSSL_ENGINES", injects, "OpenSSL loads modules by it"},
    // npm reads these in any spelling, and so are they looked up.
    {"npm_config_node_options", injects, kInterpreter},
    {"npm_config_script_shell", injects, kTool},

    {"MAKEFLAGS", steers, "make takes any option from it"},
    {"MAKEFILES", steers, "make reads those files first"},
    {"GOFLAGS", steers, "go takes any option from it"},
    {"MAVEN_OPTS", steers, kVirtualMachine},
    {"GRADLE_OPTS", steers, kVirtualMachine},
    {"JAVA_OPTS", steers, kVirtualMachine},
    {"RUSTC", steers, kProgram},
    {"RUSTDOC", steers, kProgram},
    {"CARGO_TARGET_*", steers, "cargo starts linkers and programs by it"},
    {"EDITOR", steers, kProgram},
    {"VISUAL", steers, kProgram},
    {"PAGER", steers, kProgram},
    {"BROWSER", steers, kProgram},
    {"SSLKEYLOGFILE", steers, "keys of connections are written there"},
    {"SSH_*", steers, kDaemon},
    {"GPG_*", steers, kDaemon},
    {"DBUS_*", steers, kDaemon},
    {"DISPLAY", steers, kDaemon},
    {"WAYLAND_DISPLAY", steers, kDaemon},
    {"XAUTHORITY", steers, kDaemon},
    {"XDG_RUNTIME_DIR", steers, kDaemon},
    {"*_PROXY", steers, kProxy},
    {"*_proxy", steers, kProxy},
    {"XDG_CONFIG_HOME", steers, kElsewhere},
    {"PATH", steers, kOurs},
    {"HOME", steers, kOurs},
    {"USER", steers, kOurs},
    {"LOGNAME", steers, kOurs},
    {"SHELL", steers, kOurs},
    {"PWD", steers, kOurs},
    {"TMPDIR", steers, kOurs},
    {"RINGWALL_*", steers, kOurs},
    {"CODEX_HOME", steers, kAgent},
    {"CLAUDE_CONFIG_DIR", steers, kAgent},
    {"ANTHROPIC_BASE_URL", steers, kAgent},
    {"VSCODE_*", steers, kDaemon},
};

}  // namespace

std::span<const KnownVariable> known_variables() { return kKnown; }

const KnownVariable* known_variable(std::string_view name) {
  std::string small = text::in_small_letters(name);
  std::string_view looked_up = small.starts_with("npm_config_") ? small : name;
  const auto* found = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const auto& row) {
    return text::matches(looked_up, row.name);
  });
  return found == std::end(kKnown) ? nullptr : found;
}

}  // namespace ringwall::policy
