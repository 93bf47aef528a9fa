package handlers_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers"
)

// The contracts of rule F-4, to the letter: no If-Match, nothing optional.
func TestPackContracts(t *testing.T) {
	s := newServer(t)
	res := s.as("reviewer").do("POST", "/api/v1/decisions", decisionOf("dec_abc123", "A2"))
	require.Equal(t, 201, res.Code)
	require.JSONEq(t, `{"decision_id":"dec_abc123","requirement":{"level":"mandatory","rules":["approval_class A2 or A3"],"effective_class":"A2","approvers":1}}`, res.Body.String())
	again := s.as("reviewer").do("POST", "/api/v1/decisions", decisionOf("dec_abc123", "A2"))
	require.Equal(t, 200, again.Code)
	require.JSONEq(t, res.Body.String(), again.Body.String())
	require.Equal(t, 409, s.as("reviewer").do("POST", "/api/v1/decisions", decisionOf("dec_abc123", "A3")).Code, "other content, same id")

	p := s.api("reviewer", "POST", "/packs", `{"decision_id":"dec_abc123"}`)(201)
	require.True(t, pack.CheckID(p.PackID))
	require.Equal(t, "draft", p.Status)
	require.True(t, p.Unresolved)
	require.Equal(t, "in_review", s.api("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200).Status)
	p = s.api("approver", "POST", "/packs/"+p.PackID+"/approve", `{"password":"`+password+`"}`)(200)
	require.Equal(t, "signed_off", p.Status)
	require.Len(t, p.Digest, 64)
	require.False(t, p.Unresolved)
	require.Equal(t, s.person("approver").ID, p.ReviewerID)
}

// A whole life by API as four people: draft, submit, return, new version, approve, ask for a copy, grant, fetch.
func TestPackLifeByAPI(t *testing.T) {
	s := newServer(t)
	first := s.inReview("dec_1", "A2")
	back := s.api("approver", "POST", "/packs/"+first.PackID+"/return", `{"reason":"Name the hospital."}`)(200)
	require.Equal(t, "returned", back.Status)
	require.Equal(t, "Name the hospital.", back.Return.Reason)

	next := s.api("reviewer", "POST", "/packs/"+first.PackID+"/versions", "")(201)
	require.Equal(t, 2, next.Version)
	require.Equal(t, first.PackID, next.Supersedes)
	require.NotEqual(t, first.PackID, next.PackID)
	next = s.api("reviewer", "PATCH", "/packs/"+next.PackID, `{"memo":{"title_en":"Fit: Riyadh Hospital"}}`, "If-Match", next.etag())(200)
	require.Equal(t, "Fit: Riyadh Hospital", next.Memo["title_en"])
	require.Equal(t, first.Memo["body_ar"], next.Memo["body_ar"], "what was not given stays")
	next = s.api("reviewer", "POST", "/packs/"+next.PackID+"/submit", "{}", "If-Match", next.etag())(200)
	next = s.api("approver", "POST", "/packs/"+next.PackID+"/approve", approval, "If-Match", next.etag())(200)
	require.Equal(t, "signed_off", next.Status)
	require.Equal(t, "I have read it.", next.Approvals[0].Comment)
	old := s.api("viewer", "GET", "/packs/"+first.PackID, "")(200)
	require.Equal(t, "superseded", old.Status)
	require.Equal(t, next.PackID, old.SupersededBy)

	versions := get[struct{ Versions []packJSON }](t, s.as("viewer").do("GET", "/api/v1/packs/"+first.PackID+"/versions", ""), 200)
	require.Equal(t, []string{first.PackID, next.PackID}, []string{versions.Versions[0].PackID, versions.Versions[1].PackID})
	changes := get[struct {
		Unchanged bool
		Memo      []struct{ Field string }
	}](t, s.as("viewer").do("GET", "/api/v1/packs/"+next.PackID+"/changes", ""), 200)
	require.False(t, changes.Unchanged)
	require.Equal(t, "title_en", changes.Memo[0].Field)

	s.fetch(next)
}

// fetch has the viewer ask for a copy of a signed pack, the admin grant it, and the viewer alone fetch it, once.
func (s *server) fetch(p packJSON) {
	t := s.t
	t.Helper()
	asked := get[map[string]any](t, s.as("viewer").do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"zip","reason":"for the board"}`), 202)
	export := "/api/v1/pack-exports/" + asked["export_id"].(string)
	require.Equal(t, "asked", asked["status"])
	require.NotContains(t, asked, "download_url")
	require.Equal(t, 409, s.as("viewer").do("POST", export+"/link", "").Code, "not granted yet")
	require.Equal(t, 403, s.as("reviewer").do("POST", export+"/grant", `{"password":"`+password+`"}`).Code)
	require.Equal(t, 403, s.as("admin").do("POST", export+"/grant", `{"password":"wrong"}`).Code)
	require.Equal(t, "granted", get[map[string]any](t, s.as("admin").do("POST", export+"/grant", `{"password":"`+password+`"}`), 200)["status"])
	require.Equal(t, 404, s.as("reviewer").do("POST", export+"/link", "").Code, "somebody else's")
	link := get[map[string]string](t, s.as("viewer").do("POST", export+"/link", ""), 200)
	require.NotEmpty(t, link["expires_at"])
	require.Equal(t, 404, s.as("admin").do("GET", link["download_url"], "").Code, "a link is personal")
	res := s.as("viewer").do("GET", link["download_url"], "")
	require.Equal(t, 200, res.Code, res.Body.String())
	require.Equal(t, `attachment; filename="`+p.PackID+`.zip"`, res.Header().Get("Content-Disposition"))
	s.requireLogged(p, s.person("viewer").ID, res.Body.Bytes())
	inside := unzip(t, res.Body.Bytes())
	for name, data := range s.files(p.PackID) {
		if got, there := inside[name]; there {
			require.True(t, bytes.Equal(data, got), name)
		}
	}
	require.NotEmpty(t, inside["pack.json"])
	require.NotEmpty(t, inside["verify.html"])
	s.clock.move(16 * 60e9)
	require.Equal(t, 404, s.as("viewer").do("GET", link["download_url"], "").Code, "after 15 minutes")
}

// requireLogged sees to it that the last event of a pack is that somebody got this file.
func (s *server) requireLogged(p packJSON, who string, file []byte) {
	s.t.Helper()
	view, err := s.store.Pack(context.Background(), s.tenant.ID, p.PackID)
	require.NoError(s.t, err)
	last := view.Events[len(view.Events)-1]
	require.Equal(s.t, "pack.exported", last.Action)
	require.Equal(s.t, who, last.Actor)
	require.Contains(s.t, string(last.Bytes), pack.Digest(file))
}

func unzip(t testing.TB, data []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		out[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return out
}

// Who may export has a copy at once, in every form; the envelope, proofs and redacted copies verify.
func TestPackExports(t *testing.T) {
	s := newServer(t)
	p := s.signed("dec_1")
	files := s.files(p.PackID)
	for format, want := range map[string][]byte{"markdown": files["pack.md"], "pdf": files["pack.pdf"], "json": nil} {
		link := get[map[string]string](t, s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"`+format+`"}`), 200)
		res := s.as("approver").do("GET", link["download_url"], "")
		require.Equal(t, 200, res.Code, res.Body.String())
		if want != nil {
			require.True(t, bytes.Equal(want, res.Body.Bytes()), format)
			continue
		}
		require.True(t, bytes.Contains(res.Body.Bytes(), files["pack.json"]), "to the byte")
		require.True(t, bytes.Contains(res.Body.Bytes(), files["pack.dsse.json"]))
	}
	require.Equal(t, 422, s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"docx"}`).Code)
	require.Equal(t, string(files["pack.dsse.json"]), s.as("viewer").do("GET", "/api/v1/packs/"+p.PackID+"/dsse", "").Body.String())

	key, err := pack.ParsePublic(files["tenant.pub"])
	require.NoError(t, err)
	proof := s.as("approver").do("GET", "/api/v1/packs/"+p.PackID+"/proofs/excerpt/E1", "")
	require.Equal(t, 200, proof.Code, proof.Body.String())
	s.requireLogged(p, s.person("approver").ID, proof.Body.Bytes())
	read, err := pack.ParseProof(proof.Body.Bytes())
	require.NoError(t, err)
	_, shown, err := read.Verify(key)
	require.NoError(t, err)
	require.Contains(t, string(shown.Value), "120 employees")
	require.Equal(t, 404, s.as("approver").do("GET", "/api/v1/packs/"+p.PackID+"/proofs/excerpt/E9", "").Code)

	leave := func(kind, id string) string {
		return `{"kind":"` + kind + `","id":"` + id + `","reason":"customer data","rule":"PDPL 29"}`
	}
	quoted := s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/redacted", `{"redactions":[`+leave("excerpt", "E1")+`]}`)
	require.Equal(t, 422, quoted.Code, "the memo quotes it")
	redacted := s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/redacted",
		`{"redactions":[`+leave("excerpt", "E1")+","+leave("memo", "body_en")+","+leave("memo", "body_ar")+`]}`)
	require.Equal(t, 200, redacted.Code, redacted.Body.String())
	require.NotContains(t, redacted.Body.String(), "120 employees")
	s.requireLogged(p, s.person("approver").ID, redacted.Body.Bytes())
	copied, err := pack.ParseRedacted(redacted.Body.Bytes())
	require.NoError(t, err)
	_, leftOut, err := copied.Verify(key)
	require.NoError(t, err)
	require.Equal(t, 3, leftOut)
	for _, bad := range []string{`{}`, `{"redactions":[{"kind":"head","id":"` + p.PackID + `","reason":"x","rule":"y"}]}`, `{"redactions":[{"kind":"excerpt","id":"E1"}]}`} {
		require.Equal(t, 422, s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/redacted", bad).Code, bad)
	}
}

// Before sign-off there is nothing to export.
func TestNoExportBeforeSignOff(t *testing.T) {
	s := newServer(t)
	p := s.inReview("dec_1", "A2")
	for _, path := range []string{"/dsse", "/proofs/excerpt/E1"} {
		require.Equal(t, 404, s.as("approver").do("GET", "/api/v1/packs/"+p.PackID+path, "").Code, path)
	}
	require.Equal(t, 404, s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/redacted", `{"redactions":[]}`).Code)
	for _, who := range []string{"viewer", "approver"} {
		require.Contains(t, []int{404, 409}, s.as(who).do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"pdf"}`).Code, who)
	}
}

