package interop

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

var (
	//go:embed sigstore/package.json
	sigstorePackage []byte
	//go:embed sigstore/verify.mjs
	sigstoreScript []byte
)

var subjects = []string{pack.FileJSON, pack.FileMarkdown, pack.FilePDF}

func unzipped(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		out[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return out
}

// commands returns the commands in VERIFY.md from the first line that contains first to the next that contains last.
func (h handed) commands(t *testing.T, first, last string) string {
	t.Helper()
	return typed(t, string(h.files["VERIFY.md"]), first, last)
}

func typed(t *testing.T, text, first, last string) string {
	t.Helper()
	var out []string
	for _, line := range strings.Split(text, "\n") {
		command, is := strings.CutPrefix(line, "    ")
		if is && (len(out) > 0 || strings.Contains(command, first)) {
			out = append(out, command)
			if strings.Contains(command, last) {
				return strings.Join(out, "\n")
			}
		}
	}
	t.Fatalf("there is no command %q", first)
	return ""
}

// shell runs commands in the folder of the files.
func (h handed) shell(t *testing.T, commands string) (string, error) {
	t.Helper()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(cosignBinary(t))+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// flip changes one bit and returns the index of its byte.
func flip(random *rand.Rand, data []byte) ([]byte, int) {
	changed, at := slices.Clone(data), random.IntN(len(data))
	changed[at] ^= 1 << random.IntN(8)
	return changed, at
}

// requireSameSigned checks that two bundles have the same signed content.
func requireSameSigned(t *testing.T, was, is []byte, at int) {
	t.Helper()
	read := func(data []byte) (out [2][]byte) {
		var b struct{ DSSEEnvelope pack.Envelope }
		require.NoError(t, json.Unmarshal(data, &b), "byte %d", at)
		require.Equal(t, pack.PayloadType, b.DSSEEnvelope.PayloadType)
		require.Len(t, b.DSSEEnvelope.Signatures, 1, "byte %d", at)
		for i, text := range []string{b.DSSEEnvelope.Payload, b.DSSEEnvelope.Signatures[0].Sig} {
			plain := strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(text), "=")
			var err error
			out[i], err = base64.RawStdEncoding.DecodeString(plain)
			require.NoError(t, err, "byte %d", at)
		}
		return out
	}
	require.Equal(t, read(was), read(is), "byte %d", at)
}

// requireRefused checks that sanad verify refuses a pack with this bundle.
func (h handed) requireRefused(t *testing.T, bundle []byte) {
	t.Helper()
	r := pack.Verify(pack.Files{
		Pack: h.files["pack.json"], Markdown: h.files["pack.md"], PDF: h.files["pack.pdf"],
		Envelope: h.files["pack.dsse.json"], Bundle: bundle,
		LogProof: h.files["pack.tlog-proof"], Salts: h.files["salts.json"], PublicKey: h.key, Whole: true,
	}, pack.Trust{Fingerprint: h.hint})
	require.Equal(t, pack.Refused, r.Verdict)
}

// TestOpenSSLCommands runs VERIFY.md's commands for OpenSSL exactly as written there: the signature is valid for the
// PAE bytes, and the statement has the three sums. A changed payload, signature or key fails.
func TestOpenSSLCommands(t *testing.T) {
	Need(t, "go", "bash", "openssl", "sed", "base64", "sha256sum")
	h := exported(t)
	out, err := h.shell(t, h.commands(t, "sed -n", "sha256sum"))
	require.NoError(t, err, out)
	require.Contains(t, out, "Signature Verified Successfully")
	payload, err := os.ReadFile(filepath.Join(h.dir, "payload.json"))
	require.NoError(t, err)
	for _, name := range subjects {
		require.Contains(t, out, pack.Digest(h.files[name])+"  "+name)
		require.Contains(t, string(payload), `{"digest":{"sha256":"`+pack.Digest(h.files[name])+`"},"name":"`+name+`"}`)
	}
	written, err := os.ReadFile(filepath.Join(h.dir, "payload.pae"))
	require.NoError(t, err)
	require.Equal(t, pack.PAE(pack.PayloadType, payload), written)

	random := rand.New(rand.NewPCG(13, 14))
	again := h.commands(t, "openssl pkeyutl", "openssl pkeyutl")
	for _, name := range []string{"payload.pae", "payload.sig"} {
		whole, err := os.ReadFile(filepath.Join(h.dir, name))
		require.NoError(t, err)
		for range 50 {
			changed, at := flip(random, whole)
			require.NoError(t, os.WriteFile(filepath.Join(h.dir, name), changed, 0o600))
			out, err := h.shell(t, again)
			require.Error(t, err, "byte %d of %s: %s", at, name, out)
		}
		require.NoError(t, os.WriteFile(filepath.Join(h.dir, name), whole, 0o600))
	}
	out, err = h.shell(t, again)
	require.NoError(t, err, out)
	require.NoError(t, os.WriteFile(filepath.Join(h.dir, "tenant.pub"), exported(t).key, 0o600))
	out, err = h.shell(t, again)
	require.Error(t, err, out)
}

// TestDocumentedCommands checks docs/verifying.md, which is for third parties: its commands work as written, and its
// fingerprint is ours.
func TestDocumentedCommands(t *testing.T) {
	Need(t, "go", "bash", "openssl", "sed", "base64", "sha256sum", "tail")
	h := exported(t)
	doc, err := os.ReadFile("../../../docs/verifying.md")
	require.NoError(t, err)
	for first, tt := range map[string]struct{ last, says string }{
		"cosign verify-blob-attestation": {"--type", "Verified OK"},
		"sed -n":                         {"sha256sum", "Signature Verified Successfully"},
		"{ printf '\\0":                  {"| openssl dgst", h.hint},
	} {
		out, err := h.shell(t, typed(t, string(doc), first, tt.last))
		require.NoError(t, err, out)
		require.Contains(t, out, tt.says)
	}
}

// TestSigstoreVerify checks that npm @sigstore/verify accepts the bundle and returns the signed payload, which names
// the three files. A change of one bit is refused, or does not affect the payload.
func TestSigstoreVerify(t *testing.T) {
	Need(t, "go", "node", "npm")
	h := exported(t)
	dir := installNPM(t, "sigstore", map[string][]byte{"package.json": sigstorePackage, "verify.mjs": sigstoreScript})
	node := startLines(t, "node", filepath.Join(dir, "verify.mjs"))
	ask := func(key, bundle []byte) string {
		return node.ask(map[string]string{"key": string(key), "hint": h.hint, "bundle": string(bundle)})
	}
	bundle := h.files["pack.sigstore.json"]
	answer := ask(h.key, bundle)
	payload, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(answer, "ok "))
	require.NoError(t, err, answer)
	s, err := pack.ParseStatement(payload)
	require.NoError(t, err)
	for _, name := range subjects {
		require.Equal(t, pack.Digest(h.files[name]), s.SHA256(name))
	}
	other := exported(t)
	require.Contains(t, ask(other.key, bundle), "refused: ")
	require.Contains(t, ask(h.key, other.files["pack.sigstore.json"]), "refused: ")
	random, taken := rand.New(rand.NewPCG(15, 16)), 0
	for range 2000 {
		changed, at := flip(random, bundle)
		if got := ask(h.key, changed); !strings.HasPrefix(got, "refused: ") {
			require.Equal(t, answer, got, "byte %d", at)
			taken++
			h.requireRefused(t, changed)
		}
	}
	require.Less(t, taken, 200)
	t.Logf("2,000 changes of the bundle: all refused but %d that change nothing of what is signed", taken)
}
