// infrastructure, privilege and publishing.
#include "gate/pack_tables.h"

namespace ringwall::gate {
namespace {

using enum Answer;
using Use = PackPath::Use;

// clang-format off

constexpr std::string_view kAskPerson = "leave it to the person";
constexpr std::string_view kDestroys = "it takes down what is running";
constexpr std::string_view kChanges = "it changes what is running";
constexpr std::string_view kPlan = "show a plan first, and leave the rest to the person";
constexpr std::string_view kData = "data would be lost";
constexpr std::string_view kBackup = "ask the person, who knows whether there is a backup";
constexpr std::string_view kPublic = "what is published cannot be taken back";
constexpr std::string_view kDryRun = "build it, or use --dry-run; publishing is the person's";
constexpr std::string_view kPower = "it runs with more rights than the work needs";
constexpr std::string_view kSystem = "it changes this machine for everybody";

constexpr PackCommand kInfraCommands[] = {
    {"terraform|tofu|terragrunt destroy", deny, kDestroys, "terraform plan -destroy shows it"},
    {"terraform|tofu|terragrunt apply|run-all -destroy|--destroy", deny, kDestroys,
     "terraform plan -destroy shows it"},
    {"terragrunt run-all|run destroy", deny, kDestroys, kPlan},
    {"terragrunt destroy-all", deny, kDestroys, kPlan},
    {"terragrunt run-all|run apply", ask, kChanges, "terraform plan shows what it would do"},
    {"terragrunt apply-all", ask, kChanges, "terraform plan shows what it would do"},
    {"terraform|tofu|terragrunt apply", ask, kChanges, "terraform plan shows what it would do"},
    {"terraform|tofu|terragrunt state rm|push|mv|replace-provider", ask, kChanges, kPlan},
    {"terraform|tofu|terragrunt workspace delete", ask, kDestroys, kPlan},
    {"terraform|tofu|terragrunt force-unlock|taint|untaint|import", ask, kChanges, kPlan},
    {"pulumi destroy", deny, kDestroys, "pulumi preview shows what would change"},
    {"pulumi up|update|cancel|refresh|import", ask, kChanges, "pulumi preview shows it"},
    {"pulumi stack rm", deny, kDestroys, kPlan},
    {"cdk|cdktf|serverless|sls|sst|amplify destroy|remove|delete", deny, kDestroys, kPlan},
    {"cdk|cdktf|serverless|sls|sst|sam|copilot|amplify deploy|push", ask, kChanges, kPlan},
    {"sam|eksctl|copilot delete", deny, kDestroys, kPlan},
    {"kubectl|oc delete --all|-A|--all-namespaces !--dry-run", deny, kDestroys, "kubectl get shows what there is"},
    {"kubectl|oc delete ns|namespace|namespaces|pv|pvc|persistentvolume|persistentvolumes|"
     "persistentvolumeclaim|persistentvolumeclaims|node|nodes|crd|crds|project",
     deny, kDestroys, "kubectl get shows what there is"},
    {"kubectl|oc delete =ns/*|namespace/*|namespaces/*|pv/*|pvc/*|persistentvolume/*|persistentvolumeclaim/*|"
     "persistentvolumes/*|persistentvolumeclaims/*|node/*|nodes/*|crd/*|crds/*|project/*",
     deny, kDestroys, "kubectl get shows what there is"},
    {"kubectl|oc delete", ask, kDestroys, "kubectl get and kubectl describe show it"},
    {"kubectl|oc drain|cordon|taint|replace|patch|edit|scale|autoscale|annotate|label|exec|cp|debug|set",
     ask, kChanges, "kubectl get and kubectl describe show it"},
    {"kubectl|oc apply|create|run|expose !--dry-run", ask, kChanges, "kubectl diff, or --dry-run=client, shows it"},
    {"kubectl|oc rollout restart|undo|pause", ask, kChanges, "kubectl rollout status shows it"},
    {"helm uninstall|delete|del|un|rollback", ask, kDestroys, "helm status shows it"},
    {"helm install|upgrade !--dry-run", ask, kChanges, "helm template, or --dry-run, shows it"},
    {"kustomize|flux|argocd delete|uninstall", ask, kDestroys, kPlan},
    {"argocd app delete|sync|rollback", ask, kChanges, kPlan},
    {"docker|podman|nerdctl system|volume|image|container|network|builder prune", ask,
     "it deletes what other projects may need", "name what is no longer needed"},
    {"docker|podman|nerdctl volume rm|remove", ask, kData, "docker volume ls shows them"},
    {"docker|podman|nerdctl compose down|rm -v|--volumes", ask, kData, "without -v the data stays"},
    {"docker-compose|podman-compose down|rm -v|--volumes", ask, kData, "without -v the data stays"},
    {"docker swarm|stack|service|node rm|leave|remove", ask, kDestroys, kPlan},
    {"aws s3 rm --recursive !--dryrun", deny, kData, "aws s3 ls shows what there is"},
    {"aws s3 rb", deny, kData, "aws s3 ls shows what there is"},
    {"aws s3 sync --delete !--dryrun", ask, kData, "--dryrun shows what would go"},
    {"aws s3 rm|mv !--dryrun", ask, kData, "--dryrun shows what would go"},
    {"aws ec2 terminate-instances", deny, kDestroys, "aws ec2 describe-instances shows them"},
    {"aws rds|dynamodb|redshift|elasticache|efs|backup|kms =delete-*|schedule-key-deletion", deny, kData, kBackup},
    {"aws =delete-*|terminate-*|remove-*|purge-*|deregister-*|revoke-*|disable-*|stop-*|reboot-*|"
     "detach-*|reset-*|cancel-*",
     ask, kDestroys, "the describe- and list- commands show what there is"},
    {"aws iam|sts|organizations =create-*|put-*|attach-*|update-*|add-*|assume-*", ask,
     "it changes who may do what", kAskPerson},
    {"aws =run-instances|put-bucket-policy|put-bucket-acl|update-stack|create-stack|deploy|put-*|"
     "modify-*|update-*|create-*",
     ask, kChanges, "the describe- and list- commands show what there is"},
    {"gcloud projects|sql|kms|spanner|bigtable =delete", deny, kDestroys, kBackup},
    {"gcloud =delete|destroy|reset|stop|remove-iam-policy-binding|add-iam-policy-binding|set-iam-policy",
     ask, kDestroys, "the list and describe commands show what there is"},
    {"gcloud storage rm -r|-R|--recursive", deny, kData, "gcloud storage ls shows what there is"},
    {"gcloud storage rm|mv", ask, kData, "gcloud storage ls shows what there is"},
    {"gcloud storage rsync --delete-unmatched-destination-objects", ask, kData, "--dry-run shows what would go"},
    {"gsutil rsync -d", ask, kData, "gsutil rsync -n shows what would go"},
    {"gcloud app|run|functions|builds deploy|submit", ask, kChanges, kPlan},
    {"gcloud =create|update|deploy", ask, kChanges, "the list and describe commands show what there is"},
    {"gsutil|rclone rm|rb|purge|delete|deletefile|sync|rmdirs|cleanup", ask, kData, "list it first"},
    {"bq rm", ask, kData, "bq ls shows what there is"},
    {"az group|account|keyvault|sql|cosmosdb delete|purge", deny, kDestroys, "az resource list shows it"},
    {"az =delete|purge|stop|deallocate|create|update|deploy|set", ask, kChanges, "the list and show commands change nothing"},
    {"doctl|linode-cli|hcloud|scw|oci|ibmcloud|exo|vultr-cli =delete|destroy|rm|remove|delete-*|terminate", ask,
     kDestroys, "the list commands show what there is"},
    {"heroku =apps:destroy|destroy|pg:reset|addons:destroy|apps:delete", deny, kDestroys, kBackup},
    {"heroku =config:set|config:unset|ps:scale|ps:stop|releases:rollback|rollback|domains:remove|run", ask, kChanges, kPlan},
    {"fly|flyctl apps|volumes|postgres|machine|machines destroy|delete", deny, kDestroys, kBackup},
    {"fly|flyctl|railway|render|vercel|netlify|now|surge|firebase|wrangler =destroy|delete|down|remove|rm|"
     "sites:delete|hosting:disable|firestore:delete|database:remove",
     ask, kDestroys, kPlan},
    {"vagrant|multipass|lxc|incus|virsh|limactl|minikube destroy|delete|undefine|purge", ask, kDestroys, kPlan},
    {"ansible|ansible-playbook !--check|-C|--syntax-check|--list-hosts|--list-tasks", ask, kChanges, "--check shows what it would do"},
    {"vault|consul|etcdctl|nomad delete|destroy|del|purge|stop", ask, kData, kBackup},
    {"vault kv delete|destroy|metadata", ask, kData, kBackup},
    {"nomad job stop|purge|run", ask, kChanges, kPlan},
    {"dropdb|dropuser", deny, kData, kBackup},
    {"mysqladmin =drop", deny, kData, kBackup},
    {"flyway clean", deny, kData, "flyway migrate keeps the data"},
    {"liquibase drop-all|dropAll", deny, kData, "liquibase update keeps the data"},
    {"dbmate|drizzle-kit drop", ask, kData, "migrations keep the data"},
    {"diesel|sqlx database reset|drop", ask, kData, "migrations keep the data"},
    {"wp db reset|drop|clean", ask, kData, kBackup},
    {"prisma migrate reset", ask, kData, "prisma migrate dev keeps the data"},
    {"pnpm|yarn|bun|npm prisma migrate reset", ask, kData, "prisma migrate dev keeps the data"},
    {"flyway =clean", deny, kData, kBackup},
    {"liquibase =drop-all|dropAll", deny, kData, kBackup},
    {"prisma db push --accept-data-loss|--force-reset", ask, kData, "prisma migrate dev keeps the data"},
    {"rails|rake|bin/rails =db:drop|db:reset|db:drop:all|db:purge|db:schema:load|db:migrate:reset", ask, kData, "db:migrate keeps the data"},
    {"python =flush|reset_db|sqlflush =manage.py|*/manage.py", ask, kData, "migrate keeps the data"},
    {"manage.py|django-admin flush|reset_db", ask, kData, "migrate keeps the data"},
    {"alembic downgrade", ask, kData, "upgrade keeps the data"},
    {"flask db downgrade", ask, kData, "upgrade keeps the data"},
    {"php =migrate:fresh|migrate:reset|db:wipe|migrate:refresh", ask, kData, "migrate keeps the data"},
    {"artisan migrate:fresh|migrate:reset|db:wipe", ask, kData, "migrate keeps the data"},
    {"sequelize|knex|typeorm =db:drop|db:migrate:undo:all|migrate:rollback|schema:drop", ask, kData, kBackup},
    {"supabase db reset", ask, kData, "supabase migration up keeps the data"},
    {"mix =ecto.drop|ecto.reset", ask, kData, "ecto.migrate keeps the data"},
    {"mongosh|mongo|mongodump|mongorestore --drop", ask, kData, kBackup},
};

constexpr PackCode kInfraCode[] = {
    {"sql", "drop database", deny, kData, kBackup},
    {"sql", "drop schema", deny, kData, kBackup},
    {"sql", "drop table", ask, kData, kBackup},
    {"sql", "drop owned", deny, kData, kBackup},
    {"sql", "drop user", ask, kData, kBackup},
    {"sql", "drop role", ask, kData, kBackup},
    {"sql", "drop view", ask, kData, kBackup},
    {"sql", "drop column", ask, kData, kBackup},
    {"sql", "drop keyspace", deny, kData, kBackup},
    {"sql", "drop tablespace", ask, kData, kBackup},
    {"sql", "drop materialized view", ask, kData, kBackup},
    {"sql", "drop measurement", ask, kData, kBackup},
    {"sql", "truncate ", ask, kData, kBackup},
    {"sql", "delete from", ask, kData, "give it a WHERE, and count the rows first"},
    {"mongo", "dropdatabase", deny, kData, kBackup},
    {"mongo", ".drop(", ask, kData, kBackup},
    {"mongo", "dropcollection", ask, kData, kBackup},
    {"mongo", "deletemany(", ask, kData, "count what fits first"},
    {"mongo", ".remove(", ask, kData, "count what fits first"},
    {"redis", "flushall", deny, kData, kBackup},
    {"redis", "flushdb", deny, kData, kBackup},
    {"sql", "grant all", ask, "it changes who may do what", kAskPerson},
};

constexpr PackCommand kPrivilegeCommands[] = {
    {"sudo|doas|su|pkexec|run0|gosu|sudoedit|runuser|setpriv", ask, kPower,
     "do it without, inside the workspace, or tell the person what to run"},
    {"chmod 777|0777|a+rwx|a=rwx|ugo+rwx|o+w|a+w|o+rwx|666|0666|go+w|ugo+w|o=rwx|1777|757|776",
     ask, "everybody could change it", "chmod +x, or 755 and 644, are enough"},
    {"chmod u+s|g+s|+s|ug+s|a+s|u=*s|g=*s|4755|4711|4750|4777|2755|2775|6755|04755|02755|06755", ask,
     "whoever runs it gets another's rights", kAskPerson},
    {"chmod|chown|chgrp|chattr|setfacl -R|--recursive @root|system|home|above", deny, kSystem, "name the files"},
    {"chmod|chown|chgrp|chattr|setfacl @system|root", ask, kSystem, kAskPerson},
    {"chown|chgrp %root|root:*|root.*|0|0:*|*:root|*:0", ask, kPower, kAskPerson},
    {"visudo !-c|--check", ask, "it changes who may do what on this machine", kAskPerson},
    {"setcap|usermod|useradd|userdel|groupadd|groupmod|groupdel|adduser|deluser|passwd|chpasswd|gpasswd|"
     "newgrp|chsh|vipw",
     ask, "it changes who may do what on this machine", kAskPerson},
    {"mount #1", ask, kSystem, kAskPerson},
    {"mount -a|--all|-t|-o|-B|--bind|-M|--move", ask, kSystem, kAskPerson},
    {"umount|losetup|swapoff|swapon|pivot_root|chroot|nsenter|unshare|switch_root", ask, kSystem, kAskPerson},
    {"insmod|rmmod|modprobe|kexec|sysctl -w|--write|-p|--load", ask, kSystem, kAskPerson},
    {"insmod|rmmod|modprobe|kexec|bpftool|bpftrace|setenforce|aa-disable|aa-teardown|auditctl", ask, kSystem, kAskPerson},
    {"iptables|ip6tables !-L|-S|--list|--list-rules", ask, "it changes this machine's network", kAskPerson},
    {"nft|ufw|firewall-cmd|ipset|tc", ask, "it changes this machine's network", kAskPerson},
    {"shutdown|reboot|halt|poweroff|init|telinit|suspend", deny, "it stops the machine", kAskPerson},
    {"systemctl poweroff|reboot|halt|suspend|hibernate|rescue|emergency|kexec|isolate", deny,
     "it stops the machine", kAskPerson},
    {"systemctl stop|disable|mask|restart|start|enable|kill|edit|set-default|daemon-reload|link", ask, kSystem,
     "systemctl status shows it"},
    {"service|initctl|rc-service|launchctl|sc =stop|restart|start|unload|bootout|remove|load|bootstrap", ask, kSystem, kAskPerson},
    {"apt|apt-get|aptitude|dnf|yum|zypper|pacman|apk|emerge|snap|flatpak|port =install|remove|purge|"
     "autoremove|upgrade|dist-upgrade|full-upgrade|erase|add|del",
     ask, kSystem, "use what the project's own package manager brings"},
    {"pacman -S|-R|-U", ask, kSystem, "use what the project's own package manager brings"},
    {"dpkg|rpm -i|-r|-P|-e|-U|--install|--remove|--purge|--erase|--force-all", ask, kSystem, kAskPerson},
    {"docker|podman|nerdctl run|create|exec|container --privileged|--pid=host|--net=host|--network=host|"
     "--cap-add=ALL|--cap-add=SYS_ADMIN|--userns=host|--ipc=host",
     ask, "it takes the container's walls away", "run it without"},
    {"docker|podman|nerdctl run|create|container =/:*|/.*:*|//*:*|-v/:*|/var/run/docker.sock*|/run/docker.sock*|"
     "/etc:*|/etc/:*|/root:*|/root/:*|*source=/,*|*src=/,*|*source=/|*src=/|*source=/etc|*src=/etc|*source=/etc,*|"
     "*src=/etc,*",
     ask, "it gives the container this machine", "mount the workspace alone"},
    {"docker|podman|nerdctl run|create|container =/dev/sd*|/dev/vd*|/dev/nvme*|/dev/mapper/*|/dev/mem*|/dev/kmsg*", ask,
     "it gives the container a disk of this machine", "run it without"},
    {"curl =/var/run/docker.sock|/run/docker.sock", ask, "who reaches it is root", kAskPerson},
    {"systemd-run", ask, "it runs later, outside of any gate", "run it now"},
    {"at|batch|crontab !-l|-r", ask, "it runs later, outside of any gate", "run it now"},
    {"capsh|gdb -p|--pid|attach", ask, "it reaches into another process", kAskPerson},
    {"strace|ltrace|perf -p|--pid", ask, "it reaches into another process", kAskPerson},
};

constexpr PackPath kPrivilegePaths[] = {
    {"//etc/sudoers", Use::write, deny, "it changes who may become root", kAskPerson},
    {"//etc/sudoers.d/**", Use::write, deny, "it changes who may become root", kAskPerson},
    {"//etc/passwd", Use::write, deny, "it changes who may log in", kAskPerson},
    {"//etc/shadow", Use::write, deny, "it changes who may log in", kAskPerson},
    {"//etc/pam.d/**", Use::write, deny, "it changes who may log in", kAskPerson},
    {"//etc/ssh/**", Use::write, deny, "it changes who may log in", kAskPerson},
    {"//etc/ld.so.preload", Use::write, deny, "every program would load it", kAskPerson},
    {"//var/run/docker.sock", Use::both, ask, "who reaches it is root", kAskPerson},
    {"//run/docker.sock", Use::both, ask, "who reaches it is root", kAskPerson},
    {"~/.ssh/authorized_keys", Use::write, deny, "it lets others log in", kAskPerson},
};

constexpr PackCommand kPublishCommands[] = {
    {"npm|pnpm|yarn|bun|poetry|uv|flit|hatch|pdm|maturin|vsce|ovsx|deno|jsr|lerna|changeset|np|rush|"
     "release-it|semantic-release|sbt|wasm-pack publish !--dry-run|--dryRun",
     ask, kPublic, kDryRun},
    {"cargo|dart|flutter publish !--dry-run|-n", ask, kPublic, kDryRun},
    {"yarn npm publish !--dry-run|-n", ask, kPublic, kDryRun},
    {"changeset|nx|lerna|dart|flutter release|pub publish", ask, kPublic, kDryRun},
    {"semantic-release|release-it|np|release-please !--dry-run|-d", ask, kPublic, kDryRun},
    {"npm|pnpm|yarn unpublish", deny, "others build on it", kAskPerson},
    {"npm|pnpm|yarn deprecate|login|adduser|logout", ask, kPublic, kDryRun},
    {"npm|pnpm|yarn owner|access|dist-tag|token|team|org|author|dist-tags "
     "add|rm|remove|set|create|destroy|delete|revoke|grant|public|restricted|edit|2fa-required|2fa-not-required",
     ask, kPublic, kDryRun},
    {"cargo yank|owner|login", ask, "others build on it", kAskPerson},
    {"twine|conda|anaconda|snapcraft|luarocks|rubygems upload|push|release", ask, kPublic, kDryRun},
    {"python =upload|sdist_upload =setup.py|*/setup.py", ask, kPublic, kDryRun},
    {"python =upload =twine", ask, kPublic, kDryRun},
    {"gem push|yank|owner", ask, kPublic, kDryRun},
    {"buildah|helm|crane|oras|skopeo push|copy", ask, kPublic, "docker build is enough to try it"},
    {"docker|podman|nerdctl push", ask, kPublic, "docker build is enough to try it"},
    {"docker|podman|nerdctl compose push", ask, kPublic, "docker build is enough to try it"},
    {"docker|podman buildx|build|bake --push", ask, kPublic, "docker build is enough to try it"},
    {"docker|podman login|logout", ask, "it changes where images go", kAskPerson},
    {"gh release create|edit|upload", ask, kPublic, kDryRun},
    {"gh gist create", ask, kPublic, "keep it in a file"},
    {"gh repo create --public", ask, kPublic, kAskPerson},
    {"gh workflow run|enable|disable", ask, "it starts a job for everybody", kAskPerson},
    {"glab release create|upload", ask, kPublic, kDryRun},
    {"mvn|mvnw =deploy|release:perform|deploy:deploy", ask, kPublic, "mvn package, or install, is enough"},
    {"gradle|gradlew =publish|publishToMavenCentral|publishPlugins|uploadArchives|*:publish|publish*Repository", ask,
     kPublic, "gradle build, or publishToMavenLocal, is enough"},
    {"dotnet|nuget nuget|push push", ask, kPublic, "dotnet pack is enough"},
    {"nuget push", ask, kPublic, kDryRun},
    {"pod trunk push", ask, kPublic, "pod lib lint is enough"},
    {"goreleaser release !--snapshot|--skip=publish", ask, kPublic, "--snapshot builds it"},
    {"mix =hex.publish", ask, kPublic, kDryRun},
    {"vercel|now --prod", ask, "everybody sees it", "without --prod it is a preview"},
    {"netlify deploy --prod|-p", ask, "everybody sees it", "without --prod it is a preview"},
    {"fly|flyctl|wrangler|firebase|eb|serverless|railway|modal|surge|gh-pages deploy|publish|up", ask,
     "everybody sees it", kAskPerson},
    {"gh-pages|surge", ask, "everybody sees it", kAskPerson},
    {"fastlane|eas|xcrun|altool =deliver|supply|submit|upload_to_*|pilot|release|--upload-app", ask, kPublic, kDryRun},
};
// clang-format on

}  // namespace

constexpr Pack kInfrastructure{
    "infrastructure",
    "clouds, clusters, containers and databases: taking down or changing "
    "what is running",
    kInfraCommands,
    {},
    kInfraCode};
constexpr Pack kPrivilege{"privilege",
                          "more rights than the work needs, and this machine's own settings",
                          kPrivilegeCommands, kPrivilegePaths};
constexpr Pack kPublishing{"publishing", "packages, images, releases and sites that others see",
                           kPublishCommands};

}  // namespace ringwall::gate
