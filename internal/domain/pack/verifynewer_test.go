package pack_test

import (
	"bytes"
	"crypto/ed25519"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

// later returns the files of an example in which only the version numbers of the statement and of pack.json were
// changed, signed with the same key.
func later(t *testing.T, statement, packJSON string) pack.Files {
	t.Helper()
	s := example(t)
	f := s.files
	e, err := pack.ParseEnvelope(f.Envelope)
	require.NoError(t, err)
	payload, err := e.Verify(public)
	require.NoError(t, err)
	old := pack.Digest(f.Pack)
	f.Pack = once(t, f.Pack, `"`+pack.Format+`"`, `"`+packJSON+`"`)
	payload = bytes.ReplaceAll(payload, []byte(old), []byte(pack.Digest(f.Pack)))
	payload = once(t, payload, `"`+pack.PredicateType+`"`, `"`+statement+`"`)
	e, err = pack.Sign(payload, key)
	require.NoError(t, err)
	f.Envelope = bytesOf(t, e)
	f.Bundle = bytesOf(t, pack.NewBundle(e))
	return f
}

// once replaces the only occurrence of old in data.
func once(t *testing.T, data []byte, old, with string) []byte {
	t.Helper()
	require.Equal(t, 1, bytes.Count(data, []byte(old)))
	return bytes.Replace(data, []byte(old), []byte(with), 1)
}

const (
	statementNow, statementLater = pack.PredicateType, "urn:sanad:evidence-pack:v3"
	packNow, packLater           = pack.Format, "sanad.evidence_pack/v3"
)

// A newer number only counts as a newer version if the trusted key has signed these bytes.
func TestVerifyNewerVersions(t *testing.T) {
	_, stranger, err := ed25519.GenerateKey(bytes.NewReader(make([]byte, 64)))
	require.NoError(t, err)
	byKey, byFingerprint := pack.Trust{Key: public}, pack.Trust{Fingerprint: keys.Fingerprint(public)}
	other := pack.Trust{Fingerprint: "SHA256:" + strings.Repeat("A", 43)}
	for name, tt := range map[string]struct {
		statement, pack string
		change          func(f *pack.Files)
		trust           pack.Trust
		want            pack.Verdict
	}{
		"statement, key":         {statement: statementLater, pack: packNow, trust: byKey, want: pack.Newer},
		"statement, fingerprint": {statement: statementLater, pack: packNow, trust: byFingerprint, want: pack.Newer},
		"pack.json":              {statement: statementNow, pack: packLater, trust: byFingerprint, want: pack.Newer},
		"both":                   {statement: statementLater, pack: packLater, trust: byKey, want: pack.Newer},
		"much newer": {
			statement: "urn:sanad:evidence-pack:v12", pack: "sanad.evidence_pack/v7", trust: byKey,
			want: pack.Newer,
		},
		"neither":               {statement: statementNow, pack: packNow, trust: byKey, want: pack.Verified},
		"nobody trusted":        {statement: statementLater, pack: packLater, trust: pack.Trust{}, want: pack.Refused},
		"pack, nobody trusted":  {statement: statementNow, pack: packLater, trust: pack.Trust{}, want: pack.Refused},
		"another trusted":       {statement: statementLater, pack: packNow, trust: other, want: pack.Refused},
		"pack, another trusted": {statement: statementNow, pack: packLater, trust: other, want: pack.Refused},
		"no key to check with": {statement: statementLater, pack: packLater, change: func(f *pack.Files) { f.PublicKey = nil },
			trust: byFingerprint,
			want:  pack.Refused},
		"a bit of the signature": {statement: statementLater, pack: packNow,
			change: func(f *pack.Files) { f.Envelope = flipped(t, f.Envelope) },
			trust:  byKey, want: pack.Refused},
		"pack, a bit of the signature": {
			statement: statementNow, pack: packLater, change: func(f *pack.Files) { f.Envelope = flipped(t, f.Envelope) },
			trust: byKey, want: pack.Refused,
		},
		"signed by a stranger": {statement: statementLater, pack: packLater, change: func(f *pack.Files) {
			e, err := pack.ParseEnvelope(f.Envelope)
			require.NoError(t, err)
			payload, err := e.Verify(public)
			require.NoError(t, err)
			e, err = pack.Sign(payload, stranger)
			require.NoError(t, err)
			f.Envelope = bytesOf(t, e)
		}, trust: byKey, want: pack.Refused},
		"another pack.json": {statement: statementLater, pack: packLater, change: func(f *pack.Files) {
			f.Pack = once(t, f.Pack, packLater,
				packLater+"0")
		}, trust: byKey, want: pack.Refused},
		"an older pack.json": {statement: statementLater, pack: packLater, change: func(f *pack.Files) {
			f.Pack = once(t, f.Pack, packLater,
				packNow)
		}, trust: byKey, want: pack.Refused},
		"pack.json not canonical": {statement: statementLater, pack: packLater, change: func(f *pack.Files) {
			f.Pack = append(bytes.Clone(f.Pack),
				'\n')
		}, trust: byKey, want: pack.Refused},
		"another pack.md": {statement: statementLater, pack: packNow,
			change: func(f *pack.Files) { f.Markdown = []byte("x") }, trust: byKey,
			want: pack.Refused},
		"another pack.pdf": {statement: statementNow, pack: packLater, change: func(f *pack.Files) { f.PDF = []byte("x") },
			trust: byKey,
			want:  pack.Refused},
		"no envelope": {
			statement: statementLater, pack: packLater, change: func(f *pack.Files) { f.Envelope = nil }, trust: byKey,
			want: pack.Refused,
		},
		"no such statement": {
			statement: "urn:sanad:evidence-pack:v0", pack: packNow, trust: byKey, want: pack.Refused,
		},
		"a statement of others": {
			statement: "https://slsa.dev/provenance/v2", pack: packNow, trust: byKey, want: pack.Refused,
		},
		"no such form": {
			statement: statementNow, pack: "sanad.evidence_pack/3", trust: byKey, want: pack.Refused,
		},
		"pack.json of another": {statement: statementLater, pack: "sanad.session/v2", trust: byKey, want: pack.Refused},
		"no pack.pdf": {
			statement: statementLater, pack: packNow, change: func(f *pack.Files) { f.PDF = nil }, trust: byKey,
			want: pack.Newer,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := later(t, tt.statement, tt.pack)
			if tt.change != nil {
				tt.change(&f)
			}
			r := pack.Verify(f, tt.trust)
			require.Equal(t, tt.want, r.Verdict, "%+v", r.Checks)
			require.Equal(t, tt.want == pack.Verified, r.OK())
			if tt.want == pack.Newer {
				require.Equal(t, "signed, made by a newer version: contents not checked", r.Verdict.Words())
				require.Equal(t, pack.OK, r.Status(pack.CheckSignature))
				require.Equal(t, pack.NotChecked, r.Status(pack.CheckApprovals))
				require.Equal(t, tt.pack == packNow, r.Status(pack.CheckForm) == pack.OK)
				require.Nil(t, r.Content)
				require.Equal(t, pack.Digest(f.Pack), r.Digest)
			}
		})
	}
}

