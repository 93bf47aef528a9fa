package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
)

// secretText stands in an S3 source and an S3 tool call of fit, and may be found nowhere afterwards.
const secretText = "national id 1029384756"

// fit is a decision that must have a pack; ID and CLASS are filled in.
const fit = `{"decision_id":"ID","entity_id":"lead_xyz789","agent_name":"icp_matcher","model":"claude-sonnet-4-5","model_version":"2026-02",
 "decided_at":"2026-11-21T08:00:00Z","title":"Fit of Riyadh Hospital","statement":"Riyadh Hospital matches the ideal customer profile at 0.84.",
 "approval_class":"CLASS","reversibility_class":"R1","sensitivity_class":"S1","confidence":0.84,"high_stakes":false,"data_freshness_window_hours":24,"trace_id":"trace-1",
 "evidence":[
  {"source":"crm.hubspot.contact","uri":"hubspot://contacts/456","excerpt":"Company size: 120 employees; industry: healthcare","retrieved_at":"2026-11-21T07:00:00Z","confidence":0.9,"kind":"record"},
  {"source":"web.site","uri":"https://hospital.example/about","excerpt":"We run 300 beds.","retrieved_at":"2026-11-21T07:10:00Z","confidence":0.8},
  {"source":"registry","uri":"registry://1","excerpt":"` + secretText + `","retrieved_at":"2026-11-21T07:20:00Z","confidence":0.7,"sensitivity_class":"S3"}],
 "tool_calls":[
  {"tool_name":"hubspot.get_contact","intended_action":"retrieve contact 456","actual_action":"retrieve contact 456","outputs":{"id":"456"},"verification_status":"verified"},
  {"tool_name":"registry.look","intended_action":"look up","actual_action":"none","inputs":{"q":"` + secretText + `"},"sensitivity_class":"S3","error":"timeout"}],
 "prompts":[{"template_name":"icp_reasoning","template_version":"1.0"}]}`

func decisionOf(id, class string) string {
	return strings.NewReplacer("ID", id, "CLASS", class).Replace(fit)
}

// packJSON is what the tests look at of a pack.
type packJSON struct {
	PackID       string `json:"pack_id"`
	DecisionID   string `json:"decision_id"`
	Version      int
	Supersedes   string
	Status       string
	Revision     int
	Unresolved   bool
	Digest       string
	ReviewerID   string `json:"reviewer_id"`
	SupersededBy string `json:"superseded_by"`
	Approvals    []struct{ Actor, Comment string }
	Return       *struct{ Reason string }
	LegalHold    *struct{ Reason string } `json:"legal_hold"`
	Memo         map[string]string
	Files        []struct{ Name, SHA256 string }
	Validation   []item
}

type item struct {
	Rule                         int
	Name, Severity, Path, Detail string
	DetailAR                     string `json:"detail_ar"`
}

func (p packJSON) etag() string { return fmt.Sprintf(`"%s.%d"`, p.PackID, p.Revision) }

// post sends a JSON body to the API as somebody.
func (s *server) api(who, method, path, body string, headers ...string) func(status int) packJSON {
	s.t.Helper()
	return func(status int) packJSON {
		s.t.Helper()
		return get[packJSON](s.t, s.as(who).do(method, "/api/v1"+path, body, headers...), status)
	}
}

// decide brings in a decision as the reviewer.
func (s *server) decide(id, class string) {
	s.t.Helper()
	res := s.as("reviewer").do("POST", "/api/v1/decisions", decisionOf(id, class))
	require.Equal(s.t, 201, res.Code, res.Body.String())
}

// draft opens a pack about a new decision.
func (s *server) draft(id, class string) packJSON {
	s.t.Helper()
	s.decide(id, class)
	return s.api("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
}

// inReview is a submitted pack.
func (s *server) inReview(id, class string) packJSON {
	s.t.Helper()
	return s.api("reviewer", "POST", "/packs/"+s.draft(id, class).PackID+"/submit", "")(200)
}

// signed is a pack that the approver has signed off.
func (s *server) signed(id string) packJSON {
	s.t.Helper()
	p := s.api("approver", "POST", "/packs/"+s.inReview(id, "A2").PackID+"/approve", approval)(200)
	require.Equal(s.t, "signed_off", p.Status)
	return p
}

// approval is the body of an approval by anybody of these tests.
const approval = `{"password":"` + password + `","comment":"I have read it."}`

// machine gives the Authorization header of a machine's token.
func (s *server) machine(role domain.Role) string { return s.machineOf(domain.Operator, role) }

// machineOf is one of which somebody made the token.
func (s *server) machineOf(keeper string, role domain.Role) string {
	s.t.Helper()
	secret := auth.NewToken()
	by := domain.AtCommandLine(s.tenant.ID)
	by.ID = keeper
	_, err := s.store.AddToken(context.Background(), by, db.Token{
		Name: "machine", Role: role, Hash: db.HashToken(secret), ExpiresAt: s.clock.now().Add(time.Hour),
	})
	require.NoError(s.t, err)
	return "Bearer " + secret
}

// files are the stored bytes of a pack.
func (s *server) files(id string) map[string][]byte {
	s.t.Helper()
	files, err := s.store.PackFiles(context.Background(), s.tenant.ID, id)
	require.NoError(s.t, err)
	return files
}

func TestPackFixture(t *testing.T) {
	require.True(t, json.Valid([]byte(decisionOf("d", "A2"))))
}
