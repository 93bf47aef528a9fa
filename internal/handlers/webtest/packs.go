package webtest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// SecretText is in an S3 source and an S3 tool call of fit; after the import it must not be found anywhere.
const SecretText = "national id 1029384756"

// fit is a decision that must have a pack; DecisionOf replaces ID and CLASS.
const fit = `{"decision_id":"ID","entity_id":"lead_xyz789","agent_name":"icp_matcher","model":"claude-sonnet-4-5","model_version":"2026-02",
 "decided_at":"2026-11-21T08:00:00Z","title":"Fit of Riyadh Hospital","statement":"Riyadh Hospital matches the ideal customer profile at 0.84.",
 "statement_ar":"مستشفى الرياض يطابق ملف العميل المستهدف بدرجة 0.84.",
 "approval_class":"CLASS","reversibility_class":"R1","sensitivity_class":"S1","confidence":0.84,"high_stakes":false,"data_freshness_window_hours":24,"trace_id":"trace-1",
 "evidence":[
  {"source":"crm.hubspot.contact","uri":"hubspot://contacts/456","excerpt":"Company size: 120 employees; industry: healthcare","retrieved_at":"2026-11-21T07:00:00Z","confidence":0.9,"kind":"record"},
  {"source":"web.site","uri":"https://hospital.example/about","excerpt":"We run 300 beds.","retrieved_at":"2026-11-21T07:10:00Z","confidence":0.8},
  {"source":"registry","uri":"registry://1","excerpt":"` + SecretText +
	`","retrieved_at":"2026-11-21T07:20:00Z","confidence":0.7,"sensitivity_class":"S3"}],
 "tool_calls":[
  {"tool_name":"hubspot.get_contact","intended_action":"retrieve contact 456","actual_action":"retrieve contact 456","outputs":{"id":"456"},"verification_status":"verified"},
  {"tool_name":"registry.look","intended_action":"look up","actual_action":"none","inputs":{"q":"` + SecretText +
	`"},"sensitivity_class":"S3","error":"timeout"}],
 "prompts":[{"template_name":"icp_reasoning","template_version":"1.0"}]}`

func DecisionOf(id, class string) string {
	return strings.NewReplacer("ID", id, "CLASS", class).Replace(fit)
}

// PackJSON has the fields of a pack that the tests read.
type PackJSON struct {
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
	Attachments  []struct{ Name, SHA256 string }
	Validation   []Item
	Alarms       []struct{ ID, Text string }
}

type Item struct {
	Rule                         int
	Name, Severity, Path, Detail string
	DetailAR                     string `json:"detail_ar"`
}

func (p PackJSON) Etag() string { return fmt.Sprintf(`"%s.%d"`, p.PackID, p.Revision) }

// API sends a JSON body to the API as the named person.
func (s *Server) API(who, method, path, body string, headers ...string) func(status int) PackJSON {
	s.T.Helper()
	return func(status int) PackJSON {
		s.T.Helper()
		return Get[PackJSON](s.T, s.As(who).Do(method, "/api/v1"+path, body, headers...), status)
	}
}

// AddDecision imports a decision as the reviewer. Packs may be signed without a checked claim.
func (s *Server) AddDecision(id, class string) {
	s.T.Helper()
	dbtest.AllowUnchecked(s.T, s.Store, s.Tenant.ID)
	res := s.As("reviewer").Do("POST", "/api/v1/decisions", DecisionOf(id, class))
	require.Equal(s.T, 201, res.Code, res.Body.String())
}

// Draft opens a draft for a new decision.
func (s *Server) Draft(id, class string) PackJSON {
	s.T.Helper()
	s.AddDecision(id, class)
	return s.API("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
}

// InReview returns a submitted pack for a new decision.
func (s *Server) InReview(id, class string) PackJSON {
	s.T.Helper()
	return s.API("reviewer", "POST", "/packs/"+s.Draft(id, class).PackID+"/submit", "")(200)
}

// Signed returns a pack that the approver has signed off.
func (s *Server) Signed(id string) PackJSON {
	s.T.Helper()
	p := s.API("approver", "POST", "/packs/"+s.InReview(id, "A2").PackID+"/approve", Approval)(200)
	require.Equal(s.T, "signed_off", p.Status)
	return p
}

// Approval is the body of an approval of a pack for DecisionOf; all users of the tests have the same password.
const Approval = `{"password":"` + Password + `","comment":"I have read it.","acknowledged":` + Alarms + `}`

// Alarms are the ids of the alarms of such a pack.
const Alarms = `["call_failed:T2","no_claim_checked:ledger"]`

// ApprovalOf returns the body of an approval of a pack that acknowledges all its alarms.
func ApprovalOf(p PackJSON) string {
	ids := make([]string, len(p.Alarms))
	for i, a := range p.Alarms {
		ids[i] = strconv.Quote(a.ID)
	}
	return strings.Replace(Approval, Alarms, "["+strings.Join(ids, ",")+"]", 1)
}

// Machine returns the Authorization header of a machine's token.
func (s *Server) Machine(role access.Role) string { return s.MachineOf(access.Operator, role) }

// MachineOf is Machine for a token that the given user made.
func (s *Server) MachineOf(keeper string, role access.Role) string {
	s.T.Helper()
	secret := auth.NewToken()
	by := access.AtCommandLine(s.Tenant.ID)
	by.ID = keeper
	_, err := s.Store.AddToken(context.Background(), by, access.Token{
		Name: "machine", Role: role, Hash: db.HashToken(secret), ExpiresAt: s.Clock.Now().Add(time.Hour),
	})
	require.NoError(s.T, err)
	return "Bearer " + secret
}

// Files returns the stored files of a pack.
func (s *Server) Files(id string) map[string][]byte {
	s.T.Helper()
	files, err := s.Store.PackFiles(context.Background(), s.Tenant.ID, id)
	require.NoError(s.T, err)
	return files
}
