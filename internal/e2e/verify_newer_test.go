package e2e

import (
	"bytes"
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
	"sanad/internal/packfiles"
	"sanad/static"
)

// resigned returns the files of a pack signed with another key, with only the version numbers changed.
func resigned(t *testing.T, zip []byte, key ed25519.PrivateKey, statement, packJSON string) pack.Files {
	t.Helper()
	file, err := packfiles.Read(zip)
	require.NoError(t, err)
	f := file.Files
	old, err := pack.ParsePublic(f.PublicKey)
	require.NoError(t, err)
	e, err := pack.ParseEnvelope(f.Envelope)
	require.NoError(t, err)
	payload, err := e.Verify(old)
	require.NoError(t, err)
	public := key.Public().(ed25519.PublicKey) //nolint:forcetypeassert // always
	was := pack.Digest(f.Pack)
	f.Pack = bytes.Replace(f.Pack, []byte(pack.Format), []byte(packJSON), 1)
	for from, to := range map[string]string{
		was: pack.Digest(f.Pack), pack.PredicateType: statement, pack.Fingerprint(old): pack.Fingerprint(public),
	} {
		payload = bytes.ReplaceAll(payload, []byte(from), []byte(to))
	}
	e, err = pack.Sign(payload, key)
	require.NoError(t, err)
	f.Envelope, err = e.Bytes()
	require.NoError(t, err)
	f.Bundle, err = pack.NewBundle(e).Bytes()
	require.NoError(t, err)
	f.PublicKey, err = pack.PEM(public)
	require.NoError(t, err)
	return f
}

// Page and program report a newer version only if the trusted key has signed exactly these files; the result
// is never green.
func TestVerifyPageNewerVersions(t *testing.T) {
	t.Parallel()
	key, stranger := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32)),
		ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, 32))
	trusted := pack.Fingerprint(key.Public().(ed25519.PublicKey)) //nolint:forcetypeassert // always
	const statementNow, statementLater = pack.PredicateType, "urn:sanad:evidence-pack:v3"
	const packNow, packLater = pack.Format, "sanad.evidence_pack/v3"
	const newer, failed = "Signed, made by a newer version: contents not checked", ": "
	const unreleased = "made before the first release"
	flip := func(f *pack.Files) {
		at := bytes.Index(f.Envelope, []byte(`"sig":"`)) + len(`"sig":"`)
		other := byte('A')
		if f.Envelope[at] == other {
			other = 'B'
		}
		f.Envelope[at] = other
	}
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	for name, tt := range map[string]struct {
		statement, pack string
		by              ed25519.PrivateKey
		change          func(*pack.Files)
		fingerprint     string
		want            string
	}{
		"as it was": {
			statement: statementNow, pack: packNow, by: key, fingerprint: trusted, want: "Verified",
		},
		"statement": {statement: statementLater, pack: packNow, by: key, fingerprint: trusted, want: newer},
		"pack.json": {statement: statementNow, pack: packLater, by: key, fingerprint: trusted, want: newer},
		"both":      {statement: statementLater, pack: packLater, by: key, fingerprint: trusted, want: newer},
		"statement, unknown": {
			statement: statementLater, pack: packNow, by: stranger, fingerprint: trusted, want: failed,
		},
		"pack.json, unknown": {
			statement: statementNow, pack: packLater, by: stranger, fingerprint: trusted, want: failed,
		},
		"statement, none given": {statement: statementLater, pack: packNow, by: key, want: failed},
		"pack.json, none given": {statement: statementNow, pack: packLater, by: key, want: failed},
		"statement, a bit": {
			statement: statementLater, pack: packNow, by: key, change: flip, fingerprint: trusted, want: failed,
		},
		"pack.json, a bit": {
			statement: statementNow, pack: packLater, by: key, change: flip, fingerprint: trusted, want: failed,
		},
		"another pack.json": {statement: statementLater, pack: packLater, by: key, change: func(f *pack.Files) {
			f.Pack = bytes.Replace(f.Pack, []byte(packLater), []byte(packLater+"0"), 1)
		}, fingerprint: trusted, want: failed},
		"another pack.md": {
			statement: statementLater, pack: packNow, by: key,
			change: func(f *pack.Files) { f.Markdown = []byte("x") }, fingerprint: trusted, want: failed,
		},
		"statement, before the first release": {
			statement: "urn:sanad:evidence-pack:v1", pack: packNow, by: key, fingerprint: trusted, want: unreleased,
		},
		"pack.json, before the first release": {
			statement: statementNow, pack: "sanad.evidence_pack/v1", by: key, fingerprint: trusted, want: unreleased,
		},
		"version 0": {
			statement: "urn:sanad:evidence-pack:v0", pack: packNow, by: key, fingerprint: trusted, want: failed,
		},
		"version 01": {
			statement: statementNow, pack: "sanad.evidence_pack/v01", by: key, fingerprint: trusted,
			want: failed,
		},
	} {
		f := resigned(t, h.zip, tt.by, tt.statement, tt.pack)
		if tt.change != nil {
			tt.change(&f)
		}
		h.write("pack.zip", zipOfFiles(t, f))
		require.Contains(t, h.check(b, tt.fingerprint, "pack.zip"), tt.want, "%s: %s", name, b.text("#result"))
		require.Equal(t, tt.want == "Verified", eval[bool](b,
			`document.getElementById("banner").classList.contains("verified")`))
		file, err := packfiles.Read(zipOfFiles(t, f))
		require.NoError(t, err)
		r := pack.Verify(file.Files, pack.Trust{Fingerprint: tt.fingerprint})
		require.Contains(t, r.Words(), strings.ToLower(tt.want), name)
		require.Equal(t, tt.want == failed || tt.want == unreleased, r.Verdict == pack.Refused, name)
		shown := eval[string](b, `[shown.report.verdict, ...shown.report.checks.map(c => c.status), ...shown.report.faults ?? []].join(" ")`)
		require.Equal(t, goOutcome(r), shown, name)
	}
	h.write("pack.zip", zipOfFiles(t, resigned(t, h.zip, key, statementLater, packNow)))
	h.check(b, trusted, "pack.zip")
	for _, l := range looks(t) {
		b.width(l.width)
		eval[bool](b, `(language = "`+l.lang+`", document.documentElement.dataset.theme = "`+l.theme+`", draw(), true)`)
		b.accessible(l.name("verify-newer"))
	}
	eval[bool](b, `(language = "ar", draw(), true)`)
	require.Equal(t, "موقَّعة، أعدّها إصدار أحدث: لم يُفحص المحتوى", b.text("#verdict"))
	b.calm()
}

// zipOfFiles returns the download of a pack's files.
func zipOfFiles(t *testing.T, f pack.Files) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, packs.Layout(&b, time.Unix(1_700_000_000, 0), map[string][]byte{
		"pack.json": f.Pack, "pack.md": f.Markdown, "pack.pdf": f.PDF, "pack.dsse.json": f.Envelope,
		"pack.sigstore.json": f.Bundle, "pack.tlog-proof": f.LogProof, "salts.json": f.Salts, "tenant.pub": f.PublicKey,
		"VERIFY.md": []byte("# Verify"), "verify.html": static.VerifyPage,
	}))
	return b.Bytes()
}
