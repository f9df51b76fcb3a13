#include "risk/plot.h"

#include <algorithm>

namespace ringwall::risk {
namespace {

constexpr int kWidth = 900, kHeight = 420;
constexpr int kLeft = 60, kRight = 130, kTop = 50, kBottom = 50;
constexpr size_t kMostPoints = 2000;
constexpr const char* kColours[kAxes] = {"#b04a2f", "#2f6fb0", "#8a6d1a", "#6a3fa0"};

std::string escape(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string number(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string show_time(int64_t milliseconds) {
  int64_t seconds = milliseconds / 1000;
  char text[32];
  snprintf(text, sizeof text, "%lld:%02lld:%02lld", static_cast<long long>(seconds / 3600),
           static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
  return text;
}

class Drawing {
 public:
  explicit Drawing(const Replay& replay)
      : replay_(replay), span_(std::max<int64_t>(replay.end(), 1)) {}

  std::string draw(const std::string& title) {
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(kWidth) +
           " " + std::to_string(kHeight) + "\" font-family=\"sans-serif\" font-size=\"12\">\n" +
           "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    text(kLeft, 24, "Risk of " + title, "start", "#222222", 15);
    draw_frame();
    draw_thresholds();
    for (size_t i = 0; i < kAxes; i++) {
      draw_curve([i](const Reading& reading) { return reading.axes[i]; }, kColours[i], "1");
      text(kWidth - kRight + 10, kTop + 90 + 18 * static_cast<int>(i),
           std::string(kAxisRows[i].name), "start", kColours[i]);
    }
    draw_curve([](const Reading& reading) { return reading.score; }, "#222222", "2.5");
    text(kWidth - kRight + 10, kTop + 70, "score", "start", "#222222");
    draw_levels();
    return out_ + "</svg>\n";
  }

 private:
  double x_of(int64_t at) const {
    return kLeft + static_cast<double>(at) * (kWidth - kLeft - kRight) / static_cast<double>(span_);
  }
  static double y_of(uint32_t share) {
    return kHeight - kBottom - static_cast<double>(share) * (kHeight - kTop - kBottom) / kWhole;
  }

  void text(double x, double y, const std::string& what, const char* anchor, const char* colour,
            int size = 12) {
    out_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor +
            "\" fill=\"" + colour + "\" font-size=\"" + std::to_string(size) + "\">" +
            escape(what) + "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, const char* style) {
    out_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
            "\" y2=\"" + number(y2) + "\" " + style + "/>\n";
  }

  void draw_frame() {
    line(kLeft, y_of(0), kWidth - kRight, y_of(0), "stroke=\"#888888\"");
    line(kLeft, y_of(0), kLeft, y_of(kWhole), "stroke=\"#888888\"");
    for (uint32_t i = 0; i <= 4; i++) {
      uint32_t share = kWhole / 4 * i;
      text(kLeft - 8, y_of(share) + 4, number(static_cast<double>(share) / kWhole * 100) + " %",
           "end", "#555555");
      int64_t at = span_ * i / 4;
      text(x_of(at), kHeight - kBottom + 20, show_time(at), "middle", "#555555");
    }
  }

  void draw_thresholds() {
    for (size_t i = 1; i < kLevels; i++) {
      uint32_t share = replay_.thresholds().at[i];
      if (share > kWhole) continue;  // never reached
      line(kLeft, y_of(share), kWidth - kRight, y_of(share),
           "stroke=\"#cccccc\" stroke-dasharray=\"4 4\"");
      text(kWidth - kRight + 10, y_of(share) + 4, std::string(name_of(static_cast<Level>(i))),
           "start", "#999999");
    }
  }

  // Between two lines the score falls by time alone; the eye joins them well enough. Of many points
  // the highest of each stretch is drawn.
  template <class Share>
  void draw_curve(const Share& share, const char* colour, const char* width) {
    const auto& points = replay_.points();
    size_t step = points.size() / kMostPoints + 1;
    out_ += "<polyline fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" +
            width + "\" points=\"";
    for (size_t i = 0; i < points.size(); i += step) {
      auto last = points.begin() + static_cast<ptrdiff_t>(std::min(i + step, points.size()));
      auto highest = std::max_element(points.begin() + static_cast<ptrdiff_t>(i), last,
                                      [&](const ReplayedPoint& one, const ReplayedPoint& other) {
                                        return share(one.reading) < share(other.reading);
                                      });
      out_ += number(x_of(highest->at)) + "," + number(y_of(share(highest->reading))) + " ";
    }
    out_ += "\"/>\n";
  }

  void draw_levels() {
    for (const ReplayedLevel& level : replay_.levels()) {
      double x = x_of(level.at), y = y_of(level.found.score);
      out_ += "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) +
              "\" r=\"4\" fill=\"#222222\"><title>" +
              escape(level.because.empty() ? level.level : level.because[0]) +
              "</title></circle>\n";
      text(x + 6, y - 8, level.level, "start", "#222222");
    }
  }

  const Replay& replay_;
  int64_t span_;
  std::string out_;
};

}  // namespace

std::string plot(const Replay& replay, const std::string& title) {
  return Drawing(replay).draw(title);
}

}  // namespace ringwall::risk
