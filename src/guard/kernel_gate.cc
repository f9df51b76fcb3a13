#include "guard/kernel_gate.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "base/syscalls.h"
#include "guard/kernel_programs.h"

namespace ringwall::guard {
namespace {

constexpr size_t kPage = 4096;
constexpr int kMostTries = 10'000;     // milliseconds, and mostly one
constexpr uint32_t kTrialScope = ~0u;  // has no table
constexpr size_t kMostSpareTables = 2;
constexpr int kRefusedToTry = 42;

// The last thing that libbpf said of a failure.
std::string& last_words() {
  static std::string words;
  return words;
}

int keep_words(libbpf_print_level level, const char* format, va_list arguments) {
  if (level != LIBBPF_WARN) return 0;
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  std::string text(line);
  while (text.ends_with('\n'))
    text.pop_back();
  // The verifier's log is long, and the sentence before it says which program it is about.
  if (text.find('\n') == std::string::npos && text.starts_with("libbpf: prog")) last_words() = text;
  return 0;
}

std::unexpected<Error> fail_with_words(std::string what) {
  auto failure = fail_errno(std::move(what));
  if (!last_words().empty()) failure.error().what += " (" + last_words() + ")";
  return failure;
}

int take_refusal(void* take, void* data, size_t size) {
  if (size >= sizeof(rw_refusal)) {
    auto& taker = *static_cast<std::function<void(const rw_refusal&)>*>(take);
    if (taker) taker(*static_cast<const rw_refusal*>(data));
  }
  return 0;
}

}  // namespace

KernelGate::KernelGate(Kind kind, std::string pins) : kind_(kind), pins_(std::move(pins)) {}

KernelGate::~KernelGate() {
  // Closed, not detached: what is pinned stays.
  for (bpf_link* link : links_) {
    bpf_link__disconnect(link);
    bpf_link__destroy(link);
  }
  ring_buffer__free(ring_);
  bpf_object__close(object_);
}

Result<std::unique_ptr<KernelGate>> KernelGate::load(const std::string& pins, Kind most,
                                                     std::string& why_not) {
  libbpf_set_print(keep_words);
  for (Kind kind : {Kind::lsm, Kind::tracepoints}) {
    if (kind > most) continue;
    std::unique_ptr<KernelGate> gate(new KernelGate(kind, pins));
    Status works = gate->open();
    if (works) works = gate->try_out();
    if (works) return gate;
    gate->detach();
    if (!why_not.empty()) why_not += "; ";
    why_not += std::string(name_of(kind)) + ": " + works.error().text();
  }
  return fail("this kernel takes none of the guard's programs: " + why_not);
}

Status KernelGate::open() {
  std::string_view program = kind_ == Kind::lsm ? lsm_programs() : trace_programs();
  bpf_object_open_opts options{};
  options.sz = sizeof options;
  options.object_name = "ringwall";
  object_ = bpf_object__open_mem(program.data(), program.size(), &options);
  if (object_ == nullptr) return fail_with_words("cannot open the guard's programs");
  bpf_map* daemon = bpf_object__find_map_by_name(object_, ".rodata.daemon");
  int process = getpid();
  if (daemon == nullptr || bpf_map__set_initial_value(daemon, &process, sizeof process) != 0)
    return fail("the guard's programs cannot be told who we are");
  if (bpf_object__load(object_) != 0)
    return fail_with_words("the kernel does not take the guard's programs");
  bpf_program* describe = bpf_object__find_program_by_name(object_, "describe_mapping");
  describe_program_ = bpf_program__fd(describe);
  bpf_program* opened = bpf_object__find_program_by_name(object_, "describe_opened");
  opened_program_ = bpf_program__fd(opened);
  ring_ = ring_buffer__new(map_fd("refusals"), take_refusal, &take_, nullptr);
  if (ring_ == nullptr) return fail_errno("cannot read what the guard's programs say");
  return {};
}

int KernelGate::map_fd(const char* name) const {
  return bpf_object__find_map_fd_by_name(object_, name);
}

Status KernelGate::attach() {
  if (!links_.empty()) return {};
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object_) {
    if (bpf_program__type(program) == BPF_PROG_TYPE_SYSCALL) continue;
    bpf_link* link = bpf_program__attach(program);
    if (link == nullptr) return fail_errno("cannot attach the guard's programs");
    links_.push_back(link);
    std::string place = pins_ + "/" + bpf_program__name(program);
    if (bpf_link__pin(link, place.c_str()) != 0)
      return fail_errno("cannot pin the guard's programs at " + place);
  }
  std::string place = pins_ + "/namespaces";
  unlink(place.c_str());
  if (bpf_obj_pin(map_fd("namespaces"), place.c_str()) != 0)
    return fail_errno("cannot pin the guard's table at " + place);
  return {};
}

