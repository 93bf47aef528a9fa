package webtest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// ManySources returns a decision with n sources.
func ManySources(id string, n int) string {
	source := `{"source":"web.site","uri":"https://hospital.example/about","excerpt":"We run 300 beds.","retrieved_at":"2026-11-21T07:10:00Z","confidence":0.5},`
	return strings.Replace(DecisionOf(id, "A2"), `"evidence":[`, `"evidence":[`+strings.Repeat(source, n-3), 1)
}

// SignedWith returns a signed pack of n sources.
func (s *Server) SignedWith(id string, n int) PackJSON {
	s.T.Helper()
	dbtest.AllowUnchecked(s.T, s.Store, s.Tenant.ID)
	require.Equal(s.T, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", ManySources(id, n)).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
	s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	return s.API("approver", "POST", "/packs/"+p.PackID+"/approve", Approval)(200)
}
