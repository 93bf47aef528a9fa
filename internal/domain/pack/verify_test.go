package pack_test

import (
	"bytes"
	"crypto/ed25519"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

func example(t testing.TB) *signed {
	t.Helper()
	return signOff(t, freeze(t, draftOf(hospital(), session(4))), "u2")
}

func TestVerifyWholeExport(t *testing.T) {
	s := example(t)
	r := pack.Verify(s.files, pack.Trust{Key: public})
	require.Equal(t, pack.Verified, r.Verdict, "%+v", r.Checks)
	require.Len(t, r.Checks, len(pack.Checks))
	for _, c := range r.Checks {
		require.Equal(t, pack.OK, c.Status, c.Name)
	}
	require.Equal(t, s.frozen.Digest, r.Digest)
	require.Equal(t, keys.Fingerprint(public), r.KeyID)
	require.Equal(t, pack.Verified, pack.Verify(s.files, pack.Trust{Fingerprint: keys.Fingerprint(public)}).Verdict)
	r = pack.Verify(s.files, pack.Trust{})
	require.Equal(t, pack.Consistent, r.Verdict)
	require.True(t, r.OK())
	require.Equal(t, "consistent, signer not established", r.Verdict.Words())
}

func TestVerifyWithoutSomeFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(f *pack.Files)
		trust  pack.Trust
		want   pack.Verdict
		not    []string
	}{
		"pack.json alone": {
			change: func(f *pack.Files) { *f = pack.Files{Pack: f.Pack} }, trust: pack.Trust{Key: public},
			want: pack.Incomplete, not: []string{pack.CheckSignature, pack.CheckDigest, pack.CheckContent},
		},
		"pack.json and dsse": {
			change: func(f *pack.Files) { *f = pack.Files{Pack: f.Pack, Envelope: f.Envelope} },
			trust:  pack.Trust{Key: public}, want: pack.Verified,
			not: []string{pack.CheckContent, pack.CheckLog},
		},
		"no key at all": {
			change: func(f *pack.Files) { *f = pack.Files{Pack: f.Pack, Envelope: f.Envelope} },
			trust:  pack.Trust{}, want: pack.Incomplete, not: []string{pack.CheckSignature},
		},
		"pdf and dsse": {
			change: func(f *pack.Files) { *f = pack.Files{Pack: f.Pack, PDF: f.PDF, Envelope: f.Envelope} },
			trust:  pack.Trust{Key: public}, want: pack.Verified, not: []string{pack.CheckContent},
		},
		"zip without salts": {
			change: func(f *pack.Files) { f.Salts = nil }, trust: pack.Trust{Key: public},
			want: pack.Incomplete, not: []string{pack.CheckContent},
		},
		"zip without pdf": {
			change: func(f *pack.Files) { f.PDF = nil }, trust: pack.Trust{Key: public}, want: pack.Incomplete,
			not: []string{pack.CheckRendered},
		},
		"zip without log proof": {
			change: func(f *pack.Files) { f.LogProof = nil }, trust: pack.Trust{Key: public},
			want: pack.Incomplete, not: []string{pack.CheckLog},
		},
		"zip without bundle": {
			change: func(f *pack.Files) { f.Bundle = nil }, trust: pack.Trust{Key: public},
			want: pack.Incomplete, not: []string{pack.CheckBundle},
		},
		"zip without its key": {
			change: func(f *pack.Files) { f.PublicKey = nil }, trust: pack.Trust{Key: public},
			want: pack.Verified,
		},
		"nothing": {
			change: func(f *pack.Files) { *f = pack.Files{} }, trust: pack.Trust{}, want: pack.Incomplete,
			not: []string{pack.CheckForm},
		},
		"fingerprint, no pub": {
			change: func(f *pack.Files) { f.PublicKey = nil },
			trust:  pack.Trust{Fingerprint: keys.Fingerprint(public)}, want: pack.Incomplete,
			not: []string{pack.CheckSignature},
		},
		"another pack.json form": {
			change: func(f *pack.Files) { f.Pack = append(slices.Clone(f.Pack), '\n') },
			trust:  pack.Trust{Key: public}, want: pack.Refused,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := example(t).files
			tt.change(&f)
			r := pack.Verify(f, tt.trust)
			require.Equal(t, tt.want, r.Verdict, "%+v", r.Checks)
			for _, check := range tt.not {
				require.Equal(t, pack.NotChecked, r.Status(check), check)
			}
		})
	}
}

