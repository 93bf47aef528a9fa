package ledger_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

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
