package e2e

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	sanadapp "sanad/internal/app"
	"sanad/internal/domain/model"
	"sanad/internal/importers"
	"sanad/internal/llm/llmtest"
)

// mixed is an answer in two languages over an Arabic source. The second claim repeats the source word for word, so that
// nobody needs to be asked about it.
const mixed = `{"format":"sanad.session/v1","session":{"title":"Leave in two languages",
 "answer":"Employees get fifteen days of annual leave. يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية."},
 "documents":[{"id":"ar","filename":"HR.pdf","text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية. تُطلب الإجازة قبل أسبوعين."}],
 "claims":[{"claim_id":"c1","claim_text":"Employees get fifteen days of annual leave."},
  {"claim_id":"c2","claim_text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية.","importance":"minor"}]}`

// TestMixedLanguagesGoToTheModel goes the whole way in a browser: an administrator adds an endpoint; an English claim over
// an Arabic source, which the embedded judge leaves unjudged, is put to it, and the claim beside it is not; what the model
// says stands beside the words of the Arabic source.
func TestMixedLanguagesGoToTheModel(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	played := llmtest.Serve(t)
	read, err := importers.Read([]byte(mixed), importers.Options{})
	require.NoError(t, err)
	taken, err := sanadapp.Importer{Store: a.store, Actor: a.actor, Now: today, NewID: a.newID}.Import(context.Background(), read, nil)
	require.NoError(t, err)
	session := "/sessions/" + taken.SessionID
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
	b.until(`document.querySelector("main").innerText.includes("The ledger is ready")`) // it does not load itself anew any more
	require.Equal(t, map[string]int{"Employees get fifteen days of annual leave.": 1}, played.Answered())
	require.Equal(t, []string{"Bearer sk-played"}, played.Keys())

	b.visit(session + "?claim=1")
	require.Contains(t, b.text("main"), "Model says: supported")
	require.Contains(t, b.text("main"), "خمسة عشر يوماً من الإجازة السنوية")
	require.NotContains(t, b.text("main"), "cannot compare")
	require.Contains(t, b.text("main"), "qwen3-32b")
	b.visit(session + "?claim=2")
	require.Regexp(t, `Lexical judge v\d+`, b.text("main"), "which decided this one")
	b.visit(session + "/runs/2")
	require.Contains(t, b.text("main"), "Questions to the model: 1")
	b.visit(session + "?claim=1&lang=ar")
	require.Contains(t, b.text("main"), "يقول النموذج")
}

// TestModelPagesAreAccessible checks the pages about judges and models, of which there are no pictures, in both languages
// and themes, wide and narrow: axe-core finds nothing, nothing scrolls sideways.
func TestModelPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	e, err := a.store.AddModelEndpoint(context.Background(), a.actor, model.Endpoint{Name: "نموذج الجهة", Kind: model.OpenAI,
		URL: "https://models.example/v1", Model: "qwen3-32b", Price: model.Price{In: 2_500_000, Out: 10_000_000},
		Day: model.Budget{Tokens: 5_000_000, Cost: 20_000_000}, Parallel: 8, Timeout: model.DefaultTimeout, Redact: true}, "secret")
	require.NoError(t, err)
	b := open(t, a)
	for name, path := range map[string]string{
		"opinions": a.session("vendor-review.json") + "/opinions", "models-reviewed": "/dashboard/models?days=365",
		"judge": a.session("vendor-review.json") + "/judge", "judge-estimate": a.session("vendor-review.json") + "/judge?judge=" + e.ID,
		"models": "/admin/models", "model": "/admin/models/" + e.ID,
	} {
		for _, l := range looks() {
			b.look(path, l)
			b.accessible(l.name(name))
		}
	}
}