// Who may not approve: a machine whatever its role, whoever made or edited a version (administrators too), a reviewer; and
// who gives no or a wrong password.
func TestWhoMayNotApprove(t *testing.T) {
	s := newServer(t)
	p := s.draft("dec_1", "A2")
	p = s.api("admin", "PATCH", "/packs/"+p.PackID, `{"memo":{"title_en":"Edited by the admin"}}`, "If-Match", "*")(200)
	path := "/api/v1/packs/" + p.PackID
	require.Equal(t, 403, s.as("").do("POST", path+"/approve", approval, "Authorization", s.machine(domain.Admin)).Code, "a machine, whatever the state")
	p = s.api("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	require.Equal(t, 403, s.as("admin").do("POST", path+"/approve", approval).Code, "the admin has edited it")
	require.Equal(t, 403, s.as("reviewer").do("POST", path+"/approve", approval).Code)
	for _, role := range []domain.Role{domain.Approver, domain.Admin} {
		machine := s.machine(role)
		require.Equal(t, 403, s.as("").do("POST", path+"/approve", approval, "Authorization", machine).Code)
		require.Equal(t, 403, s.as("").do("POST", path+"/return", `{"reason":"x"}`, "Authorization", machine).Code)
	}
	require.Equal(t, 422, s.as("approver").do("POST", path+"/approve", `{}`).Code)
	require.Equal(t, 422, s.as("approver").do("POST", path+"/return", `{"reason":" "}`).Code)
	wrong := get[problem](t, s.as("approver").do("POST", path+"/approve", `{"password":"wrong"}`), 403)
	require.Equal(t, "password", wrong.Path)
	require.Equal(t, "in_review", s.api("viewer", "GET", "/packs/"+p.PackID, "")(200).Status, "nothing of it counted")
	require.Equal(t, 409, s.as("approver").do("POST", path+"/approve", `{"password":"`+password+`","digest":"`+strings.Repeat("0", 64)+`"}`).Code, "other bytes than they read")
	s.api("approver", "POST", "/packs/"+p.PackID+"/approve", approval)(200)
}

// Guessing a password at the approval is slowed down as at the login.
func TestApprovalIsSlowedDown(t *testing.T) {
	s := newServer(t)
	p := s.inReview("dec_1", "A2")
	var last int
	for range 10 {
		res := s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/approve", `{"password":"guess"}`)
		if last = res.Code; last == 429 {
			require.NotEmpty(t, res.Header().Get("Retry-After"))
			break
		}
		require.Equal(t, 403, last)
	}
	require.Equal(t, 429, last)
	require.Equal(t, 429, s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/approve", approval).Code, "the right one must wait too")
}

// A3 needs two different people.
func TestTwoApprovers(t *testing.T) {
	s := newServer(t)
	p := s.inReview("dec_1", "A3")
	p = s.api("approver", "POST", "/packs/"+p.PackID+"/approve", approval)(200)
	require.Equal(t, "in_review", p.Status)
	require.Equal(t, 409, s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/approve", approval).Code)
	require.Equal(t, "signed_off", s.api("admin", "POST", "/packs/"+p.PackID+"/approve", approval)(200).Status)
}

// The Authorizer is asked about the pack that a route names, and about the one that a link hides; no text of a request
// reaches it.
func TestTheAuthorizerDecidesAboutPacks(t *testing.T) {
	a := &asked{ok: true}
	s := newServer(t, func(o *handlers.Options) { o.Authorizer = a })
	p := s.signed("dec_1")
	link := get[map[string]string](t, s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"pdf"}`), 200)
	a.calls = nil
	require.Equal(t, 200, s.as("viewer").do("GET", "/api/v1/packs/"+p.PackID, "").Code)
	require.Equal(t, []access.Object{{Kind: "evidence_pack", ID: p.PackID}}, a.calls)
	a.calls = nil
	require.Equal(t, 404, s.as("viewer").do("GET", "/api/v1/packs/pack_%23viewer", "").Code)
	require.Equal(t, []access.Object{{Kind: "evidence_pack", ID: uuid.Nil.String()}}, a.calls)
	a.calls = nil
	require.Equal(t, 200, s.as("approver").do("GET", link["download_url"], "").Code)
	require.Contains(t, a.calls, access.Object{Kind: "evidence_pack", ID: p.PackID})
	a.ok = false
	require.NotEqual(t, 200, s.as("approver").do("GET", link["download_url"], "").Code)
	require.Equal(t, 404, s.as("viewer").do("GET", "/api/v1/packs/"+p.PackID, "").Code, "not theirs")
	a.err = errors.New("down")
	require.Equal(t, 503, s.as("approver").do("GET", "/api/v1/packs/"+p.PackID, "").Code)
}
