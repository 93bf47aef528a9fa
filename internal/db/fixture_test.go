package db_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/keys"
)

// now is the clock of all tests.
var now = time.Date(2026, 3, 1, 12, 30, 45, 123456789, time.UTC)

// masterKey returns a master key, a different one for each fill.
func masterKey(t testing.TB, fill byte) *keys.Box {
	t.Helper()
	b, err := keys.New(bytes.Repeat([]byte{fill}, keys.MasterSize))
	require.NoError(t, err)
	return b
}

// fixture is an open store with a tenant.
type fixture struct {
	*db.Store
	dir    string
	tenant db.Tenant
	actor  access.Actor
}

func openIn(t testing.TB, dir string) *db.Store {
	t.Helper()
	s, err := db.Open(context.Background(),
		db.Options{Dir: dir, Database: dbtest.Database(dir), Now: func() time.Time { return now }, NewID: uuid.NewString, Keys: masterKey(t, 1)})
	require.NoError(t, err)
	return s
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	dir := dbtest.Dir(t)
	h := &fixture{Store: openIn(t, dir), dir: dir}
	t.Cleanup(func() {
		contentsHold(t, h.Store, dir)
		require.NoError(t, h.Close())
	})
	h.tenant, h.actor = h.newTenant(t, "main")
	return h
}

func (h *fixture) newTenant(t testing.TB, slug string) (db.Tenant, access.Actor) {
	t.Helper()
	tenant, err := h.EnsureTenant(context.Background(), slug, "Tenant "+slug)
	require.NoError(t, err)
	return tenant, access.Actor{Tenant: tenant.ID, ID: "id-of-noura", User: "Noura", Role: access.Reviewer}
}

func (h *fixture) insert(t testing.TB, s *ledger.Session) *ledger.Ledger {
	t.Helper()
	l := assess(s)
	id, created, err := h.InsertSession(context.Background(), h.actor, l, nil, nil)
	require.NoError(t, err)
	require.True(t, created)
	require.Equal(t, s.ID, id)
	return l
}

func assess(s *ledger.Session) *ledger.Ledger {
	l := ledger.Assess(s, ledger.DefaultFreshness)
	return &l
}

// identify sets the ids and times that an import sets.
func identify(s *ledger.Session) *ledger.Session {
	s.Identify(uuid.NewString)
	s.Revision = 1
	if s.CreatedAt.IsZero() {
		s.CreatedAt = now
	}
	s.UpdatedAt = s.CreatedAt
	data, _ := json.Marshal(s)
	s.Digest = ledger.TextDigest(string(data) + uuid.NewString())
	return s
}

