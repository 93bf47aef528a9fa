package dbtest

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	_ "gocloud.dev/blob/memblob" // mem://

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/keys"
)

// WithOriginal stores a session whose first document has an original.
func (fixture *Fixture) WithOriginal(t testing.TB, text string) *ledger.Session {
	t.Helper()
	s := FullSession()
	_, created, err := fixture.InsertSession(context.Background(), fixture.Actor, Assess(s),
		[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte(text)}}, nil)
	require.NoError(t, err)
	require.True(t, created)
	return s
}

// RequireEmpty fails for a folder with something in it.
func RequireEmpty(t testing.TB, dir string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, found)
}

// Now is the clock of all tests.
var Now = time.Date(2026, 3, 1, 12, 30, 45, 123456789, time.UTC)

// MasterKey returns a master key, a different one for each fill.
func MasterKey(t testing.TB, fill byte) *keys.Box {
	t.Helper()
	b, err := keys.New(bytes.Repeat([]byte{fill}, keys.MasterSize))
	require.NoError(t, err)
	return b
}

// Fixture is an open store with a tenant.
type Fixture struct {
	*db.Store
	Dir    string
	Tenant db.Tenant
	Actor  access.Actor
}

// Open opens the store of a folder, with the clock and the master key of all tests.
func Open(t testing.TB, dir string) *db.Store {
	t.Helper()
	s, err := db.Open(context.Background(),
		db.Options{Dir: dir, Database: Database(dir), Now: func() time.Time { return Now }, NewID: uuid.NewString,
			Keys: MasterKey(t, 1)})
	require.NoError(t, err)
	return s
}

// New opens a store of its own with a tenant and an actor. What it stored is verified when the test ends.
func New(t testing.TB) *Fixture {
	t.Helper()
	dir := Dir(t)
	h := &Fixture{Store: Open(t, dir), Dir: dir}
	t.Cleanup(func() {
		ContentsHold(t, h.Store, dir)
		require.NoError(t, h.Close())
	})
	h.Tenant, h.Actor = h.NewTenant(t, "main")
	return h
}

// NewTenant adds a tenant with a reviewer.
func (fixture *Fixture) NewTenant(t testing.TB, slug string) (db.Tenant, access.Actor) {
	t.Helper()
	tenant, err := fixture.EnsureTenant(context.Background(), slug, "Tenant "+slug)
	require.NoError(t, err)
	return tenant, access.Actor{Tenant: tenant.ID, ID: "id-of-noura", User: "Noura", Role: access.Reviewer}
}

// AddSession imports a session as the fixture's actor.
func (fixture *Fixture) AddSession(t testing.TB, s *ledger.Session) *ledger.Ledger {
	t.Helper()
	l := Assess(s)
	id, created, err := fixture.InsertSession(context.Background(), fixture.Actor, l, nil, nil)
	require.NoError(t, err)
	require.True(t, created)
	require.Equal(t, s.ID, id)
	return l
}

// Assess computes the ledger of a session.
func Assess(s *ledger.Session) *ledger.Ledger {
	l := ledger.Assess(s, ledger.DefaultFreshness)
	return &l
}

// Identify sets the ids and times that an import sets.
func Identify(s *ledger.Session) *ledger.Session {
	s.Identify(uuid.NewString)
	s.Revision = 1
	if s.CreatedAt.IsZero() {
		s.CreatedAt = Now
	}
	s.UpdatedAt = s.CreatedAt
	data, _ := json.Marshal(s)
	s.Digest = ledger.TextDigest(string(data) + uuid.NewString())
	return s
}

// FullSession returns a session that uses every field, with Arabic texts.
func FullSession() *ledger.Session {
	quality := 0.9
	s := &ledger.Session{
		ExternalID: "hr-42", Title: "سياسة الإجازات 🌴", Query: "كم يوم إجازة؟ <b>&", Mode: "answer", Lang: "ar",
		Model: "m", ModelVersion: "1.2", TraceID: "trace", DecisionID: "dec-1", Format: "sanad.session/v1",
		Answer: "يستحق الموظف ١٥ يومًا [cite:a1b2c3d4]. ويرحّل خمسة أيام [cite:ffffffff].",
		Extra:  map[string]json.RawMessage{"session.foo": json.RawMessage(`{"a":[1,"<نص>",null]}`)},
		Run: ledger.Run{Judge: "lexical", Version: "1", Parameters: map[string]string{"floor": "0.3"},
			InputDigest: "abc",
			At:          Now.Add(-time.Hour), Duration: 1234567 * time.Nanosecond},
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
				{Actor: "نورة", Role: "reviewer", At: Now.Add(-2 * time.Minute), Action: ledger.Override,
					Verdict: ledger.Supported, Reason: "سبب"},
				{Actor: "Ali", Role: "admin", At: Now.Add(-time.Minute), Action: ledger.Edit, Type: ledger.Numeric,
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
	Identify(s)
	s.ResolveCitations(map[string][]ledger.Place{
		"a1b2c3d4": {{SessionID: uuid.NewString(), DocumentID: uuid.NewString(), Filename: "f.pdf",
			ChunkID: uuid.NewString(), Digest: "a1b2c3d4" + strings.Repeat("0", 56), Page: 3}},
	})
	return s
}

// SizedSession returns a session of n claims over 20 chunks, with one match each, alternating verdicts and types, and
// an answer that contains them.
func SizedSession(n int) *ledger.Session {
	s := &ledger.Session{Title: fmt.Sprintf("Session of %d", n), Query: "What does the policy say?", Mode: "answer",
		Format: "test",
		Run:    ledger.Run{Judge: "given", Version: "1", At: Now}}
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
	return Identify(s)
}

// Count counts the rows of a table.
func Count(t testing.TB, d *sql.DB, table string) (n int) {
	t.Helper()
	require.NoError(t, d.QueryRowContext(context.Background(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// ReceiptOf is the receipt of a request with a key.
func ReceiptOf(key string) *db.Receipt {
	return &db.Receipt{Key: key, Digest: "digest of " + key, Status: 200,
		Headers: map[string]string{"ETag": `"3"`, "Location": "/a?b"}, Body: []byte(`{"a":1}`)}
}

// OriginalFiles lists the files in the folder of originals.
func OriginalFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "originals"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	require.NoError(t, err)
	return out
}
