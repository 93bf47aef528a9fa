package sessions_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

func TestSessionsPageByKeyInEverySort(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	all := map[string]*ledger.Ledger{}
	for i := range 23 {
		s := dbtest.SizedSession(i % 5) // many have equal claims and coverage
		s.Title = fmt.Sprintf("Title %d", i%3)
		s.CreatedAt = dbtest.Now.Add(time.Duration(i%7) * time.Hour)
		s.UpdatedAt = s.CreatedAt
		all[s.ID] = h.AddSession(t, s)
	}
	for _, sort := range []string{"created", "title", "coverage", "claims", ""} {
		for _, dir := range []string{"asc", "desc"} {
			desc := dir == "desc"
			q := ledger.SessionQuery{Sort: sort, Dir: dir, Limit: 4}
			seen := map[string]bool{}
			var last *ledger.SessionRow
			for {
				rows, next, err := h.Sessions(ctx, h.Tenant.ID, q)
				require.NoError(t, err)
				for _, r := range rows {
					require.False(t, seen[r.ID])
					seen[r.ID] = true
					if last != nil {
						a, b := *last, r
						if desc {
							a, b = b, a
						}
						switch sort {
						case "title":
							require.LessOrEqual(t, a.Title, b.Title)
						case "coverage":
							require.LessOrEqual(t, a.Coverage, b.Coverage)
						case "claims":
							require.LessOrEqual(t, a.Claims, b.Claims)
						default:
							require.False(t, b.CreatedAt.Before(a.CreatedAt))
						}
					}
					last = &r
					l := all[r.ID]
					require.Equal(t, l.Summary.ByVerdict, r.ByVerdict)
					require.Equal(t, len(l.Flags), r.Flags)
					require.Len(t, r.FlagTypes, r.Flags)
				}
				if next == "" {
					break
				}
				q.After = next
			}
			require.Len(t, seen, len(all), "%s %v", sort, desc)
		}
	}
}

func TestBadCursorsAreInvalid(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	for range 3 {
		h.AddSession(t, dbtest.SizedSession(1))
	}
	_, next, err := h.Sessions(ctx, h.Tenant.ID, ledger.SessionQuery{Sort: "title", Limit: 1})
	require.NoError(t, err)
	require.NotEmpty(t, next)
	bad := []ledger.SessionQuery{
		{After: "%%%"}, {After: "e30"}, {After: next}, {Sort: "title", Dir: "desc", After: next}, {Sort: "nonsense"},
		{Sort: "claims", After: base64.RawURLEncoding.EncodeToString([]byte(`{"s":"claims","v":"x","i":"8d1b4b5e-0000-4000-8000-000000000000"}`))},
		{Sort: "claims", After: base64.RawURLEncoding.EncodeToString([]byte(`{"s":"claims","v":1,"i":"x"}`))},
	}
	for _, q := range bad {
		q.Limit = 1
		_, _, err := h.Sessions(ctx, h.Tenant.ID, q)
		require.Equal(t, domain.Invalid, domain.KindOf(err), q)
	}
}

func TestSessionFilters(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	h.AddSession(t, dbtest.SizedSession(1)) // supported only
	h.AddSession(t, dbtest.SizedSession(8)) // all verdicts
	h.AddSession(t, dbtest.SizedSession(0)) // nothing to review
	for q, want := range map[ledger.SessionQuery]int{
		{}: 3, {Verdict: "contradicted"}: 1, {Verdict: "supported"}: 2, {Flag: "contradiction"}: 1,
		{Flag: "outdated_source"}: 0,
		{State: "open"}:           2, {State: "reviewed"}: 1, {Text: "session"}: 3, {Text: "session employees"}: 2,
		{Text: "sessions", Verdict: "weak", Flag: "contradiction", State: "open"}: 1,
	} {
		q.Limit = 10
		rows, _, err := h.Sessions(ctx, h.Tenant.ID, q)
		require.NoError(t, err)
		require.Len(t, rows, want, q)
	}
}

func TestHome(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	var claims, sessions int
	for i := range 45 {
		s := dbtest.SizedSession(i % 4)
		s.CreatedAt = dbtest.Now.AddDate(0, 0, -i)
		s.UpdatedAt = s.CreatedAt
		h.AddSession(t, s)
		claims, sessions = claims+i%4, sessions+1
	}
	home, err := h.Home(ctx, h.Actor)
	require.NoError(t, err)
	require.Equal(t, []int{sessions, claims, 0}, []int{home.Sessions, home.Claims, home.Reviewed})
	require.Len(t, home.CoverageByDay, 30)
	require.Equal(t, "2026-03-01", home.CoverageByDay[29].Day.Format(time.DateOnly))
	require.InDelta(t, 1, home.CoverageByDay[28].Coverage, 0)
	require.InDelta(t, 1.0/3, home.CoverageByDay[26].Support, 0.001)
	require.Len(t, home.Queue, 10)
	require.Equal(t, ledger.High, home.Queue[0].MaxSeverity)
	require.True(t, home.Queue[0].CreatedAt.Before(home.Queue[1].CreatedAt), "of equal urgency the oldest first")
	require.Equal(t, claims, home.ByVerdict[ledger.Supported]+home.ByVerdict[ledger.Weak]+
		home.ByVerdict[ledger.Contradicted])
}

