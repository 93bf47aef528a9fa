package interop

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tree is the root of the repository, as the tests of this package see it.
const tree = "../../.."

// made is a release of this machine's platform, signed with a key made for it. It is made once for all tests.
type made struct{ dir, key, program string }

// newRelease makes a release as .ci/release does.
func newRelease(t *testing.T) made {
	t.Helper()
	Need(t, "go", "bash", "tar")
	root := t.TempDir()
	m := made{dir: filepath.Join(root, "dist"), key: filepath.Join(root, "release.pub")}
	private := filepath.Join(root, "release.key")
	key := exec.Command("go", "run", "./internal/releaser", "key", private)
	key.Dir = tree
	public, err := key.Output()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(m.key, public, 0o600))
	build := exec.Command(".ci/release", m.dir, runtime.GOOS+"/"+runtime.GOARCH)
	build.Dir = tree
	build.Env = append(os.Environ(), "SANAD_RELEASE_KEY_FILE="+private, "VERSION=v9.8.7")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	archives, err := filepath.Glob(filepath.Join(m.dir, "*.tar.gz"))
	require.NoError(t, err)
	require.Len(t, archives, 1)
	out, err = exec.Command("tar", "-xzf", archives[0], "-C", root).CombinedOutput()
	require.NoError(t, err, "%s", out)
	inside := filepath.Join(root, strings.TrimSuffix(filepath.Base(archives[0]), ".tar.gz"))
	notices, err := os.ReadFile(filepath.Join(inside, "NOTICES"))
	require.NoError(t, err)
	for _, other := range []string{"modernc.org/sqlite", "IBMPlexSansArabic", "CC BY-SA 4.0", "WordNet"} {
		require.Contains(t, string(notices), other)
	}
	m.program = filepath.Join(inside, "sanad")
	return m
}

// TestRelease makes a release of this platform, checks it with the program that is in it and with cosign, and changes,
// removes and adds each file in turn, which must be refused.
func TestRelease(t *testing.T) {
	m := newRelease(t)
	verify := func() (string, error) {
		out, err := exec.Command(m.program, "verify-release", m.dir, "--key", m.key).CombinedOutput()
		return string(out), err
	}
	out, err := verify()
	require.NoError(t, err, out)
	require.Contains(t, out, "release v9.8.7")
	version, err := exec.Command(m.program, "--version").Output()
	require.NoError(t, err)
	require.Contains(t, string(version), "v9.8.7")

	entries, err := os.ReadDir(m.dir)
	require.NoError(t, err)
	var kinds []string
	for _, e := range entries {
		kinds = append(kinds, e.Name()[strings.LastIndex(e.Name(), ".")+1:])
		path := filepath.Join(m.dir, e.Name())
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		changed := append([]byte(nil), data...)
		changed[len(changed)/2] ^= 4
		for what, do := range map[string]func() error{
			"changed": func() error { return os.WriteFile(path, changed, 0o600) },
			"longer":  func() error { return os.WriteFile(path, append(append([]byte(nil), data...), '\n'), 0o600) },
			"gone":    func() error { return os.Remove(path) },
		} {
			require.NoError(t, do())
			out, err := verify()
			if what == "gone" && e.Name() == "provenance.sigstore.json" {
				require.NoError(t, err, "only cosign needs it: %s", out)
			} else {
				require.Error(t, err, "%s %s: %s", e.Name(), what, out)
			}
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
	}
	require.Subset(t, kinds, []string{"gz", "json", "SHA256SUMS"})
	cosignChecks(t, m)
}

// cosignChecks runs the command of docs/releases.md.
func cosignChecks(t *testing.T, m made) {
	t.Helper()
	cosign := cosignBinary(t)
	archives, err := filepath.Glob(filepath.Join(m.dir, "*.tar.gz"))
	require.NoError(t, err)
	check := func(file string) ([]byte, error) {
		return exec.Command(cosign, "verify-blob-attestation", "--key", m.key, "--bundle",
			filepath.Join(m.dir, "provenance.sigstore.json"), "--insecure-ignore-tlog=true", "--type", "slsaprovenance1",
			file).CombinedOutput()
	}
	out, err := check(archives[0])
	require.NoError(t, err, "%s", out)
	out, err = check(m.program)
	require.Error(t, err, "a file that is not named: %s", out)
}
