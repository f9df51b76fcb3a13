#include "risk/score.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"

namespace ringwall::risk {
namespace {

constexpr uint64_t kHalfway = 60 * kPoint;    // points at which an axis is at one half
constexpr uint64_t kManyHosts = 45 * kPoint;  // see boundary_points
constexpr uint64_t kMostHosts = 90 * kPoint;
constexpr uint64_t kMostPlanted = 80 * kPoint;
constexpr uint64_t kMostSent = 35 * kPoint;  // see exposure_points
constexpr uint64_t kMostConnections = 30 * kPoint;
constexpr uint64_t kMostTaken = 40 * kPoint;
constexpr uint64_t kTogether = 5 * kPoint;
// More different things than any work meets; what comes beyond them counts as new each time.
constexpr size_t kMostKnown = 20'000;
constexpr size_t kMostContributions = 256;
constexpr size_t kMostShown = 200;
// Milliseconds. The probes of one verification take seconds, on a slow machine many; whoever stops
// them from inside gains no more than this.
constexpr int64_t kLongestTrial = 60'000;
constexpr uint64_t kMostPoints = 1ull << 36;

Digest digest_of(const Heard& heard) {
  Sha256 hash;
  auto id = static_cast<uint8_t>(heard.id);
  hash.add(&id, sizeof id);
  hash.add(heard.key.data(), heard.key.size());
  return hash.finish();
}

uint64_t times(uint64_t one, uint64_t other) {
  uint64_t product = 0;
  return __builtin_mul_overflow(one, other, &product) ? kMostPoints
                                                      : std::min(product, kMostPoints);
}

// Not within a character.
std::string cut(const std::string& text) {
  if (text.size() <= kMostShown) return text;
  size_t end = kMostShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    end--;
  return text.substr(0, end) + "…";
}

// Never more than `most`, however many.
uint64_t saturate(uint64_t points, uint64_t most) { return most * points / (points + most); }

// A large push is work, and so are a thousand requests, and fixtures that look like secrets: alone
// none is a reason. What was read and what leaves together are how secrets get out.
uint64_t exposure_points(uint64_t read, uint64_t sent, uint64_t connections) {
  uint64_t taken = saturate(read, kMostTaken);
  uint64_t out = saturate(sent, kMostSent) + saturate(connections, kMostConnections);
  return std::min(taken + out + times(taken, out) / kTogether, kMostPoints);
}

// A page in a browser asks for dozens of hosts that nobody granted: beyond some, each says less.
uint64_t thin_out(uint64_t points) {
  uint64_t many = points > kManyHosts ? points - kManyHosts : 0;
  return points - many + many / 4;
}

// Whoever looks for dead links asks for hundreds, so names alone never hold a run up. Neither do
// planted files: the broker stops who plants, and ends a run that goes on with it.
uint64_t boundary_points(const std::array<uint64_t, kAccounts>& points) {
  auto of = [&](Account account) { return points[static_cast<size_t>(account)]; };
  uint64_t sum = of(Account::boundary) + of(Account::files) + thin_out(of(Account::addresses)) +
                 std::min(thin_out(of(Account::hosts)), kMostHosts) +
                 std::min(of(Account::planted), kMostPlanted);
  return std::min(sum, kMostPoints);
}

// Between 0 and 1, and never quite there: what comes later can still make a difference. Squares
// keep the little that every day brings from adding up.
uint32_t share_of(uint64_t points) {
  using Wide = unsigned __int128;
  Wide square = Wide{points} * points;
  return static_cast<uint32_t>(square * kWhole / (square + Wide{kHalfway} * kHalfway));
}

}  // namespace

static DecayedSum sum_for(Account account) {
  return DecayedSum(kAxisRows[static_cast<size_t>(axis_of(account))].half_life);
}

Weights weights_of(const policy::Policy::Risk& risk) {
  Weights weights;
  const policy::Number* numbers[] = {&risk.intent, &risk.boundary, &risk.stability, &risk.exposure};
  for (size_t i = 0; i < kAxes; i++)
    weights.thousandths[i] = static_cast<uint32_t>(numbers[i]->or_host(1000));
  return weights;
}

template <size_t... kIndex>
static std::array<DecayedSum, kAccounts> make_sums(std::index_sequence<kIndex...>) {
  return {sum_for(static_cast<Account>(kIndex))...};
}

Score::Score(Weights weights)
    : weights_(weights), sums_(make_sums(std::make_index_sequence<kAccounts>())) {}

bool Score::hear(int64_t at, std::string_view event) {
  bool counts = false;
  Trial trial = read_signals(event, [&](const Heard& heard) {
    if (at >= quiet_until_) counts = enter(at, heard) || counts;
  });
  if (trial == Trial::begins) quiet_until_ = at + kLongestTrial;
  if (trial == Trial::ends) quiet_until_ = 0;
  return counts;
}

DecayedSum& Score::sum_of(SignalId id) { return sums_[static_cast<size_t>(signal_of(id).account)]; }

bool Score::enter(int64_t at, const Heard& heard) {
  if (heard.times == 0) return false;
  Digest digest = digest_of(heard);
  auto known = known_.find(digest);
  if (known == known_.end() && known_.size() < kMostKnown)
    known = known_.emplace(digest, Known()).first;
  bool is_full = known == known_.end();
  if (is_full || signal_of(heard.id).most_again == kEach)
    return enter_each(at, heard, digest, is_full ? nullptr : &known->second);
  return enter_once(at, heard, digest, known->second);
}

bool Score::enter_each(int64_t at, const Heard& heard, const Digest& digest, Known* known) {
  const Signal& signal = signal_of(heard.id);
  bool is_new = known == nullptr || known->times == 0;
  uint64_t points = is_new ? signal.first : 0;
  if (heard.times > 1 || !is_new) points += times(signal.again, heard.times - (is_new ? 1 : 0));
  if (known != nullptr) known->times += std::min(heard.times, kMostPoints);
  points = times(points, heard.scale);
  if (points == 0) return false;
  sum_of(heard.id).add(at, points);
  remember(at, heard, digest, points, false);
  return true;
}

bool Score::enter_once(int64_t at, const Heard& heard, const Digest& digest, Known& known) {
  const Signal& signal = signal_of(heard.id);
  DecayedSum& sum = sum_of(heard.id);
  if (known.points > 0) sum.take_back(known.window, known.points);
  known.times += std::min(heard.times, kMostPoints);
  uint64_t again = std::min(times(signal.again, known.times - 1), signal.most_again);
  known.points = std::max(known.points, times(signal.first + again, heard.scale));
  known.window = sum.add(at, known.points);
  remember(at, heard, digest, known.points, true);
  return known.points > 0;
}

// One entry for each thing: what is left of it by now, and what came.
void Score::remember(int64_t at, const Heard& heard, const Digest& digest, uint64_t points,
                     bool stands_once) {
  auto same = std::ranges::find(contributions_, digest, &Remembered::digest);
  if (same != contributions_.end()) {
    const Contribution& before = same->contribution;
    if (!stands_once) points += sum_of(heard.id).left_of(before.points, before.at, at);
    contributions_.erase(same);
  } else if (contributions_.size() >= kMostContributions) {
    // The lightest goes: what made the level rise stays.
    auto points_of = [](const Remembered& one) { return one.contribution.points; };
    auto lightest = std::ranges::min_element(contributions_, {}, points_of);
    if (points_of(*lightest) >= points) return;
    contributions_.erase(lightest);
  }
  contributions_.push_back({{at, heard.id, cut(heard.shown), points}, digest});
}

void Score::forget() { *this = Score(weights_); }

uint64_t Score::points(Account account, int64_t at) const {
  return std::min(sums_[static_cast<size_t>(account)].look(at), kMostPoints);
}

uint32_t Score::weigh(const Points& points, std::array<uint32_t, kAxes>& axes) const {
  auto of = [&](Account account) { return points[static_cast<size_t>(account)]; };
  std::array<uint64_t, kAxes> sums = {
      of(Account::intent) + of(Account::acts), boundary_points(points),
      of(Account::stability) + of(Account::load),
      exposure_points(of(Account::taken), of(Account::sent), of(Account::connections))};
  uint64_t calm = kWhole;  // what no axis takes away
  for (size_t i = 0; i < kAxes; i++) {
    axes[i] = share_of(sums[i]);
    calm = calm * (kWhole - uint64_t{axes[i]} * weights_.thousandths[i] / 1000) / kWhole;
  }
  return static_cast<uint32_t>(kWhole - calm);
}

Reading Score::look(int64_t at) const {
  Points all{}, seen{};
  for (size_t i = 0; i < kAccounts; i++) {
    all[i] = points(static_cast<Account>(i), at);
    if (!kAccountRows[i].is_hearsay) seen[i] = all[i];
  }
  Reading reading;
  std::array<uint32_t, kAxes> unused;
  reading.seen = weigh(seen, unused);
  reading.score = weigh(all, reading.axes);
  return reading;
}

std::vector<Contribution> Score::heaviest(int64_t at, size_t most) const {
  std::vector<std::pair<uint64_t, const Contribution*>> left;
  for (const Remembered& remembered : contributions_) {
    const Contribution& one = remembered.contribution;
    const DecayedSum& sum = sums_[static_cast<size_t>(signal_of(one.id).account)];
    uint64_t points = sum.left_of(one.points, one.at, at);
    if (points > 0) left.emplace_back(points, &one);
  }
  std::ranges::stable_sort(left, std::greater(), [](const auto& entry) { return entry.first; });
  std::vector<Contribution> out;
  for (size_t i = 0; i < std::min(most, left.size()); i++) {
    out.push_back(*left[i].second);
    out.back().points = left[i].first;
  }
  return out;
}

std::string show(const Contribution& contribution) {
  char start[64];
  snprintf(start, sizeof start, "+%.1f ", static_cast<double>(contribution.points) / kPoint);
  char time[32];
  snprintf(time, sizeof time, ", at %.1f s", static_cast<double>(contribution.at) / 1000);
  std::string out = start + std::string(signal_of(contribution.id).name) + time;
  return contribution.shown.empty() ? out : out + ": " + contribution.shown;
}

boost::json::object describe(const Score& score, int64_t at) {
  Reading reading = score.look(at);
  boost::json::object axes;
  for (size_t i = 0; i < kAxes; i++)
    axes[kAxisRows[i].name] = reading.axes[i];
  boost::json::object points;
  for (size_t i = 0; i < kAccounts; i++)
    points[kAccountRows[i].name] = score.points(static_cast<Account>(i), at);
  boost::json::array heaviest;
  for (const Contribution& one : score.heaviest(at, 20)) {
    const Signal& signal = signal_of(one.id);
    heaviest.push_back(
        boost::json::object{{"signal", signal.name},
                            {"axis", kAxisRows[static_cast<size_t>(axis_of(signal.account))].name},
                            {"at", one.at},
                            {"points", one.points},
                            {"shown", one.shown}});
  }
  return {{"score", reading.score},
          {"seen", reading.seen},
          {"axes", std::move(axes)},
          {"points", std::move(points)},
          {"heaviest", std::move(heaviest)}};
}

}  // namespace ringwall::risk
