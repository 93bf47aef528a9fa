package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/lake"
)

// A run that is given a bundle reads its items and nothing else; a run without one reads the documents again.
func TestJudgeFromABundle(t *testing.T) {
	l, err := lake.Open(context.Background(), "", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	s := webtest.NewServer(t, func(o *web.Options) { o.Lake = l }).As("reviewer")
	id := s.Create(threeClaims).SessionID
	path := "/api/v1/sessions/" + id
	bundle := s.Bundle(`{"job_input":{"extra_params":{"evidence":[{"text":"The canteen opens at 11:30 on working days.","source_uri":"hr"}]}}}`)
	verdicts := func() []string {
		return verdictsOf(webtest.Get[ledgerOf](t, s.Do("GET", path+"/ledger", ""), 200))
	}
	documents := func() int {
		now, err := s.Store.Session(context.Background(), s.Tenant.ID, id)
		require.NoError(t, err)
		return len(now.Documents)
	}
	require.Equal(t, []string{"supported", "not_found", "not_found"}, verdicts())
	for range 2 { // the second time, the session has the items already
		res := s.Do("POST", path+"/judge", `{"bundle_id":"`+bundle+`"}`, "If-Match", "*")
		require.Equal(t, 200, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), `"bundle_id":"`+bundle+`"`)
		require.Equal(t, []string{"not_found", "supported", "not_found"}, verdicts())
		require.Equal(t, 2, documents())
	}
	ledgerNow := s.Do("GET", path+"/ledger", "").Body.String()
	require.Contains(t, ledgerNow, `"filename":"hr"`, "a source of a bundle has its own name")
	require.Contains(t, ledgerNow, `"title":"hr (inline:0)"`)
	require.Regexp(t, `"withdrawn":false,"bundle_id":"`+bundle+`"`, ledgerNow)
	require.Contains(t, s.Do("GET", "/sessions/"+id+"/runs/2", "").Body.String(), "and nothing else")
	res := s.Do("POST", path+"/judge", "", "If-Match", "*")
	require.Contains(t, res.Body.String(), `"bundle_id":""`)
	require.Equal(t, []string{"supported", "not_found", "not_found"}, verdicts(), "it reads no item of a bundle")
	require.Contains(t, s.Do("GET", "/sessions/"+id+"/runs/4", "").Body.String(), "The judge read the documents")
}
