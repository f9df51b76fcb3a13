"""Prepared repositories of continuous integration and containers, and everyday ones."""

from agent_shapes import file
from repositories import shape

JOB = "stages: [ai]\nreview:\n  stage: ai\n  rules:\n    - if: $CI_PIPELINE_SOURCE == 'merge_request_event'\n  script:\n"

file("gitlab_agent_on_titles", "RW271", "critical", ".gitlab-ci.yml", JOB + '    - claude -p "Review $CI_MERGE_REQUEST_TITLE"\n')
file("gitlab_agent_on_input", "RW271", "critical", ".gitlab-ci.yml",
     "claude:\n  variables:\n    PROMPT: $AI_FLOW_INPUT\n  script:\n    - !reference [.setup, script]\n    - claude -p \"$PROMPT\"\n")
file("gitlab_agent_never_asks", "RW275", "high", ".gitlab-ci.yml", JOB + "    - claude -p hi --dangerously-skip-permissions\n")
file("gitlab_second_shell", "RW273", "high", ".gitlab-ci.yml", JOB + '    - bash -c "echo $CI_COMMIT_TITLE"\n')


def compose(name, service, path=".devcontainer/docker-compose.yml", named="docker-compose.yml"):
    def fill(folder):
        folder.json(".devcontainer/devcontainer.json", {"dockerComposeFile": [named], "service": "app"})
        folder.write(path, f"services:\n  app:\n    image: debian\n{service}")

    fill.__name__ = name
    shape("RW234", "high")(fill)


compose("compose_privileged", "    privileged: true\n")
compose("compose_host", "    volumes:\n      - ..:/work\n      - /:/host\n")
compose("compose_home", "    volumes:\n      - ~/.ssh:/root/.ssh\n", "compose.yaml", "../compose.yaml")
compose("compose_long_form", "    volumes:\n      - type: bind\n        source: /etc\n        target: /e\n")
compose("compose_network", "    network_mode: host\n")
compose("compose_capability", "    cap_add: [SYS_ADMIN]\n")
file("container_with_token", "RW238", "medium", ".devcontainer/devcontainer.json",
     {"image": "debian", "containerEnv": {"GH_TOKEN": "${localEnv:GITHUB_TOKEN}"}})

TWINS = {
    "gitlab": {".gitlab-ci.yml": JOB + "    - git checkout $CI_COMMIT_REF_NAME\n    - echo \"$CI_COMMIT_TITLE\"\n    - make\n"
               "lint:\n  script: [npm ci, npm run lint]\n"},
    "compose": {
        ".devcontainer/devcontainer.json": {"dockerComposeFile": "docker-compose.yml", "service": "app",
                                            "containerEnv": {"EDITOR": "${localEnv:EDITOR}"}},
        ".devcontainer/docker-compose.yml": "services:\n  app:\n    build: .\n    network_mode: service:db\n    cap_add: [SYS_PTRACE]\n"
                                            "    volumes:\n      - ..:/work:cached\n      - data:/data\n  db:\n    image: postgres\nvolumes:\n  data:\n",
        "docker-compose.yml": "services:\n  proxy:\n    privileged: true\n    volumes: ['/var/run/docker.sock:/var/run/docker.sock']\n",
    },
}
