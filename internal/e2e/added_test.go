package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// take imports a file with the test's name as its title, and returns the path of its session.
func (a *app) take(t *testing.T, file string) string {
	t.Helper()
	file = strings.Replace(file, `"session":{`, fmt.Sprintf(`"session":{"title":%q,`, t.Name()), 1)
	return a.importAs(t, a.actor, "", file)
}

// openBoth opens a browser with or without JavaScript.
func openBoth(t *testing.T, a *app, scripts bool) *tab {
	t.Helper()
	b := open(t, a)
	if !scripts {
		b.withoutScripts()
	}
	return b
}

// inspect checks that the page is accessible and takes its picture. axe-core needs JavaScript, without which the page
// is the same.
func (b *tab) inspect(name string, scripts bool) {
	b.t.Helper()
	if scripts {
		b.accessible(name)
		b.picture(name)
	}
}

const canteen = `{"format":"sanad.session/v1","session":{"answer":"Leave."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"All permanent employees receive 15 days of paid annual leave.\n\nTravel is booked by the office."}],
 "claims":[{"claim_text":"All permanent employees receive 15 days of paid annual leave"},
  {"claim_text":"The canteen opens at 11:30 on working days"},
  {"claim_text":"Visitors must wear a badge in the building"}]}`

// TestDocumentIsAdded: the button below the recommended actions takes a document, only the claim that it bears on is
// judged again, and every review is kept.
func TestDocumentIsAdded(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	bothWays(t, func(t *testing.T, scripts bool) {
		path := a.take(t, canteen)
		file := filepath.Join(t.TempDir(), "Canteen.txt")
		require.NoError(t, os.WriteFile(file, []byte("The canteen opens at 11:30 on working days."), 0o600))
		b := openBoth(t, a, scripts)
		for _, n := range []string{"1", "2", "3"} {
			b.decide(path+"/claims/"+n, "confirm", "", "Read.")
		}
		b.visit(path)
		require.Contains(t, b.text("#claim-2 .badge"), "Not found")
		b.visit(path + "?tab=report")
		require.Contains(t, b.text("#outlook"), "Which document covers claims 2 and 3?")
		b.submit(`#outlook a.btn[href$="/documents"]`)
		require.Contains(t, b.text("main"), "2 claims will be judged again.")
		b.inspect("add-documents", scripts)
		b.click(`main form .btn-primary`) // without a file
		b.until(`document.querySelector("#a-d[aria-invalid=true]")`)
		require.Contains(t, b.text("#a-d-e"), "choose at least one")
		b.choose("#a-d", file)
		b.click(`main form .btn-primary`)
		b.until(`location.pathname == "` + path + `/runs/2" && document.readyState == "complete"`)
		require.Contains(t, b.text("main"), "judged only the claims whose result")
		require.Equal(t, 1, eval[int](b, `document.querySelectorAll("table.changes tbody tr").length`))
		require.Contains(t, b.text("table.changes"), "canteen")
		b.inspect("added", scripts)

		require.Contains(t, b.text("table.changes"), "Supported")
		b.submit(`main .alert-warn a`) // to the reviews to check again
		require.Equal(t, []string{"claim-2"},
			eval[[]string](b, `[...document.querySelectorAll("tr.row")].map(r => r.id)`))
		b.visit(path)
		require.Contains(t, b.text("#claim-2 .badge"), "Not found", "what a person confirmed stays until they look again")
		b.visit(path + "?tab=sources")
		require.Contains(t, b.text(".source-list"), "Canteen.txt")
		for _, n := range []string{"1", "2", "3"} {
			b.visit(path + "/claims/" + n)
			require.Contains(t, b.text(".timeline"), "Read.", "the review of claim %s is kept", n)
		}
		b.decide(path+"/claims/2", "override", "supported", "The new document says so.")
		b.visit(path)
		require.Contains(t, b.text("#claim-2 .badge"), "Supported")
	})
}

const leaveAnswer = `{"format":"sanad.session/v1","session":{"query":"How long?",
 "answer":"All permanent employees receive 15 days of paid annual leave. Visitors wear a badge in the building."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"All permanent employees receive 15 days of paid annual leave.\n\nVisitors wear a badge in the building.\n\nInterns receive 5 days of unpaid leave."}]}`

// TestAnswerIsRevised: a new version of the answer keeps the reviews of unchanged claims, judges the others and marks
// them, and both versions are compared.
func TestAnswerIsRevised(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	bothWays(t, func(t *testing.T, scripts bool) {
		path := a.take(t, leaveAnswer)
		b := openBoth(t, a, scripts)
		b.decide(path+"/claims/1", "confirm", "", "Page 1.")
		b.decide(path+"/claims/2", "confirm", "", "Page 2.")
		b.visit(path)
		b.submit(`a[href$="/answers/new"]`)
		require.Contains(t, eval[string](b, `document.getElementById("v-a").value`), "Visitors wear a badge")
		b.submit(`main form .btn-primary`) // as it is
		require.Equal(t, "true", eval[string](b, `document.getElementById("v-a").getAttribute("aria-invalid")`))
		b.inspect("revise-refused", scripts)
		b.do(chromedp.SetValue(chromedp.ID("v-a"), "Interns receive 5 days of unpaid leave. All permanent employees "+
			"receive 15 days of paid annual leave. Visitors wear a red badge in the building."))
		b.submit(`main form .btn-primary`)
		require.Regexp(t, `^/sessions/[0-9a-f-]{36}/answers$`, b.path())
		for _, words := range []string{"1 claim unchanged", "1 reworded", "1 new", "0 removed"} {
			require.Contains(t, b.text("main .figures"), words)
		}
		require.Contains(t, b.text("table.changes"), "Visitors wear a red badge")
		b.inspect("answers", scripts)

		newest := strings.TrimSuffix(b.path(), "/answers")
		b.visit(newest)
		require.Contains(t, b.text("#claim-1"), "new in version 2")
		require.Contains(t, b.text("#claim-2 .was"), "Confirmed", "its review is kept")
		require.Contains(t, b.text("#claim-3"), "new in version 2")
		require.NotContains(t, b.text("#claim-2"), "new in version 2")
		b.visit(newest + "/answers?lang=ar")
		b.inspect("answers-ar", scripts)
		b.visit(path + "?lang=en")
		require.Contains(t, b.text("main"), "Visitors wear a badge in the building", "the older version stays")
	})
}
