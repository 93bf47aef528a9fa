package pack_test

import (
	"bytes"
	"crypto/ed25519"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

var erasedAt = time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)

func TestErasedPackVerifiesByHashes(t *testing.T) {
	s := distinct(t)
	e, err := pack.Erase(s.frozen, s.envelope, erasedAt, key)
	require.NoError(t, err)
	data := bytesOf(t, e)
	for _, text := range []string{"Claim 1.", "memo-body-en", s.frozen.Content.Title, s.frozen.Salts.Salts[0].Salt} {
		require.NotContains(t, string(data), text, "nothing of the content is kept")
	}
	r := pack.VerifyErased(data, pack.Trust{Key: public})
	require.Equal(t, pack.Verified, r.Verdict, "%+v", r.Checks)
	require.Contains(t, r.Checks[3].Detail, "erased on 2027-01-02T03:04:05Z: ")
	require.Contains(t, r.Checks[3].Detail, "leaves by hash; files' digests not checkable")
	require.Equal(t, s.frozen.Digest, r.Digest)
	require.Equal(t, pack.Incomplete, pack.VerifyErased(data, pack.Trust{}).Verdict)
	require.Equal(t, pack.Refused, pack.VerifyErased(data, pack.Trust{Key: stranger}).Verdict)

	for name, change := range map[string]func(e *pack.Erased){
		"a leaf fewer":   func(e *pack.Erased) { e.Leaves = e.Leaves[1:] },
		"another hash":   func(e *pack.Erased) { e.Leaves[2].Hash = e.Leaves[3].Hash },
		"a kind of none": func(e *pack.Erased) { e.Leaves[len(e.Leaves)-1].Kind = "tool_canl" },
		"another kind":   func(e *pack.Erased) { e.Leaves[2].Kind = pack.LeafMemo },
		"another pack":   func(e *pack.Erased) { e.PackID = "pack_0000000000000000" },
		"another record": func(e *pack.Erased) { e.Record.Payload = e.DSSE.Payload },
		"no hash":        func(e *pack.Erased) { e.Leaves[0].Hash = "" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := *e
			changed.Leaves = slices.Clone(e.Leaves)
			change(&changed)
			r := pack.VerifyErased(bytesOf(t, &changed), pack.Trust{Key: public})
			require.Equal(t, pack.Refused, r.Verdict, "%+v", r.Checks)
		})
	}
	other, err := pack.Erase(s.frozen, s.envelope, erasedAt, ed25519.NewKeyFromSeed(slices.Repeat([]byte{8}, 32)))
	require.NoError(t, err)
	r = pack.VerifyErased(bytesOf(t, other), pack.Trust{Key: public})
	require.Equal(t, []any{pack.Incomplete, pack.NotChecked}, []any{r.Verdict, r.Status(pack.CheckErasure)})
}

func TestReasonsOfACopyAreSigned(t *testing.T) {
	s := distinct(t)
	copied := redact(t, s, redaction(pack.LeafClaim, "clm_001"))
	data := bytesOf(t, copied)
	r := pack.VerifyRedacted(data, pack.Trust{Key: public})
	require.Equal(t, []any{pack.Verified, pack.OK}, []any{r.Verdict, r.Status(pack.CheckReasons)}, "%+v", r.Checks)
	for _, word := range []string{"Names a person.", "PDPL art. 4"} {
		changed := bytes.Replace(data, []byte(word), []byte("Another reason"), 1)
		require.NotEqual(t, data, changed)
		r := pack.VerifyRedacted(changed, pack.Trust{Key: public})
		require.Equal(t, []any{pack.Refused, pack.Failed}, []any{r.Verdict, r.Status(pack.CheckReasons)}, "%+v", r.Checks)
	}
	without := regexp.MustCompile(`,"reasons":\{[^}]*\}\]\}`).ReplaceAll(data, nil)
	require.Less(t, len(without), len(data))
	r = pack.VerifyRedacted(without, pack.Trust{Key: public})
	require.Equal(t, []any{pack.Refused, pack.Failed}, []any{r.Verdict, r.Status(pack.CheckForm)}, "the reasons are gone")
	require.NoError(t, copied.Sign(ed25519.NewKeyFromSeed(slices.Repeat([]byte{8}, 32))))
	r = pack.VerifyRedacted(bytesOf(t, copied), pack.Trust{Key: public})
	require.Equal(t, []any{pack.Incomplete, pack.NotChecked}, []any{r.Verdict, r.Status(pack.CheckReasons)})
}
