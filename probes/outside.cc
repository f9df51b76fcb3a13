// Facts from outside, as JSON: written by the verifier or a test, read by the probes.
#include <boost/json.hpp>

#include "probes/probe.h"

namespace ringwall::probes {
namespace {

namespace json = boost::json;

// One walk over the fields serves both directions.
template <class Facts, class Visitor>
void visit_fields(Facts& facts, Visitor&& visit) {
  visit("home", facts.home);
  visit("workspace", facts.workspace);
  visit("canary_file", facts.canary_file);
  visit("canary_secret", facts.canary_secret);
  visit("credentials", facts.credentials);
  visit("canary_variable", facts.canary_variable);
  visit("canary_socket", facts.canary_socket);
  visit("workspace_socket", facts.workspace_socket);
  visit("late_socket", facts.late_socket);
  visit("abstract_socket", facts.abstract_socket);
  visit("canary_key", facts.canary_key);
  visit("canary_user_key", facts.canary_user_key);
  visit("shared_memory_key", facts.shared_memory_key);
  visit("message_queue", facts.message_queue);
  visit("outside_pid", facts.outside_pid);
  visit("outside_pid_start", facts.outside_pid_start);
  visit("tcp_port", facts.tcp_port);
  visit("udp_port", facts.udp_port);
  visit("host_addresses", facts.host_addresses);
  visit("namespaces", facts.namespaces);
  visit("open_files", facts.open_files);
  visit("own_binary", facts.own_binary);
  visit("runs_folder", facts.runs_folder);
  visit("state_folder", facts.state_folder);
  visit("terminal", facts.terminal);
  visit("terminal_device", facts.terminal_device);
  visit("terminal_inode", facts.terminal_inode);
  visit("caller_is_root", facts.caller_is_root);
  visit("greeting_port", facts.greeting_port);
  visit("served_port", facts.served_port);
  visit("named_port", facts.named_port);
  visit("dns_port", facts.dns_port);
  visit("granted_name", facts.granted_name);
  visit("granted_zone", facts.granted_zone);
  visit("judged_name", facts.judged_name);
  visit("answers_names", facts.answers_names);
  visit("own_name", facts.own_name);
  visit("served", facts.served);
  visit("set_variables", facts.set_variables);
  visit("secrets_backwards", facts.secrets_backwards);
  visit("secret_files", facts.secret_files);
  visit("most_processes", facts.most_processes);
  visit("most_open_files", facts.most_open_files);
  visit("most_tmp_bytes", facts.most_tmp_bytes);
  visit("most_tmp_files", facts.most_tmp_files);
}

json::value to_value(const std::string& text) { return json::value(text); }
json::value to_value(bool on) { return json::value(on); }
json::value to_value(int number) { return json::value(number); }
json::value to_value(long number) { return json::value(number); }
json::value to_value(unsigned long number) { return json::value(number); }

json::value to_value(const std::vector<std::string>& texts) {
  json::array list;
  for (const std::string& text : texts)
    list.emplace_back(text);
  return list;
}

json::value to_value(const std::vector<CredentialFile>& files) {
  json::array list;
  for (const CredentialFile& file : files) {
    list.push_back(json::object{{"path", file.path},
                                {"inode", file.inode},
                                {"size", file.size},
                                {"modified", file.modified}});
  }
  return list;
}

void from_value(const json::value& value, std::string& text) {
  if (value.is_string()) text = std::string(value.get_string());
}

void from_value(const json::value& value, bool& on) {
  if (value.is_bool()) on = value.get_bool();
}

template <class Number>
requires std::integral<Number>
void from_value(const json::value& value, Number& number) {
  json::error_code error;
  Number read = value.to_number<Number>(error);
  if (!error) number = read;
}

void from_value(const json::value& value, std::vector<std::string>& texts) {
  if (!value.is_array()) return;
  for (const json::value& entry : value.get_array()) {
    if (entry.is_string()) texts.emplace_back(entry.get_string());
  }
}

void from_value(const json::value& value, std::vector<CredentialFile>& files) {
  if (!value.is_array()) return;
  for (const json::value& entry : value.get_array()) {
    if (!entry.is_object()) continue;
    CredentialFile file;
    const json::object& object = entry.get_object();
    if (const auto* path = object.if_contains("path")) from_value(*path, file.path);
    if (const auto* inode = object.if_contains("inode")) from_value(*inode, file.inode);
    if (const auto* size = object.if_contains("size")) from_value(*size, file.size);
    if (const auto* modified = object.if_contains("modified")) from_value(*modified, file.modified);
    files.push_back(std::move(file));
  }
}

}  // namespace

std::string Outside::to_json() const {
  json::object object;
  visit_fields(*this, [&](const char* key, const auto& field) { object[key] = to_value(field); });
  return json::serialize(object);
}

Outside Outside::from_json(std::string_view text) {
  Outside facts;
  json::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return facts;
  const json::object& object = value.get_object();
  visit_fields(facts, [&](const char* key, auto& field) {
    if (const json::value* found = object.if_contains(key)) from_value(*found, field);
  });
  return facts;
}

}  // namespace ringwall::probes