// Each kind of tampering, and the check that reports it.
func TestVerifyNamesTheFault(t *testing.T) {
	other := ed25519.NewKeyFromSeed(slices.Repeat([]byte{8}, 32))
	another := signOff(t, freeze(t, draftOf(hospital(), session(3))), "u2")
	a3 := hospital()
	a3.ApprovalClass = "A3"
	for name, tt := range map[string]struct {
		files func(s *signed) pack.Files
		trust pack.Trust
		check string
	}{
		"another pack's envelope": {func(s *signed) pack.Files { s.files.Envelope = another.files.Envelope; return s.files }, pack.Trust{Key: public}, pack.CheckDigest},
		"another pack's bundle":   {func(s *signed) pack.Files { s.files.Bundle = another.files.Bundle; return s.files }, pack.Trust{Key: public}, pack.CheckBundle},
		"another pack's salts": {func(s *signed) pack.Files {
			s.files.Salts = another.files.Salts
			s.files.Salts[len(s.files.Salts)-10] ^= 1
			return s.files
		}, pack.Trust{Key: public}, pack.CheckContent},
		"another pack's log": {func(s *signed) pack.Files { s.files.LogProof = another.files.LogProof; return s.files }, pack.Trust{Key: public}, pack.CheckLog},
		"another markdown": {func(s *signed) pack.Files { s.files.Markdown = []byte("x"); return s.files },
			pack.Trust{Key: public}, pack.CheckRendered},
		"another pdf": {func(s *signed) pack.Files { s.files.PDF = []byte("x"); return s.files },
			pack.Trust{Key: public}, pack.CheckRendered},
		"another signer": {func(s *signed) pack.Files { return s.files },
			pack.Trust{Key: other.Public().(ed25519.PublicKey)}, pack.CheckSignature},
		"another fingerprint": {func(s *signed) pack.Files { return s.files },
			pack.Trust{Fingerprint: keys.Fingerprint(other.Public().(ed25519.PublicKey))}, pack.CheckSignature},
		"one approver for two": {func(*signed) pack.Files { return signOff(t, freeze(t, draftOf(a3, nil)), "u2").files }, pack.Trust{Key: public}, pack.CheckApprovals},
		"one approver twice":   {func(*signed) pack.Files { return signOff(t, freeze(t, draftOf(a3, nil)), "u2", "u2").files }, pack.Trust{Key: public}, pack.CheckApprovals},
		"an excerpt that was not hashed": {func(*signed) pack.Files {
			c := draftOf(hospital(), nil)
			c.Sources[1].Excerpt += "!"
			return signOff(t, freeze(t, c), "u2").files
		}, pack.Trust{Key: public}, pack.CheckExcerpts},
	} {
		t.Run(name, func(t *testing.T) {
			r := pack.Verify(tt.files(example(t)), tt.trust)
			require.Equal(t, pack.Refused, r.Verdict)
			require.Equal(t, pack.Failed, r.Status(tt.check), "%+v", r.Checks)
			require.False(t, r.OK())
		})
	}
	require.Equal(t, pack.Verified,
		pack.Verify(signOff(t, freeze(t, draftOf(a3, reviewed(3))), "u2", "u3").files, pack.Trust{Key: public}).Verdict)
}

// What was approved is held against the bytes that are there: over a changed pack.json no check says that they were
// approved.
func TestNobodyApprovedChangedBytes(t *testing.T) {
	s := example(t)
	changed := bytes.Replace(s.files.Pack, []byte(`"title":"`), []byte(`"title":"A`), 1)
	require.NotEqual(t, s.files.Pack, changed)
	s.files.Pack = changed
	r := pack.Verify(s.files, pack.Trust{Key: public})
	require.Equal(t, pack.OK, r.Status(pack.CheckForm), "it is still of its form")
	require.Equal(t, pack.OK, r.Status(pack.CheckSignature))
	require.Equal(t, pack.Failed, r.Status(pack.CheckDigest))
	require.Equal(t, pack.Failed, r.Status(pack.CheckApprovals))
	require.Equal(t, pack.Refused, r.Verdict)
}

