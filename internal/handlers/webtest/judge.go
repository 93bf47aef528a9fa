package webtest

import (
	"strings"
)

// WrongMatches is LeavePolicy with given matches that contradict its source, so that the lexical judge decides
// otherwise.
var WrongMatches = strings.NewReplacer(`"similarity":0.92,"support_level":"full","contradicts":false`,
	`"similarity":0.6,"support_level":"partial","contradicts":true`,
	"hr-42", "hr-wrong").Replace(LeavePolicy)

// ImportByJob imports a session that is large enough for a job, and returns its id.
func (s *Server) ImportByJob(body string) string {
	s.T.Helper()
	defer s.Work()()
	return *s.WaitForJob(Get[Job](s.T, s.Do("POST", "/api/v1/sessions", body), 202).ID).SessionID
}

// LargeAnswer imports a session with few claims and over 5 MiB of sources, and returns its id.
func (s *Server) LargeAnswer() string {
	s.T.Helper()
	words := strings.Repeat("Leave is 15 days. ", 6<<20/18)
	return s.ImportNow(`{"format":"sanad.session/v1","session":{"external_id":"large","title":"Large","answer":"Leave is 15 days."},
	 "documents":[{"id":"hr","filename":"HR.txt","text":"` + words +
		`"}],"claims":[{"claim_id":"c1","claim_text":"Leave is 15 days","matches":[]}]}`)
}
