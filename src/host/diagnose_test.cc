// The words for hosts that are not at hand: each cause by a failure and surroundings made up here.
#include "host/diagnose.h"

#include <gtest/gtest.h>

namespace ringwall::host {
namespace {

using sandbox::LaunchFailure;
using sandbox::Wall;

LaunchFailure at_clone(int err) {
  return {Wall::user_namespace, "make the namespaces", Error{"clone3 was refused", err, {}}};
}

LaunchFailure at_mount(int err, std::string what = "cannot mount a tmpfs") {
  return {Wall::new_root, "assemble the new root", Error{std::move(what), err, {}}};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Diagnose, names_the_limit_that_is_zero) {
  Surroundings host;
  host.switches = {{"user.max_user_namespaces", "100"}, {"user.max_net_namespaces", "0"}};
  EXPECT_TRUE(holds(diagnose(at_clone(ENOSPC), host).reason, "user.max_net_namespaces=0"));
  EXPECT_EQ(diagnose(at_clone(ENOSPC), host).mend, "sudo sysctl -w user.max_net_namespaces=15000");
}

TEST(Diagnose, a_limit_is_not_blamed_for_another_error) {
  Surroundings host;
  host.switches = {{"user.max_net_namespaces", "0"}};
  EXPECT_FALSE(holds(diagnose(at_clone(EPERM), host).reason, "max_net_namespaces"));
}

TEST(Diagnose, debians_switch_binds_ordinary_users_only) {
  Surroundings host;
  host.switches = {{"kernel.unprivileged_userns_clone", "0"}};
  EXPECT_TRUE(holds(diagnose(at_clone(EPERM), host).reason, "unprivileged_userns_clone=0"));
  EXPECT_EQ(closed_switches(host).size(), 1u);
  host.caller_is_root = true;
  EXPECT_FALSE(holds(diagnose(at_clone(EPERM), host).reason, "unprivileged_userns_clone"));
  EXPECT_TRUE(closed_switches(host).empty());
}

TEST(Diagnose, apparmor_lets_the_namespace_be_made_and_refuses_the_mount) {
  Surroundings host;
  host.switches = {{"kernel.apparmor_restrict_unprivileged_userns", "1"}};
  EXPECT_TRUE(holds(diagnose(at_mount(EACCES), host).reason, "AppArmor restricts"));
}

TEST(Diagnose, a_kernel_without_nf_tables_names_the_modules) {
  Surroundings host;
  for (int err : {EPROTONOSUPPORT, EOPNOTSUPP, ENOENT}) {
    LaunchFailure failure{Wall::network_redirect, "take connections to the wall",
                          Error{"the kernel refused a netlink request", err, {}}};
    Diagnosis words = diagnose(failure, host);
    EXPECT_TRUE(holds(words.reason, "nf_tables is missing")) << err;
    EXPECT_TRUE(holds(words.mend, "sudo modprobe -a nf_tables")) << err;
    EXPECT_EQ(words.wall, Wall::network_redirect);
  }
  // Elsewhere the same error is something else's.
  EXPECT_FALSE(holds(diagnose(at_mount(ENOENT), host).reason, "nf_tables"));
}

TEST(Diagnose, a_masked_proc_names_the_runtimes_flag) {
  Surroundings host;
  host.masked_proc = "/proc/scsi";
  Diagnosis words = diagnose(at_mount(EPERM, "cannot mount a proc (for /proc)"), host);
  EXPECT_TRUE(holds(words.mend, "systempaths=unconfined"));
  EXPECT_TRUE(holds(words.mend, "unmask=ALL"));
}

TEST(Diagnose, inside_ringwall_comes_before_every_other_cause) {
  Surroundings host;
  host.inside_ringwall = host.filtered = host.in_chroot = true;
  LaunchFailure keyring{Wall::keyring, "leave the caller's keyring", Error{"cannot", EPERM, {}}};
  EXPECT_TRUE(holds(diagnose(keyring, host).reason, "inside Ringwall already"));
  EXPECT_TRUE(holds(diagnose(at_clone(ENOSYS), host).reason, "inside Ringwall already"));
}

TEST(Diagnose, a_containers_filter_names_the_flags) {
  Surroundings host;
  host.filtered = true;
  host.container = "docker";
  EXPECT_TRUE(holds(diagnose(at_clone(ENOSYS), host).mend, "seccomp=unconfined"));
  host.container = "";
  EXPECT_EQ(diagnose(at_clone(ENOSYS), host).mend, "run ringwall outside of it");
}

TEST(Diagnose, root_of_a_rootless_container_is_told_to_be_ordinary) {
  Surroundings host;
  host.caller_is_root = host.ids_are_mapped = true;
  LaunchFailure maps{Wall::user_namespace, "write the id maps", Error{"cannot write", EPERM, {}}};
  EXPECT_TRUE(holds(diagnose(maps, host).mend, "setpriv"));
}

TEST(Diagnose, root_of_a_container_lacks_a_right_before_it_meets_the_filter) {
  Surroundings host;
  host.caller_is_root = host.lacks_admin = host.filtered = true;
  host.container = "podman";
  LaunchFailure map{Wall::own_identity, "map the owner", Error{"cannot clone", EPERM, {}}};
  EXPECT_TRUE(holds(diagnose(map, host).mend, "--user"));
  EXPECT_TRUE(holds(diagnose(map, host).mend, "--cap-add SYS_ADMIN"));
  host.lacks_admin = false;
  EXPECT_TRUE(holds(diagnose(map, host).mend, "seccomp=unconfined"));
}

TEST(Diagnose, a_read_only_proc_is_a_masked_one) {
  Surroundings host;
  host.masked_proc = "/proc/sys";
  LaunchFailure quotas{Wall::limits, "lower the quotas",
                       Error{"cannot write /proc/sys/user/max_inotify_instances", EROFS, {}}};
  EXPECT_TRUE(holds(diagnose(quotas, host).mend, "unmask=ALL"));
}

TEST(Diagnose, an_error_that_knows_its_remedy_keeps_it) {
  LaunchFailure failure{Wall::own_identity, "map", Error{"cannot map ids", EINVAL, "do this"}};
  EXPECT_EQ(diagnose(failure, Surroundings{}).mend, "do this");
}

TEST(Diagnose, an_unknown_cause_is_told_as_it_is) {
  Diagnosis words = diagnose(at_mount(EIO), Surroundings{});
  EXPECT_TRUE(holds(words.reason, "cannot mount a tmpfs"));
  EXPECT_TRUE(holds(words.reason, "assemble the new root"));
}

}  // namespace
}  // namespace ringwall::host
