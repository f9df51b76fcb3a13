// The table of hidden files. A name alone decides only where the file has no other use than to keep
// a secret; everywhere else the name makes a candidate and the secret itself must be found in it.
#include "files/hidden.h"
#include "files/hidden_content.h"

namespace ringwall::files {
namespace {

// PROJECT-0123456789ab.json: how Google calls the key of a service account.
bool ends_with_key_id(std::string_view name) {
  constexpr size_t kDigits = 12;
  constexpr size_t kEnd = 5;  // ".json"
  if (name.size() < kDigits + kEnd + 2) return false;
  std::string_view id = name.substr(name.size() - kEnd - kDigits, kDigits);
  return name[name.size() - kEnd - kDigits - 1] == '-' &&
         id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

constexpr HiddenEntry kEntries[] = {
    {".env .env.* .env~ .env-* .env_* .env?copy* copy?of?.env* \\#.env*#",
     "*[-_.]example *[-_.]sample *[-_.]template *[-_.]tpl *[-_.]dist *[-_.]example~ *[-_.]sample~ "
     "*[-_.]template~",
     nullptr, "environment file", "the name"},
    {".dev.vars .dev.vars.* .secrets .secrets.toml .streamlit/secrets.toml",
     "*.example *.sample *.template", nullptr, "secrets of an application", "the name"},
    {"*.p12 *.pfx *.jks *.jceks *.keystore *.bks *.kdbx *.keytab",
     "debug.keystore *truststore.* *trust-store.* *trust_store.*", nullptr, "key store",
     "the name: the content is encrypted or opaque"},
    {".git-credentials .vault-token .pgpass .htpasswd .passwd-s3fs .aws/credentials "
     ".azure/msal_token_cache.json .azure/msal_token_cache.bin "
     ".azure/accessTokens.json .config/gcloud/credentials.db .config/gcloud/access_tokens.db "
     ".terraform.d/credentials.tfrc.json "
     ".claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json opencode/auth.json",
     "", nullptr, "stored login", "the name"},
    {"*.tfstate *.tfstate.backup", "", nullptr, "Terraform state",
     "the name: it repeats every secret of what it describes, often behind the first 64 KiB"},

    {"*.pem *.key *.ppk *.asc *.pgp *.priv *.privkey *.p8 *.pk8 *.pkcs8 *.der *.ovpn *.crt *.cer "
     "*.cert *.rsa id_* *_rsa *_dsa *_ecdsa *_ed25519 "
     "*-rsa *-ed25519 *_sk *key *identity keys.txt .gnupg/private-keys-v1.d/*.key "
     "*key~ *key.bak *key.old *key.orig *key.save *key.backup *.pem~ *.pem.bak *.pem.old "
     "*.pem.orig "
     "*.pem.save *.pem.backup *.ppk~ *.p8~ *.asc~ *_rsa~ *_rsa.bak *_rsa.old *_ed25519~ "
     "*_ed25519.bak *_ed25519.old",
     "*.pub", holds_private_key, "private key",
     "a PEM, OpenSSH or PGP block of a private key with its body, PuTTY's and age's first line, a "
     "DER key"},
    {"*.key *.key~ *.key.bak *.key.old *.key.orig privatekey private_key private-key *.privkey",
     "*public* *.pub.key", holds_bare_key, "secret key",
     "nothing but one key in hexadecimal or base64"},
    {".npmrc .npmrc~ .npmrc.bak .yarnrc .yarnrc.yml .pypirc .my.cnf .s3cfg .boto rclone.conf "
     "pip.conf pip.ini uv.toml "
     ".condarc .bundle/config .gem/credentials "
     ".cargo/credentials .cargo/credentials.toml gradle.properties auth.toml .gitlab-token",
     "", holds_secret_setting, "token or password",
     "a setting named like a secret whose value is neither empty, a variable nor a placeholder; a "
     "token of known form; a URL with a password"},
    {"*.env *.env~ *.env.bak *.env.old *.env.orig \\#*.env# .flaskenv .envrc .envrc~ .envrc.* "
     "*.tfvars *.tfvars.json key.properties keystore.properties "
     "signing.properties local.properties secrets.yml secrets.yaml secrets.toml "
     "secrets.json secrets.properties *.secrets.yml *.secrets.yaml *-secrets.yml *-secrets.yaml "
     "credentials.yml credentials.yaml credentials.toml credentials wg*.conf",
     "*.example *.sample *.template *.dist example.env sample.env template.env example.env~ "
     "sample.env~ template.env~",
     holds_secret_setting, "token or password", "as above"},
    {".netrc .netrc~ .netrc.bak _netrc", "", holds_netrc_password, "password",
     "a password of a machine"},
    {"*credential*.json *secret*.json *account*.json *service*.json *firebase*.json *gcp*.json "
     "*gcloud*.json *google*.json *azure*.json *key*.json *token*.json *auth*.json "
     "*-sa.json sa.json",
     "", holds_json_credentials, "credentials",
     "a private key in private_key; an access, refresh or client token; a login of Azure or "
     "Composer"},
    {"*-*.json", "", holds_json_credentials, "credentials",
     "as above, where the name ends with the 12 digits of a Google key", ends_with_key_id},
    {".docker/config.json .dockercfg .dockerconfigjson", "", holds_docker_login, "registry login",
     "an auth or token that is not empty"},
    {"settings.xml settings-security.xml nuget.config", "", holds_xml_password, "password",
     "a password that is neither empty nor a variable"},
    {".kube/config kubeconfig* *kubeconfig *kubeconfig.yaml *kubeconfig.yml *kubeconfig.json "
     "kube.config *.kubeconfig",
     "", holds_kubernetes_login, "Kubernetes login",
     "clusters with a client key, token or password"},
    {"*.jwk *.jwks *jwk.json *jwks.json", "", holds_private_jwk, "private key",
     "the private part of a JSON web key"},
};

constexpr LeftVisible kLeftVisible[] = {
    {"certificates and public keys", "a .pem without a private key is no secret"},
    {".env.example, .env-sample, .env_template, .env.dist and such",
     "they show which variables there are"},
    {"source files, whatever words or sample keys they contain",
     "they are the work; only candidates by name are opened"},
    {"GIT/config with a token in a URL",
     "without it git would not work at all; take the token out and use a credential helper"},
    {"what git's history holds",
     "objects are packed; a secret that was committed is to be replaced"},
    {"debug.keystore and trust stores", "the first has a public password, the others hold no keys"},
    {"candidates by content in node_modules and other folders of a registry's packages",
     "they hold the keys of the packages' own tests"},
    {"what stands behind the first 64 KiB of a candidate", "secrets stand at the beginning"},
};

}  // namespace

std::span<const HiddenEntry> hidden_entries() { return kEntries; }
std::span<const LeftVisible> left_visible() { return kLeftVisible; }

}  // namespace ringwall::files
