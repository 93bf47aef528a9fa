package interop

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// TestCosignCommand runs the command of VERIFY.md exactly as written there, with cosign as its users install it: it
// accepts each of the three files and refuses any other file, other keys, other bundles, and some changes of one bit.
func TestCosignCommand(t *testing.T) {
	Need(t, "go", "bash")
	h := exported(t)
	command := h.commands(t, "cosign ", "cosign ")
	require.Contains(t, command, "cosign verify-blob-attestation --key tenant.pub --bundle pack.sigstore.json --insecure-ignore-tlog=true --type "+pack.PredicateType+" pack.json")
	of := func(file string) string { return strings.TrimSuffix(command, "pack.json") + file }
	for _, name := range subjects {
		out, err := h.shell(t, of(name))
		require.NoError(t, err, "%s: %s", name, out)
		require.Contains(t, out, "Verified OK")
	}
	require.NoError(t, os.WriteFile(filepath.Join(h.dir, "empty"), nil, 0o600))
	for _, name := range []string{"salts.json", "pack.dsse.json", "tenant.pub", "verify.html", "VERIFY.md", "empty",
		"none"} {
		out, err := h.shell(t, of(name))
		require.Error(t, err, "%s: %s", name, out)
	}
	other := exported(t)
	for _, name := range []string{"tenant.pub", "pack.sigstore.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(h.dir, "other-"+name), other.files[name], 0o600))
		out, err := h.shell(t, strings.Replace(command, name, "other-"+name, 1))
		require.Error(t, err, out)
	}
	out, err := h.shell(t, strings.Replace(command, "evidence-pack", "another", 1))
	require.Error(t, err, out)

	random := rand.New(rand.NewPCG(9, 10))
	for range 10 {
		changed, _ := flip(random, h.files["pack.json"])
		require.NoError(t, os.WriteFile(filepath.Join(h.dir, "changed"), changed, 0o600))
		out, err := h.shell(t, of("changed"))
		require.Error(t, err, out)
	}
}

// TestCosignOneBit makes 2,400 changes of one bit and runs cosign's command line on each, in one process. It refuses
// every change of a file. It accepts changes of the bundle that mean the same to it (another spelling of the base64, a
// field that it does not read): then payload, type and signature are unchanged, and sanad verify refuses even those.
func TestCosignOneBit(t *testing.T) {
	Need(t, "go")
	h := exported(t)
	cosign, random := startLines(t, cosignDriver(t)), rand.New(rand.NewPCG(11, 12))
	ask := func(bundle, file string) string {
		return cosign.ask([]string{"verify-blob-attestation", "--key", filepath.Join(h.dir, "tenant.pub"), "--bundle",
			filepath.Join(h.dir, bundle),
			"--insecure-ignore-tlog=true", "--type", pack.PredicateType, filepath.Join(h.dir, file)})
	}
	for _, name := range subjects {
		require.Equal(t, "ok", ask("pack.sigstore.json", name), name)
		for range 300 {
			changed, at := flip(random, h.files[name])
			require.NoError(t, os.WriteFile(filepath.Join(h.dir, "changed"), changed, 0o600))
			require.Contains(t, ask("pack.sigstore.json", "changed"), "refused: ", "byte %d of %s", at, name)
		}
	}
	taken := 0
	for range 1500 {
		changed, at := flip(random, h.files["pack.sigstore.json"])
		require.NoError(t, os.WriteFile(filepath.Join(h.dir, "changed"), changed, 0o600))
		if ask("changed", "pack.json") == "ok" {
			taken++
			requireSameSigned(t, h.files["pack.sigstore.json"], changed, at)
			h.requireRefused(t, changed)
		}
	}
	require.Less(t, taken, 75)
	t.Logf("900 changes of the files: all refused; 1,500 of the bundle: all refused but %d that change nothing of what is signed", taken)
}
