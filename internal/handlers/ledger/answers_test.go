package ledger_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/handlers/webtest"
)

// firstAnswer is a session whose two claims stand in its document.
const firstAnswer = `{"format":"sanad.session/v1","session":{"title":"Leave","query":"How long?",
 "answer":"All permanent employees receive 15 days of paid annual leave. Visitors wear a badge in the building."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"All permanent employees receive 15 days of paid annual leave.\n\nVisitors wear a badge in the building.\n\nInterns receive 5 days of unpaid leave."}]}`

const secondAnswer = "Interns receive 5 days of unpaid leave. All permanent employees receive 15 days of paid annual leave. Visitors wear a red badge in the building."

type revisedAnswer struct {
	SessionID string `json:"session_id"`
	Version   int
	Kept      int `json:"kept_claims"`
	New       int `json:"new_claims"`
}

type answerChange struct {
	Change     string
	FromNumber int `json:"from_number"`
	ToNumber   int `json:"to_number"`
}

// Unchanged claims keep matches and reviews; the others are judged and say in which version they are new.
func TestReviseAnAnswer(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	old := s.Create(firstAnswer).SessionID
	path := "/api/v1/sessions/" + old
	for _, n := range []string{"1", "2"} {
		require.Equal(t, 201, s.Do("POST", path+"/claims/"+n+"/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	}
	was := s.Do("GET", path+"/ledger", "").Body.String()
	body := `{"answer":"` + secondAnswer + `"}`
	require.Equal(t, 428, s.Do("POST", path+"/answers", body).Code)
	require.Equal(t, 412, s.Do("POST", path+"/answers", body, "If-Match", `"old"`).Code)
	for bad, at := range map[string]string{
		`{"answer":" "}`: "answer", `{}`: "answer",
		`{"answer":"All permanent employees receive 15 days of paid annual leave. Visitors wear a badge in the building."}`: "answer",
		`{"answer":"x","claims":[{"claim_text":" "}]}`: "claims[0].claim_text",
	} {
		require.Contains(t, s.Do("POST", path+"/answers", bad, "If-Match", "*").Body.String(), `"path":"`+at+`"`, bad)
	}
	require.Equal(t, was, s.Do("GET", path+"/ledger", "").Body.String())

	res := s.Do("POST", path+"/answers", body, "If-Match", "*", "Idempotency-Key", "v")
	out := webtest.Get[revisedAnswer](t, res, 201)
	require.Equal(t, []int{2, 1, 2}, []int{out.Version, out.Kept, out.New})
	require.Equal(t, res.Body.String(), s.Do("POST", path+"/answers", body, "If-Match", "*", "Idempotency-Key",
		"v").Body.String())
	require.Equal(t, out.SessionID,
		webtest.Get[revisedAnswer](t, s.Do("POST", path+"/answers", body, "If-Match", "*"), 200).SessionID)
	require.Equal(t, 409, s.Do("POST", path+"/answers", `{"answer":"Leave is 20 days."}`, "If-Match", "*").Code,
		"only the newest version is revised")
	require.Equal(t, was, s.Do("GET", path+"/ledger", "").Body.String(), "the old version stays as it was")

	ctx := context.Background()
	before, err := s.Store.Session(ctx, s.Tenant.ID, old)
	require.NoError(t, err)
	now, err := s.Store.Session(ctx, s.Tenant.ID, out.SessionID)
	require.NoError(t, err)
	kept := now.Claims[1]
	require.Equal(t, before.Claims[0].Matches, kept.Matches)
	require.Equal(t, before.Claims[0].Key, kept.Key)
	require.Equal(t, []any{1, before.Claims[0].Reviews[0].At, 0}, []any{len(kept.Reviews), kept.Reviews[0].At, kept.Stale})
	require.Equal(t, []int{2, 0, 2}, []int{now.Claims[0].Since, kept.Since, now.Claims[2].Since})
	require.Empty(t, now.Claims[0].Reviews)
	require.NotEqual(t, before.Documents[0].ID, now.Documents[0].ID)
	require.NotEmpty(t, now.Claims[0].Matches, "it was judged")

	var versions struct {
		Versions []struct {
			Version   int
			SessionID string `json:"session_id"`
			New       int    `json:"new_claims"`
		}
	}
	for _, id := range []string{old, out.SessionID} {
		versions = webtest.Get[struct {
			Versions []struct {
				Version   int
				SessionID string `json:"session_id"`
				New       int    `json:"new_claims"`
			}
		}](t, s.Do("GET", "/api/v1/sessions/"+id+"/answers", ""), 200)
		require.Len(t, versions.Versions, 2)
		require.Equal(t, []string{old, out.SessionID},
			[]string{versions.Versions[0].SessionID, versions.Versions[1].SessionID})
	}
	require.Equal(t, 2, versions.Versions[1].New)
	changes := webtest.Get[struct{ Changes []answerChange }](t,
		s.Do("GET", "/api/v1/sessions/"+old+"/answers/2/changes", ""), 200).Changes
	require.Equal(t, []answerChange{{"new", 0, 1}, {"kept", 1, 2}, {"reworded", 2, 3}}, changes)
	require.Equal(t, 404, s.Do("GET", "/api/v1/sessions/"+old+"/answers/3/changes", "").Code)
	log, _, err := s.Store.Log(ctx, s.Tenant.ID, audit.Query{Action: "answer.revised", Limit: 9})
	require.NoError(t, err)
	require.Len(t, log, 1)

	export := s.Do("GET", "/sessions/"+out.SessionID+"/export/json", "").Body.String()
	require.Contains(t, export, `"answer_version": 2`)
}

// The page shows the versions, what changed, and from the older one the way to the newer.
func TestReviseFromThePage(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	old := s.Create(firstAnswer).SessionID
	page := "/sessions/" + old + "/answers"
	form := s.Do("GET", page+"/new", "").Body.String()
	require.Contains(t, form, "Visitors wear a badge")
	revision := webtest.Between(form, `name="revision" value="`, `"`)

	res := s.Post(page, url.Values{"revision": {revision}, "answer": {" "}}.Encode())
	require.Equal(t, 422, res.Code)
	res = s.Post(page, url.Values{"revision": {"0"}, "answer": {"Kept <words>."}}.Encode())
	require.Equal(t, 409, res.Code)
	require.Contains(t, res.Body.String(), "Kept &lt;words&gt;.")
	res = s.Post(page, url.Values{"revision": {revision}, "answer": {secondAnswer}}.Encode())
	require.Equal(t, 303, res.Code)
	shown := s.Do("GET", res.Header().Get("Location"), "").Body.String()
	for _, words := range []string{"Version 1 compared with version 2", "1 claim unchanged", "1 reworded", "1 new",
		"0 removed"} {
		require.Contains(t, shown, words)
	}
	require.Regexp(t, `<ins><span class="vh"[^>]*>Inserted: </span>Interns receive 5 days of unpaid leave. </ins>All permanent `+
		`employees .* wear a <ins>.*red </ins>badge in the building`, shown, "the wording, word by word")
	pdf := s.Do("GET", page+".pdf?from=1&to=2&language=ar", "")
	require.Equal(t, 200, pdf.Code)
	require.Equal(t, "application/pdf", pdf.Header().Get("Content-Type"))
	require.Equal(t, 400, s.Do("GET", page+".pdf?language=fr", "").Code)
	require.Equal(t, 200, s.Do("GET", "/api/v1"+page+".pdf", "").Code)
	require.Equal(t, 403, s.As("viewer").Do("GET", page+".pdf", "").Code, "a copy that leaves")
	require.Equal(t, 404, s.As("foreign").Do("GET", page+".pdf", "").Code)
	logged, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: "session.exported", Limit: 9})
	require.NoError(t, err)
	require.Len(t, logged, 2, "each is logged")
	require.NotContains(t, s.As("viewer").Do("GET", page, "").Body.String(), ".pdf")
	require.Contains(t, s.Do("GET", "/sessions/"+old, "").Body.String(), "A newer version of this answer exists.")
	newer := webtest.Between(res.Header().Get("Location"), "/sessions/", "/answers")
	ledger := s.Do("GET", "/sessions/"+newer, "").Body.String()
	require.Contains(t, ledger, "Version 2 of 2 of the answer")
	require.Contains(t, ledger, "new in version 2")
	require.Contains(t, s.Do("GET", "/sessions/"+newer+"/claims/1", "").Body.String(), "new in version 2")
}
