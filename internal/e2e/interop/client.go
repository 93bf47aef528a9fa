package interop

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The client generator and the packages that the generated code needs, with versions, so that new releases can't change
// the result of the tests.
const (
	generatorModule  = "github.com/oapi-codegen/oapi-codegen/v2"
	generatorVersion = "v2.8.2"
	generatedModule  = "github.com/oapi-codegen/runtime"
	generatedVersion = "v1.8.0"
)

//go:embed client/driver.go.txt
var clientDriverSource []byte

// apiClient generates a client from a description of the API, and builds it with the driver.
func apiClient(t testing.TB, description []byte) string {
	t.Helper()
	generator := cached(t, "oapi-codegen-"+generatorVersion, "oapi-codegen", func(dir string) *exec.Cmd {
		build := exec.Command("go", "install", generatorModule+"/cmd/oapi-codegen@"+generatorVersion)
		build.Env = append(os.Environ(), "GOBIN="+dir, "CGO_ENABLED=0")
		return build
	})
	name := "apiclient-" + digest(map[string][]byte{"openapi.json": description, "main.go": clientDriverSource,
		"version": []byte(generatorVersion + generatedVersion)})
	return cached(t, name, "driver", func(dir string) *exec.Cmd {
		module := "module driver\n\ngo 1.26.0\n\nrequire " + generatedModule + " " + generatedVersion + "\n"
		for file, data := range map[string]string{"go.mod": module, "main.go": string(clientDriverSource),
			"openapi.json": string(description)} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		generate := exec.Command(generator, "-generate", "types,client", "-package", "main", "-o", "client.gen.go",
			"openapi.json")
		generate.Dir = dir
		if out, err := generate.CombinedOutput(); err != nil {
			t.Fatalf("no client can be generated from openapi.json: %v\n%s", err, out)
		}
		build := exec.Command("go", "build", "-mod=mod", "-o", "driver", ".")
		build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
		return build
	})
}