// flipped changes one bit of an envelope's signature.
func flipped(t *testing.T, envelope []byte) []byte {
	t.Helper()
	out := bytes.Clone(envelope)
	at := bytes.Index(out, []byte(`"sig":"`)) + len(`"sig":"`)
	if out[at] == 'A' {
		out[at] = 'B'
	} else {
		out[at] = 'A'
	}
	return out
}

// ownFormat matches the format of a proof or a redacted copy, up to its number.
var ownFormat = regexp.MustCompile(`("format":"sanad\.(?:pack_proof|redacted_pack)/v)[0-9]`)

// A part has no signature over its own bytes, so a newer number in it proves nothing.
func TestVerifyPartsOfNewerVersions(t *testing.T) {
	s := example(t)
	e, err := pack.ParseEnvelope(later(t, statementLater, packNow).Envelope)
	require.NoError(t, err)
	for name, make := range map[string]func(*pack.Envelope) []byte{
		"proof": func(e *pack.Envelope) []byte {
			p, err := pack.Prove(s.frozen, e, pem(t), pack.LeafMemo, "title_en")
			require.NoError(t, err)
			return bytesOf(t, p)
		},
		"redacted copy": func(e *pack.Envelope) []byte {
			return bytesOf(t, redact(t, &signed{frozen: s.frozen, envelope: e}))
		},
	} {
		verify := pack.VerifyProof
		if name != "proof" {
			verify = pack.VerifyRedacted
		}
		require.Equal(t, pack.Verified, verify(make(s.envelope), pack.Trust{Key: public}).Verdict, name)
		r := verify(make(e), pack.Trust{Key: public})
		require.Equal(t, pack.Refused, r.Verdict, name)
		require.Equal(t, pack.Failed, r.Status(pack.CheckSignature))
		renumbered := ownFormat.ReplaceAll(make(s.envelope), []byte(`${1}9`))
		r = verify(renumbered, pack.Trust{Key: public})
		require.Equal(t, pack.Refused, r.Verdict, name)
		require.Equal(t, pack.Failed, r.Status(pack.CheckForm))
		require.Contains(t, r.Checks[0].Detail, "newer version")
	}
}

// A pack, statement, proof or copy from before the first release is refused as that, and never called changed or newer,
// whoever signed it.
func TestVerifyBeforeTheFirstRelease(t *testing.T) {
	const words = "failed: made before the first release, in a format that is no longer supported"
	for name, version := range map[string][2]string{
		"statement": {"urn:sanad:evidence-pack:v1", packNow}, "pack.json": {statementNow, "sanad.evidence_pack/v1"},
		"both": {"urn:sanad:evidence-pack:v1", "sanad.evidence_pack/v1"},
	} {
		for _, trust := range []pack.Trust{{}, {Key: public}} {
			r := pack.Verify(later(t, version[0], version[1]), trust)
			require.Equal(t, pack.Refused, r.Verdict, name)
			require.Equal(t, words, r.Words(), name)
			require.Nil(t, r.Content, name)
			require.Equal(t, pack.Failed, r.Status(pack.CheckForm), name)
			require.Equal(t, pack.NotChecked, r.Status(pack.CheckSignature), name)
		}
	}
	s := example(t)
	proof, err := pack.Prove(s.frozen, s.envelope, pem(t), pack.LeafMemo, "title_en")
	require.NoError(t, err)
	old := func(data []byte) []byte { return ownFormat.ReplaceAll(data, []byte(`${1}1`)) }
	require.Equal(t, words, pack.VerifyProof(old(bytesOf(t, proof)), pack.Trust{Key: public}).Words())
	require.Equal(t, words, pack.VerifyRedacted(old(bytesOf(t, redact(t, s))), pack.Trust{Key: public}).Words())
}
