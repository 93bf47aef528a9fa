package handlers_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
	"sanad/internal/thorough"
	"sanad/internal/views/ui"
)

// keeper is one store with two processes that keep pages and one that does not.
type keeper struct {
	*webtest.Server
	random   *rand.Rand
	nodes    []http.Handler
	cold     http.Handler
	sessions []string
	people   []string
	done     map[string]int    // changes that succeeded, and answers, by kind
	seen     map[string]string // pages by their ETags
	tags     []string
	last     map[string]string // ETags by person and path
	saved    []string
}

func newKeeper(t *testing.T) *keeper {
	t.Helper()
	k := &keeper{random: rand.New(rand.NewPCG(1, 2)), done: map[string]int{}, seen: map[string]string{},
		last: map[string]string{}}
	var o handlers.Options
	k.Server = webtest.NewServerFor(t, func(made *handlers.Options) { o = *made })
	other, err := db.Open(context.Background(), db.Options{Dir: k.Dir, Database: dbtest.Database(k.Dir), Now: k.Clock.Now,
		NewID: uuid.NewString, Keys: k.Keys})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	o.PageCacheBytes = 1 << 20
	k.nodes = append(k.nodes, handlers.New(o))
	k.Handler = k.nodes[0]
	o.Store = other
	k.nodes = append(k.nodes, handlers.New(o))
	o.PageCacheBytes = -1
	k.cold = handlers.New(o)
	return k
}

// ask sends a page's request; the id that it shows is taken out of the answer.
func (k *keeper) ask(h http.Handler, path string, headers ...string) (*httptest.ResponseRecorder, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, webtest.Request("GET", path, "", headers...))
	body := w.Body.Bytes()
	if w.Header().Get("Content-Encoding") == "gzip" {
		r, err := gzip.NewReader(bytes.NewReader(body))
		require.NoError(k.T, err)
		body, err = io.ReadAll(r)
		require.NoError(k.T, err)
		_, err = r.Read(nil)
		require.ErrorIs(k.T, err, io.EOF, "one member, nothing after it")
	}
	id := w.Header().Get("X-Request-Id")
	shown := ui.RequestMark(id)
	if w.Code == http.StatusOK {
		require.Equal(k.T, 1, strings.Count(string(body), shown), "the page says which request it answers")
	}
	return w, strings.ReplaceAll(string(body), shown, "")
}

func (k *keeper) one(list ...string) string { return list[k.random.IntN(len(list))] }

// pair returns a person and a session, mostly of the person's own tenant.
func (k *keeper) pair() (who, session string) {
	who, session = k.one(k.people...), k.one(k.sessions[:3]...)
	if (who == "foreign") != (k.random.IntN(10) == 0) {
		session = k.sessions[3]
	}
	return who, session
}

// read asks for a page twice at nodes that keep pages, and once at the one that does not.
func (k *keeper) read() {
	who, session := k.pair()
	path := "/sessions/" + session + k.one("", "", "", "?verdict=weak", "?verdict=unjudged", "?q=days", "?claim=2", "?tab=sources",
		"?tab=report", "?unreviewed=1", "?verdict=wrong", "?theme=dark", "?claim=1&view=text", "?confirmed=2&batch="+session)
	cookies := []string{"sanad=" + k.Person(who).Cookie}
	cookies = append(cookies, k.one("sanad_lang=ar", "sanad_lang=en", "sanad_theme=dark", "sanad_digits=arab",
		"sanad_bench=density%3Dcompact", "other=1"))
	headers := []string{"Cookie", strings.Join(cookies, "; "), "Accept-Language", k.one("en", "ar", "de, ar;q=0.5")}
	if k.random.IntN(3) == 0 {
		headers = append(headers, "Accept-Encoding", "gzip")
	}
	switch tag := k.last[who+path]; {
	case len(k.tags) > 0 && k.random.IntN(6) == 0: // of whatever page
		headers = append(headers, "If-None-Match", k.one(k.tags...))
	case tag != "" && k.random.IntN(2) == 0:
		headers = append(headers, "If-None-Match", tag)
	}
	want, page := k.ask(k.cold, path, headers...)
	for range 2 {
		got, body := k.ask(k.nodes[k.random.IntN(2)], path, headers...)
		if got.Code == http.StatusNotModified {
			body = k.seen[got.Header().Get("ETag")]
			got.Code = http.StatusOK
			k.done["304"]++
		}
		require.Equal(k.T, want.Code, got.Code, "%s %s", who, path)
		require.Equal(k.T, page, body, "%s %s %v", who, path, headers)
		require.Equal(k.T, want.Header().Get("Location"), got.Header().Get("Location"))
		require.Equal(k.T, want.Header().Values("Set-Cookie"), got.Header().Values("Set-Cookie"))
		k.done[fmt.Sprint(got.Code)]++
		if tag := got.Header().Get("ETag"); tag != "" && k.seen[tag] == "" {
			k.seen[tag] = body
			k.tags = append(k.tags, tag)
		}
		k.last[who+path] = got.Header().Get("ETag")
	}
}

