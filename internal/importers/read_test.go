package importers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters"
)

func sample(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/leave.json")
	require.NoError(t, err)
	return data
}

func read(t testing.TB, s string) *Result {
	t.Helper()
	r, err := Read([]byte(s), Options{})
	require.NoError(t, err)
	return r
}

func TestReadSample(t *testing.T) {
	r, err := Read(sample(t), Options{})
	require.NoError(t, err)
	s := &r.Session
	require.Equal(t, SessionFormat, r.Format)
	require.Equal(t, "Leave policy Q&A", s.Title)
	require.Equal(t, []string{"doc_hr001", "doc_old", "doc_003"},
		[]string{s.Documents[0].Key, s.Documents[1].Key, s.Documents[2].Key})
	require.Equal(t, []string{"4", "4.2"}, s.Documents[0].Chunks[0].HeadingPath)
	require.Equal(t, &text.Span{Start: 0, End: 67}, s.Documents[0].Chunks[0].Span)
	require.Equal(t, "b8b859ac", s.Documents[0].Chunks[0].Hash[:8])
	require.Len(t, s.Documents[0].Root, 64)
	require.Equal(t, []int{3, 5}, []int{s.Documents[2].Chunks[0].Page, s.Documents[2].Chunks[1].Page},
		"a page without a number follows the one before")
	require.Equal(t, 0.9, *s.Documents[0].SourceQuality)

	c := s.Claims
	require.True(t, c[0].Given)
	require.Equal(t, text.NotPlaced, c[0].Matches[0].Quote.Kind, "the importer placed a quotation, which is the "+
		"judge's work")
	require.False(t, c[1].Given, "a claim without matches is left to the judge")
	require.True(t, c[2].Given, "an empty list means judged, and nothing found")
	require.Empty(t, c[2].Matches)
	require.Equal(t, ledger.Policy, c[1].Type)
	require.Equal(t, &text.Span{Start: 67, End: 118}, c[1].Span)
	require.True(t, c[1].RequiresCitation)

	require.Equal(t, map[string]json.RawMessage{
		"session.colour": json.RawMessage(`{"b":1.50,"a":["x"]}`), "note": json.RawMessage(`"kept"`),
	}, s.Extra)
	require.Len(t, r.Warnings, 2)
	require.Equal(t, "session.colour", r.Warnings[0].Path)
}

// TestDigestDependsOnContentOnly checks that layout, key order and defaults don't change the digest, and
// that content does.
func TestDigestDependsOnContentOnly(t *testing.T) {
	base := read(t, `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros.","query":"q"},`+
		`"documents":[{"id":"doc_001","filename":"doc_001","chunks":[{"id":"c1","text":"Fee: 5 euros."}]}],`+
		`"claims":[{"claim_text":"The fee is 5 euros","matches":[{"chunk":"c1","similarity":0.5,"support_level":"full"}]}]}`)
	require.Len(t, base.Session.Digest, 64)
	same := []string{
		` {"claims":[{"matches":[{"support_level":"full","contradicts":false,"similarity":5e-1,"chunk":"doc_001/c1",` +
			`"snippet":"Fee: 5 euros."}],"claim_text":"The fee is 5 euros","requires_citation":true,"claim_id":"clm_001",` +
			`"start_offset":0,"end_offset":18}],"documents":[{"chunks":[{"text":"Fee: 5 euros."}],"uri":null}],` +
			`"session":{"query":"q","title":"q","mode":"answer","answer":"The fee is 5 euros."},"format":"sanad.session/v1"} `,
	}
	for _, s := range same {
		require.Equal(t, base.Session.Digest, read(t, s).Session.Digest, s)
	}
	other := strings.Replace(same[0], "5e-1", "0.6", 1)
	require.NotEqual(t, base.Session.Digest, read(t, other).Session.Digest)
}

// judged reads the sample, judges and resolves it and adds reviews, so that it has everything an export can contain.
func judged(t testing.TB) *ledger.Session {
	r, err := Read(sample(t), Options{})
	require.NoError(t, err)
	s := &r.Session
	at := time.Date(2026, 1, 3, 14, 30, 0, 0, time.UTC)
	judge.Run(s, judge.NewLexical(), at)
	n := 0
	s.Identify(func() string { n++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) })
	s.Revision, s.CreatedAt, s.UpdatedAt = 1, at, at
	s.ResolveCitations(map[string][]ledger.Place{"deadbeef": {{
		SessionID: "other", DocumentID: "d", Filename: "x.pdf", ChunkID: "c", Digest: "deadbeef00", Page: 2,
	}, {DocumentID: "e", Filename: "y.pdf", ChunkID: "c", Digest: "deadbeef11"}}})
	for i, in := range []ledger.ReviewInput{
		{Action: ledger.Confirm}, {
			Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "says 14 days – \u202E<b>",
		},
		{
			Action: ledger.Edit, Importance: ledger.Critical,
		}, {Action: ledger.Comment, Reason: "سؤال"}, {Action: ledger.NeedsEvidence},
	} {
		_, err := s.AddReview(i%3, in, fmt.Sprint("r", i), "Amal", "reviewer", at.Add(time.Duration(i)*time.Second))
		require.NoError(t, err)
	}
	s.Documents[1].Status = ledger.Deleted
	return s
}

