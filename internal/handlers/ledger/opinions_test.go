package ledger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

type raterAnswer struct{ Judge, Version, Model *string }

// TestSecondOpinion judges given verdicts again by the embedded judge: the page and the API set both side by side and
// mark where they differ.
func TestSecondOpinion(t *testing.T) {
	w := webtest.NewWorld(t)
	admin := w.As("admin")
	id := admin.Create(webtest.WrongMatches).SessionID
	path := "/api/v1/sessions/" + id
	webtest.Get[any](t, admin.Do("POST", path+"/judge", `{"judge":"lexical"}`, "If-Match", "*"), 200)

	type answer struct {
		Claims []struct {
			Number   int
			Text     string `json:"claim_text"`
			Differ   bool
			Opinions []struct {
				raterAnswer

				Verdict string
			}
		}
		Next *string
	}
	all := webtest.Get[answer](t, admin.Do("GET", path+"/opinions", ""), 200)
	require.NotEmpty(t, all.Claims)
	first := all.Claims[0]
	require.True(t, first.Differ)
	require.Len(t, first.Opinions, 2)
	require.Equal(t, []string{"given", "contradicted"}, []string{*first.Opinions[0].Judge, first.Opinions[0].Verdict})
	require.Equal(t, []string{"lexical", "supported"}, []string{*first.Opinions[1].Judge, first.Opinions[1].Verdict})
	require.Nil(t, first.Opinions[0].Version)
	require.NotNil(t, first.Opinions[1].Version)
	differ := webtest.Get[answer](t, admin.Do("GET", path+"/opinions?differ=true", ""), 200)
	for _, c := range differ.Claims {
		require.True(t, c.Differ)
	}
	require.Equal(t, 400, admin.Do("GET", path+"/opinions?differ=perhaps", "").Code)

	agreed := webtest.Get[struct {
		Runs, Differing int
		Pairs           []struct {
			First, Second raterAnswer
			All           struct {
				Both, Same int
				Kappa      *float64
				Low        float64 `json:"agreement_low"`
				High       float64 `json:"agreement_high"`
			}
		}
	}](t, admin.Do("GET", path+"/agreement", ""), 200)
	require.Equal(t, []int{2, len(differ.Claims), 1}, []int{agreed.Runs, agreed.Differing, len(agreed.Pairs)})
	pair := agreed.Pairs[0]
	require.Equal(t, pair.All.Both-pair.All.Same, agreed.Differing)
	require.Nil(t, pair.All.Kappa, "of so few")
	require.Less(t, pair.All.Low, pair.All.High)

	for lang, words := range map[string]string{"en": "Verdicts differ", "ar": "اختلفت الأحكام"} {
		res := admin.Do("GET", "/sessions/"+id+"/opinions?differ=1&lang="+lang, "")
		require.Equal(t, 200, res.Code)
		require.Contains(t, res.Body.String(), words)
		require.NotContains(t, res.Body.String(), "op_")
	}
	require.Contains(t, admin.Do("GET", "/sessions/"+id+"?tab=sources", "").Body.String(), "/sessions/"+id+"/opinions")
	require.Equal(t, 404, admin.Do("GET", "/sessions/"+strings.Repeat("0", 8)+"/opinions", "").Code)
}

// TestMissingOpinions says which opinion is missing, and leads to where it is given whoever may.
func TestMissingOpinions(t *testing.T) {
	w := webtest.NewWorld(t)
	admin := w.As("admin")
	id := admin.Create(webtest.WrongMatches).SessionID
	page := func(who, query string) string {
		return w.As(who).Do("GET", "/sessions/"+id+"/opinions"+query, "").Body.String()
	}
	one := page("admin", "")
	require.Contains(t, one, "has judged this session, and no review of a claim is settled")
	require.Contains(t, one, `href="/sessions/`+id+`/judge"`)
	require.Contains(t, one, "Review its claims")
	require.Contains(t, page("admin", "?lang=ar"), "والرأي الثاني يحتاج إلى مُحكِّم آخر")
	require.NotContains(t, page("viewer", ""), "/sessions/"+id+"/judge")

	path := "/api/v1/sessions/" + id
	require.Equal(t, 201, admin.Do("POST", path+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	require.Contains(t, page("admin", ""), "Only one judge has judged this session")
	webtest.Get[any](t, admin.Do("POST", path+"/judge", `{"judge":"lexical"}`, "If-Match", "*"), 200)
	two := page("admin", "")
	require.NotContains(t, two, "Only one judge")
	require.NotContains(t, two, "/sessions/"+id+"/judge")
}