// change changes something, at any node. What is refused, as a claim that is settled already, changes nothing.
func (k *keeper) change() {
	ctx := context.Background()
	who, session := k.pair()
	k.Handler = k.nodes[k.random.IntN(2)]
	as := k.As(who)
	actor := domain.Actor{Tenant: k.Tenant.ID, ID: k.Person(who).ID, Role: domain.Admin, Human: true}
	api := func(name, path, body string) {
		if as.Do("POST", "/api/v1/sessions/"+session+path, body, "If-Match", "*").Code < 300 {
			k.done[name]++
		}
	}
	form := func(name, path, body string) {
		if as.Post(path, body).Code == http.StatusSeeOther {
			k.done[name]++
		}
	}
	stored := func(name string, err error) {
		if err == nil {
			k.done[name]++
		}
	}
	claim := fmt.Sprintf("/claims/%d/reviews", 1+k.random.IntN(2))
	switch k.random.IntN(19) {
	case 0, 1:
		api("confirm", claim, `{"action":"confirm"}`)
	case 2:
		api("override", claim, `{"action":"override","verdict":"`+k.one("supported", "weak", "contradicted")+`","reason":"read"}`)
	case 3:
		api("comment", claim, `{"action":"comment","reason":"See this, @`+k.one(k.people...)+`"}`)
	case 4:
		api("undo", claim, `{"action":"undo"}`)
	case 5:
		api("close", "/close", `{"reason":"enough"}`)
	case 6:
		api("reopen", "/reopen", `{}`)
	case 7:
		api("reviewers", "/reviewers", `{"first_reviewer":"`+k.Person("reviewer").ID+`","second_reviewer":"`+
			k.Person("approver").ID+`","second_review":"`+k.one("blind", "open", "")+`"}`)
	case 8:
		api("bulk", "/reviews:bulk", `{"action":"confirm","filter":{"unsettled":true}}`)
	case 9:
		name := fmt.Sprint("View ", k.random.IntN(1000))
		err := k.Store.SaveView(ctx, actor, ledger.SavedView{Page: ledger.SavedLedger, Name: name, Query: "verdict=weak",
			Shared: k.random.IntN(2) == 0})
		stored("view", err)
		views, err := k.Store.SavedViews(ctx, actor, ledger.SavedLedger)
		require.NoError(k.T, err)
		for _, v := range views {
			k.saved = append(k.saved, v.ID)
		}
	case 10:
		if len(k.saved) > 0 {
			stored("view renamed", k.Store.ChangeView(ctx, actor, k.one(k.saved...), fmt.Sprint("Name ", k.random.IntN(1000)),
				k.random.IntN(2) == 0))
		}
	case 11:
		if len(k.saved) > 0 {
			stored("view deleted", k.Store.DeleteView(ctx, actor, k.one(k.saved...), true))
		}
	case 12:
		form("due", "/sessions/"+session+"/due", webtest.Form("due_on", k.one("2026-12-01", "2026-11-22", ""), "revision", fmt.Sprint(k.random.IntN(5))))
	case 13:
		stored("notices read", k.Store.ReadNotices(ctx, domain.Actor{Tenant: k.Tenant.ID, ID: k.Person(who).ID}, 1<<40))
	case 14:
		stored("role", k.Store.SetRole(ctx, domain.AtCommandLine(k.Tenant.ID), k.Person("reviewer").ID,
			domain.Role(k.one("reviewer", "viewer", "approver"))))
	case 15:
		on := k.random.IntN(3) > 0
		stored("member", k.Store.SetMemberDisabled(ctx, domain.AtCommandLine(k.Tenant.ID), k.Person("approver").ID, !on))
	case 16:
		zone := k.one("Asia/Riyadh", "UTC", "Asia/Kathmandu")
		stored("tenant", k.Store.SetTimeZone(ctx, domain.AtCommandLine(k.Tenant.ID), zone))
	case 17:
		dbtest.BulkConfirmsAll(k.T, k.Store, k.Tenant.ID)
		k.done["policy"]++
	case 18:
		switch k.random.IntN(6) {
		case 0:
			require.NoError(k.T, k.Store.SetMemberDisabled(ctx, domain.AtCommandLine(k.Tenant.ID), k.Person("approver").ID, false))
			k.Clock.Move(16 * time.Minute)
			for _, p := range k.People { // whose logins would end
				p.Cookie = k.NewLogin(p.ID, map[bool]string{true: k.Other.ID, false: k.Tenant.ID}[p.Login == "foreign"])
			}
			k.done["time"]++
		case 1:
			api("judge", "/judge", `{}`)
		default:
			api("answer", "/answers", `{"answer":"Employees are entitled to 15 days of annual leave. Nothing else, `+fmt.Sprint(k.random.Int())+`."}`)
		}
	}
}

