package packs_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/handlers/webtest"
)

// TestSigningAsksForWhatBecameKnown: the ledger changes while an approver reads the form; what they send is refused
// with the change shown as new, and signed once they have acknowledged it.
func TestSigningAsksForWhatBecameKnown(t *testing.T) {
	w := webtest.NewWorld(t)
	p := about(w, "dec-later")
	p = w.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	path := "/packs/" + p.PackID
	_, form := w.Page("admin", path+"/sign")
	require.NotContains(t, form, "_since:")
	send := func(since ...string) (int, string) {
		v := url.Values{"revision": {webtest.RevisionOf(p)}, "digest": {p.Digest}, "password": {webtest.Password},
			"comment": {"Read it."}, "acknowledged": since}
		for _, a := range p.Alarms {
			v.Add("acknowledged", a.ID)
		}
		res := w.As("admin").Post(path+"/approve", v.Encode())
		return res.Code, res.Body.String()
	}
	res := w.As("reviewer").Do("POST", "/api/v1/sessions/"+w.Names["session"]+"/claims/1/reviews",
		`{"action":"override","verdict":"contradicted","reason":"It says the opposite."}`, "If-Match", "*")
	require.Equal(t, 201, res.Code, res.Body.String())

	status, body := send()
	require.Equal(t, 422, status, body)
	require.Contains(t, body, "1 claim has been found contradicted by the sources since submission.")
	require.Contains(t, body, "This is new since")
	require.Contains(t, body, "Read it.", "what was typed stays")
	contradicted := "claims_contradicted_since:" + webtest.Between(body, `value="claims_contradicted_since:`, `"`)
	overridden := "claims_overridden_since:" + webtest.Between(body, `value="claims_overridden_since:`, `"`)
	status, _ = send(contradicted, "claims_overridden_since:0000000000000000")
	require.Equal(t, 422, status, "another change")
	_, page := w.Page("admin", path)
	require.Contains(t, webtest.Between(page, `class="alarm-line"`, "</ul>"), "1 claim contradicted since submission")

	status, body = send(contradicted, overridden)
	require.Equal(t, 303, status, body)
	events, _, err := w.Store.Log(t.Context(), w.Tenant.ID,
		audit.Query{Action: "pack.approved", ObjectID: p.PackID, Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Contains(t, string(events[0].Bytes), `"`+contradicted+`","`+overridden+`"]`)
}

// TestReturnNamesPlaces: notes of a return are stored within its reasons; a refused form keeps them.
func TestReturnNamesPlaces(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec-1", "A2")
	path := "/packs/" + p.PackID
	w := s.As("approver").Post(path+"/return", webtest.Form("revision", "1", "reason", "Two things.", "note memo.body_en",
		"Say why."))
	require.Equal(t, 409, w.Code)
	require.Contains(t, w.Body.String(), "Say why.")
	w = s.As("approver").Post(path+"/return", webtest.Form("revision", webtest.RevisionOf(p), "reason", "Two things.",
		"note memo.body_en", "Say why.", "note footer", "Nowhere."))
	require.Equal(t, 303, w.Code, w.Body.String())
	got := s.API("approver", "GET", path, "")(200)
	require.Equal(t, "Two things.\n\nmemo.body_en: Say why.", got.Return.Reason)
	_, page := s.Page("reviewer", path)
	require.NotContains(t, page, "memo.body_en:")
	require.Contains(t, page, "Memo · English")
}

// TestPackIsSubmittedFromItsPage: the bar's form has no memo, and the stored one is submitted.
func TestPackIsSubmittedFromItsPage(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Draft("dec-1", "A2")
	w := s.As("reviewer").Post("/packs/"+p.PackID+"/submit", webtest.Form("revision", webtest.RevisionOf(p)))
	require.Equal(t, 303, w.Code, w.Body.String())
	got := s.API("reviewer", "GET", "/packs/"+p.PackID, "")(200)
	require.Equal(t, "in_review", got.Status)
	require.Equal(t, p.Memo, got.Memo)
}

// TestDeadEndIsSaidBefore: an approver reads before they sign, on the page and in the API, in whose name their signature
// would leave nobody for the one that is then still needed; the person whose seat was taken is told one thing.
func TestDeadEndIsSaidBefore(t *testing.T) {
	s := webtest.NewServer(t)
	lina, admin := s.AddPerson("lina", s.Tenant.ID, access.Approver), s.Person("admin")
	made := access.Actor{Tenant: s.Tenant.ID, ID: admin.User.ID, User: "The admin", Role: access.Admin, Human: true}
	require.NoError(t, s.Store.SetPassword(t.Context(), made, lina.User.ID, db.NewPassword{PHC: lina.User.Password}))
	lina.Cookie = s.NewLogin(lina.User.ID, s.Tenant.ID)
	lina.Token = s.NewToken(lina.User.ID, s.Tenant.ID, access.Approver)
	sara := s.Person("approver").User.ID
	p := s.InReview("dec-1", "A3")
	path := "/packs/" + p.PackID
	_, page := s.Page("approver", path+"/sign")
	require.Contains(t, page, "The next signature can come from: \u2068The admin\u2069, \u2068The lina\u2069.")
	_, page = s.Page("lina", path+"/sign")
	require.Contains(t, page, "The next signature can come from: \u2068The approver\u2069.", "lina and who set her password are one person")
	until := s.Clock.Now().AddDate(0, 0, 5).Format(time.DateOnly)
	away := access.Actor{Tenant: s.Tenant.ID, ID: sara, User: "The approver", Role: access.Approver, Human: true}
	_, err := s.Store.SetDeputy(t.Context(), away, db.DeputyDays{For: sara, By: lina.User.ID, Until: until})
	require.NoError(t, err)

	_, page = s.Page("lina", path+"/sign")
	require.Contains(t, webtest.Between(page, `id="dead-end"`, "</div>"), "If you sign as deputy of")
	require.Contains(t, page, "If you sign in your own name, the next signature can come from: \u2068The approver\u2069.",
		"whose deputy has signed then")
	require.NotContains(t, page, "the next signature can come from: \u2068The admin\u2069")
	require.NotContains(t, page, `class="sign-as"`, "the choice says as whom")
	require.Contains(t, page, "in your own name")
	require.Contains(t, page, "until 26 Nov 2026")
	answer := s.As("lina").Do("GET", "/api/v1"+path+"/waits", "").Body.String()
	require.Contains(t, answer, `"dead_end":false`)
	require.Contains(t, answer, `"ways":[{"for":null,"dead_end":false},{"for":"`+sara+`","dead_end":true}]`)

	form := url.Values{"revision": {webtest.RevisionOf(p)}, "digest": {p.Digest}, "password": {webtest.Password}, "for": {sara}}
	for _, a := range p.Alarms {
		form.Add("acknowledged", a.ID)
	}
	res := s.As("lina").Post(path+"/approve", form.Encode())
	require.Equal(t, 303, res.Code, res.Body.String())
	_, page = s.Page("approver", path+"/sign")
	require.Contains(t, page, "Your deputy has approved this pack for you")
	require.NotContains(t, page, "Yours is the last signature")
	require.NotContains(t, page, `class="sign-as"`)
	answer = s.As("approver").Do("GET", "/api/v1"+path+"/waits", "").Body.String()
	require.Contains(t, answer, `"ways":[]`)
}
