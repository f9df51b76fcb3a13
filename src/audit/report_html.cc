// The report as one page. It may be opened straight from a folder: nothing is loaded from anywhere,
// and a policy in the page says so to the browser too. Whatever others chose is escaped text.
#include "audit/report.h"
#include "base/sha256.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--line:#d0d4da;--soft:#f4f5f7;--text:#1c2128;--dim:#5b6470}
@media(prefers-color-scheme:dark){:root{--line:#3a4149;--soft:#22272e;--text:#e6e9ed;--dim:#9aa4af}
body{background:#16191d}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0 0 .2rem}p{margin:.3rem 0}.dim{color:var(--dim)}
form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:1.2rem 0;padding:.7rem .9rem;
background:var(--soft);border:1px solid var(--line);border-radius:.5rem}
input[type=search]{flex:1 1 14rem;font:inherit;padding:.25rem .5rem;border:1px solid var(--line);
border-radius:.3rem;background:transparent;color:inherit}
article{border:1px solid var(--line);border-left-width:.4rem;border-radius:.4rem;margin:0 0 .9rem;padding:.7rem .9rem}
h2{font-size:1.02rem;margin:0}code,pre{font:13px/1.45 ui-monospace,monospace}
.place{overflow-wrap:anywhere;font-weight:600}.seen{background:var(--soft);padding:.05rem .3rem;overflow-wrap:anywhere}
.fix{display:flex;gap:.6rem;align-items:flex-start;margin-top:.5rem}
.fix pre{flex:1;margin:0;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);padding:.5rem .6rem;
border-radius:.3rem}
button{font:inherit;padding:.2rem .7rem;border:1px solid var(--line);border-radius:.3rem;background:transparent;
color:inherit;cursor:pointer}
.badge{display:inline-block;min-width:4.6rem;text-align:center;font-size:.8rem;font-weight:600;color:#fff;
border-radius:.9rem;padding:.05rem .6rem;margin-right:.5rem}
.critical{border-left-color:#8e1023}.high{border-left-color:#c2410c}.medium{border-left-color:#a16207}
.low{border-left-color:#2563a8}.info{border-left-color:#6b7280}
.badge.critical{background:#8e1023}.badge.high{background:#c2410c}.badge.medium{background:#a16207}
.badge.low{background:#2563a8}.badge.info{background:#6b7280}
[hidden]{display:none}
)";

constexpr std::string_view kScript = R"(
"use strict";
const rows=[...document.querySelectorAll("article")];
const boxes=[...document.querySelectorAll("input[type=checkbox]")];
const words=document.querySelector("input[type=search]");
const shown=document.getElementById("shown");
function filter(){
  const wanted=new Set(boxes.filter(b=>b.checked).map(b=>b.value));
  const text=words.value.toLowerCase();
  let count=0;
  for(const row of rows){
    row.hidden=!wanted.has(row.dataset.severity)||!row.textContent.toLowerCase().includes(text);
    if(!row.hidden)count++;
  }
  shown.textContent=count+" of "+rows.length+" shown";
}
document.querySelector("form").addEventListener("input",filter);
document.querySelector("form").addEventListener("submit",e=>e.preventDefault());
document.addEventListener("click",async e=>{
  if(!(e.target instanceof HTMLButtonElement))return;
  const text=e.target.parentElement.querySelector("pre").textContent;
  try{await navigator.clipboard.writeText(text);}
  catch{
    const area=document.createElement("textarea");
    area.value=text;document.body.append(area);area.select();document.execCommand("copy");area.remove();
  }
  e.target.textContent="copied";
  setTimeout(()=>{e.target.textContent="copy";},1500);
});
filter();
)";

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t three = 0;
    size_t there = std::min<size_t>(3, bytes.size() - at);
    for (size_t i = 0; i < 3; i++)
      three = three << 8 | (i < there ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; i++)
      out += i <= there ? kLetters[three >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

// For the page's policy: this style and this script, and no other.
std::string hash_of(std::string_view text) {
  Sha256 sum;
  sum.add(text.data(), text.size());
  Digest digest = sum.finish();
  return "'sha256-" +
         base64({reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()}) + "'";
}

// Text without anything that a terminal obeys, within an element or an attribute in double quotes.
std::string in_html(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string article_of(const Finding& finding) {
  const Check& check = *finding.check;
  std::string severity(name_of(check.severity));
  std::string place = in_html(text::escape(finding.path));
  if (finding.line > 0) place += ":" + std::to_string(finding.line);
  std::string out = "<article class=\"" + severity + "\" data-severity=\"" + severity +
                    "\"><h2><span class=\"badge " + severity + "\">" + severity + "</span>" +
                    in_html(check.number) + " " + in_html(check.title) +
                    "</h2>\n<p class=\"place\"><code>" + place + "</code></p>\n";
  if (!finding.seen.empty())
    out += "<p>seen: <code class=\"seen\">" + in_html(shown(finding.seen)) + "</code></p>\n";
  out += "<p>" + in_html(check.danger) + "</p>\n";
  if (!check.known.empty()) out += "<p class=\"dim\">Known: " + in_html(check.known) + "</p>\n";
  return out + "<div class=\"fix\"><pre>" + in_html(shown(finding.fix)) +
         "</pre><button type=\"button\">copy</button></div></article>\n";
}

std::string filters_of(const Report& report) {
  std::string out = "<form>";
  for (Severity severity :
       {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info}) {
    std::string name(name_of(severity));
    out += "<label><input type=\"checkbox\" value=\"" + name + "\" checked> " + name + " (" +
           std::to_string(count(report, severity)) + ")</label>\n";
  }
  return out +
         "<input type=\"search\" placeholder=\"words, a number, a path\" aria-label=\"filter\">"
         "<span class=\"dim\" id=\"shown\"></span></form>\n";
}

}  // namespace

std::string as_html(const Report& report) {
  std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " +
                       hash_of(kStyle) + "; script-src " + hash_of(kScript);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
      policy +
      "\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Ringwall audit</title>\n"
      "<style>" +
      std::string(kStyle) + "</style></head>\n<body><h1>Audit of " +
      in_html(text::escape(report.subject)) + "</h1>\n<p>" + sum_up(report) +
      ". <span class=\"dim\">" + std::to_string(report.files) +
      " files looked at, by Ringwall " RINGWALL_VERSION "</span></p>\n";
  if (!report.is_whole) out += "<p>Not all was looked at: " + in_html(report.incomplete) + "</p>\n";
  out += filters_of(report);
  for (const Finding& finding : report.findings)
    out += article_of(finding);
  if (report.findings.empty()) out += "<p>Nothing was found.</p>\n";
  return out + "<script>" + std::string(kScript) + "</script></body></html>\n";
}

}  // namespace ringwall::audit
