package packs_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/words"
)

// memoFields returns the fields of the drafting form, as filled in by the page.
func memoFields(p webtest.PackJSON, change ...string) string {
	all := []string{"revision", webtest.RevisionOf(p)}
	for name, value := range p.Memo {
		all = append(all, name, value)
	}
	return webtest.Form(append(all, change...)...)
}

func TestDraftPages(t *testing.T) {
	s := webtest.NewServer(t)
	s.AddDecision("dec-1", "A2")
	for path, want := range map[string]string{"/": "Fit of Riyadh Hospital", "/packs": "Decisions without a pack",
		"/packs/new": "dec-1", "/packs/new?decision=dec-1": "Assemble draft"} {
		status, body := s.Page("reviewer", path)
		require.Equal(t, 200, status, path)
		require.Contains(t, body, want, path)
	}
	status, body := s.Page("viewer", "/packs")
	require.Equal(t, 200, status)
	require.NotContains(t, body, "/packs/new", "a viewer drafts nothing")
	status, _ = s.Page("reviewer", "/packs/new?decision=none")
	require.Equal(t, 404, status)

	w := s.As("reviewer").Post("/packs", webtest.Form("decision", "dec-1"))
	require.Equal(t, 303, w.Code, w.Body.String())
	require.Regexp(t, `^/packs/pack_[0-9a-f]{16}/edit$`, w.Header().Get("Location"))
	require.Equal(t, 409, s.As("reviewer").Post("/packs", webtest.Form("decision", "dec-1")).Code)
	require.Equal(t, 404, s.As("reviewer").Post("/packs", webtest.Form("decision", "none")).Code)
	status, body = s.Page("reviewer", w.Header().Get("Location"))
	require.Equal(t, 200, status)
	require.NotContains(t, body, webtest.SecretText)
	require.Contains(t, body, "[E1]")
}

func TestDraftKeepsWhatWasTyped(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec-1", "A2")
	path := "/packs/" + p.PackID
	w := s.As("reviewer").Post(path+"/submit", memoFields(p, "title_ar", "", "body_en", "Only [E9].\r\nLine"))
	require.Equal(t, 422, w.Code)
	for _, want := range []string{"Rule 11", "Rule 14", `href="#f-title_ar"`, "Only [E9].\nLine",
		"There is no evidence"} {
		require.Contains(t, w.Body.String(), want)
	}
	require.Equal(t, 409, s.As("reviewer").Post(path+"/edit", memoFields(p, "title_en", "Mine")).Code,
		"the submission has saved it before")
	stored := s.API("reviewer", "GET", "/packs/"+p.PackID, "")(200)
	require.Equal(t, "Only [E9].\nLine", stored.Memo["body_en"])

	stale := s.As("reviewer").Post(path+"/edit", memoFields(p, "title_en", "Mine", "body_en", "Another"))
	require.Equal(t, 409, stale.Code)
	require.Contains(t, stale.Body.String(), `value="Mine"`)
	require.Contains(t, stale.Body.String(), "Stored by somebody else")
	require.Contains(t, stale.Body.String(), `name="revision" value="`+webtest.RevisionOf(stored)+`"`)
	require.Equal(t, 400, s.As("reviewer").Post(path+"/edit", webtest.Form("title_en", "x")).Code)
	large := s.As("reviewer").Post(path+"/edit", memoFields(stored, "body_en", strings.Repeat("x", pack.MaxMemo+1)))
	require.Equal(t, 413, large.Code)
	require.Contains(t, large.Body.String(), "longer than 32 KiB")

	w = s.As("reviewer").Post(path+"/submit", memoFields(p, "revision", webtest.RevisionOf(stored)))
	require.Equal(t, 303, w.Code, w.Body.String())
	require.Equal(t, path+"?done=submitted", w.Header().Get("Location"))
	require.Equal(t, path, s.As("reviewer").Do("GET", path+"/edit", "").Header().Get("Location"))
	require.Equal(t, 409, s.As("reviewer").Post(path+"/submit", memoFields(p, "revision", "9")).Code)
}

