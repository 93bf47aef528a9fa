package handlers_test

import (
	"context"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
	"sanad/internal/thorough"
)

// placeholder matches the name of an object in a row of the matrix.
var placeholder = regexp.MustCompile(`\{(session|document|spare|token|key|pack|draft|broken|review|decision|asked|refuse|granted|packlink|bundle|artifact)\}`)

// foreignIDs returns the ids of the other tenant's objects by placeholder.
func foreignIDs(w *webtest.World) map[string]string {
	w.T.Helper()
	ctx, session, somebody := context.Background(), w.Upload("foreign"), w.Person("foreign")
	tokens, err := w.Store.Tokens(ctx, w.Other.ID)
	require.NoError(w.T, err)
	keys, err := w.Store.Keys(ctx, w.Other.ID)
	require.NoError(w.T, err)
	logins, err := w.Store.Logins(ctx, somebody.ID)
	require.NoError(w.T, err)
	ids := map[string]string{
		"session": session.ID, "document": session.Documents[0].ID, "spare": somebody.ID, "token": tokens[0].ID,
		"key": url.QueryEscape(keys[0].ID), "login": logins[0].ID,
	}
	w.AddForeignPack(ids)
	ids["bundle"], ids["artifact"] = w.As("foreign").Bundle(webtest.ForeignBundle), "docs/far.md"
	require.Equal(w.T, 201, w.As("foreign").Do("PUT", "/api/v1/lake/docs/far.md", "far").Code)
	return ids
}

// A foreign, an unknown and a malformed id get the same answer, byte for byte. A user who may not do the action gets
// the same answer for these as for an id of their own tenant.
func TestForeignIDsAnswerAsRandomOnes(t *testing.T) {
	w := webtest.NewWorld(t)
	foreign, random, checked := foreignIDs(w), thorough.Random(t), 0
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
		checkForeign(w, random, r, found[1], id)
	}
	require.Greater(t, checked, 50)
}

// checkForeign requests a route with ids that do not belong to the user's tenant: in make thorough of every kind,
// otherwise of one that random draws, and the foreign one.
func checkForeign(w *webtest.World, random *rand.Rand, r handlers.Route, name, foreign string) {
	w.T.Helper()
	row, own := matrix[r.Method+" "+r.Path], w.Names[name]
	at := func(id string) string { return w.Fill(strings.ReplaceAll(row.path, "{"+name+"}", id)) }
	by := "cookie"
	if webtest.TakesTokens(r.Path) {
		by = "token"
	}
	for i, who := range []string{"viewer", "reviewer", "approver", "admin"} {
		odd := "%00"
		if dbtest.OnPostgres() { // which refuses a NUL where a statement writes
			odd = "%01"
		}
		ids := []string{uuid.Nil.String(), "none", odd, "a%2fb", strings.Repeat("9", 300)}
		if up := strings.ToUpper(own); up != own {
			ids = append(ids, up)
		}
		ids = append(thorough.Sample(random, ids, 1), foreign)
		if strings.Fields(row.want)[i+1] == "403" {
			ids = append(ids, own)
		}
		unknown := webtest.Answer(ask(w, r, at(uuid.NewString()), who, by))
		for _, id := range ids {
			got := ask(w, r, at(id), who, by)
			require.Contains(w.T, []int{403, 404}, got.Code, "%s %s as %s with %s", r.Method, r.Path, who, id)
			require.Equal(w.T, unknown, webtest.Answer(got), "%s %s as %s with %s", r.Method, r.Path, who, id)
		}
	}
}
