package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
	"sanad/static"
)

// handed is what an outsider received: the files of a signed pack of the demo and, separately, the key's fingerprint.
type handed struct {
	t                *testing.T
	dir, fingerprint string
	files            map[string][]byte
}

// signedFiles returns the files of a signed pack, and a redacted copy of it.
func signedFiles(ctx context.Context, s *db.Store, tenant, id string) (map[string][]byte, error) {
	files, err := s.PackFiles(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	f, err := s.FrozenPack(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	envelope, err := pack.ParseEnvelope(files["pack.dsse.json"])
	if err != nil {
		return nil, err
	}
	copied, err := pack.Redact(f, envelope, []pack.Redaction{{
		Kind: pack.LeafCall, ID: "T1", Reason: "names a person", Rule: "PDPL",
	}})
	if err != nil {
		return nil, err
	}
	if err := s.SignRedactions(ctx, access.AtCommandLine(tenant), copied); err != nil {
		return nil, err
	}
	files["redacted.json"], err = copied.Bytes()
	return files, err
}

// demoPack returns the files of a signed pack of the demo, which is seeded once for all tests, with a redacted copy.
var demoPack = sync.OnceValues(func() (files map[string][]byte, err error) {
	dir, err := os.MkdirTemp("", "sanad-pack-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c := atData(filepath.Join(dir, "data"))
	err = c.with(context.Background(), func(s *db.Store, tenant db.Tenant) error {
		if err := demoUsers(context.Background(), s, tenant, c, &bytes.Buffer{}); err != nil {
			return err
		}
		if err := seedDemo(context.Background(), importer(s, tenant, nil), tenant, c, &demoClock{}); err != nil {
			return err
		}
		rows, _, err := s.Packs(context.Background(), tenant.ID, pack.Query{State: pack.SignedOff, Limit: 10})
		for _, r := range rows {
			if r.DecisionID == "dec_hospital_fit" {
				files, err = signedFiles(context.Background(), s, tenant.ID, r.PackID)
			}
		}
		return err
	})
	return files, err
})

func signedPack(t *testing.T) handed {
	t.Helper()
	files, err := demoPack()
	require.NoError(t, err)
	require.NotEmpty(t, files)
	h := handed{t: t, dir: t.TempDir(), files: maps.Clone(files)}
	h.write("redacted.json", files["redacted.json"])
	delete(h.files, "redacted.json")
	h.files[packs.VerifyPage] = static.VerifyPage
	key, err := pack.ParsePublic(h.files["tenant.pub"])
	require.NoError(t, err)
	h.fingerprint = pack.Fingerprint(key)
	var z, j bytes.Buffer
	require.NoError(t, packs.Zip(&z, h.files))
	require.NoError(t, packs.JSON(&j, h.files["pack.json"], h.files["pack.dsse.json"]))
	h.write("pack.zip", z.Bytes())
	h.write("export.json", j.Bytes())
	for name, data := range h.files {
		h.write(name, data)
	}
	return h
}

func (h handed) write(name string, data []byte) {
	h.t.Helper()
	require.NoError(h.t, os.WriteFile(filepath.Join(h.dir, name), data, 0o600))
}

// verify runs sanad verify in the folder of the files, without the operator's environment.
func (h handed) verify(args ...string) (code int, out, errs string) {
	h.t.Helper()
	h.t.Setenv(masterKeyVariable, "") // a stranger has none
	h.t.Chdir(h.dir)
	return call(h.t, "", append([]string{"verify"}, args...)...)
}

func TestVerifyCommand(t *testing.T) {
	h := signedPack(t)
	other := "SHA256:" + strings.Repeat("A", 43)
	for name, tt := range map[string]struct {
		args []string
		code int
		ends string // the last line
		says []string
	}{
		"zip": {
			args: []string{"pack.zip", "--fingerprint", h.fingerprint}, code: exitOK, ends: "verified: every check passed",
			says: []string{"ok            content_root", "ok            log_proof", h.fingerprint,
				"no signature covers VERIFY.md and verify.html; take that page from elsewhere"},
		},
		"zip and key": {
			args: []string{"pack.zip", "--key", "tenant.pub"}, code: exitOK, ends: "verified: every check passed",
		},
		"zip, nobody trusted": {
			args: []string{"pack.zip"}, code: exitOK, ends: "consistent, signer not established",
		},
		"zip, another is trusted": {
			args: []string{"pack.zip", "--fingerprint", other}, code: exitFailed,
			ends: "failed: signed with a different key from the one that you gave",
			says: []string{"failed        signature"},
		},
		"folder": {
			args: []string{".", "--fingerprint", h.fingerprint}, code: exitOK, ends: "verified: every check passed",
			says: []string{"ok            content_root", "ok            log_proof", "ok            rendered_files"},
		},
		"pack.json alone": {
			args: []string{"pack.json"}, code: exitFailed,
			ends: "incomplete: something needed is missing; 8 of 11 checks were not made: content_root, digest, approvals, " +
				"policy, rendered_files, signature, sigstore_bundle, log_proof",
			says: []string{"not checked   signature", "no pack.dsse.json"},
		},
		"pack.json and dsse": {
			args: []string{"pack.json", "--dsse", "pack.dsse.json", "--key", "tenant.pub"}, code: exitOK,
			ends: "signed and unchanged; 4 of 11 checks were not made: content_root, rendered_files, sigstore_bundle, log_proof",
			says: []string{"not checked   content_root", "no salts.json"},
		},
		"dsse without a key": {
			args: []string{"pack.json", "--dsse", "pack.dsse.json"}, code: exitFailed,
			ends: "incomplete: something needed is missing; 5 of 11 checks were not made: content_root, rendered_files, " +
				"signature, sigstore_bundle, log_proof",
			says: []string{"no key"},
		},
		"pdf and dsse": {
			args: []string{"pack.pdf", "--dsse", "pack.dsse.json", "--key", "tenant.pub"}, code: exitOK,
			ends: "signed and unchanged; 3 of 11 checks were not made: content_root, sigstore_bundle, log_proof",
			says: []string{"ok            rendered_files     pack.md and pack.pdf are those signed   without pack.md"},
		},
		"export": {
			args: []string{"export.json", "--key", "tenant.pub"}, code: exitOK,
			ends: "signed and unchanged; 4 of 11 checks were not made: content_root, rendered_files, sigstore_bundle, log_proof",
		},
		"export, nobody trusted": {
			args: []string{"export.json"}, code: exitFailed,
			ends: "incomplete: something needed is missing; 5 of 11 checks were not made: content_root, rendered_files, " +
				"signature, sigstore_bundle, log_proof",
		},
	} {
		t.Run(name, func(t *testing.T) {
			at := h
			at.t = t
			code, out, errs := at.verify(tt.args...)
			require.Equal(t, tt.code, code, out+errs)
			require.Empty(t, errs)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			require.Equal(t, tt.ends, lines[len(lines)-1])
			for _, check := range pack.Checks {
				require.Contains(t, out, "  "+check)
			}
			for _, words := range tt.says {
				require.Contains(t, out, words)
			}
		})
	}
}

func TestVerifyCommandRefuses(t *testing.T) {
	h := signedPack(t)
	h.write("changed.json", bytes.Replace(h.files["pack.json"], []byte(`"title"`), []byte(`"titel"`), 1))
	h.write("changed.pdf", append(bytes.Clone(h.files["pack.pdf"]), 0))
	h.write("tail.json", append(bytes.Clone(h.files["pack.json"]), '\n'))
	h.write("text.txt", []byte("hello"))
	h.write("other.json", []byte(`{"format":"something/v1"}`))
	h.write("empty.zip", rezip(t, nil))
	h.write("note.zip", rezip(t, h.files, "payload.exe"))
	h.write("payload.exe", []byte("nobody signed this"))
	require.NoError(t, os.Mkdir(filepath.Join(h.dir, "empty"), 0o700))
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"a changed pack": {[]string{"changed.json", "--dsse", "pack.dsse.json", "--key", "tenant.pub"},
			exitFailed, "failed        pack_json"},
		"a changed pdf": {[]string{"changed.pdf", "--dsse", "pack.dsse.json", "--key", "tenant.pub"},
			exitFailed, "failed        rendered_files"},
		"a final newline": {[]string{"tail.json", "--dsse", "pack.dsse.json", "--key", "tenant.pub"},
			exitFailed, "failed        pack_json"},
		"a text":             {[]string{"text.txt"}, exitFailed, "This is not a zip"},
		"another JSON":       {[]string{"other.json"}, exitFailed, "This JSON is not a pack"},
		"an empty zip":       {[]string{"empty.zip"}, exitFailed, "empty.zip: "},
		"something in a zip": {[]string{"note.zip"}, exitFailed, "does not end as a pack's zip does"},
		"something in a folder": {[]string{"."}, exitOK,
			`"payload.exe" is in the folder and no signature covers it`},
		"an empty folder":     {[]string{"empty"}, exitFailed, "no pack.json"},
		"no such file":        {[]string{"none.zip"}, exitFailed, "none.zip"},
		"no such envelope":    {[]string{"pack.json", "--dsse", "none"}, exitFailed, "none"},
		"not a public key":    {[]string{"pack.json", "--key", "pack.json"}, exitFailed, "not a public key in PEM"},
		"a short fingerprint": {[]string{"pack.zip", "--fingerprint", "SHA256:abc"}, exitUsage, "--fingerprint"},
		"no file":             {nil, exitUsage, "accepts 1 arg"},
	} {
		t.Run(name, func(t *testing.T) {
			at := h
			at.t = t
			code, out, errs := at.verify(tt.args...)
			require.Equal(t, tt.code, code, out+errs)
			require.Contains(t, out+errs, tt.says)
			require.NotContains(t, out+errs, "panic")
		})
	}
}

// rezip packs files again, with some more that nobody signed.
func rezip(t *testing.T, files map[string][]byte, more ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) {
		f, err := z.Create(name)
		require.NoError(t, err)
		_, err = f.Write(data)
		require.NoError(t, err)
	}
	for _, name := range packs.ZipNames {
		if data, ok := files[name]; ok {
			add("folder/"+name, data)
		}
	}
	for _, name := range more {
		add(name, []byte("nobody signed this"))
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestVerifyCommandJSON(t *testing.T) {
	h := signedPack(t)
	code, out, errs := h.verify("pack.zip", "--fingerprint", h.fingerprint, "--json")
	require.Zero(t, code, errs)
	var r struct {
		Kind, Verdict, KeyID, Digest string
		Checks                       []pack.Check
	}
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.Equal(t, []string{"zip", "verified", h.fingerprint, pack.Digest(h.files["pack.json"])}, []string{r.Kind,
		r.Verdict, r.KeyID, r.Digest})
	require.Len(t, r.Checks, len(pack.Checks))
}

// A proof of one claim is verified with the fingerprint alone; a redacted copy with the organisation's key, which it
// does not hold.
func TestVerifyCommandParts(t *testing.T) {
	h := signedPack(t)
	c, err := pack.Parse(h.files["pack.json"])
	require.NoError(t, err)
	salts, err := pack.ParseSalts(h.files["salts.json"])
	require.NoError(t, err)
	envelope, err := pack.ParseEnvelope(h.files["pack.dsse.json"])
	require.NoError(t, err)
	f := &pack.Frozen{
		Content: *c, Bytes: h.files["pack.json"], Digest: pack.Digest(h.files["pack.json"]), Salts: *salts,
	}
	p, err := pack.Prove(f, envelope, h.files["tenant.pub"], pack.LeafCall, "T1")
	require.NoError(t, err)
	proof, err := p.Bytes()
	require.NoError(t, err)
	h.write("proof.json", proof)
	for _, name := range []string{"proof.json", "redacted.json"} {
		data, err := os.ReadFile(filepath.Join(h.dir, name))
		require.NoError(t, err)
		h.write("changed.json", bytes.Replace(data, []byte("T1"), []byte("T2"), 1))
		code, out, errs := h.verify(name, "--key", "tenant.pub", "--fingerprint", h.fingerprint)
		require.Zero(t, code, out+errs)
		require.Contains(t, out, "ok            content_root")
		require.True(t, strings.HasSuffix(out, "\nverified: every check passed\n"), out)
		code, out, _ = h.verify(name, "--fingerprint", h.fingerprint)
		if name == "proof.json" {
			require.Zero(t, code, out)
			require.True(t, strings.HasSuffix(out, "\nverified: every check passed\n"), out)
		} else {
			require.Equal(t, exitFailed, code)
			require.Contains(t, out, "no key")
		}
		code, out, _ = h.verify("changed.json", "--key", "tenant.pub")
		require.Equal(t, exitFailed, code, out)
		code, _, errs = h.verify(name, "--dsse", "pack.dsse.json")
		require.Equal(t, exitUsage, code)
		require.Contains(t, errs, "holds its own envelope")
	}
}

// A pack of a newer version that the trusted key has signed is reported as such, and never as a success.
func TestVerifyCommandNewerVersion(t *testing.T) {
	h := signedPack(t)
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32))
	public := key.Public().(ed25519.PublicKey) //nolint:forcetypeassert // always
	old, err := pack.ParseEnvelope(h.files["pack.dsse.json"])
	require.NoError(t, err)
	signer, err := pack.ParsePublic(h.files["tenant.pub"])
	require.NoError(t, err)
	payload, err := old.Verify(signer)
	require.NoError(t, err)
	payload = bytes.Replace(payload, []byte(pack.PredicateType), []byte("urn:sanad:evidence-pack:v3"), 1)
	e, err := pack.Sign(payload, key)
	require.NoError(t, err)
	h.files["pack.dsse.json"], err = e.Bytes()
	require.NoError(t, err)
	h.files["tenant.pub"], err = pack.PEM(public)
	require.NoError(t, err)
	var z bytes.Buffer
	h.files["VERIFY.md"] = []byte("# Verify")
	require.NoError(t, packs.Layout(&z, time.Unix(1_700_000_000, 0), h.files))
	h.write("newer.zip", z.Bytes())
	h.write("newer.pub", h.files["tenant.pub"])
	for name, tt := range map[string]struct {
		args []string
		ends string
	}{
		"fingerprint": {[]string{"newer.zip", "--fingerprint", pack.Fingerprint(public)},
			"signed, made by a newer version: contents not checked"},
		"key": {[]string{"newer.zip", "--key", "newer.pub"},
			"signed, made by a newer version: contents not checked"},
		"none trusted": {[]string{"newer.zip"}, "failed: made by a newer version, and no trusted key has signed it"},
		"another": {[]string{"newer.zip", "--fingerprint", h.fingerprint},
			"failed: signed with a different key from the one that you gave"},
	} {
		t.Run(name, func(t *testing.T) {
			at := h
			at.t = t
			code, out, errs := at.verify(tt.args...)
			require.Equal(t, exitFailed, code, out+errs)
			require.Empty(t, errs)
			require.True(t, strings.HasSuffix(out, "\n"+tt.ends+"\n"), out)
		})
	}
}
