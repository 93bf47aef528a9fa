package ledger_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	ledgers "sanad/internal/domain/ledger"
	"sanad/internal/handlers/webtest"
)

// TestLedgerInPartsIsTheWhole checks that the parts of a ledger, put together, are the whole: of sessions with given and
// withheld evidence, citations, reviews, claims that no longer count, and what a provider's file said.
func TestLedgerInPartsIsTheWhole(t *testing.T) {
	s := webtest.NewServer(t)
	stored := func(session *ledgers.Session) string {
		l := ledgers.Assess(session, ledgers.DefaultFreshness)
		_, _, err := s.Store.InsertSession(t.Context(), access.AtCommandLine(s.Tenant.ID), &l, nil, nil)
		require.NoError(t, err)
		return session.ID
	}
	many := s.Create(webtest.ManyClaims(23)).SessionID
	for n, action := range []string{"confirm", "not_a_claim", "comment", "not_a_claim"} {
		s.Review(many, 3*n+1, 3*n+2, `{"action":"`+action+`","reason":"See there."}`)
	}
	stated := s.Create(`{"user_input":"How many?","retrieved_contexts":["Annual leave is 15 days."],` +
		`"response":"Annual leave is 15 days [1]. It is 20 days.","faithfulness":0.5}`).SessionID
	for _, id := range []string{many, stated, stored(dbtest.FullSession()), stored(dbtest.SizedSession(11))} {
		for _, filter := range []string{"", "&verdict=contradicted", "&verdict=unjudged,weak,supported", "&citation=holds"} {
			requireParts(t, s, id, filter)
		}
	}
}

func requireParts(t *testing.T, s *webtest.Server, id, filter string) {
	t.Helper()
	type object = map[string]any
	read := func(query string) object {
		return webtest.Get[object](t, s.Do("GET", "/api/v1/sessions/"+id+"/ledger?"+query+filter, ""), http.StatusOK)
	}
	whole, from := read(""), 1.0
	entries, affected := []any{}, map[string][]any{}
	for {
		part := read(fmt.Sprintf("limit=4&from=%v", from))
		l, page := part["ledger"].(object), part["page"].(object)
		entries = append(entries, l["entries"].([]any)...)
		for _, f := range l["risk_flags"].([]any) {
			f := f.(object)
			affected[f["type"].(string)] = append(affected[f["type"].(string)], f["affected_claim_ids"].([]any)...)
			delete(f, "affected_claim_ids")
		}
		matching := page["matching"].(float64)
		require.InDelta(t, matching, float64(len(entries))+page["left"].(float64), 0, filter)
		if page["next_from"] == nil {
			l["entries"] = entries
			for _, f := range whole["ledger"].(object)["risk_flags"].([]any) {
				f := f.(object)
				if filter == "" {
					require.Equal(t, f["affected_claim_ids"], any(affected[f["type"].(string)]))
				}
				require.InDelta(t, f["affected_count"], len(f["affected_claim_ids"].([]any)), 0)
				delete(f, "affected_claim_ids")
			}
			delete(part, "page")
			require.Equal(t, whole, part, filter)
			return
		}
		from = page["next_from"].(float64)
	}
}

// A ledger is read in pages; without the parameters it is read whole, as it always was.
func TestLedgerInPages(t *testing.T) {
	s := webtest.NewServer(t)
	var answer []string
	for _, days := range []string{"15", "20", "15", "20", "15"} {
		answer = append(answer, "Annual leave is "+days+" days for all of the staff number "+days+".")
	}
	body, err := json.Marshal(map[string]any{"format": "sanad.session/v1", "session": map[string]any{"answer": strings.Join(answer, "\n\n")},
		"documents": []any{map[string]any{"id": "a", "filename": "a.txt", "text": answer[0]}}})
	require.NoError(t, err)
	id := webtest.Get[webtest.Created](t, s.Do("POST", "/api/v1/sessions", string(body)), http.StatusCreated).SessionID
	type ledger struct {
		Ledger struct {
			Entries []struct{ Number int }
			Summary struct {
				Total int `json:"total_claims"`
			}
		}
		Page *struct {
			Matching, Left int
			NextFrom       *int `json:"next_from"`
		}
	}
	read := func(query string) (out ledger, numbers []int) {
		out = webtest.Get[ledger](t, s.Do("GET", "/api/v1/sessions/"+id+"/ledger"+query, ""), http.StatusOK)
		for _, e := range out.Ledger.Entries {
			numbers = append(numbers, e.Number)
		}
		require.Equal(t, 5, out.Ledger.Summary.Total, query)
		return out, numbers
	}
	whole, numbers := read("")
	require.Equal(t, []int{1, 2, 3, 4, 5}, numbers)
	require.Nil(t, whole.Page)
	first, numbers := read("?limit=2")
	require.Equal(t, []int{1, 2}, numbers)
	require.Equal(t, []int{5, 3, 3}, []int{first.Page.Matching, first.Page.Left, *first.Page.NextFrom})
	last, numbers := read("?from=4&limit=2")
	require.Equal(t, []int{4, 5}, numbers)
	require.Equal(t, []int{5, 0}, []int{last.Page.Matching, last.Page.Left})
	require.Nil(t, last.Page.NextFrom)
	none, numbers := read("?from=9")
	require.Empty(t, numbers)
	require.Zero(t, none.Page.Left)
	wrong, numbers := read("?verdict=contradicted,not_found&limit=1")
	require.Equal(t, []int{2}, numbers)
	require.Equal(t, []int{2, 1, 4}, []int{wrong.Page.Matching, wrong.Page.Left, *wrong.Page.NextFrom})
	for query, path := range map[string]string{"?from=0": "from", "?from=x": "from", "?limit=0": "limit", "?limit=201": "limit",
		"?verdict=true": "verdict", "?verdict=weak,": "verdict", "?to=3": "to"} {
		fault := webtest.Get[struct{ Path string }](t, s.Do("GET", "/api/v1/sessions/"+id+"/ledger"+query, ""), http.StatusBadRequest)
		require.Equal(t, path, fault.Path, query)
	}
}