func TestApproveAndReturnOnThePage(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec-1", "A3")
	path := "/packs/" + p.PackID
	w := s.As("approver").Post(path+"/return", webtest.Form("revision", webtest.RevisionOf(p), "reason", " "))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "Give the reason")

	approve := func(who string, change ...string) (int, string) {
		w := s.As(who).Post(path+"/approve",
			webtest.Form(append([]string{"revision", webtest.RevisionOf(p), "digest", p.Digest, "comment",
				"Seen by " + who, "password", webtest.Password}, change...)...)+
				"&acknowledged=call_failed:T2&acknowledged=no_claim_checked:ledger")
		return w.Code, w.Body.String()
	}
	for name, c := range map[string]struct {
		change []string
		status int
		want   string
	}{
		"no password":    {[]string{"password", ""}, 422, "d-p-e"},
		"wrong password": {[]string{"password", "guess"}, 403, "d-p-e"},
		"another digest": {[]string{"digest", strings.Repeat("0", 64)}, 409, "changed since you opened it"},
		"stale":          {[]string{"revision", "1"}, 409, "changed since you opened it"},
	} {
		status, body := approve("approver", c.change...)
		require.Equal(t, c.status, status, name)
		require.Contains(t, body, c.want, name)
		require.Contains(t, body, "Seen by approver", name)
		s.Clock.Move(60e9) // wrong passwords cause a delay
	}
	status, _ := approve("approver")
	require.Equal(t, 303, status)
	p = s.API("reviewer", "GET", "/packs/"+p.PackID, "")(200)
	status, body := approve("approver")
	require.Equal(t, 409, status)
	require.Contains(t, body, "a second person is needed")
	status, _ = approve("admin")
	require.Equal(t, 303, status)
	_, body = s.Page("viewer", path+"?done=signed")
	for _, want := range []string{"Pack signed off.", "Everything is valid", "Seen by approver", "Seen by admin",
		"stamp-signed_off"} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, body, webtest.SecretText)
}

func TestFourEyesIsExplained(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec-1", "A2")
	p = s.API("admin", "PATCH", "/packs/"+
		p.PackID, `{"memo":{"title_en":"Edited by the administrator"}}`, "If-Match", "*")(200)
	p = s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	status, body := s.Page("admin", "/packs/"+p.PackID)
	require.Equal(t, 200, status)
	require.Contains(t, body, "You have made or edited a version of this pack")
	require.NotContains(t, body, "/sign\"")
	w := s.As("admin").Post("/packs/"+p.PackID+"/approve",
		webtest.Form("revision", webtest.RevisionOf(p), "digest", p.Digest, "password", webtest.Password))
	require.Equal(t, 403, w.Code)
	require.Equal(t, "in_review", s.API("reviewer", "GET", "/packs/"+p.PackID, "")(200).Status)
}

