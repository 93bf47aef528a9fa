package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	sanadapp "sanad/internal/app"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
)

// mixed is an answer in two languages over an Arabic source. The second claim repeats the source word for word, so that
// nobody needs to be asked about it.
const mixed = `{"format":"sanad.session/v1","session":{"title":"Leave in two languages",
 "answer":"Everybody on the payroll gets fifteen days off each year. يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية."},
 "documents":[{"id":"ar","filename":"HR.pdf","text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية. تُطلب الإجازة قبل أسبوعين."}],
 "claims":[{"claim_id":"c1","claim_text":"Everybody on the payroll gets fifteen days off each year."},
  {"claim_id":"c2","claim_text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية.","importance":"minor"}]}`

// TestMixedLanguagesGoToTheModel goes the whole way in a browser: an administrator adds an endpoint; an English claim
// over an Arabic source, which the embedded judge leaves unjudged, is put to it, and the claim beside it is not; what
// the model says stands beside the words of the Arabic source.
func TestMixedLanguagesGoToTheModel(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	played := llmtest.Serve(t)
	session := a.importAs(t, a.actor, "", mixed)
	defer a.work()()

	b := open(t, a)
	b.visit(session + "?claim=1")
	require.Contains(t, b.text("main"), "different languages")
	b.visit("/admin/models")
	for name, value := range map[string]string{
		"name": "Gateway", "url": played.URL + "/v1", "model": "qwen3-32b", "key": "sk-played", "parallel": "1",
	} {
		eval[string](b, `document.querySelector("form [name=`+name+`]").value = `+strconv.Quote(value))
	}
	b.click(".side-form .btn-primary")
	b.until(`document.querySelector("main").innerText.includes("qwen3-32b")`)
	require.NotContains(t, eval[string](b, "document.documentElement.outerHTML"), "sk-played")

	b.visit(session + "/judge")
	eval[string](b, `(() => { const s = document.querySelector("#j-judge"); return s.value = s.options[1].value; })()`)
	b.click("main form[method=get] .btn")
	b.until(`document.querySelector("#start h2").innerText.includes("Gateway")`)
	require.Contains(t, b.text("#start"), "1 of 2")
	b.click("#start .btn-primary")
	b.until(`location.pathname.startsWith("/jobs/")`)
	id := strings.TrimPrefix(eval[string](b, "location.pathname"), "/jobs/")
	a.awaitJobs(t, id)
	b.until(`document.querySelector("main").innerText.includes("The session is ready")`) // the page no longer reloads itself
	require.Equal(t, map[string]int{"Everybody on the payroll gets fifteen days off each year.": 1}, played.Answered())
	require.Equal(t, []string{"Bearer sk-played"}, played.Keys())

	b.visit(session + "?claim=1")
	require.Contains(t, b.text("main"), "Model says: supported")
	require.Contains(t, b.text("main"), "خمسة عشر يوماً من الإجازة السنوية")
	require.NotContains(t, b.text("main"), "cannot compare")
	require.Contains(t, b.text("main"), "qwen3-32b")
	b.visit(session + "?claim=2")
	require.Regexp(t, `Embedded judge, words only v\d+`, b.text("main"), "which decided this one")
	b.visit(session + "/runs/2")
	require.Contains(t, b.text("main"), "Questions to the model: 1")
	b.visit(session + "?claim=1&lang=ar")
	require.Contains(t, b.text("main"), "يقول النموذج")
}

// judgedByModel is a session of twelve English claims over an Arabic source that a played model was asked about, with a
// second opinion by the embedded judge and reviews of people, so that the pages about models have figures to show.
func (a *app) judgedByModel(t *testing.T, played *llmtest.Endpoint) (session string, e model.Endpoint) {
	t.Helper()
	ctx := context.Background()
	claims := make([]string, 12)
	for i := range claims {
		claims[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employees of grade %d get fifteen days of leave."}`, i, i)
	}
	session = a.importAs(t, a.actor, "", `{"format":"sanad.session/v1","session":{"external_id":"hr","title":"Leave by grade",
	 "answer":"Employees of all grades get fifteen days of leave.","provider":"a-provider-with-a-long-name","model":"qwen3-235b-a22b-instruct-2507"},
	 "documents":[{"id":"hr","filename":"HR.pdf","text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية. تُطلب الإجازة قبل أسبوعين."}],
	 "claims":[`+strings.Join(claims, ",")+`]}`)
	e, err := a.store.AddModelEndpoint(ctx, a.actor, model.Endpoint{Name: "نموذج الجهة", Kind: model.OpenAI,
		URL: played.URL + "/v1", Model: "qwen3-32b", Price: model.Price{In: 2_500_000, Out: 10_000_000},
		Day: model.Budget{Tokens: 5_000_000, Cost: 20_000_000}, Parallel: 1, Timeout: model.DefaultTimeout, Redact: true}, "secret")
	require.NoError(t, err)
	played.Say = func(q llmtest.Question) string {
		if strings.Contains(q.Claim, "grade 1") { // 1, 10 and 11
			return q.First("contradicted")
		}
		return q.First("supported")
	}
	loaded, err := a.store.Session(ctx, a.actor.Tenant, strings.TrimPrefix(session, "/sessions/"))
	require.NoError(t, err)
	job, _, err := sanadapp.QueueRejudge(ctx, a.store, a.actor, loaded, sanadapp.RejudgeInput{Judge: e.ID, Scope: "rest"}, nil)
	require.NoError(t, err)
	stop := a.work()
	a.awaitJobs(t, job.ID)
	stop()
	for i := range claims {
		res, body := a.do(t, http.MethodPost, session+"/claims/"+strconv.Itoa(i+1)+"/reviews",
			url.Values{"action": {"override"}, "verdict": {"supported"}, "reason": {"The policy says so."}, "seen": {"0"}}.Encode())
		require.Less(t, res.StatusCode, http.StatusBadRequest, "%.2000s", body)
	}
	return session, e
}

// modelShots are the pages about judges and models.
func modelShots(t *testing.T) (*app, []shot) {
	a, played := startApp(t), llmtest.Serve(t)
	session, e := a.judgedByModel(t, played)
	var out []shot
	for _, p := range [][2]string{
		{"models", "/admin/models"}, {"model", "/admin/models/" + e.ID}, {"models-reviewed", "/dashboard/models?days=365"},
		{"judge", session + "/judge"}, {"judge-estimate", session + "/judge?scope=every&judge=" + e.ID},
		{"opinions", session + "/opinions"}, {"model-run", session + "/runs/2"}, {"claim-by-model", session + "?claim=2"},
	} {
		out = append(out, shot{name: p[0], cookie: a.cookie.Value, path: p[1], act: samePort})
	}
	return a, out
}

// samePort shows the address of the played endpoint with the same port in every run.
const samePort = `for (const n of document.querySelectorAll("main *")) {
	if (n.value?.includes?.("127.0.0.1:")) n.value = n.value.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:8000");
	for (const c of n.childNodes) {
		if (c.nodeType === 3) c.data = c.data.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:8000");
	}
}`

// TestModelPagesAreAccessible checks the pages about judges and models in both languages and themes, wide and narrow:
// axe-core finds nothing, nothing scrolls sideways.
func TestModelPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a, shots := modelShots(t)
	b := open(t, a)
	for _, s := range shots {
		for _, l := range looks(t) {
			b.shot(s, l)
			b.accessible(l.name(s.name))
		}
	}
}
