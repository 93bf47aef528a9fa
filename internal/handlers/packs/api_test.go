package packs_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// The contracts of rule F-4 with the least that they require: no If-Match, no optional fields.
func TestPackContracts(t *testing.T) {
	s := webtest.NewServer(t)
	dbtest.AllowUnchecked(t, s.Store, s.Tenant.ID)
	res := s.As("reviewer").Do("POST", "/api/v1/decisions", webtest.DecisionOf("dec_abc123", "A2"))
	require.Equal(t, 201, res.Code)
	require.JSONEq(t, `{"decision_id":"dec_abc123","requirement":{"level":"mandatory","rules":["approval_class A2 or A3"],"effective_class":"A2","approvers":1}}`, res.Body.String())
	again := s.As("reviewer").Do("POST", "/api/v1/decisions", webtest.DecisionOf("dec_abc123", "A2"))
	require.Equal(t, 200, again.Code)
	require.JSONEq(t, res.Body.String(), again.Body.String())
	require.Equal(t, 409, s.As("reviewer").Do("POST", "/api/v1/decisions",
		webtest.DecisionOf("dec_abc123", "A3")).Code, "other content, same id")

	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec_abc123"}`)(201)
	require.True(t, pack.CheckID(p.PackID))
	require.Equal(t, "draft", p.Status)
	require.True(t, p.Unresolved)
	require.Equal(t, "in_review", s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200).Status)
	p = s.API("approver", "POST", "/packs/"+p.PackID+"/approve", `{"password":"`+webtest.Password+
		`","acknowledged":`+webtest.Alarms+`}`)(200)
	require.Equal(t, "signed_off", p.Status)
	require.Len(t, p.Digest, 64)
	require.False(t, p.Unresolved)
	require.Equal(t, s.Person("approver").ID, p.ReviewerID)
}

// The whole life of a pack through the API, with four people: draft, submit, return, new version, approve, ask for a
// copy, grant, fetch.
func TestPackLifeByAPI(t *testing.T) {
	s := webtest.NewServer(t)
	first := s.InReview("dec_1", "A2")
	back := s.API("approver", "POST", "/packs/"+first.PackID+"/return", `{"reason":"Name the hospital."}`)(200)
	require.Equal(t, "returned", back.Status)
	require.Equal(t, "Name the hospital.", back.Return.Reason)

	next := s.API("reviewer", "POST", "/packs/"+first.PackID+"/versions", "")(201)
	require.Equal(t, 2, next.Version)
	require.Equal(t, first.PackID, next.Supersedes)
	require.NotEqual(t, first.PackID, next.PackID)
	refused := s.As("reviewer").Do("POST", "/api/v1/packs/"+next.PackID+"/submit", "{}")
	require.Equal(t, 422, refused.Code)
	require.Contains(t, refused.Body.String(), "Nothing has changed since this pack was returned.")
	next = s.API("reviewer", "PATCH", "/packs/"+
		next.PackID, `{"memo":{"title_en":"Fit: Riyadh Hospital"}}`, "If-Match", next.Etag())(200)
	require.Equal(t, "Fit: Riyadh Hospital", next.Memo["title_en"])
	require.Equal(t, first.Memo["body_ar"], next.Memo["body_ar"], "what was not given stays")
	next = s.API("reviewer", "POST", "/packs/"+next.PackID+"/submit", "{}", "If-Match", next.Etag())(200)
	next = s.API("approver", "POST", "/packs/"+next.PackID+"/approve", webtest.Approval, "If-Match", next.Etag())(200)
	require.Equal(t, "signed_off", next.Status)
	require.Equal(t, "I have read it.", next.Approvals[0].Comment)
	old := s.API("viewer", "GET", "/packs/"+first.PackID, "")(200)
	require.Equal(t, "superseded", old.Status)
	require.Equal(t, next.PackID, old.SupersededBy)

	versions := webtest.Get[struct{ Versions []webtest.PackJSON }](t,
		s.As("viewer").Do("GET", "/api/v1/packs/"+first.PackID+"/versions", ""), 200)
	require.Equal(t, []string{first.PackID, next.PackID},
		[]string{versions.Versions[0].PackID, versions.Versions[1].PackID})
	changes := webtest.Get[struct {
		Unchanged bool
		Memo      []struct{ Field string }
	}](t, s.As("viewer").Do("GET", "/api/v1/packs/"+next.PackID+"/changes", ""), 200)
	require.False(t, changes.Unchanged)
	require.Equal(t, "title_en", changes.Memo[0].Field)

	s.Fetch(next)
}

