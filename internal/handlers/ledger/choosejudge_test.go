package ledger_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/webtest"
)

// TestChooseJudge: before a run is started, the page says what an endpoint is expected to be asked and to cost, and
// what its budget leaves; one that is disabled is not offered.
func TestChooseJudge(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.WrongMatches).SessionID
	at := "/sessions/" + id + "/judge"
	page := func(query string) string {
		res := s.Do("GET", at+query, "")
		require.Equal(t, 200, res.Code)
		return res.Body.String()
	}
	require.Contains(t, page(""), "No model endpoint is available")
	require.Contains(t, page(""), `name="judge" value=""`)

	e := model.Endpoint{Name: "Gateway", Kind: model.OpenAI, URL: "https://models.example/v1", Model: "qwen3", Parallel: 1,
		Timeout: model.DefaultTimeout, Price: model.Price{In: 2_000_000, Out: 8_000_000}, Day: model.Budget{Tokens: 100}}
	made, err := s.Store.AddModelEndpoint(context.Background(), access.AtCommandLine(s.Tenant.ID), e, "")
	require.NoError(t, err)
	require.Contains(t, page(""), "Gateway")
	shown := page("?judge=" + made.ID + "&scope=all")
	for _, want := range []string{"Claims asked about", "(100%)", "100 tokens", "will probably run out", "accuracy is not set",
		`name="judge" value="` + made.ID + `"`, `name="scope" value="all"`, "Start judging"} {
		require.Contains(t, shown, want)
	}
	named := page("?judge=Gateway&scope=all")
	require.Contains(t, named, `name="judge" value="`+made.ID+`"`, "a name does as well as an id")
	require.Contains(t, named, "Claims asked about")
	require.Contains(t, page("?lang=ar&judge="+made.ID), "المتبقي من ميزانية اليوم")

	require.NotContains(t, shown, "Vectors")
	near := model.Endpoint{Name: "Near", Kind: model.Embeddings, URL: "https://near.example/v1", Model: "bge", Parallel: 1,
		Timeout: model.DefaultTimeout, Price: model.Price{In: 2_000_000}, Run: model.Budget{Tokens: 10}}
	_, err = s.Store.AddModelEndpoint(context.Background(), access.AtCommandLine(s.Tenant.ID), near, "")
	require.NoError(t, err)
	shown = page("?judge=" + made.ID + "&scope=all")
	for _, want := range []string{"Vectors (approx.)", "tokens sent to \u2068Near\u2069, cost 0.0", "budget for vectors will probably"} {
		require.Contains(t, shown, want)
	}
	require.Contains(t, s.Do("GET", "/sessions/"+id+"?tab=sources", "").Body.String(), `href="`+at+`"`)
	_, err = s.Store.ChangeModelEndpoint(context.Background(), access.AtCommandLine(s.Tenant.ID), made.ID, -1, nil, func(e *model.Endpoint) error {
		e.Enabled = false
		return nil
	})
	require.NoError(t, err)
	require.NotContains(t, page("?judge="+made.ID), "Gateway")
}

// TestChooseJudgeWithComments: where documents hold comments, the form offers to count them as evidence, and shows what
// the newest run did.
func TestChooseJudgeWithComments(t *testing.T) {
	s := webtest.NewServer(t)
	session := func(kind string) string {
		return `{"format":"sanad.session/v1","session":{"answer":"Guests pay 40 euros a night."},"documents":[{"chunks":[
			{"text":"House rules."},{"text":"Guests pay 40 euros a night.","kind":"` + kind + `"}]}]}`
	}
	form := func(id string) string { return s.Do("GET", "/sessions/"+id+"/judge", "").Body.String() }
	plain := s.Create(session("note")).SessionID
	require.NotContains(t, form(plain), `name="comments"`)
	revisionOf := regexp.MustCompile(`name="revision" value="(\d+)"`)
	res := s.Post("/sessions/"+plain+"/judge", "revision="+revisionOf.FindStringSubmatch(form(plain))[1])
	require.Equal(t, "/sessions/"+plain+"/runs/2", res.Header().Get("Location"))
	id := s.Create(session("comment")).SessionID
	shown := form(id)
	require.Contains(t, shown, `name="comments" value="1" aria-describedby`)
	revision := revisionOf.FindStringSubmatch(shown)[1]
	res = s.Post("/sessions/"+id+"/judge", "revision="+revision+"&judge=&comments=1")
	require.Equal(t, 303, res.Code, res.Body)
	require.Contains(t, form(id), `name="comments" value="1" checked`)
	require.Contains(t, s.Do("GET", "/api/v1/sessions/"+id+"/runs", "").Body.String(), `"comments":"evidence"`)
	run := s.Do("GET", res.Header().Get("Location"), "").Body.String()
	require.Contains(t, run, "the comments in them counted as evidence")

	// the button of the ledger leads to the switch, which it would otherwise turn off without a word
	revision = revisionOf.FindStringSubmatch(form(id))[1]
	res = s.Post("/sessions/"+id+"/judge", "revision="+revision)
	require.Equal(t, "/sessions/"+id+"/judge", res.Header().Get("Location"))
	require.Contains(t, form(id), `name="comments" value="1" checked`)
}