// fullSession returns a session that uses every field, with Arabic texts.
func fullSession() *ledger.Session {
	quality := 0.9
	s := &ledger.Session{
		ExternalID: "hr-42", Title: "سياسة الإجازات 🌴", Query: "كم يوم إجازة؟ <b>&", Mode: "answer", Lang: "ar",
		Model: "m", ModelVersion: "1.2", TraceID: "trace", DecisionID: "dec-1", Format: "sanad.session/v1",
		Answer: "يستحق الموظف ١٥ يومًا [cite:a1b2c3d4]. ويرحّل خمسة أيام [cite:ffffffff].",
		Extra:  map[string]json.RawMessage{"session.foo": json.RawMessage(`{"a":[1,"<نص>",null]}`)},
		Run: ledger.Run{Judge: "lexical", Version: "1", Parameters: map[string]string{"floor": "0.3"},
			InputDigest: "abc",
			At:          now.Add(-time.Hour), Duration: 1234567 * time.Nanosecond},
	}
	for i, chunks := range [][]string{{"يستحق الموظف خمسة عشر يوما في السنة", "نص آخر\nبسطرين"},
		{"Employees get 12 days."}} {
		d := ledger.Document{
			Key: fmt.Sprintf("doc%d", i), Position: i, Filename: "سياسة.pdf", Title: "سياسة",
			URI: "https://example.test/a?b", Lang: "ar",
			PublishedAt: "2024-01-01", ValidUntil: "2027-01-01", SourceQuality: &quality, Status: ledger.Ready,
			MediaType: "text/plain", Root: "r",
		}
		for j, c := range chunks {
			d.Chunks = append(d.Chunks, ledger.Chunk{
				Key: fmt.Sprintf("c%d", j), Position: j, Text: c, Hash: ledger.ChunkDigest(c),
				Root: ledger.TextDigest(c), Page: 12 + j,
				HeadingPath: []string{"4", "4.2 الإجازات"}, Span: &text.Span{Start: j * 100, End: j*100 + text.Len(c)},
			})
		}
		s.Documents = append(s.Documents, d)
	}
	s.Documents[1].Supersedes, s.Documents[1].SourceQuality = "doc0", nil
	s.Documents[0].Chunks[1].HeadingPath, s.Documents[0].Chunks[1].Span = nil, nil
	s.Claims = []ledger.Claim{
		{
			Key: "clm_001", Position: 0, Text: "يستحق الموظف ١٥ يومًا", Type: ledger.Policy,
			Importance: ledger.Critical, RequiresCitation: true,
			Span: &text.Span{Start: 0, End: 21}, Judge: "lexical",
			Matches: []ledger.Match{
				{Chunk: ledger.ChunkRef{Document: 0, Chunk: 0}, Similarity: 0.92, Support: ledger.Full,
					Snippet: "خمسة عشر يوما",
					Quote:   text.Placement{Kind: text.Normalised, Span: text.Span{Start: 3, End: 17}}, Note: "ملاحظة",
					Missing: []string{"السنة"}, Features: []ledger.Feature{{Name: "overlap", Value: 0.8125}}},
				{Chunk: ledger.ChunkRef{Document: 1, Chunk: 0}, Similarity: 0.7, Support: ledger.None,
					Contradicts: true, Snippet: "12 days",
					Quote:     text.Placement{Kind: text.Exact},
					Conflicts: []ledger.Conflict{{Kind: "number", Claim: "١٥", Evidence: "12"}}},
			},
			Reviews: []ledger.Review{
				{Actor: "نورة", Role: "reviewer", At: now.Add(-2 * time.Minute), Action: ledger.Override,
					Verdict: ledger.Supported, Reason: "سبب"},
				{Actor: "Ali", Role: "admin", At: now.Add(-time.Minute), Action: ledger.Edit, Type: ledger.Numeric,
					Importance: ledger.Minor},
			},
		},
		{Key: "clm_002", Position: 1, Text: "ويرحّل خمسة أيام", Type: ledger.Numeric, Importance: ledger.Material,
			Judge: "given", Given: true,
			RequiresCitation: true},
		{Key: "clm_003", Position: 2, Text: "Nobody could judge this", Type: ledger.Fact, Importance: ledger.Minor,
			Judge: "lexical", Unjudged: "timeout"},
	}
	s.Claims[1].Span = &text.Span{Start: 42, End: 60}
	identify(s)
	s.ResolveCitations(map[string][]ledger.Place{
		"a1b2c3d4": {{SessionID: uuid.NewString(), DocumentID: uuid.NewString(), Filename: "f.pdf",
			ChunkID: uuid.NewString(), Digest: "a1b2c3d4" + strings.Repeat("0", 56), Page: 3}},
	})
	return s
}

// sizedSession returns a session of n claims over 20 chunks, with one match each, alternating verdicts and types, and
// an answer that contains them.
func sizedSession(n int) *ledger.Session {
	s := &ledger.Session{Title: fmt.Sprintf("Session of %d", n), Query: "What does the policy say?", Mode: "answer",
		Format: "test",
		Run:    ledger.Run{Judge: "given", Version: "1", At: now}}
	d := ledger.Document{Key: "doc", Filename: "policy.pdf", Title: "Policy", Status: ledger.Ready,
		PublishedAt: "2026-01-01"}
	for i := range 20 {
		c := fmt.Sprintf("Section %d of the policy says that employees may take %d days of leave in a year, with approval.", i, i)
		d.Chunks = append(d.Chunks,
			ledger.Chunk{Key: fmt.Sprintf("c%d", i), Position: i, Text: c, Hash: ledger.ChunkDigest(c),
				Root: ledger.TextDigest(c), Page: i + 1,
				HeadingPath: []string{fmt.Sprintf("%d", i/5)}})
	}
	s.Documents = []ledger.Document{d}
	var answer strings.Builder
	for i := range n {
		line := fmt.Sprintf("Claim %d says employees may take %d days of leave.", i, i%30)
		c := ledger.Claim{
			Key: fmt.Sprintf("clm_%d", i), Position: i, Text: line, Type: ledger.ClaimTypes[i%4],
			Importance: ledger.Importances[i%3],
			Judge:      "given", Given: true, RequiresCitation: i%10 == 0,
			Span: &text.Span{Start: answer.Len(), End: answer.Len() + len(line)},
		}
		m := ledger.Match{Chunk: ledger.ChunkRef{Chunk: i % 20}, Similarity: 0.9, Support: ledger.Full,
			Snippet: "employees may take",
			Quote:   text.Placement{Kind: text.Exact, Span: text.Span{Start: 30, End: 48}}}
		switch i % 4 {
		case 1:
			m.Support, m.Similarity = ledger.Partial, 0.7
		case 2:
			m.Support, m.Contradicts = ledger.None, true
		}
		if i%4 != 3 {
			c.Matches = []ledger.Match{m}
		}
		s.Claims = append(s.Claims, c)
		answer.WriteString(line + "\n")
	}
	s.Answer = answer.String()
	return identify(s)
}

func count(t testing.TB, d *sql.DB, table string) (n int) {
	t.Helper()
	require.NoError(t, d.QueryRow("SELECT count(*) FROM "+table).Scan(&n))
	return n
}
