// P29. A run is given secrets in every way that its supervisor takes some, and a probe inside looks
// for them.
#include <fcntl.h>

#include "base/file.h"
#include "base/path.h"
#include "verify/checks.h"
#include "verify/inside.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

// One that a run is given. A further kind is one more function in kKinds.
struct GivenSecret {
  std::vector<std::string> forms;  // all in which it could come inside
  std::string file;                // where it lies outside
  std::vector<std::string> flags;  // of the run
};

// The login of an upstream proxy. Nobody listens there, and nobody is asked to connect.
Result<GivenSecret> give_upstream_login(const CheckInputs& inputs) {
  constexpr const char* kPassword = "canary-of-the-proxy-0123456";
  GivenSecret given;
  given.file = path::join(path::parent(inputs.canary_file), "upstream-login");
  TRY_ASSIGN(Fd folder, file::open(path::parent(given.file), O_RDONLY | O_DIRECTORY));
  TRY(file::replace_at(folder.get(), "upstream-login", "verify:" + std::string(kPassword) + "\n"));
  // "verify:canary-of-the-proxy-0123456", as it goes over the line.
  given.forms = {kPassword, "dmVyaWZ5OmNhbmFyeS1vZi10aGUtcHJveHktMDEyMzQ1Ng=="};
  given.flags = {"--allow",          "granted.ringwall.invalid",
                 "--upstream",       "http://127.0.0.1:9",
                 "--upstream-login", given.file};
  return given;
}

constexpr Result<GivenSecret> (*kKinds[])(const CheckInputs&) = {give_upstream_login};

}  // namespace

Result<Verdict> check_secrets(const CheckInputs& inputs) {
  TRY(file::make_dirs(inputs.folder));
  std::vector<std::string> arguments = {"-w", inputs.folder, "--fresh"};
  probes::Outside facts;
  facts.workspace = inputs.folder;
  for (auto* give : kKinds) {
    TRY_ASSIGN(GivenSecret given, give(inputs));
    for (const std::string& form : given.forms)
      facts.secrets_backwards.emplace_back(form.rbegin(), form.rend());
    facts.secret_files.push_back(given.file);
    arguments.insert(arguments.end(), given.flags.begin(), given.flags.end());
  }
  arguments.insert(arguments.end(), {"--", "/bin/sleep", "600"});
  TRY_ASSIGN(OwnRun run, OwnRun::start({.arguments = arguments}));
  TRY_ASSIGN(std::string name, run.wait_until_started(seconds_from_now(kPatience)));
  return ask_probe(name, facts, "P29");
}

}  // namespace ringwall::verify