// TestWhoRecordedADecisionDoesNotApproveIt: where the class asks for a second pair of eyes, it is nobody's who gave the word
// for what the system did; a version later too. Elsewhere they are told, and a machine is nobody.
func TestWhoRecordedADecisionDoesNotApproveIt(t *testing.T) {
	s := webtest.NewServer(t)
	dbtest.AllowUnchecked(t, s.Store, s.Tenant.ID)
	post := func(who, id, class string) webtest.PackJSON {
		require.Equal(t, 201, s.As(who).Do("POST", "/api/v1/decisions", webtest.DecisionOf(id, class)).Code)
		p := s.API("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
		return s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	}
	p := post("approver", "dec-own", "A2")
	_, body := s.Page("approver", "/packs/"+p.PackID)
	require.Contains(t, body, "You recorded the decision that this pack is about")
	require.NotContains(t, body, "/sign\"")
	_, home := s.Page("approver", "/")
	require.NotContains(t, home, p.PackID, "it does not wait for them")
	require.Equal(t, 403, s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/approve", webtest.Approval, "If-Match", "*").Code)
	s.API("admin", "POST", "/packs/"+p.PackID+"/return", `{"reason":"Once more."}`)(200)
	next := s.API("reviewer", "POST", "/packs/"+p.PackID+"/versions", "")(201)
	s.API("reviewer", "PATCH", "/packs/"+next.PackID, `{"memo":{"title_en":"Once more"}}`, "If-Match", "*")(200)
	s.API("reviewer", "POST", "/packs/"+next.PackID+"/submit", "")(200)
	require.Equal(t, 403, s.As("approver").Do("POST", "/api/v1/packs/"+next.PackID+"/approve", webtest.Approval, "If-Match", "*").Code)
	require.Equal(t, "signed_off", s.API("admin", "POST", "/packs/"+next.PackID+"/approve", webtest.Approval)(200).Status)

	light := post("approver", "dec-light", "A1")
	_, body = s.Page("approver", "/packs/"+light.PackID+"/sign")
	require.Contains(t, body, "You recorded this decision yourself")
	require.Equal(t, "signed_off", s.API("approver", "POST", "/packs/"+light.PackID+"/approve", webtest.Approval)(200).Status)
	_, body = s.Page("admin", "/packs/"+post("reviewer", "dec-other", "A1").PackID+"/sign")
	require.NotContains(t, body, "You recorded")
}

// What the sign-off policy refuses is said in the reader's language, with the rule, what to do and the claims.
func TestPolicyRefusalsAreSaidInBothLanguages(t *testing.T) {
	w := webtest.NewWorld(t)
	p := about(w, "dec-policy")
	dbtest.Ask(t, w.Store, w.Tenant.ID, pack.Must, pack.AllReviewed)
	path := "/packs/" + p.PackID
	for _, lang := range []string{"en", "ar"} {
		res := w.As("reviewer").Post(path+"/submit?lang="+lang, memoFields(p))
		require.Equal(t, 422, res.Code)
		page := html.UnescapeString(res.Body.String())
		for _, id := range []string{"fault_policy_submit", "policy.rule_all_reviewed", "policy.broken_all_reviewed"} {
			require.Contains(t, page, words.In(lang).Text(id))
		}
		require.Contains(t, page, `href="/sessions/`+w.Names["session"]+`/claims/1"`)
		require.NotContains(t, page, "The sign-off policy refuses this")
	}
	require.Equal(t, "draft", w.API("reviewer", "GET", "/packs/"+p.PackID, "")(200).Status)
}

// Somebody who reviewed a claim of the ledger is told beforehand that they may not approve, and who may; there is no
// form.
func TestReviewersOfTheLedgerAreToldBeforehand(t *testing.T) {
	w := webtest.NewWorld(t)
	p := about(w, "dec-apart")
	res := w.As("approver").Do("POST", "/api/v1/sessions/"+w.Names["session"]+"/claims/1/reviews",
		`{"action":"override","verdict":"weak","reason":"In part."}`, "If-Match", "*")
	require.Equal(t, 201, res.Code, res.Body.String())
	dbtest.Ask(t, w.Store, w.Tenant.ID, pack.Must, pack.ApproverApart)
	p = w.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	for _, lang := range []string{"en", "ar"} {
		_, page := w.Page("approver", "/packs/"+p.PackID+"?lang="+lang)
		page = html.UnescapeString(page)
		require.Contains(t, page, words.In(lang).Text("policy.broken_approver_apart"))
		require.NotContains(t, page, `/sign"`)
		require.Contains(t, page, `/return"`)
	}
	_, page := w.Page("approver", "/packs/"+p.PackID)
	require.Contains(t, page, "These people may approve it:")
	_, page = w.Page("admin", "/packs/"+p.PackID)
	require.Contains(t, page, `/sign"`)
	refused := w.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/approve", webtest.ApprovalOf(p))
	require.Equal(t, 422, refused.Code)
	require.Contains(t, refused.Body.String(), `"rule":"approver_apart"`)
}

func TestExportRequestAndGrant(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec-1")
	path := "/packs/" + p.PackID
	require.Equal(t, 403, s.As("reviewer").Post(path+"/exports", webtest.Form("format", "zip")).Code)
	require.Equal(t, 422, s.As("viewer").Post(path+"/exports/ask", webtest.Form("format", "docx")).Code)
	require.Equal(t, 303, s.As("viewer").Post(path+"/exports/ask",
		webtest.Form("format", "markdown", "reason", "For the board")).Code)
	_, body := s.Page("approver", "/")
	require.Contains(t, body, "For the board")
	ask := regexp.MustCompile(path + `/exports/([0-9a-z-]+)/grant`).FindStringSubmatch(body)
	require.Len(t, ask, 2)
	other := s.Signed("dec-2")
	require.Equal(t, 404, s.As("approver").Post("/packs/"+other.PackID+"/exports/"+ask[1]+"/grant", "").Code,
		"of another pack")
	require.Equal(t, 404, s.As("viewer").Post(path+"/exports/"+ask[1]+"x/link", "").Code)
	require.Equal(t, 409, s.As("viewer").Post(path+"/exports/"+ask[1]+"/link", "").Code, "not granted yet")
	require.Equal(t, 303, s.As("approver").Post(path+"/exports/"+ask[1]+"/grant", "").Code)
	w := s.As("viewer").Post(path+"/exports/"+ask[1]+"/link", "")
	require.Equal(t, 303, w.Code, w.Body.String())
	address := w.Header().Get("Location")
	require.Equal(t, path+"/exports/"+ask[1], address)
	for range 2 { // going back and loading again does not lose it
		status, page := s.Page("viewer", address)
		require.Equal(t, 200, status)
		require.Contains(t, page, `href="`+address+`/file"`)
		require.Contains(t, page, "SHA256:", "what who receives it needs from elsewhere")
		file := s.As("viewer").Do("GET", address+"/file", "")
		require.Equal(t, 200, file.Code)
		require.Equal(t, s.Files(p.PackID)[pack.FileMarkdown], file.Body.Bytes())
	}
	for _, of := range []string{address, address + "/file"} {
		require.Equal(t, 404, s.As("approver").Do("GET", of, "").Code, "another person's")
		require.Equal(t, 404, s.As("viewer").Do("GET", strings.Replace(of, p.PackID, other.PackID, 1), "").Code)
	}
	require.Equal(t, 409, s.As("viewer").Post(address+"/link", "").Code, "once")
	s.Clock.Move(15 * time.Minute)
	status, page := s.Page("viewer", address)
	require.Equal(t, 200, status)
	require.NotContains(t, page, address+"/file")
	require.Equal(t, 404, s.As("viewer").Do("GET", address+"/file", "").Code, "its time is over")

	w = s.As("approver").Post(path+"/exports", webtest.Form("format", "pdf"))
	require.Equal(t, 303, w.Code)
	_, page = s.Page("approver", w.Header().Get("Location"))
	require.Contains(t, page, w.Header().Get("Location")+"/file")
	require.Equal(t, 303, s.As("viewer").Post(path+"/exports/ask", webtest.Form("format", "pdf")).Code)
	_, body = s.Page("approver", path)
	ask = regexp.MustCompile(path + `/exports/([0-9a-z-]+)/refuse`).FindStringSubmatch(body)
	require.Equal(t, 422, s.As("approver").Post(path+"/exports/"+ask[1]+"/refuse", "reason=").Code)
	require.Equal(t, 303, s.As("approver").Post(path+"/exports/"+ask[1]+"/refuse",
		webtest.Form("reason", "Ask the bank")).Code)
	_, body = s.Page("viewer", path)
	require.Contains(t, body, "Ask the bank")
}

func TestVersionsAndWhatChanged(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec-1")
	w := s.As("reviewer").Post("/packs/"+p.PackID+"/versions", "")
	require.Equal(t, 303, w.Code)
	next := strings.TrimSuffix(strings.TrimPrefix(w.Header().Get("Location"), "/packs/"), "/edit")
	require.Equal(t, 409, s.As("reviewer").Post("/packs/"+p.PackID+"/versions", "").Code)
	draft := s.API("reviewer", "GET", "/packs/"+next, "")(200)
	require.Equal(t, 303, s.As("reviewer").Post("/packs/"+next+"/edit",
		memoFields(draft, "title_en", draft.Memo["title_en"]+" again")).Code)
	for _, path := range []string{"/packs/" + next + "/compare", "/packs/" + p.PackID + "/compare?with=" + next} {
		status, body := s.Page("viewer", path)
		require.Equal(t, 200, status)
		require.Regexp(t, `<ins><span class="vh"[^>]*>Inserted: </span>[^<]*again</ins>`, body)
	}
	for _, path := range []string{"/packs/" + p.PackID + "/compare",
		"/packs/" + next + "/compare?with=" + s.Signed("dec-2").PackID} {
		status, _ := s.Page("viewer", path)
		require.Equal(t, 404, status, path)
	}
}

func TestHoldAndPurgePages(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec-1")
	path := "/packs/" + p.PackID
	require.Equal(t, 422, s.As("admin").Post(path+"/hold",
		webtest.Form("revision", webtest.RevisionOf(p), "reason", "")).Code)
	require.Equal(t, 303, s.As("admin").Post(path+"/hold",
		webtest.Form("revision", webtest.RevisionOf(p), "reason", "Litigation 12/2026")).Code)
	_, body := s.Page("viewer", path)
	require.Contains(t, body, "Litigation 12/2026")
	require.NotContains(t, body, path+"/unhold")
	p = s.API("admin", "GET", "/packs/"+p.PackID, "")(200)
	require.Equal(t, 303, s.As("admin").Post(path+"/unhold",
		webtest.Form("revision", webtest.RevisionOf(p), "reason", "Settled")).Code)
	require.Equal(t, 409, s.As("admin").Post(path+"/purge", "").Code, "seven years are not over")

	s.Clock.Move(8 * 365 * 24 * 3600e9)
	for _, who := range []string{"admin", "approver", "viewer"} { // their logins have expired too
		s.Person(who).Cookie = s.NewLogin(s.Person(who).ID, s.Tenant.ID)
	}
	_, body = s.Page("admin", "/admin/retention")
	require.Contains(t, body, path+"/purge")
	require.Equal(t, 303, s.As("admin").Post(path+"/purge", "").Code)
	_, body = s.Page("admin", "/admin/retention")
	require.Contains(t, body, "somebody else must confirm it")
	confirm := regexp.MustCompile(`/admin/retention/[0-9a-z-]+/confirm`)
	require.Empty(t, confirm.FindString(body))
	_, body = s.Page("approver", "/admin/retention")
	require.Equal(t, 303, s.As("approver").Post(confirm.FindString(body), "").Code)
	status, body := s.Page("viewer", path)
	require.Equal(t, 410, status)
	require.Contains(t, body, p.Digest)
	status, _ = s.Page("foreign", path)
	require.Equal(t, 404, status)
}

func TestPackListFilters(t *testing.T) {
	s := webtest.NewServer(t)
	in, signed := s.InReview("dec-1", "A2"), s.Signed("dec-2")
	rows := func(query string) string {
		status, body := s.Page("viewer", "/packs"+query)
		require.Equal(t, 200, status)
		return body
	}
	for query, want := range map[string][2]bool{
		"": {true, true}, "?state=in_review": {true, false}, "?state=signed_off": {false, true},
		"?level=mandatory": {true, true}, "?level=skip": {false, false},
		"?q=riyadh": {true, true}, "?q=nowhere": {false, false},
	} {
		body := rows(query)
		require.Equal(t, want[0], strings.Contains(body, `/packs/`+in.PackID+`"`), query)
		require.Equal(t, want[1], strings.Contains(body, `/packs/`+signed.PackID+`"`), query)
	}
	status, body := s.Page("viewer", "/packs?state=nonsense") // it says so, and lists all
	require.Equal(t, 422, status)
	require.Contains(t, body, `/packs/`+in.PackID+`"`)
	status, _ = s.Page("viewer", "/packs?after=nonsense")
	require.Equal(t, 422, status)
}

func TestTraceLinksToOperatorsViewer(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.TraceViewer = "https://traces.example/t/{trace_id}?x=1" })
	_, body := s.Page("viewer", "/packs/"+s.Draft("dec-1", "A2").PackID)
	require.Contains(t, body, `href="https://traces.example/t/trace-1?x=1"`)
}

// On the page of a refused form, switching the language leads back to the page's address, not the form's.
func TestRefusedFormKeepsThePage(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec-1", "A2")
	w := s.As("approver").Post("/packs/"+p.PackID+"/return",
		webtest.Form("revision", webtest.RevisionOf(p), "reason", ""))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), `action="/packs/`+p.PackID+`" data-keep="lang"`)
}
