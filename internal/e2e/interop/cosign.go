package interop

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The tool and its version, so that new releases can't change the result of the tests.
const (
	cosignModule  = "github.com/sigstore/cosign/v3"
	cosignVersion = "v3.1.3"
)

//go:embed cosign/driver.go.txt
var cosignDriverSource []byte

// cosignBinary builds cosign as its users do, and returns its path in the user's cache folder.
func cosignBinary(t testing.TB) string {
	t.Helper()
	return cached(t, "cosign-"+cosignVersion, "cosign", func(dir string) *exec.Cmd {
		build := exec.Command("go", "install", cosignModule+"/cmd/cosign@"+cosignVersion)
		build.Env = append(os.Environ(), "GOBIN="+dir, "CGO_ENABLED=0")
		return build
	})
}

// cosignDriver builds a program that runs the same command line many times in one process.
func cosignDriver(t testing.TB) string {
	t.Helper()
	name := "cosign-" + cosignVersion + "-driver-" + digest(map[string][]byte{"main.go": cosignDriverSource})
	return cached(t, name, "driver", func(dir string) *exec.Cmd {
		module := "module driver\n\ngo 1.26.0\n\nrequire " + cosignModule + " " + cosignVersion + "\n"
		for file, data := range map[string]string{"go.mod": module, "main.go": string(cosignDriverSource)} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		build := exec.Command("go", "build", "-mod=mod", "-o", "driver", ".")
		build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
		return build
	})
}

// cached returns the path of a program in a folder of the user's cache. If it is missing, the command returned by build
// creates it, atomically. If that fails, so does the test, conspicuously, as nothing is verified then.
func cached(t testing.TB, folder, program string, build func(dir string) *exec.Cmd) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "sanad-interop", folder)
	binary := filepath.Join(dir, program)
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh) //nolint:errcheck // just a folder in a cache
	cmd := build(fresh)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s CANNOT BE INSTALLED, so no pack was verified with it: %v\n%v\n%s", program, cmd.Args, err, out)
	}
	if err := os.Rename(filepath.Join(fresh, program), binary); err != nil {
		t.Fatal(err)
	}
	return binary
}
