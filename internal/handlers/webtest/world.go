package webtest

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
)

// World is a server with a session and an original file in each tenant.
type World struct {
	*Server
	Names map[string]string // the replacements of {name} in a path
}

func NewWorld(t *testing.T) *World {
	t.Helper()
	w := &World{NewServer(t), map[string]string{}}
	session := w.Upload("reviewer")
	w.Names = map[string]string{
		"session": session.ID, "document": session.Documents[0].ID,
		"hash": session.Documents[0].Chunks[0].Hash[:ledger.HashDigits],
	}
	w.As("reviewer").Create(LeavePolicy)
	link := Get[map[string]string](t,
		w.As("reviewer").Do("POST", "/api/v1/sessions/"+session.ID+"/ledger/export", `{"format":"json"}`), 200)
	w.Names["download"] = strings.TrimPrefix(link["download_url"], "/downloads/")
	w.addSpares()
	w.addPacks()
	w.Names["job"], w.Names["cancelled"] = w.Queue("waits").ID, w.Queue("cancelled").ID
	w.Do("POST", "/api/v1/jobs/"+w.Names["cancelled"]+"/cancel", "")
	w.addBundles()
	w.addLibrary()
	return w
}

// addSpares adds a person, a token and a key for the routes that change or remove them.
func (w *World) addSpares() {
	ctx := context.Background()
	w.AddPerson("spare", w.Tenant.ID, access.Reviewer)
	w.Names["spare"] = w.Person("spare").ID
	tokens, err := w.Store.Tokens(ctx, w.Tenant.ID)
	require.NoError(w.T, err)
	i := slices.IndexFunc(tokens, func(k access.Token) bool { return k.UserID == w.Names["spare"] })
	w.Names["token"] = tokens[i].ID
	found, err := w.Store.Keys(ctx, w.Tenant.ID)
	require.NoError(w.T, err)
	require.NotEmpty(w.T, found)
	w.Names["key"] = url.QueryEscape(found[0].ID)
	for _, name := range []string{"hook", "hookpage", "hookapi"} {
		hook, _, err := w.Store.AddWebhook(ctx, access.AtCommandLine(w.Tenant.ID), "https://hooks.example/"+name,
			[]string{"pack.purged"})
		require.NoError(w.T, err)
		w.Names[name] = hook.ID
	}
	for _, name := range []string{"model", "modelapi"} {
		e, err := w.Store.AddModelEndpoint(ctx, access.AtCommandLine(w.Tenant.ID), model.Endpoint{Name: name, Kind: model.OpenAI,
			URL: "https://models.example/v1", Model: "m", Parallel: 1, Timeout: model.DefaultTimeout}, "secret")
		require.NoError(w.T, err)
		w.Names[name] = e.ID
	}
}

// Upload imports a session by the form, so that it has an original file.
func (w *World) Upload(who string) *ledger.Session {
	w.T.Helper()
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	require.NoError(w.T, m.WriteField("answer", "Leave is 15 days. Carryover is 5 days. Asked by "+who+"."))
	file, err := m.CreateFormFile("documents", "hr.md")
	require.NoError(w.T, err)
	_, err = file.Write([]byte("# Leave\n\nLeave is 15 days.\n"))
	require.NoError(w.T, err)
	require.NoError(w.T, m.Close())
	res := w.As(who).Do("POST", "/sessions", form.String(), "Content-Type", m.FormDataContentType())
	require.Equal(w.T, 303, res.Code, res.Body.String())
	tenant := w.Tenant.ID
	if who == "foreign" {
		tenant = w.Other.ID
	}
	session, err := w.Store.Session(context.Background(), tenant,
		strings.TrimPrefix(res.Header().Get("Location"), "/sessions/"))
	require.NoError(w.T, err)
	return session
}

func (w *World) Fill(s string) string {
	s = strings.ReplaceAll(s, "{unique}", uuid.NewString())
	for name, value := range w.Names {
		s = strings.ReplaceAll(s, "{"+name+"}", value)
	}
	if strings.Contains(s, "{seen}") {
		session, err := w.Store.Session(context.Background(), w.Tenant.ID, w.Names["session"])
		require.NoError(w.T, err)
		s = strings.ReplaceAll(s, "{seen}", fmt.Sprint(len(session.Claims[0].Reviews)))
	}
	return s
}