void KernelGate::detach() {
  for (bpf_link* link : links_) {
    (void)bpf_link__unpin(link);
    bpf_link__destroy(link);
  }
  links_.clear();
  unlink((pins_ + "/namespaces").c_str());
}

// A process that waits for a byte and executes us: what has no verdict must not get that far.
Status KernelGate::try_out() {
  TRY(attach());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  Fd wait(ends[0]), go(ends[1]);
  pid_t child = fork();
  if (child < 0) return fail_errno("cannot make a process");
  if (child == 0) {
    go.close();
    char byte;
    if (::read(wait.get(), &byte, 1) != 1) _exit(0);
    execl("/proc/self/exe", "ringwall-guard", kDoNothing, nullptr);
    _exit(errno == EPERM ? kRefusedToTry : 0);
  }
  Fd pidfd(sys::pidfd_open(child, 0));
  Status begun = begin_scope({kTrialScope, 0, 0}, pidfd.get(), 0);
  if (begun) (void)!::write(go.get(), "g", 1);
  go.close();
  int status = 0;
  waitpid(child, &status, 0);
  TRY(begun);
  take_refusals(nullptr);
  detach();
  bool refused = WIFEXITED(status) && WEXITSTATUS(status) == kRefusedToTry;
  bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (kind_ == Kind::lsm ? refused : killed) return {};
  return fail(kind_ == Kind::lsm
                  ? "its programs are loaded and not asked: is bpf among lsm= of the "
                    "kernel's command line?"
                  : "a program without a verdict was not killed");
}

Result<MappedFile> KernelGate::describe(int fd) const {
  void* page = mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE, fd, 0);
  if (page == MAP_FAILED) return fail_errno("cannot map the file");
  rw_mapped_file asked{};
  asked.address = reinterpret_cast<uint64_t>(page);
  int failed = 0;
  // Other threads of ours change the mappings too, and the kernel's programs cannot wait.
  for (int i = 0; i < kMostTries && failed == 0 && asked.found == 0; i++) {
    if (i > 0) sched_yield();
    LIBBPF_OPTS(bpf_test_run_opts, run);
    run.ctx_in = &asked;
    run.ctx_size_in = sizeof asked;
    failed = bpf_prog_test_run_opts(describe_program_, &run);
  }
  munmap(page, kPage);
  if (failed != 0 || asked.found == 0) return fail_errno("cannot find the file's mapping");
  return MappedFile{asked.key, asked.filesystem, asked.writers, asked.is_mapped_elsewhere != 0};
}

Result<rw_file_key> KernelGate::key_of_opened(int fd) const {
  rw_mapped_file asked{};
  asked.address = static_cast<uint64_t>(fd);
  LIBBPF_OPTS(bpf_test_run_opts, run);
  run.ctx_in = &asked;
  run.ctx_size_in = sizeof asked;
  if (bpf_prog_test_run_opts(opened_program_, &run) != 0 || asked.found == 0)
    return fail_errno("cannot find the opened file");
  return asked.key;
}

Result<VerdictTable> KernelGate::make_table() {
  VerdictTable table;
  {
    std::lock_guard lock(mutex_);
    table.scope = next_scope_++;
  }
  uint32_t key_size = kind_ == Kind::lsm ? sizeof(rw_digest) : sizeof(rw_file_key);
  LIBBPF_OPTS(bpf_map_create_opts, options);
  options.map_flags = BPF_F_NO_PREALLOC;
  table.map = Fd(bpf_map_create(BPF_MAP_TYPE_HASH, "ringwall_known", key_size, sizeof(uint32_t),
                                kMostFiles, &options));
  if (!table.map) return fail_errno("cannot make a table of verdicts");
  int fd = table.map.get();
  if (bpf_map_update_elem(map_fd("verdicts"), &table.scope, &fd, BPF_ANY) != 0)
    return fail_errno("cannot keep a table of verdicts");
  return table;
}

