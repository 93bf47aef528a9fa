package sessions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// provided returns a session of n claims as imported from a provider's file that judged each of them.
func provided(n int) *ledger.Session {
	s := dbtest.SizedSession(n)
	s.Format = "ragas"
	s.Extra = map[string]json.RawMessage{
		ledger.UpstreamWholePath: json.RawMessage(`{"format":"ragas","placed":{"exact":1,"normalised":0,"fuzzy":0,"not_placed":3}}`),
		"session.colour":         json.RawMessage(`"blue"`),
	}
	for i := range n {
		s.Extra[ledger.UpstreamPath(i)] = json.RawMessage(fmt.Sprintf(`{"verdict":"weak","label":"no. %d"}`, i))
	}
	return s
}

func TestPagesHaveWhatTheFileSaid(t *testing.T) {
	h := dbtest.New(t)
	s := provided(30)
	h.AddSession(t, s)
	claim, err := h.ClaimPage(context.Background(), h.Tenant.ID, s.ID, 12)
	require.NoError(t, err)
	require.Equal(t, "no. 12", claim.Session.Upstream(12).Label)
	require.Equal(t, 4, claim.Session.UpstreamWhole().Placed.Total())
	require.Len(t, claim.Session.Extra, 2, "what the page shows, and nothing else")
	p := pageOf(t, h, s.ID, ledger.ClaimFilter{}, 4, 10)
	require.Len(t, p.Session.Extra, 11)
	require.Equal(t, "no. 14", p.Session.Upstream(14).Label)
	require.Nil(t, p.Session.Upstream(15))
	whole, err := h.Session(context.Background(), h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, s.Extra, whole.Extra)
}

// TestOwnSessionsHaveNoUpstream checks that a field of that name in our own format, which anyone may write, is kept but
// not taken for a provider's.
func TestOwnSessionsHaveNoUpstream(t *testing.T) {
	h := dbtest.New(t)
	s := provided(2)
	s.Format = "sanad.session/v1"
	h.AddSession(t, s)
	require.Zero(t, dbtest.Count(t, dbtest.Raw(t, h.Dir), "upstream"))
	require.Empty(t, pageOf(t, h, s.ID, ledger.ClaimFilter{}, -1, 10).Session.Extra)
}

// TestUpstreamCostsOneQuery checks that what the file said needs one more query at most, however large the session is.
func TestUpstreamCostsOneQuery(t *testing.T) {
	h := dbtest.New(t)
	counts := map[string][]int64{}
	for _, s := range []*ledger.Session{dbtest.SizedSession(10), provided(10), provided(2000)} {
		h.AddSession(t, s)
		for name, n := range h.Queries(t, pages(h, s)) {
			counts[name] = append(counts[name], n)
		}
	}
	for name, n := range counts {
		require.LessOrEqual(t, n[1], n[0]+1, name) // fewer if a search finds nothing of a kind
		require.Equal(t, n[1], n[2], name)
	}
}

func TestUpstreamIsFoundByItsKey(t *testing.T) {
	dbtest.SQLiteOnly(t, "it reads SQLite's query plans")
	h := dbtest.New(t)
	s := provided(50)
	h.AddSession(t, s)
	d, seen := dbtest.Raw(t, h.Dir), 0
	stop := h.Trace(func(query string, args []any) {
		for _, step := range dbtest.Plan(t, d, query, args) {
			if strings.Contains(step, " u USING") || strings.Contains(step, " upstream USING") {
				seen++
				require.Contains(t, step, "(session_no=?")
			}
			require.NotRegexp(t, "SCAN u", step)
		}
	})
	_, err := h.ClaimPage(context.Background(), h.Tenant.ID, s.ID, 3)
	stop()
	require.NoError(t, err)
	require.Equal(t, 3, seen)
}
