package interop

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// installNPM installs the dependencies of the package.json in files into a folder of the user's cache named after
// the content of files, and returns that folder. If it exists, nothing is installed. Install scripts of packages
// do not run.
func installNPM(t testing.TB, name string, files map[string][]byte) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "sanad-interop", name+"-"+digest(files))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	half, err := os.MkdirTemp(filepath.Dir(dir), "half-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(half) //nolint:errcheck // renamed to dir if all went well
	for file, data := range files {
		if err := os.WriteFile(filepath.Join(half, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts",
		"--loglevel=error")
	cmd.Dir = half
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	// atomic; of two concurrent installations the second uses the folder of the first
	if err := os.Rename(half, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := os.Stat(dir); there != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func digest(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
