package release_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/release"
)

var signer = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func public(k ed25519.PrivateKey) ed25519.PublicKey { return k.Public().(ed25519.PublicKey) }

// made returns a folder with a small signed release.
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	from := filepath.Join(t.TempDir(), "sanad")
	require.NoError(t, os.WriteFile(from, []byte("program"), 0o600))
	files := []release.File{{From: from, Name: "sanad", Program: true}}
	for _, name := range []string{"sanad_v1_linux_amd64.tar.gz", "sanad_v1_windows_amd64.zip"} {
		require.NoError(t, release.Archive(filepath.Join(dir, name), "sanad_v1", files, time.Unix(1e9, 0)))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sanad_v1.cdx.json"), []byte("{}"), 0o600))
	require.NoError(t, release.Sign(dir, release.About{Version: "v1", Commit: "c0ffee", Go: "go1.26.8"}, signer))
	return dir
}

func TestReleaseVerifies(t *testing.T) {
	dir := made(t)
	r, err := release.Verify(dir, public(signer))
	require.NoError(t, err)
	require.True(t, r.OK())
	require.Empty(t, r.Missing)
	require.Equal(t, "v1", r.Version)
	require.Equal(t, "c0ffee", r.Commit)
	require.Len(t, r.Checked, 4, "two archives, the SBOM and SHA256SUMS")
}

func TestSameFilesGiveTheSameBytes(t *testing.T) {
	a, b := made(t), made(t)
	entries, err := os.ReadDir(a)
	require.NoError(t, err)
	require.Len(t, entries, 6)
	for _, e := range entries {
		x, err := os.ReadFile(filepath.Join(a, e.Name()))
		require.NoError(t, err)
		y, err := os.ReadFile(filepath.Join(b, e.Name()))
		require.NoError(t, err)
		require.Equal(t, x, y, e.Name())
	}
}

// Every file is changed in its first, middle and last byte, removed, and joined by another.
func TestEveryChangeIsFound(t *testing.T) {
	entries, err := os.ReadDir(made(t))
	require.NoError(t, err)
	for _, e := range entries {
		for _, at := range []string{"first", "middle", "last"} {
			t.Run(e.Name()+" "+at, func(t *testing.T) {
				dir := made(t)
				path := filepath.Join(dir, e.Name())
				data, err := os.ReadFile(path)
				require.NoError(t, err)
				data[map[string]int{"first": 0, "middle": len(data) / 2, "last": len(data) - 1}[at]] ^= 1
				require.NoError(t, os.WriteFile(path, data, 0o600))
				r, err := release.Verify(dir, public(signer))
				require.True(t, err != nil || !r.OK())
			})
		}
	}
	t.Run("one file more", func(t *testing.T) {
		dir := made(t)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "sanad_v1_linux_riscv64.tar.gz"), nil, 0o600))
		r, err := release.Verify(dir, public(signer))
		require.NoError(t, err)
		require.False(t, r.OK())
	})
	t.Run("one file less", func(t *testing.T) {
		dir := made(t)
		require.NoError(t, os.Remove(filepath.Join(dir, "sanad_v1_windows_amd64.zip")))
		r, err := release.Verify(dir, public(signer))
		require.NoError(t, err)
		require.True(t, r.OK(), "what is here is right")
		require.Equal(t, []string{"sanad_v1_windows_amd64.zip"}, r.Missing)
	})
	t.Run("no statement", func(t *testing.T) {
		dir := made(t)
		require.NoError(t, os.Remove(filepath.Join(dir, release.FileProvenance)))
		_, err := release.Verify(dir, public(signer))
		require.ErrorIs(t, err, os.ErrNotExist)
	})
	t.Run("signed by another", func(t *testing.T) {
		other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
		_, err := release.Verify(made(t), public(other))
		require.Error(t, err)
	})
}

// A forger who writes everything anew still has no signature.
func TestAnotherReleaseUnderTheSameNames(t *testing.T) {
	dir := made(t)
	old, err := os.ReadFile(filepath.Join(dir, release.FileProvenance))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sanad_v1.cdx.json"), []byte("[]"), 0o600))
	other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	require.NoError(t, release.Sign(dir, release.About{Version: "v1"}, other))
	_, err = release.Verify(dir, public(signer))
	require.Error(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, release.FileProvenance), old, 0o600))
	_, err = release.Verify(dir, public(signer))
	require.Error(t, err, "the bundle is the forger's")
}

// What is signed is an in-toto statement with SLSA provenance.
func TestStatement(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(made(t), release.FileProvenance))
	require.NoError(t, err)
	var envelope struct{ Payload, PayloadType string }
	require.NoError(t, json.Unmarshal(data, &envelope))
	require.Equal(t, "application/vnd.in-toto+json", envelope.PayloadType)
	payload, err := base64.StdEncoding.DecodeString(envelope.Payload)
	require.NoError(t, err)
	require.Contains(t, string(payload), `"_type":"https://in-toto.io/Statement/v1"`)
	require.Contains(t, string(payload), `"predicateType":"https://slsa.dev/provenance/v1"`)
	require.Contains(t, string(payload), `"digest":{"gitCommit":"c0ffee"}`)
}

func TestKeys(t *testing.T) {
	for name, text := range map[string]string{"nothing": "", "no PEM": "key",
		"another kind": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		_, err := release.ParseKey([]byte(text))
		require.Error(t, err, name)
	}
}
