package handlers_test

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// The check finds answers that differ from the description.
func TestAnswersAreCheckedAgainstDescription(t *testing.T) {
	d := webtest.Described()
	r := webtest.Request("GET", "/api/v1/sessions", "")
	answer := func(status int, body string, headers ...string) error {
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.WriteString(body)
		return d.Fault(r, nil, w)
	}
	require.NoError(t, answer(200, `{"sessions":[],"next":null}`))
	require.ErrorContains(t, answer(200, `{"sessions":[]}`), "next")
	require.ErrorContains(t, answer(200, `{"sessions":null,"next":null}`), "sessions")
	require.ErrorContains(t, answer(200, `{"sessions":[],"next":null,"more":1}`), "more")
	require.ErrorContains(t, answer(200, `{"sessions":[],"next":null}`, "ETag", `"x"`), "ETag")
	require.ErrorContains(t, answer(418, `{}`), "418")
	require.ErrorContains(t, answer(200, ``), "a body of 0 bytes")
	r = webtest.Request("POST", "/api/v1/packs", `{"decision":"x"}`)
	require.ErrorContains(t, d.CheckSent(d.Find(r), r, []byte(`{"decision":"x"}`)), "decision_id")
}
