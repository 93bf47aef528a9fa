package handlers_test

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

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// world is a server on which a session with an original exists in each tenant.
type world struct {
	*server
	names map[string]string // what stands for {name} in a path
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{newServer(t), map[string]string{}}
	session := w.upload("reviewer")
	w.names = map[string]string{
		"session": session.ID, "document": session.Documents[0].ID, "hash": session.Documents[0].Chunks[0].Hash[:ledger.HashDigits],
	}
	w.as("reviewer").create(leave)
	link := get[map[string]string](t, w.as("reviewer").do("POST", "/api/v1/sessions/"+session.ID+"/ledger/export", `{"format":"json"}`), 200)
	w.names["download"] = strings.TrimPrefix(link["download_url"], "/downloads/")
	w.addSpares()
	w.addPacks()
	w.names["job"], w.names["cancelled"] = w.queue("waits").ID, w.queue("cancelled").ID
	w.do("POST", "/api/v1/jobs/"+w.names["cancelled"]+"/cancel", "")
	w.addBundles()
	return w
}

// addSpares makes a person, a token and a key that nobody else needs, for the pages that change such.
func (w *world) addSpares() {
	ctx := context.Background()
	w.names["spare"] = w.addPerson("spare", w.tenant.ID, domain.Reviewer).ID
	tokens, err := w.store.Tokens(ctx, w.tenant.ID)
	require.NoError(w.t, err)
	i := slices.IndexFunc(tokens, func(k db.Token) bool { return k.UserID == w.names["spare"] })
	w.names["token"] = tokens[i].ID
	found, err := w.store.Keys(ctx, w.tenant.ID)
	require.NoError(w.t, err)
	require.NotEmpty(w.t, found)
	w.names["key"] = url.QueryEscape(found[0].ID)
	for _, name := range []string{"hook", "hookpage", "hookapi"} {
		hook, _, err := w.store.AddWebhook(ctx, domain.AtCommandLine(w.tenant.ID), "https://hooks.example/"+name, []string{"pack.purged"})
		require.NoError(w.t, err)
		w.names[name] = hook.ID
	}
}

// upload brings in a session by the form, so that there is an original.
func (w *world) upload(who string) *ledger.Session {
	w.t.Helper()
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	require.NoError(w.t, m.WriteField("answer", "Leave is 15 days. Carryover is 5 days. Asked by "+who+"."))
	file, err := m.CreateFormFile("documents", "hr.md")
	require.NoError(w.t, err)
	_, err = file.Write([]byte("# Leave\n\nLeave is 15 days.\n"))
	require.NoError(w.t, err)
	require.NoError(w.t, m.Close())
	res := w.as(who).do("POST", "/sessions", form.String(), "Content-Type", m.FormDataContentType())
	require.Equal(w.t, 303, res.Code, res.Body.String())
	tenant := w.tenant.ID
	if who == "foreign" {
		tenant = w.other.ID
	}
	session, err := w.store.Session(context.Background(), tenant, strings.TrimPrefix(res.Header().Get("Location"), "/sessions/"))
	require.NoError(w.t, err)
	return session
}

func (w *world) fill(s string) string {
	s = strings.ReplaceAll(s, "{unique}", uuid.NewString())
	for name, value := range w.names {
		s = strings.ReplaceAll(s, "{"+name+"}", value)
	}
	if strings.Contains(s, "{seen}") {
		session, err := w.store.Session(context.Background(), w.tenant.ID, w.names["session"])
		require.NoError(w.t, err)
		s = strings.ReplaceAll(s, "{seen}", fmt.Sprint(len(session.Claims[0].Reviews)))
	}
	return s
}
