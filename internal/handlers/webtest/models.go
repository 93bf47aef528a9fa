package webtest

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/app"
	"sanad/internal/domain/access"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
)

// JudgeByModel makes an endpoint that says supported of everything, and lets it judge a new session of so many claims
// in another language than its source.
func (s *Server) JudgeByModel(claims int) (e model.Endpoint, session string) {
	s.T.Helper()
	played := llmtest.Serve(s.T)
	played.Say = func(q llmtest.Question) string { return q.First("supported") }
	by := access.Actor{ID: "tester", Tenant: s.Tenant.ID, Role: access.Admin}
	e, err := s.Store.AddModelEndpoint(context.Background(), by, model.Endpoint{
		Name: "Played", Kind: model.OpenAI, URL: played.URL + "/v1", Model: "small-1", Parallel: 4, Timeout: 10 * time.Second,
	}, "")
	require.NoError(s.T, err)
	stop := s.Work(func(w *app.Worker) { w.Models.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	defer stop()
	list := make([]string, claims)
	for i := range list {
		list[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employees of grade %d get leave"}`, i, i)
	}
	session = s.Create(`{"format":"sanad.session/v1","session":{"title":"Leave of grades","answer":"Leave is 15 days."},
		"documents":[{"id":"hr","filename":"HR.pdf","chunks":[
		{"id":"c1","text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية."}]}],
		"claims":[` + strings.Join(list, ",") + `]}`).SessionID
	res := s.Do("POST", "/api/v1/sessions/"+session+"/judge", `{"judge":"Played"}`, "If-Match", "*")
	require.Equal(s.T, "done", s.WaitForJob(Get[Job](s.T, res, http.StatusAccepted).ID).Status)
	return e, session
}

// Review gives the claims of a session from a number on, before another, the same review.
func (s *Server) Review(session string, from, before int, body string) {
	s.T.Helper()
	for n := from; n < before; n++ {
		at := fmt.Sprintf("/api/v1/sessions/%s/claims/%d/reviews", session, n)
		require.Equal(s.T, http.StatusCreated, s.Do("POST", at, body, "If-Match", "*").Code)
	}
}
