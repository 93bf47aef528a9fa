package packs

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/canonical"
	"sanad/internal/domain/pack"
)

// filesOf returns the files of a signed pack. Statement, bundle and proof are only as complete as the zip needs.
func filesOf(t testing.TB, d *Document) map[string][]byte {
	t.Helper()
	key := ed25519.NewKeyFromSeed(slices.Repeat([]byte{7}, ed25519.SeedSize))
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	require.NoError(t, err)
	var md, pdf bytes.Buffer
	require.NoError(t, Markdown(&md, d))
	require.NoError(t, PDF(&pdf, d))
	payload, err := canonical.JSON(map[string]any{"subject": pack.Digest(d.JSON), "note": "ملاحظة"})
	require.NoError(t, err)
	envelope, err := pack.Sign(payload, key)
	require.NoError(t, err)
	sealed, err := envelope.Bytes()
	require.NoError(t, err)
	return map[string][]byte{
		"pack.json": d.JSON, "pack.md": md.Bytes(), "pack.pdf": pdf.Bytes(), "pack.dsse.json": sealed,
		"pack.sigstore.json": []byte("{}"),
		"pack.tlog-proof":    []byte("c2sp.org/tlog-proof@v1\n"), "salts.json": []byte("{}"),
		"tenant.pub":     pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
		VerifyPage:       []byte("<!doctype html>"),
		"statement.json": payload, "checkpoint": []byte("not in the zip"),
	}
}

func TestPackZip(t *testing.T) {
	d := fixtures["hospital"](t)
	files := filesOf(t, d)
	var one, two bytes.Buffer
	require.NoError(t, Zip(&one, files))
	require.NoError(t, Zip(&two, filesOf(t, fixtures["hospital"](t))))
	require.True(t, bytes.Equal(one.Bytes(), two.Bytes()), "the same files give the same bytes")

	z, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
	require.NoError(t, err)
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		require.True(t, f.Modified.UTC().Equal(createdAt), "the time is the pack's")
		r, err := f.Open()
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		if f.Name != guideName {
			require.Equal(t, string(files[f.Name]), string(got), f.Name)
			continue
		}
		checkGuide(t, string(got), d, files)
	}
	require.Equal(t, []string{ // in the order of rule F-11
		"pack.json", "pack.md", "pack.pdf", "pack.dsse.json", "pack.sigstore.json", "pack.tlog-proof", "salts.json",
		"tenant.pub", "VERIFY.md", "verify.html",
	}, names)
}

// TestPackZipLacking checks that nothing is written if a file is missing.
func TestPackZipLacking(t *testing.T) {
	d := fixtures["payment"](t)
	for _, name := range ZipNames {
		if name == guideName {
			continue
		}
		files := filesOf(t, d)
		delete(files, name)
		var b bytes.Buffer
		require.Error(t, Zip(&b, files), name)
		require.Zero(t, b.Len(), name)
	}
}

// checkGuide checks that VERIFY.md has the digest and the fingerprint, and runs the OpenSSL commands of both languages.
func checkGuide(t *testing.T, guide string, d *Document, files map[string][]byte) {
	t.Helper()
	public, err := pack.ParsePublic(files["tenant.pub"])
	require.NoError(t, err)
	en, ar, ok := strings.Cut(guide, "\n---\n")
	require.True(t, ok)
	require.Equal(t, commands(en), commands(ar), "both languages say the same")
	for _, part := range []string{en, ar} {
		require.Contains(t, part, d.Digest)
		require.Contains(t, part, pack.Fingerprint(public))
		require.Contains(t, part, d.Content.PackID)
		require.Contains(t, part, "cosign verify-blob-attestation --key tenant.pub --bundle pack.sigstore.json --insecure-ignore-tlog=true --type "+pack.PredicateType+" pack.json")
		require.NotContains(t, part, "~")
	}
	dir := t.TempDir()
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	var script []string
	for _, c := range commands(en) {
		if strings.HasPrefix(c, "sed ") || strings.HasPrefix(c, "{ printf") || strings.HasPrefix(c, "openssl ") ||
			strings.HasPrefix(c, "sha256sum ") {
			script = append(script, c)
		}
	}
	require.Len(t, script, 5)
	run := exec.Command("sh", "-ec", strings.Join(script, "\n"))
	run.Dir = dir
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "Signature Verified Successfully")
	require.Contains(t, string(out), d.Digest+"  pack.json")
}

// commands returns the indented lines of a guide.
func commands(guide string) []string {
	var out []string
	for line := range strings.Lines(guide) {
		if strings.HasPrefix(line, "    ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func TestPackJSON(t *testing.T) {
	d := fixtures["hospital"](t)
	files := filesOf(t, d)
	var b bytes.Buffer
	require.NoError(t, JSON(&b, d.JSON, files["pack.dsse.json"]))
	require.NoError(t, canonical.Check(b.Bytes()))
	var says struct{ Pack, DSSE json.RawMessage }
	require.NoError(t, json.Unmarshal(b.Bytes(), &says))
	require.Equal(t, string(d.JSON), string(says.Pack))
	require.Equal(t, string(files["pack.dsse.json"]), string(says.DSSE))
	require.Equal(t, d.Digest, pack.Digest(says.Pack))
}