Result<VerdictTable> KernelGate::take_table() {
  {
    std::lock_guard lock(mutex_);
    if (!spare_tables_.empty()) {
      VerdictTable table = std::move(spare_tables_.back());
      spare_tables_.pop_back();
      return table;
    }
  }
  return make_table();
}

void KernelGate::make_spare_table() {
  {
    std::lock_guard lock(mutex_);
    if (spare_tables_.size() >= kMostSpareTables) return;
  }
  auto table = make_table();
  if (!table) return;  // who needs one makes it, and says why that fails
  std::lock_guard lock(mutex_);
  spare_tables_.push_back(std::move(*table));
}

Status KernelGate::begin_scope(const rw_scope& scope, int pidfd, uint32_t process_namespace) {
  if (bpf_map_update_elem(map_fd("tasks"), &pidfd, &scope, BPF_ANY) != 0)
    return fail_errno("cannot put the sandbox into a scope");
  if (process_namespace != 0 &&
      bpf_map_update_elem(map_fd("namespaces"), &process_namespace, &scope, BPF_ANY) != 0)
    return fail_errno("cannot put the sandbox's namespace into a scope");
  return {};
}

bool KernelGate::has_scope(uint32_t process_namespace) const {
  rw_scope scope;
  return bpf_map_lookup_elem(map_fd("namespaces"), &process_namespace, &scope) == 0;
}

void KernelGate::end_scope(uint32_t id) { bpf_map_delete_elem(map_fd("verdicts"), &id); }

Result<uint64_t> KernelGate::generation_of(int fd) const {
  if (kind_ != Kind::lsm) return 0;
  int map = map_fd("generations");
  uint64_t generation = 1;
  if (bpf_map_update_elem(map, &fd, &generation, BPF_NOEXIST) != 0 && errno != EEXIST)
    return fail_errno("cannot count a file's writers");
  if (bpf_map_lookup_elem(map, &fd, &generation) != 0)
    return fail_errno("cannot count a file's writers");
  return generation;
}

Status KernelGate::let_run(const VerdictTable& table, int fd, const rw_file_key& key,
                           const Digest& digest, uint64_t generation, uint32_t what) const {
  if (kind_ == Kind::tracepoints) {
    if (bpf_map_update_elem(table.map.get(), &key, &what, BPF_ANY) != 0)
      return fail_errno("cannot keep a verdict");
    return {};
  }
  rw_vetted vetted{};
  memcpy(vetted.digest.bytes, digest.bytes.data(), sizeof vetted.digest.bytes);
  vetted.key = key;
  vetted.generation = generation;
  if (bpf_map_update_elem(table.map.get(), &vetted.digest, &what, BPF_ANY) != 0 ||
      bpf_map_update_elem(map_fd("vetted_files"), &fd, &vetted, BPF_ANY) != 0)
    return fail_errno("cannot keep a verdict");
  return {};
}

void KernelGate::forget(const VerdictTable& table, const rw_file_key& key,
                        const Digest* digest) const {
  // The LSM's programs see writers by themselves; what they know of is the content.
  if (kind_ == Kind::tracepoints) {
    bpf_map_delete_elem(table.map.get(), &key);
  } else if (digest != nullptr) {
    bpf_map_delete_elem(table.map.get(), digest->bytes.data());
  }
}

bool KernelGate::is_known(const VerdictTable& table, const rw_file_key& key) const {
  uint32_t what = 0;
  return kind_ == Kind::tracepoints && bpf_map_lookup_elem(table.map.get(), &key, &what) == 0 &&
         (what & RW_LIBRARY) != 0;
}

int KernelGate::refusals_fd() const { return ring_buffer__epoll_fd(ring_); }

void KernelGate::take_refusals(const std::function<void(const rw_refusal&)>& take) {
  take_ = take;
  ring_buffer__consume(ring_);
  take_ = nullptr;
}

}  // namespace ringwall::guard
