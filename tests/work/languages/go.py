"""builds, vets and tests a Go module with a vendored package"""

NEEDS = {"go": "golang-go"}
HEAVY = True
ACT = "export GOFLAGS=-mod=vendor; go build -o app . && ./app && go test ./... | cut -c1-2 && go vet ./... && gofmt -l main.go"


def prepare(host):
    host.write("go.mod", "module example.org/app\n\ngo 1.18\n\nrequire example.org/dep v1.0.0\n")
    host.write("main.go", 'package main\n\nimport (\n\t"fmt"\n\n\t"example.org/dep"\n)\n\nfunc main() { fmt.Println(dep.Two()) }\n')
    host.write("main_test.go", 'package main\n\nimport (\n\t"testing"\n\n\t"example.org/dep"\n)\n\nfunc TestTwo(t *testing.T) {\n\tif dep.Two() != 2 {\n\t\tt.Fatal()\n\t}\n}\n')
    # As `go mod vendor` leaves it.
    host.write("vendor/modules.txt", "# example.org/dep v1.0.0\n## explicit\nexample.org/dep\n")
    host.write("vendor/example.org/dep/dep.go", "package dep\n\nfunc Two() int { return 2 }\n")


def works(host, done):
    return done.status == 0 and done.out.split() == ["2", "ok"]