func exported(t testing.TB, s *ledger.Session) []byte {
	t.Helper()
	l := ledger.Assess(s, ledger.DefaultFreshness)
	var b bytes.Buffer
	require.NoError(t, exporters.JSON(&b, &l))
	return b.Bytes()
}

// copyStore copies the fields that the store adds and an export leaves out.
func copyStore(from, to *ledger.Session) {
	to.ID, to.LedgerID, to.Run.ID, to.Run.Duration, to.Revision = from.ID, from.LedgerID, from.Run.ID, from.Run.Duration, from.Revision
	to.CreatedAt, to.UpdatedAt = from.CreatedAt, from.UpdatedAt
	for i := range to.Documents {
		to.Documents[i].ID, to.Documents[i].Blob = from.Documents[i].ID, from.Documents[i].Blob
		for j := range to.Documents[i].Chunks {
			to.Documents[i].Chunks[j].ID = from.Documents[i].Chunks[j].ID
		}
	}
	for i := range to.Claims {
		to.Claims[i].ID = from.Claims[i].ID
		for j := range to.Claims[i].Reviews {
			to.Claims[i].Reviews[j].ID = from.Claims[i].Reviews[j].ID
		}
	}
}

func TestRoundTrip(t *testing.T) {
	s := judged(t)
	s.Claims[1].Matches, s.Claims[1].Unjudged = nil, "The judge timed out."
	for i := range s.Claims {
		s.Claims[i].Stale = len(s.Claims[i].Reviews)
	}
	s.Claims[0].Withheld = 1
	require.Positive(t, ledger.Assess(s, 24).Summary.Stale)
	file := exported(t, s)
	r, err := Read(file, Options{})
	require.NoError(t, err)
	require.Equal(t, LedgerFormat, r.Format)
	require.Equal(t, 5, r.Reviews)
	for _, w := range r.Warnings {
		require.NotContains(t, w.Path, "reviews", "whoever calls Read warns about reviews, not Read")
	}
	got := &r.Session
	s.SetImported()
	copyStore(s, got)
	require.Equal(t, s, got)
	require.Equal(t, string(exported(t, s)), string(exported(t, got)))
	for _, n := range []string{"-1", "99"} {
		_, err = Read(bytes.Replace(file, []byte(`"withheld_reviews": 1`), []byte(`"withheld_reviews": `+n), 1),
			Options{})
		require.ErrorContains(t, err, "claims[0].withheld_reviews")
	}
}

func TestRoundTripJudged(t *testing.T) {
	s := judged(t)
	require.NotEmpty(t, s.Claims[1].Matches, "the sample has a claim for the lexical judge")
	r, err := Read(exported(t, s), Options{})
	require.NoError(t, err)
	s.SetImported()
	copyStore(s, &r.Session)
	require.Equal(t, s, &r.Session)
}

