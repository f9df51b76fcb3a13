// Does this file hold a secret? Each function answers for one kind of file, from the first bytes of
// one whose name made it a candidate. They look for the secret itself, not for words about secrets:
// a value that is empty, a variable or a placeholder is none. Any bytes may come; nothing here
// takes longer than a few passes over them.
#pragma once

#include <string_view>

namespace ringwall::files {

// PEM, OpenSSH, PuTTY, PGP, age and DER; also if a passphrase is on it.
bool holds_private_key(std::string_view bytes);
// Nothing but one key in hexadecimal or base64, as Rails and WireGuard keep theirs.
bool holds_bare_key(std::string_view bytes);
// name=value and name: value, where the name says that it is secret; tokens of known form; URLs
// with a password.
bool holds_secret_setting(std::string_view bytes);
bool holds_netrc_password(std::string_view bytes);
// A service account, an OAuth login, a cloud's access key.
bool holds_json_credentials(std::string_view bytes);
bool holds_docker_login(std::string_view bytes);
bool holds_xml_password(std::string_view bytes);
bool holds_kubernetes_login(std::string_view bytes);
bool holds_private_jwk(std::string_view bytes);

}  // namespace ringwall::files
