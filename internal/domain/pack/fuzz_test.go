package pack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// written is a parsed file that can be written back.
type written interface{ Bytes() ([]byte, error) }

// strict checks that a parser accepts only bytes that it would write itself.
func strict[T written](f *testing.F, parse func([]byte) (T, error), seed []byte) {
	f.Helper()
	f.Add(seed)
	f.Add([]byte(strings.Replace(string(seed), `":"`, `":"x`, 1)))
	f.Add([]byte(`{}`))
	f.Add([]byte("[[[\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parse(data)
		if err != nil {
			return
		}
		again, err := v.Bytes()
		require.NoError(t, err)
		require.Equal(t, string(data), string(again))
	})
}

func FuzzParseEnvelope(f *testing.F) { strict(f, pack.ParseEnvelope, example(f).files.Envelope) }
func FuzzParseBundle(f *testing.F)   { strict(f, pack.ParseBundle, example(f).files.Bundle) }
func FuzzParseSalts(f *testing.F)    { strict(f, pack.ParseSalts, example(f).files.Salts) }

func FuzzParseStatement(f *testing.F) {
	strict(f, pack.ParseStatement, bytesOf(f, example(f).statement))
}

func FuzzParseProof(f *testing.F) {
	s := example(f)
	p, err := pack.Prove(s.frozen, s.envelope, pem(f), pack.LeafClaim, "clm_002")
	require.NoError(f, err)
	strict(f, func(data []byte) (*pack.Proof, error) {
		p, err := pack.ParseProof(data)
		if err == nil {
			_, _, _ = p.Verify(public) // must not panic, whatever it holds
		}
		return p, err
	}, bytesOf(f, p))
}

func FuzzParseRedacted(f *testing.F) {
	s := distinct(f)
	r := redact(f, s, redaction(pack.LeafClaim, "clm_002"), redaction(pack.LeafExcerpt, "E3"))
	f.Add(bytesOf(f, &pack.Redacted{Format: pack.RedactedFormat, Pack: map[string]any{"memo": 1, "sources": []any{1}},
		DSSE: *s.envelope}))
	strict(f, func(data []byte) (*pack.Redacted, error) {
		r, err := pack.ParseRedacted(data)
		if err == nil {
			_, _, _ = r.Verify(public)
		}
		return r, err
	}, bytesOf(f, r))
}

// FuzzParse: whatever Parse accepts can be validated, loaded and verified without a panic, and has one encoding.
func FuzzParse(f *testing.F) {
	s := example(f)
	f.Add(s.files.Pack)
	f.Add([]byte(strings.Replace(string(s.files.Pack), `"sources":[`, `"sources":[{},`, 1)))
	f.Add([]byte(`{"format":"sanad.evidence_pack/v1"}`))
	f.Add([]byte(`{"format":"sanad.evidence_pack/v2"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := s.files
		files.Pack = data
		r := pack.Verify(files, pack.Trust{Key: public})
		require.Equal(t, string(data) == string(s.files.Pack), r.Verdict == pack.Verified)
		if r.Content == nil {
			return
		}
		r.Content.Validate(map[int]string{0: "text"})
		pack.DraftMemo(r.Content)
		_, _ = pack.LoadFrozen(data, secret)
		if again, err := pack.Freeze(*r.Content, secret); err == nil {
			require.Equal(t, r.Content.PackID, again.Content.PackID)
		}
	})
}

func FuzzParseLogProof(f *testing.F) {
	s := example(f)
	f.Add(string(s.files.LogProof))
	f.Add("c2sp.org/tlog-proof@v1\nextra \nindex 0\n\nx\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, event, err := pack.ParseLogProof(text)
		if err == nil {
			require.Equal(t, text, pack.LogProof(&p, event))
		}
		files := s.files
		files.LogProof = []byte(text)
		pack.Verify(files, pack.Trust{Key: public})
	})
}

func FuzzParsePublic(f *testing.F) {
	f.Add(example(f).files.PublicKey)
	f.Add([]byte("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if key, err := pack.ParsePublic(data); err == nil {
			text, err := pack.PEM(key)
			require.NoError(t, err)
			again, err := pack.ParsePublic(text)
			require.NoError(t, err)
			require.Equal(t, key, again)
		}
	})
}

// FuzzDecision: no S3 text is left after SealRestricted, whatever the input; a valid decision can be frozen, and its
// memo keeps its limits.
func FuzzDecision(f *testing.F) {
	for _, d := range []*pack.Decision{hospital(), sensitive(), calls(2, 1, 1)} {
		data, err := json.Marshal(d)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var d pack.Decision
		if json.Unmarshal(data, &d) != nil {
			return
		}
		pack.SealRestricted(&d, secret)
		for i := range d.Evidence {
			require.False(t, d.Evidence[i].S3() && d.Evidence[i].Excerpt != "")
		}
		if len(d.Validate()) > 0 {
			return
		}
		c := draftOf(&d, nil)
		require.LessOrEqual(t, pack.Words(c.Memo.ExecutiveSummaryEN), pack.MaxSummaryWords)
		require.LessOrEqual(t, pack.Words(c.Memo.ExecutiveSummaryAR), pack.MaxSummaryWords)
		require.LessOrEqual(t, pack.Words(c.Memo.BodyEN), pack.MaxBodyWords)
		require.LessOrEqual(t, pack.Words(c.Memo.BodyAR), pack.MaxBodyWords)
		require.NoError(t, c.SetMemo(c.Memo))
		frozen := freeze(t, c)
		again, err := pack.LoadFrozen(frozen.Bytes, secret)
		require.NoError(t, err)
		require.Equal(t, frozen, again)
	})
}

func FuzzWords(f *testing.F) {
	f.Add("one [E1] **two** 中文 ½")
	f.Add("\u0301\u200d_a_b\\_c")
	f.Fuzz(func(t *testing.T, s string) {
		require.LessOrEqual(t, pack.Words(s), len(s))
		pack.References(s)
	})
}
