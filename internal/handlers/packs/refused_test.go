package packs_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
	"sanad/internal/words"
)

// fieldsOf lists the paths of a decision's fields: those of its head, whole lists, and those of the first item of each.
func fieldsOf(d map[string]any) (paths []string) {
	for _, name := range slices.Sorted(maps.Keys(d)) {
		paths = append(paths, name)
		if list, ok := d[name].([]any); ok {
			for _, field := range slices.Sorted(maps.Keys(list[0].(map[string]any))) {
				paths = append(paths, name+"[0]."+field)
			}
		}
	}
	return paths
}

// without returns a decision's JSON without one field, and the value that the field had.
func without(t *testing.T, whole, path string) (data string, was any) {
	t.Helper()
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(whole), &d))
	at := d
	if list, field, ok := strings.Cut(path, "[0]."); ok {
		at, path = d[list].([]any)[0].(map[string]any), field
	}
	was = at[path]
	delete(at, path)
	out, err := json.Marshal(d)
	require.NoError(t, err)
	return string(out), was
}

// Nothing refused at import is a dead end: a decision that lacks any one field is taken, or refused with a form that
// takes what is missing; its pack is mended, and submitted in the end.
func TestADecisionThatLacksAnyFieldGetsAPack(t *testing.T) {
	s := webtest.NewServer(t)
	memo := s.Draft("dec_whole", "A2").Memo
	var whole map[string]any
	require.NoError(t, json.Unmarshal([]byte(webtest.DecisionOf("x", "A2")), &whole))
	refused := 0
	for i, path := range fieldsOf(whole) {
		t.Run(path, func(t *testing.T) {
			id := fmt.Sprintf("dec_%d", i)
			body, was := without(t, webtest.DecisionOf(id, "A2"), path)
			w := s.As("reviewer").Post("/packs/new", webtest.Form("json", body))
			if w.Code == 422 {
				refused++
				require.Contains(t, w.Body.String(), `name="at.`+path+`"`, "the page says which field")
				require.Contains(t, html.UnescapeString(w.Body.String()), body, "what was sent is kept")
				api := webtest.Get[problems](t, s.As("reviewer").Do("POST", "/api/v1/decisions", body), 422)
				require.Equal(t, path, api.Errors[0].Path)
				require.NotEmpty(t, api.Errors[0].DetailAR)
				w = s.As("reviewer").Post("/packs/new", webtest.Form("json", body, "at."+path, fmt.Sprint(was)))
			}
			require.Equal(t, 303, w.Code, w.Body.String())
			if path == "decision_id" {
				id = fmt.Sprint(was)
			}
			require.Equal(t, "/packs/new?decision="+url.QueryEscape(id), w.Header().Get("Location"))
			p := s.API("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
			change, err := json.Marshal(map[string]any{"sources": whole["evidence"], "tool_calls": whole["tool_calls"],
				"statement": whole["statement"], "statement_ar": whole["statement_ar"], "memo": memo})
			require.NoError(t, err)
			p = s.API("reviewer", "PATCH", "/packs/"+p.PackID, string(change), "If-Match", p.Etag())(200)
			p = s.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
			require.Equal(t, "in_review", p.Status)
		})
	}
	require.Greater(t, refused, 8, "the fields of the head that are required")
}

// What is wrong with a pasted decision is said in the reader's language; nothing of it is stored.
func TestRefusedDecisionPage(t *testing.T) {
	s := webtest.NewServer(t)
	body, _ := without(t, webtest.DecisionOf("dec_1", "A2"), "approval_class")
	w := s.As("reviewer").Post("/packs/new?lang=ar", webtest.Form("json", body))
	require.Equal(t, 422, w.Code)
	page := html.UnescapeString(w.Body.String())
	require.Contains(t, page, words.In("ar").Text("pk_decision_refused"))
	require.Contains(t, page, `<option value="A2"`)
	require.NotContains(t, page, "Choose one of")
	for _, bad := range []string{"", "{", "[]", `{"decision_id":"a","decision_id":"b"}`, `{"format":"x"}`} {
		require.Equal(t, 422, s.As("reviewer").Post("/packs/new", webtest.Form("json", bad)).Code, bad)
	}
	require.Equal(t, 422, s.As("reviewer").Post("/packs/new", webtest.Form("json", body, "at.evidence[9].source", "x")).Code)
	require.Equal(t, 404, s.As("reviewer").Do("GET", "/api/v1/decisions/dec_1", "").Code)
	s.AddDecision("dec_1", "A2")
	w = s.As("reviewer").Post("/packs/new", webtest.Form("json", webtest.DecisionOf("dec_1", "A3")))
	require.Equal(t, 409, w.Code, "a decision never changes")
}