func TestRoundTripForm(t *testing.T) {
	r, err := FromForm(context.Background(), Form{
		Answer: "The fee is 5 euros. The limit is 3.",
		Files: []File{{Name: "a.html", Data: []byte("<title>T</title><h1>Fees</h1><p>The fee is 5 euros.")},
			{Name: "limits.txt", Data: []byte("The limit is 3.")}},
	}, Options{})
	require.NoError(t, err)
	s := &r.Session
	judge.Run(s, judge.NewLexical(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	s.ResolveCitations(nil)
	back, err := Read(exported(t, s), Options{})
	require.NoError(t, err)
	s.SetImported()
	copyStore(s, &back.Session)
	require.Equal(t, s, &back.Session)
}

// TestChangedExportIsRefused checks that a changed verdict, confidence, root or order is refused with its place.
func TestChangedExportIsRefused(t *testing.T) {
	file := string(exported(t, judged(t)))
	for _, c := range []struct{ from, to, path, msg string }{
		{
			from: `"verdict": "supported"`, to: `"verdict": "weak"`, path: "entries[0].verdict",
			msg: "says weak, but its evidence and reviews give supported",
		},
		{from: `"verdict": "supported"`, to: `"verdict": null`, path: "entries[0].verdict", msg: "null (unjudged)"},
		{
			from: `"confidence_score": 0.92`, to: `"confidence_score": 0.93`,
			path: "entries[0].confidence_score", msg: "0.93",
		},
		{from: `"claim_id": "clm_001"`, to: `"claim_id": "clm_009"`, path: "entries[0].claim_id", msg: "clm_009"},
		{
			from: `"chunk_id": "c1"`, to: `"chunk_id": "c9"`, path: "sanad.claims[0].matches[0].chunk_id",
			msg: "doc_hr001/c9",
		},
		{from: `"root": "`, to: `"root": "00`, path: "sanad.documents[0].root"},
		{
			from: `"format": "sanad.ledger/v1"`, to: `"format": "sanad.ledger/v2"`, path: "sanad.format",
			msg: "sanad.ledger/v2",
		},
		{
			from: `"action": "confirm"`, to: `"action": "bless"`, path: "sanad.claims[0].reviews[0].action",
			msg: "confirm",
		},
		{
			from: `"status": "ambiguous"`, to: `"status": "odd"`, path: "sanad.claims[2].citations[0].status",
			msg: "resolved",
		},
		{from: `"hash": "deadbeef"`, to: `"hash": "DEADBEEF"`, path: "sanad.claims[2].citations[0].hash", msg: "hex"},
		{from: `"at": "2026-01-03T14:30:00Z"`, to: `"at": "yesterday"`, msg: "2024-01-31T10:00:00Z"},
		{from: `"status": "ready"`, to: `"status": "gone"`, path: "sanad.documents[0].status", msg: "ready"},
	} {
		require.Contains(t, file, c.from)
		_, err := Read([]byte(strings.Replace(file, c.from, c.to, 1)), Options{})
		var e *domain.Error
		require.ErrorAs(t, err, &e, c.to)
		if c.path != "" {
			require.Equal(t, c.path, e.Path)
		}
		require.Contains(t, e.Text(), c.msg)
	}
}

// TestSessionFormatRefusesReviews checks that sanad.session/v1 accepts neither reviews nor runs.
func TestSessionFormatRefusesReviews(t *testing.T) {
	r := read(t, `{"format":"sanad.session/v1","session":{"answer":"a b c."},"documents":[],"run":{"judge":"x"},`+
		`"claims":[{"claim_text":"a b c","reviews":[{"action":"confirm"}]}]}`)
	require.Empty(t, r.Session.Claims[0].Reviews)
	require.Contains(t, r.Session.Extra, "claims[0].reviews")
	require.Contains(t, r.Session.Extra, "run")
}

func TestLocate(t *testing.T) {
	r := read(t, `{"format":"sanad.session/v1","session":{"answer":"Ü same. Then same again. **Other** words, here."},"documents":[],"claims":[
		{"claim_text":"same"},{"claim_text":"same"},{"claim_text":"other words"},{"claim_text":"nowhere to be seen"},{"claim_text":"again","start_offset":0,"end_offset":3},
		{"claim_text":"put in other terms entirely","start_offset":0,"end_offset":6}]}`)
	c := r.Session.Claims
	require.Equal(t, text.Span{Start: 2, End: 6}, *c[0].Span)
	require.Equal(t, text.Span{Start: 13, End: 17}, *c[1].Span, "the second claim with the same words has the next place")
	require.NotNil(t, c[2].Span)
	require.Nil(t, c[3].Span)
	require.Equal(t, text.Span{Start: 18, End: 23}, *c[4].Span, "where words and offsets disagree, the words decide")
	require.Equal(t, text.Span{Start: 0, End: 6}, *c[5].Span, "a claim in other words keeps its offsets")
}

func TestWarningsAreCounted(t *testing.T) {
	var claims []string
	for range 50 {
		claims = append(claims, `{"claim_text":"not there","colour":1,"matches":[]}`)
	}
	r := read(t, `{"format":"sanad.session/v1","session":{"answer":"Something else."},"documents":[],"claims":[`+
		strings.Join(claims, ",")+`]}`)
	require.Len(t, r.Warnings, 3)
	require.Contains(t, r.Warnings[0].Msg, "49 more")
	require.Len(t, r.Session.Extra, 50)
}

func TestTitle(t *testing.T) {
	for answer, want := range map[string]string{
		"# The fee [cite:12345678] is **5 euros** and more.":      "The fee is **5 euros** and more.",
		"---\n# Student fees in 2026\n- Attesting costs SAR 150.": "Student fees in 2026",
		strings.Repeat("word ", 40):                               strings.TrimSpace(strings.Repeat("word ", 16)) + "…",
	} {
		data, err := json.Marshal(map[string]any{
			"format": SessionFormat, "session": map[string]any{"answer": answer}, "documents": []any{},
			"claims": []any{map[string]any{"claim_text": "x"}},
		})
		require.NoError(t, err)
		require.Equal(t, want, read(t, string(data)).Session.Title)
	}
}
