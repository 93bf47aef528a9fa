package pack_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// A proof and a redacted copy are checked like a pack: each check is named, and the verdict follows the same rules.
func TestVerifyParts(t *testing.T) {
	s := distinct(t)
	p, err := pack.Prove(s.frozen, s.envelope, pem(t), pack.LeafClaim, "clm_001")
	require.NoError(t, err)
	r := redact(t, s, redaction(pack.LeafClaim, "clm_001"))
	mine, other := pack.Fingerprint(public), pack.Fingerprint(stranger)
	for kind, part := range map[string]struct {
		data   []byte
		verify func([]byte, pack.Trust) *pack.Report
		says   string
		// with its own fingerprint only, and with nobody trusted
		alone, untrusted pack.Verdict
	}{
		"proof": {data: bytesOf(t, p), verify: pack.VerifyProof, says: "claim clm_001, leaf 3 of ", alone: pack.Verified,
			untrusted: pack.Consistent},
		"redacted": {data: bytesOf(t, r), verify: pack.VerifyRedacted, says: "1 leaves left out",
			alone: pack.Incomplete, untrusted: pack.Incomplete},
	} {
		status := map[pack.Verdict]pack.Status{pack.Incomplete: pack.NotChecked, pack.Verified: pack.OK,
			pack.Consistent: pack.OK}
		changed := bytes.Replace(part.data, []byte(`"salt":"`), []byte(`"salt":"0`), 1)
		for name, tt := range map[string]struct {
			data  []byte
			trust pack.Trust
			want  pack.Verdict
			check string
			is    pack.Status
		}{
			"key": {
				data: part.data, trust: pack.Trust{Key: public}, want: pack.Verified, check: pack.CheckContent,
				is: pack.OK,
			},
			"key and fingerprint": {
				data: part.data, trust: pack.Trust{Key: public, Fingerprint: mine}, want: pack.Verified,
				check: pack.CheckSignature, is: pack.OK,
			},
			"key, other fingerprint": {
				data: part.data, trust: pack.Trust{Key: public, Fingerprint: other}, want: pack.Refused,
				check: pack.CheckSignature, is: pack.Failed,
			},
			"another key": {
				data: part.data, trust: pack.Trust{Key: stranger}, want: pack.Refused,
				check: pack.CheckSignature, is: pack.Failed,
			},
			"another fingerprint": {
				data: part.data, trust: pack.Trust{Fingerprint: other}, want: pack.Refused,
				check: pack.CheckSignature, is: pack.Failed,
			},
			"only its fingerprint": {
				data: part.data, trust: pack.Trust{Fingerprint: mine}, want: part.alone,
				check: pack.CheckSignature, is: status[part.alone],
			},
			"nobody trusted": {
				data: part.data, trust: pack.Trust{}, want: part.untrusted, check: pack.CheckContent,
				is: status[part.untrusted],
			},
			"a salt with a digit more": {
				data: changed, trust: pack.Trust{Key: public}, want: pack.Refused, check: pack.CheckContent,
				is: pack.Failed,
			},
			"no such form": {
				data: []byte("{}"), trust: pack.Trust{Key: public}, want: pack.Refused, check: pack.CheckForm,
				is: pack.Failed,
			},
		} {
			t.Run(kind+", "+name, func(t *testing.T) {
				got := part.verify(tt.data, tt.trust)
				require.Equal(t, tt.want, got.Verdict, "%+v", got.Checks)
				require.Equal(t, tt.is, got.Status(tt.check), "%+v", got.Checks)
				checks := 3
				if kind == "redacted" && tt.want == pack.Verified {
					checks++ // the reasons
				}
				require.Len(t, got.Checks, checks)
				require.Equal(t, tt.want == pack.Verified || tt.want == pack.Consistent, got.OK())
				if tt.want == pack.Verified {
					require.Contains(t, got.Checks[2].Detail, part.says)
					require.Equal(t, []string{id1, s.frozen.Digest, mine}, []string{got.PackID, got.Digest, got.KeyID})
				}
			})
		}
	}
}

func TestCheckFingerprint(t *testing.T) {
	good := pack.Fingerprint(public)
	require.True(t, pack.CheckFingerprint(good))
	for _, bad := range []string{"", "SHA256:", good[:len(good)-1], good + "A", good + "=",
		strings.TrimPrefix(good, "SHA256:"), strings.ToLower(good[:7]) + good[7:],
		good[:20] + "\n" + good[20:], good[:20] + "\n" + good[21:], "SHA256:" + strings.Repeat("A", 42) + "B",
		" " + good} {
		require.False(t, pack.CheckFingerprint(bad), "%q", bad)
	}
}

// One copy may leave out any number of leaves of each kind.
func TestVerifyCopyWithManyRedactions(t *testing.T) {
	s := distinct(t)
	what := []pack.Redaction{
		redaction(pack.LeafClaim, "clm_001"), redaction(pack.LeafClaim, "clm_003"), redaction(pack.LeafExcerpt, "E1"),
		redaction(pack.LeafExcerpt, "E3"),
		redaction(pack.LeafCall, "T1"), redaction(pack.LeafCall, "T2"), redaction(pack.LeafMemo, "body_en"),
		redaction(pack.LeafMemo, "body_ar"),
	}
	data := bytesOf(t, redact(t, s, what...))
	got := pack.VerifyRedacted(data, pack.Trust{Key: public})
	require.Equal(t, pack.Verified, got.Verdict, "%+v", got.Checks)
	require.Contains(t, got.Checks[2].Detail, "8 leaves left out")
	for _, text := range []string{"Claim 1.", "Claim 3.", "memo-body-en"} {
		require.NotContains(t, string(data), text)
	}
	hash := regexp.MustCompile(`"leaf_hash":"([0-9a-f]{64})"`).FindAllSubmatch(data, -1)
	require.Len(t, hash, len(what)+1, "the blind too")
	swapped := bytes.Replace(data, hash[1][1], hash[2][1], 1)
	require.Equal(t, pack.Refused, pack.VerifyRedacted(swapped, pack.Trust{Key: public}).Verdict)
}

// The hashes in the statement that proofs are checked against are themselves checked against the leaves.
func TestVerifyComparesStatementAndLeaves(t *testing.T) {
	for name, change := range map[string]func(*pack.Predicate){
		"a leaf more":  func(p *pack.Predicate) { p.ContentLeaves++ },
		"another hash": func(p *pack.Predicate) { p.Entries[0].SHA256 = p.Entries[1].SHA256 },
	} {
		t.Run(name, func(t *testing.T) {
			s := example(t)
			change(&s.statement.Predicate)
			e, err := pack.Sign(bytesOf(t, s.statement), key)
			require.NoError(t, err)
			s.files.Envelope, s.files.Bundle = bytesOf(t, e), bytesOf(t, pack.NewBundle(e))
			r := pack.Verify(s.files, pack.Trust{Key: public})
			require.Equal(t, pack.Refused, r.Verdict)
			require.Equal(t, pack.Failed, r.Status(pack.CheckContent))
			require.Equal(t, pack.OK, r.Status(pack.CheckSignature))
		})
	}
}