// TestOneBit: no bit of any file of an export can change unnoticed, except in the checkpoint's own signature, which
// only the log's keys can verify.
func TestOneBit(t *testing.T) {
	d := hospital()
	d.Evidence, d.ToolCalls = d.Evidence[:1], d.ToolCalls[:1]
	s := signOff(t, freeze(t, draftOf(d, session(1))), "u2")
	for name, tt := range map[string]struct {
		field func(*pack.Files) *[]byte
		times int
	}{
		"pack.json":  {func(f *pack.Files) *[]byte { return &f.Pack }, 600},
		"envelope":   {func(f *pack.Files) *[]byte { return &f.Envelope }, 600},
		"bundle":     {func(f *pack.Files) *[]byte { return &f.Bundle }, 150},
		"pack.md":    {func(f *pack.Files) *[]byte { return &f.Markdown }, 20},
		"pack.pdf":   {func(f *pack.Files) *[]byte { return &f.PDF }, 20},
		"salts":      {func(f *pack.Files) *[]byte { return &f.Salts }, 250},
		"tenant.pub": {func(f *pack.Files) *[]byte { return &f.PublicKey }, 150},
		"log proof":  {func(f *pack.Files) *[]byte { return &f.LogProof }, 250},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			noticed := func(data []byte) bool {
				f := pack.Files{Pack: s.files.Pack, Envelope: s.files.Envelope, PublicKey: s.files.PublicKey}
				*tt.field(&f) = data
				return pack.Verify(f, pack.Trust{Key: public}).Verdict == pack.Refused
			}
			files := s.files
			whole := *tt.field(&files)
			require.False(t, noticed(whole))
			for range tt.times {
				at, bit := random.IntN(len(whole)), random.IntN(8)
				data := slices.Clone(whole)
				data[at] ^= 1 << bit
				signature := name == "log proof" && at > bytes.LastIndexByte(whole, ' ') && at < len(whole)-3
				if !noticed(data) && !signature {
					t.Fatalf("bit %d of byte %d changed and Verify accepted it", bit, at)
				}
			}
		})
	}
}

// TestOneBitOfAProof: the same for a proof of one claim and for a redacted copy.
func TestOneBitOfAProof(t *testing.T) {
	s := distinct(t)
	p, err := pack.Prove(s.frozen, s.envelope, pem(t), pack.LeafClaim, "clm_001")
	require.NoError(t, err)
	r, err := pack.Redact(s.frozen, s.envelope, []pack.Redaction{{
		Kind: pack.LeafClaim, ID: "clm_001", Reason: "", Rule: "",
	}})
	require.Error(t, err)
	require.Nil(t, r)
	r = redact(t, s, redaction(pack.LeafClaim, "clm_001"))
	for name, tt := range map[string]struct {
		data  []byte
		holds func(data []byte) bool
	}{
		"proof": {bytesOf(t, p), func(data []byte) bool {
			p, err := pack.ParseProof(data)
			if err == nil {
				_, _, err = p.Verify(public)
			}
			return err == nil
		}},
		"redacted": {bytesOf(t, r), func(data []byte) bool {
			return pack.VerifyRedacted(data, pack.Trust{Key: public}).Verdict == pack.Verified
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 4))
			require.True(t, tt.holds(tt.data))
			for range 250 {
				at, bit := random.IntN(len(tt.data)), random.IntN(8)
				data := slices.Clone(tt.data)
				data[at] ^= 1 << bit
				if tt.holds(data) {
					t.Fatalf("bit %d of byte %d changed and Verify accepted it", bit, at)
				}
			}
		})
	}
}

func TestFingerprintsAgree(t *testing.T) {
	require.Equal(t, keys.Fingerprint(public), pack.Fingerprint(public))
	text, err := keys.PEM(public)
	require.NoError(t, err)
	got, err := pack.ParsePublic([]byte(text))
	require.NoError(t, err)
	require.Equal(t, public, got)
	for _, bad := range []string{"", "x", strings.Replace(text, "PUBLIC", "PRIVATE", 2),
		"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"} {
		_, err := pack.ParsePublic([]byte(bad))
		require.Error(t, err)
	}
}