func TestExportsExpire(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	h.AddSession(t, s)
	e := db.Export{TokenHash: db.HashToken("secret"), SessionID: s.ID, Format: "pdf", CreatedAt: dbtest.Now,
		ExpiresAt: dbtest.Now.Add(time.Minute)}
	require.NoError(t, h.CreateExport(ctx, h.Actor, e))
	got, err := h.Export(ctx, h.Tenant.ID, e.TokenHash, dbtest.Now.Add(59*time.Second))
	require.NoError(t, err)
	e.Revision, e.Actor = 1, h.Actor.ID
	require.Equal(t, e, got)
	_, err = h.Export(ctx, h.Tenant.ID, e.TokenHash, dbtest.Now.Add(time.Minute))
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

func TestDocumentPage(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(40)
	s.Documents[0].Chunks[4].Kind, s.Documents[0].Chunks[19].Kind = ledger.FileComment, ledger.FileComment
	h.AddSession(t, s)
	id := s.Documents[0].ID
	for _, limit := range []int{1, 2, 3, 6, 7, 19, 20, 50} {
		seen, at := map[int]bool{}, -1
		for range 50 {
			p, err := h.DocumentPage(ctx, h.Actor, id, at, 0, limit)
			require.NoError(t, err)
			require.LessOrEqual(t, len(p.Document.Chunks), limit)
			for _, c := range p.Document.Chunks {
				seen[c.Position] = true
				require.Equal(t, s.Documents[0].Chunks[c.Position], c)
				require.Len(t, p.Cited[c.Position], len(citing(s, c.Position)))
			}
			if at = p.Next; at < 0 {
				break
			}
		}
		require.Len(t, seen, 20, "limit %d", limit)
	}
	p, err := h.DocumentPage(ctx, h.Actor, id, 10, 0, 6)
	require.NoError(t, err)
	require.Equal(t, 7, p.Document.Chunks[0].Position)
	quote := text.Span{Start: 30, End: 48}
	require.Equal(t, []ledger.Cited{{Number: 9, Verdict: ledger.Supported, Support: ledger.Full, Quote: quote},
		{Number: 29, Verdict: ledger.Supported, Support: ledger.Full, Quote: quote}}, p.Cited[8])
	require.Equal(t, 20, p.TotalChunks)
	require.Equal(t, 2, p.Comments)
	require.Len(t, p.Outline, 4)
	require.Equal(t, ledger.Heading{Path: []string{"1"}, Position: 5, Page: 6}, p.Outline[1])
	require.Equal(t, s.ID, p.SessionID)
	far, err := h.DocumentPage(ctx, h.Actor, id, 1<<40, 0, 6)
	require.NoError(t, err)
	require.Equal(t, 14, far.Document.Chunks[0].Position)
}

func citing(s *ledger.Session, chunk int) (out []int) {
	for _, c := range s.Claims {
		if len(c.Matches) > 0 && c.Matches[0].Chunk.Chunk == chunk {
			out = append(out, c.Position)
		}
	}
	return out
}

func TestCitedChunks(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	const prefix = "abcdef12"
	add := func(hash string, n int, status ledger.DocumentStatus) {
		s := dbtest.SizedSession(0)
		d := &s.Documents[0]
		d.Status = status
		d.Chunks = d.Chunks[:0]
		for i := range n {
			d.Chunks = append(d.Chunks,
				ledger.Chunk{ID: fmt.Sprintf("%s-%d", s.ID, i), Position: i, Text: "x", Hash: hash, Page: 4})
		}
		h.AddSession(t, s)
	}
	one, two := prefix+fmt.Sprintf("%056d", 1), prefix+fmt.Sprintf("%056d", 2)
	add(one, 60, ledger.Ready)
	add(two, 1, ledger.Ready)
	add("abcdef13"+one[8:], 1, ledger.Ready)
	add(prefix+fmt.Sprintf("%056d", 3), 1, ledger.Deleted)
	found, err := h.CitedChunks(ctx, h.Tenant.ID, []string{prefix, one, "00000000", "x' OR 1", "abcdef13"})
	require.NoError(t, err)
	require.Len(t, found, 3)
	require.Len(t, found[prefix], 50)
	require.Equal(t, ledger.Ambiguous, ledger.NewCitation(prefix, found[prefix]).Status,
		"copies of one text do not hide the other")
	require.Equal(t, two, found[prefix][49].Digest)
	require.Equal(t, ledger.Resolved, ledger.NewCitation(one, found[one]).Status)
	require.Equal(t, 4, found[one][0].Page)
	require.Equal(t, "policy.pdf", found[one][0].Filename)
}