// Pages that are sent from memory are those that would be made now, byte for byte, whoever asks at whichever process
// and whatever was changed between (rule WEB-19). make thorough runs 10,000 steps.
func TestCachedPagesAreThoseThatWouldBeMade(t *testing.T) {
	steps := thorough.Times(300, 10_000)
	k := newKeeper(t)
	k.people = []string{"viewer", "reviewer", "approver", "admin", "foreign"}
	for i := range 3 {
		k.sessions = append(k.sessions, k.Create(strings.ReplaceAll(webtest.LeavePolicy, "hr-42", fmt.Sprint("hr-", i))).SessionID)
	}
	k.sessions = append(k.sessions, k.As("foreign").Create(webtest.LeavePolicy).SessionID)
	for range steps {
		if k.random.IntN(3) == 0 {
			k.change()
		} else {
			k.read()
		}
	}
	t.Log(k.done)
	for _, kind := range []string{"confirm", "override", "comment", "undo", "close", "reopen", "reviewers", "bulk", "view",
		"view renamed", "view deleted", "due", "notices read", "role", "member", "tenant", "policy", "time", "judge", "answer",
		"200", "303", "304", "404", "422"} {
		require.Positive(t, k.done[kind], kind)
	}
}

// Somebody who is disabled by one process is refused by the next request at another, although that one keeps the page,
// and a change by one shows at the other at once.
func TestCachedPagesEndWithTheLogin(t *testing.T) {
	k := newKeeper(t)
	path := "/sessions/" + k.Create(webtest.LeavePolicy).SessionID
	p := k.Person("reviewer")
	headers := []string{"Cookie", "sanad=" + p.Cookie}
	var tag string
	for range 2 {
		w, _ := k.ask(k.nodes[1], path, headers...)
		require.Equal(t, 200, w.Code)
		require.Equal(t, "private, no-cache", w.Header().Get("Cache-Control"))
		tag = w.Header().Get("ETag")
	}
	w, _ := k.ask(k.nodes[1], path, append(headers, "If-None-Match", tag)...)
	require.Equal(t, 304, w.Code)
	require.Zero(t, w.Body.Len())

	k.Handler = k.nodes[0]
	require.Equal(t, 201, k.As("approver").Do("POST", "/api/v1"+path+"/claims/1/reviews",
		`{"action":"comment","reason":"Seen by the other process"}`, "If-Match", "*").Code)
	w, body := k.ask(k.nodes[1], path, append(headers, "If-None-Match", tag)...)
	require.Equal(t, 200, w.Code)
	require.Contains(t, body, "Seen by the other process")
	require.NotEqual(t, tag, w.Header().Get("ETag"))

	foreign := k.Person("foreign")
	w, _ = k.ask(k.nodes[1], path, "Cookie", "sanad="+foreign.Cookie, "If-None-Match", w.Header().Get("ETag"))
	require.Equal(t, 404, w.Code)
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))

	require.NoError(t, k.Store.SetUserDisabled(context.Background(), domain.AtCommandLine(k.Tenant.ID), p.ID, true))
	w, _ = k.ask(k.nodes[1], path, append(headers, "If-None-Match", tag)...)
	require.Equal(t, 303, w.Code, "to the login")
	require.NotContains(t, w.Body.String(), "claim-1")
}

// Where a browser would not forget a page at the end of the login, over plain HTTP, it may not store it.
func TestPagesAreStoredOnlyWhereTheyAreForgotten(t *testing.T) {
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Hosts = []string{"sanad.example"} })
	path := "/sessions/" + s.Create(webtest.LeavePolicy).SessionID
	for _, host := range []string{"sanad.example", "192.0.2.7:8080"} {
		for range 2 {
			r := webtest.Request("GET", path, "", "Cookie", "sanad="+s.Person("admin").Cookie)
			r.Host = host
			w := s.Serve(r)
			require.Equal(t, 200, w.Code)
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"), host)
			require.Empty(t, w.Header().Get("ETag"))
		}
	}
	part := s.Do("GET", path, "", "HX-Request", "true")
	require.Equal(t, "no-store", part.Header().Get("Cache-Control"))
}
