// What is wanted: one immutable value, merged from the layers (policy/merge.h). Every value
// remembers where it came from, for explain and for messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policy/origin.h"

namespace ringwall::policy {

struct Text {
  std::string value;
  Origin origin = {};
};

struct Switch {
  bool on = false;
  Origin origin = {};
};

// A count, or a quantity in the smallest unit of its kind: bytes, milliseconds, thousandths of a
// processor.
struct Number {
  std::optional<uint64_t> value = std::nullopt;  // not there: the host decides
  Origin origin = {};
  bool only_lowers = false;  // set by who may not raise what the host decides

  uint64_t or_host(uint64_t by_host) const {
    uint64_t wanted = value.value_or(by_host);
    return only_lowers && wanted > by_host ? by_host : wanted;
  }
};
inline constexpr uint64_t kNoLimit = UINT64_MAX;  // what "none" means

// What an agent's tools may do, in the permission rules of policy/tool_rules.h. The gate asks it,
// and no wall rests on it.
struct Tools {
  std::vector<Text> deny;
  std::vector<Text> ask;
  std::vector<Text> allow;
  std::vector<Text> packs;     // on, whatever is switched off; by default all are
  std::vector<Text> no_packs;  // switched off
  // NAME=COMMAND: MCP servers that an agent inside may have started outside, behind walls.
  std::vector<Text> mcp_servers;

  // A model that is asked about calls which the rules leave open.
  struct Advisor {
    Text url;  // none: nobody is asked
    Text model;
    Text key;  // where its key is: env:NAME or file:PATH
    Number time{8'000};
  } advisor;
};

struct Policy {
  struct Run {
    Text name;
    std::vector<Text> profiles;
    Switch no_profile;
  } run;

  struct Walls {
    Switch strict;
    Switch no_off;
  } walls;

  struct Files {
    Text workspace;
    std::vector<Text> read;
    std::vector<Text> write;
    std::vector<Text> protect;
    std::vector<Text> unprotect;
    std::vector<Text> hide;
    std::vector<Text> show;
    Switch review;
    std::vector<Text> apart;
  } files;

  // What in the repository would run or steer something.
  struct Audit {
    Switch off;
  } audit;

  // What a run overwrites or deletes is kept, so that it can be put back.
  struct Undo {
    Switch off;
    Number wait;
    Number size{1ull << 30};
    Number kept{4ull << 30};
    Number age{14ull * 86'400'000};
  } undo;

  struct Home {
    Text name;
    Switch fresh;
    std::vector<Text> keep;
    std::vector<Text> caches;
    std::vector<Text> login;
    std::vector<Text> copy;
    std::vector<Text> forget;
    std::vector<Text> credentials;
    Switch copy_login;
  } home;

  // Nothing is reached but what `allow` and `reach_host` name.
  struct Network {
    std::vector<Text> allow;
    std::vector<Text> deny;
    Switch off;
    std::vector<Text> private_hosts;
    std::vector<Text> reach_host;
    std::vector<Text> publish;
    Switch login_callback;
    Text upstream;
    Text upstream_login;
    Number upload_limit{kNoLimit};
    Number upload_total{kNoLimit};
    Number wildcard_names{256};
    Switch ask;
    Number ask_time{120'000};
  } network;

  struct Environment {
    std::vector<Text> pass;
    std::vector<Text> set;
  } environment;

  struct Git {
    Switch hooks;
    Switch push;
    Text ssh_key;
  } git;

  struct Terminal {
    Switch clipboard;
    Text detach_keys;
  } terminal;

  // Programs by their content. Mode and guard hold one of policy/programs.h's choices.
  struct Exec {
    Text mode{"any"};
    std::vector<Text> deny;
    std::vector<Text> allow;
    Switch deny_later;
    std::vector<Text> trees;
    Text guard{"none"};
  } exec;

  Tools tools;

  struct Record {
    Switch required;
    Number size{256ull << 20};
    Number kept{1ull << 30};
  } record;

  // A live score of what happens (docs/risk.md): how much each axis counts, from which score on a
  // level holds, and what is done there besides. Thousandths.
  struct Risk {
    Number intent{1000};
    Number boundary{1000};
    Number stability{1000};
    Number exposure{1000};
    Number caution{350};
    Number restricted{550};
    Number isolated{750};
    Number killed{970};
    std::vector<Text> at_caution;
    std::vector<Text> at_restricted;
    std::vector<Text> at_isolated;
  } risk;

  // Far above what builds, package managers and browsers need, far below what a host can bear.
  struct Limits {
    Number processes{4096};
    Number open_files{65536};
    Number file_size{kNoLimit};
    Number tmp_size;
    Number tmp_files;
    Number home_size;
    Number workspace_size;
    Number time{kNoLimit};
    Number cpu{kNoLimit};
    Number memory;
    Number recording{1ull << 30};
    Number io{kNoLimit};
    Number deleted_files{200};
    Number deleted_share{200};  // thousandths
  } limits;
};

}  // namespace ringwall::policy