// Users who may export get a copy at once, in every format; the envelope, proofs and redacted copies verify.
func TestPackExports(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec_1")
	files := s.Files(p.PackID)
	for format, want := range map[string][]byte{"markdown": files["pack.md"], "pdf": files["pack.pdf"], "json": nil} {
		link := webtest.Get[map[string]string](t,
			s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"`+format+`"}`), 200)
		res := s.As("approver").Do("GET", link["download_url"], "")
		require.Equal(t, 200, res.Code, res.Body.String())
		if want != nil {
			require.True(t, bytes.Equal(want, res.Body.Bytes()), format)
			continue
		}
		require.True(t, bytes.Contains(res.Body.Bytes(), files["pack.json"]), "to the byte")
		require.True(t, bytes.Contains(res.Body.Bytes(), files["pack.dsse.json"]))
	}
	require.Equal(t, 422, s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"docx"}`).Code)
	require.Equal(t, string(files["pack.dsse.json"]),
		s.As("viewer").Do("GET", "/api/v1/packs/"+p.PackID+"/dsse", "").Body.String())

	key, err := pack.ParsePublic(files["tenant.pub"])
	require.NoError(t, err)
	proof := s.As("approver").Do("GET", "/api/v1/packs/"+p.PackID+"/proofs/excerpt/E1", "")
	require.Equal(t, 200, proof.Code, proof.Body.String())
	s.RequireLogged(p, s.Person("approver").ID, proof.Body.Bytes())
	read, err := pack.ParseProof(proof.Body.Bytes())
	require.NoError(t, err)
	_, shown, err := read.Verify(key)
	require.NoError(t, err)
	require.Contains(t, string(shown.Value), "120 employees")
	require.Equal(t, 404, s.As("approver").Do("GET", "/api/v1/packs/"+p.PackID+"/proofs/excerpt/E9", "").Code)

	leave := func(kind, id string) string {
		return `{"kind":"` + kind + `","id":"` + id + `","reason":"customer data","rule":"PDPL 29"}`
	}
	quoted := s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/redacted",
		`{"redactions":[`+leave("excerpt", "E1")+`]}`)
	require.Equal(t, 422, quoted.Code, "the memo quotes it")
	redacted := s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/redacted",
		`{"redactions":[`+leave("excerpt", "E1")+","+leave("memo", "body_en")+","+leave("memo", "body_ar")+`]}`)
	require.Equal(t, 200, redacted.Code, redacted.Body.String())
	require.NotContains(t, redacted.Body.String(), "120 employees")
	s.RequireLogged(p, s.Person("approver").ID, redacted.Body.Bytes())
	copied, err := pack.ParseRedacted(redacted.Body.Bytes())
	require.NoError(t, err)
	_, leftOut, err := copied.Verify(key)
	require.NoError(t, err)
	require.Equal(t, 3, leftOut)
	for _, bad := range []string{`{}`,
		`{"redactions":[{"kind":"head","id":"` + p.PackID + `","reason":"x","rule":"y"}]}`,
		`{"redactions":[{"kind":"excerpt","id":"E1"}]}`} {
		require.Equal(t, 422, s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/redacted", bad).Code, bad)
	}
}

