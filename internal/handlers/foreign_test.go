package handlers_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
)

// placeholder is what names an object in a row of the matrix.
var placeholder = regexp.MustCompile(`\{(session|document|spare|token|key|pack|draft|broken|review|decision|asked|refuse|granted|packlink|bundle|artifact)\}`)

// foreignIDs are ids of the other tenant's objects, by placeholder.
func (w *world) foreignIDs() map[string]string {
	w.t.Helper()
	ctx, session, somebody := context.Background(), w.upload("foreign"), w.person("foreign")
	tokens, err := w.store.Tokens(ctx, w.other.ID)
	require.NoError(w.t, err)
	keys, err := w.store.Keys(ctx, w.other.ID)
	require.NoError(w.t, err)
	logins, err := w.store.Logins(ctx, somebody.ID)
	require.NoError(w.t, err)
	ids := map[string]string{
		"session": session.ID, "document": session.Documents[0].ID, "spare": somebody.ID, "token": tokens[0].ID,
		"key": url.QueryEscape(keys[0].ID), "login": logins[0].ID,
	}
	w.addForeignPack(ids)
	ids["bundle"], ids["artifact"] = w.as("foreign").bundle(foreignBundle), "docs/far.md"
	require.Equal(w.t, 201, w.as("foreign").do("PUT", "/api/v1/lake/docs/far.md", "far").Code)
	return ids
}

// A foreign id, an unknown one and one that is none get the same answer, byte for byte; and who may not do the action
// gets the same for those as for an own one.
func TestForeignIDsAnswerAsRandomOnes(t *testing.T) {
	w := newWorld(t)
	foreign, checked := w.foreignIDs(), 0
	for _, r := range handlers.Routes() {
		found := placeholder.FindStringSubmatch(matrix[r.Method+" "+r.Path].path)
		if found == nil {
			continue
		}
		checked++
		id := foreign[found[1]]
		if strings.HasPrefix(r.Path, "/account/devices/") {
			id = foreign["login"]
		}
		w.checkForeign(checked, r, found[1], id)
	}
	require.Greater(t, checked, 50)
}

// checkForeign asks one route, the nth, for ids that are not the asker's.
func (w *world) checkForeign(n int, r handlers.Route, name, foreign string) {
	w.t.Helper()
	row, own := matrix[r.Method+" "+r.Path], w.names[name]
	at := func(id string) string { return w.fill(strings.ReplaceAll(row.path, "{"+name+"}", id)) }
	by := "cookie"
	if strings.HasPrefix(r.Path, "/api/") {
		by = "token"
	}
	for i, who := range []string{"viewer", "reviewer", "approver", "admin"} {
		ids := []string{uuid.Nil.String(), "none", "%00", "a%2fb", strings.Repeat("9", 300)}
		if up := strings.ToUpper(own); up != own {
			ids = append(ids, up)
		}
		if turn := (n + i) % len(ids); sized(0, 1) == 1 { // under the race detector one of them, each in its turn
			ids = ids[turn : turn+1]
		}
		ids = append(ids, foreign)
		if strings.Fields(row.want)[i+1] == "403" {
			ids = append(ids, own)
		}
		random := answer(w.ask(r, at(uuid.NewString()), who, by))
		for _, id := range ids {
			got := w.ask(r, at(id), who, by)
			require.Contains(w.t, []int{403, 404}, got.Code, "%s %s as %s with %s", r.Method, r.Path, who, id)
			require.Equal(w.t, random, answer(got), "%s %s as %s with %s", r.Method, r.Path, who, id)
		}
	}
}

// answer is a whole answer without the request's own id and address.
func answer(res *httptest.ResponseRecorder) string {
	id := res.Header().Get("X-Request-Id")
	h := res.Header().Clone()
	h.Del("X-Request-Id")
	body := strings.NewReplacer(id, "", id[:13], "").Replace(res.Body.String())
	return fmt.Sprint(res.Code, h, address.ReplaceAllString(body, `"/PATH"`))
}

// address is where a page names its own path, or one that it lies below: the forms that set language and theme go there, with
// its query.
var address = regexp.MustCompile(`"/(sessions|documents|packs|bundles|downloads|views|admin|account)(/[^"]*)?"|<input type="hidden" name="(id|with)" value="[^"]*"/?>`)
