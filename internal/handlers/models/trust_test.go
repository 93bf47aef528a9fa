package models_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/webtest"
)

type trustAnswer struct {
	TrustSupported float64 `json:"trust_supported"`
	Measured       struct {
		Supported, Contradicted struct {
			Reviews, Agreed int
			Lower           *float64 `json:"lower_bound"`
			Missing         int      `json:"reviews_missing"`
		}
		Words []struct {
			Said, Settled string
			Claims        int
		}
	}
}

// TestTrustIsTakenOver: an endpoint judges 24 claims; nothing is measured before people settle 10 of them, and nothing
// is taken over but by an administrator, by the button or the API, at the revision that they saw; the log says on what.
func TestTrustIsTakenOver(t *testing.T) {
	s, ctx := webtest.NewServer(t), context.Background()
	const claims = 24
	e, id := s.JudgeByModel(claims)
	by := access.Actor{ID: "tester", Tenant: s.Tenant.ID, Role: access.Admin}
	vectors, err := s.Store.AddModelEndpoint(ctx, by, model.Endpoint{Name: "Near", Kind: model.Embeddings, URL: "https://m.example",
		Model: "bge", Parallel: 1, Timeout: time.Second}, "")
	require.NoError(t, err)
	page, api := "/admin/models/"+e.ID, "/api/v1/models/"+e.ID
	measured := func() trustAnswer { return webtest.Get[trustAnswer](t, s.Do("GET", api, ""), 200) }
	for lang, why := range map[string]string{"en": "accuracy was not known", "ar": "لم تكن معروفة"} {
		claim := s.Do("GET", "/sessions/"+id+"/claims/1", "", "Accept-Language", lang).Body.String()
		require.Contains(t, claim, why)
		require.Contains(t, claim, "J-9")
	}
	require.Contains(t, s.Do("GET", "/api/v1/sessions/"+id+"/ledger", "").Body.String(), `"weak_because":"unmeasured"`)
	shown := s.Do("GET", page, "").Body.String()
	require.Contains(t, shown, "10 more reviews are needed")
	require.NotContains(t, shown, page+"/trust", "there is nothing to take over")
	s.Review(id, 1, 10, `{"action":"override","verdict":"supported","reason":"it says so"}`)
	few := measured()
	require.Equal(t, []any{9, 9, 1}, []any{few.Measured.Supported.Reviews, few.Measured.Supported.Agreed,
		few.Measured.Supported.Missing})
	require.Nil(t, few.Measured.Supported.Lower)
	require.Equal(t, 409, s.Do("POST", api+"/trust", "").Code)
	refused := s.Post(page+"/trust", "revision=0")
	require.Equal(t, 409, refused.Code)
	require.Contains(t, refused.Body.String(), "nothing is measured yet")

	s.Review(id, 10, claims, `{"action":"override","verdict":"supported","reason":"it says so"}`)
	s.Review(id, claims, claims+1, `{"action":"confirm"}`) // as weak
	enough := measured()
	require.InDelta(t, 0.797, *enough.Measured.Supported.Lower, 0, "23 of 24")
	require.Len(t, enough.Measured.Words, 2)
	require.Zero(t, enough.TrustSupported, "nothing is set by itself")
	shown = s.Do("GET", page, "").Body.String()
	require.Contains(t, shown, "79.7%, from 24 reviews")
	require.Contains(t, shown, page+"/trust")
	require.Contains(t, s.Do("GET", "/admin/models", "").Body.String(), "79.7%, from 24 reviews")
	require.Contains(t, s.Do("GET", "/api/v1/models", "").Body.String(), `"lower_bound":0.797`)
	require.NotContains(t, s.Do("GET", "/admin/models/"+vectors.ID, "").Body.String(), "How often reviewers agreed")
	require.NotContains(t, s.Do("GET", "/api/v1/models/"+vectors.ID, "").Body.String(), "measured")

	require.Equal(t, 409, s.Post(page+"/trust", "revision=7").Code, "another revision")
	require.Equal(t, 400, s.Post(page+"/trust", "").Code)
	done := s.Post(page+"/trust", "revision=0")
	require.Equal(t, page+"?done=trust", done.Header().Get("Location"))
	require.Contains(t, s.Do("GET", page+"?done=trust", "").Body.String(), "79.7%, taken from 24 reviews")
	log := s.Do("GET", "/audit/export", "").Body.String()
	require.Contains(t, log, `"model.trust_taken"`)
	require.Contains(t, log, `"supported_reviews":24`)

	require.Equal(t, 412, s.Do("POST", api+"/trust", "", "If-Match", `"`+e.ID+`.0"`).Code)
	taken := webtest.Get[trustAnswer](t, s.Do("POST", api+"/trust", ""), 200)
	require.InDelta(t, 0.797, taken.TrustSupported, 0)
}