// Before sign-off there is nothing to export.
func TestNoExportBeforeSignOff(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec_1", "A2")
	for _, path := range []string{"/dsse", "/proofs/excerpt/E1"} {
		require.Equal(t, 404, s.As("approver").Do("GET", "/api/v1/packs/"+p.PackID+path, "").Code, path)
	}
	require.Equal(t, 404, s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/redacted", `{"redactions":[]}`).Code)
	for _, who := range []string{"viewer", "approver"} {
		require.Contains(t, []int{404, 409},
			s.As(who).Do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"pdf"}`).Code, who)
	}
}

// These cannot approve: machines of any role; users who made or edited a version, administrators included; reviewers;
// and users with a missing or wrong password.
func TestWhoMayNotApprove(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec_1", "A2")
	p = s.API("admin", "PATCH", "/packs/"+p.PackID, `{"memo":{"title_en":"Edited by the admin"}}`, "If-Match", "*")(200)
	path := "/api/v1/packs/" + p.PackID
	require.Equal(t, 403, s.As("").Do("POST", path+"/approve", webtest.Approval, "Authorization",
		s.Machine(access.Admin)).Code, "a machine, whatever the state")
	p = s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	require.Equal(t, 403, s.As("admin").Do("POST", path+"/approve", webtest.Approval).Code, "the admin has edited it")
	require.Equal(t, 403, s.As("reviewer").Do("POST", path+"/approve", webtest.Approval).Code)
	for _, role := range []access.Role{access.Approver, access.Admin} {
		machine := s.Machine(role)
		require.Equal(t, 403, s.As("").Do("POST", path+"/approve", webtest.Approval, "Authorization", machine).Code)
		require.Equal(t, 403, s.As("").Do("POST", path+"/return", `{"reason":"x"}`, "Authorization", machine).Code)
	}
	require.Equal(t, 422, s.As("approver").Do("POST", path+"/approve", `{}`).Code)
	require.Equal(t, 422, s.As("approver").Do("POST", path+"/return", `{"reason":" "}`).Code)
	wrong := webtest.Get[webtest.Problem](t, s.As("approver").Do("POST", path+"/approve", `{"password":"wrong"}`), 403)
	require.Equal(t, "password", wrong.Path)
	require.Equal(t, "in_review", s.API("viewer", "GET", "/packs/"+p.PackID, "")(200).Status, "nothing of it counted")
	require.Equal(t, 409, s.As("approver").Do("POST", path+"/approve",
		`{"password":"`+webtest.Password+`","digest":"`+strings.Repeat("0", 64)+`"}`).Code,
		"other bytes than they read")
	s.API("approver", "POST", "/packs/"+p.PackID+"/approve", webtest.Approval)(200)
}

// Guessing a password at the approval is slowed down as at the login.
func TestApprovalIsSlowedDown(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec_1", "A2")
	var last int
	for range 10 {
		res := s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/approve", `{"password":"guess"}`)
		if last = res.Code; last == 429 {
			require.NotEmpty(t, res.Header().Get("Retry-After"))
			break
		}
		require.Equal(t, 403, last)
	}
	require.Equal(t, 429, last)
	require.Equal(t, 429, s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/approve", webtest.Approval).Code,
		"the right one must wait too")
}

// The Authorizer is asked about the pack in the path, and about the pack behind a personal link. It never receives text
// from a request.
func TestAuthorizerDecidesAboutPacks(t *testing.T) {
	a := &webtest.FakeAuthorizer{Ok: true}
	s := webtest.NewServer(t, func(o *web.Options) { o.Authorizer = a })
	p := s.Signed("dec_1")
	link := webtest.Get[map[string]string](t,
		s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"pdf"}`), 200)
	a.Calls = nil
	require.Equal(t, 200, s.As("viewer").Do("GET", "/api/v1/packs/"+p.PackID, "").Code)
	require.Equal(t, []access.Object{{Kind: "evidence_pack", ID: p.PackID}}, a.Calls)
	a.Calls = nil
	require.Equal(t, 404, s.As("viewer").Do("GET", "/api/v1/packs/pack_%23viewer", "").Code)
	require.Equal(t, []access.Object{{Kind: "evidence_pack", ID: uuid.Nil.String()}}, a.Calls)
	a.Calls = nil
	require.Equal(t, 200, s.As("approver").Do("GET", link["download_url"], "").Code)
	require.Contains(t, a.Calls, access.Object{Kind: "evidence_pack", ID: p.PackID})
	a.Ok = false
	require.NotEqual(t, 200, s.As("approver").Do("GET", link["download_url"], "").Code)
	require.Equal(t, 404, s.As("viewer").Do("GET", "/api/v1/packs/"+p.PackID, "").Code, "not theirs")
	a.Err = errors.New("down")
	require.Equal(t, 503, s.As("approver").Do("GET", "/api/v1/packs/"+p.PackID, "").Code)
}

// TestPacksThatWaitForTheReader: with waits=me the list has what waits for whoever asks (rule P-31).
func TestPacksThatWaitForTheReader(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec_1", "A2")
	require.Equal(t, 200, s.As("reviewer").Do("POST", "/api/v1/packs/"+p.PackID+"/submit", "").Code)
	list := func(who string) string {
		w := s.As(who).Do("GET", "/api/v1/packs?waits=me", "")
		require.Equal(t, 200, w.Code, w.Body.String())
		return w.Body.String()
	}
	require.Contains(t, list("approver"), p.PackID)
	require.NotContains(t, list("reviewer"), p.PackID)

	lina := s.AddPerson("lina", s.Tenant.ID, access.Approver)
	sara := s.Person("approver").User.ID
	away := access.Actor{Tenant: s.Tenant.ID, ID: sara, User: "The approver", Role: access.Approver, Human: true}
	_, err := s.Store.SetDeputy(t.Context(), away, db.DeputyDays{For: sara, By: lina.User.ID,
		Until: s.Clock.Now().AddDate(0, 0, 5).Format(time.DateOnly)})
	require.NoError(t, err)
	own := s.Draft("dec_2", "A2")
	require.Equal(t, 200, s.As("lina").Do("POST", "/api/v1/packs/"+own.PackID+"/submit", "").Code)
	two := s.InReview("dec_3", "A3")
	require.Contains(t, list("lina"), p.PackID, "what a deputy may approve")
	require.Contains(t, list("lina"), two.PackID)
	require.NotContains(t, list("lina"), own.PackID, "but not what they submitted")
	require.Contains(t, list("approver"), own.PackID)
	var alarms []string
	for _, a := range two.Alarms {
		alarms = append(alarms, a.ID)
	}
	body := strings.TrimSuffix(approvalNaming(t, alarms), "}") + `,"for":"` + sara + `"}`
	w := s.As("lina").Do("POST", "/api/v1/packs/"+two.PackID+"/approve", body)
	require.Equal(t, 200, w.Code, w.Body.String())
	require.NotContains(t, list("lina"), two.PackID, "the approval takes both seats")
	require.NotContains(t, list("approver"), two.PackID)
	require.Contains(t, list("admin"), two.PackID)
}
