package e2e

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
)

// The two versions of the travel policy: a figure in the first sentence differs, the second sentence is the same.
const (
	travelOld = "# 3 Travel\n\nEmployees may claim up to SAR 400 per night for hotels.\n\nReceipts must be submitted within 14 days of return.\n"
	travelNew = "# 3 Travel\n\nEmployees may claim up to SAR 650 per night for hotels.\n\nReceipts must be submitted within 14 days of return.\n"
)

// travel imports an answer that is based on the older version, cites it and is supported by it; both
// claims are confirmed.
func (a *app) travel(t *testing.T) (path string) {
	t.Helper()
	in := importers.Form{Title: "Travel costs", Query: "What may I claim?",
		Files: []importers.File{{Name: "Travel_Policy.md", Data: []byte(travelOld)}}}
	in.Answer = "Employees may claim up to SAR 400 per night for hotels. Receipts must be submitted within 14 days of return."
	read, err := importers.FromForm(context.Background(), in, importers.Options{})
	require.NoError(t, err)
	cite := " [cite:" + ledger.ChunkHash(read.Session.Documents[0].Chunks[0].Text) + "]."
	in.Answer = strings.ReplaceAll(in.Answer, ".", cite)
	read, err = importers.FromForm(context.Background(), in, importers.Options{})
	require.NoError(t, err)
	path = a.importRead(t, a.actor, "", read)
	for _, claim := range []string{"/claims/1", "/claims/2"} {
		a.send(t, member{a.actor, a.cookie.Value}, path+claim+"/reviews",
			url.Values{"action": {"confirm"}, "seen": {"0"}})
	}
	return path
}

// interfere comments on a claim as another user, so that forms made before are stale.
func (a *app) interfere(t *testing.T, path string) {
	t.Helper()
	res, _ := a.do(t, http.MethodPost, path+"/claims/2/reviews",
		url.Values{"action": {"comment"}, "reason": {"I was faster."}, "seen": {"1"}}.Encode())
	require.Equal(t, http.StatusOK, res.StatusCode)
}

// TestWithdrawADocument withdraws a document. The form keeps its input if something is missing or if the session has
// changed meanwhile. Afterwards citations of the document no longer resolve, reviews based on it must be looked at
// again, and judging the session again shows what changed.
func TestWithdrawADocument(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		a := startApp(t)
		path := a.travel(t)
		b := open(t, a)
		if !scripts {
			b.withoutScripts()
		}
		b.visit(path + "/claims/1")
		require.Contains(t, b.text(".cites"), "resolves to")
		document := documentOf(t, a, path+"/claims/1")
		b.visit(document)
		b.click(`details:has(#w-r) summary`)
		b.submit(`main form[action$="/withdraw"] button`)
		require.NotEmpty(t, b.text("#w-r-e"))
		b.do(chromedp.SendKeys(chromedp.ID("w-r"), "مسودة لم تُعتمد"))
		a.interfere(t, path)
		b.submit(`main form[action$="/withdraw"] button`)
		require.Contains(t, b.text(".alert-warn[role=alert]"), "The session has changed in the meantime")
		require.Equal(t, "مسودة لم تُعتمد", eval[string](b, `document.getElementById("w-r").value`))
		b.submit(`main form[action$="/withdraw"] button`)
		require.Contains(t, b.text(".alert-warn[role=note]"), "مسودة لم تُعتمد")
		require.Equal(t, 0, eval[int](b, `document.querySelectorAll("#w-r, #v-r").length`))

		b.visit(path)
		require.Contains(t, b.text("#summary"), "2 reviews to check again")
		require.Contains(t, b.text("#claim-1 .stale"), "Look again")
		require.Contains(t, b.text("#progress"), "0 of 2 claims settled")
		b.visit(path + "/claims/1")
		require.Contains(t, b.text(".cites .cite-broken"), "deleted or unavailable")
		require.Contains(t, b.text(".claim-view"), "The document that this rests on was withdrawn:")
		require.Contains(t, b.text(".timeline .stale"), "Based on an earlier judgement")

		b.visit(path)
		b.judgeAgain()
		require.Equal(t, path+"/runs/2", b.path())
		require.Contains(t, b.text(".figures"), "2 verdicts changed")
		require.Contains(t, b.text("table.changes tr.row"), "was Supported")
		require.Contains(t, b.text("table.changes tr.row .badge"), "Not found")
		b.visit(path + "?stale=1")
		require.Equal(t, 2, eval[int](b, `document.querySelectorAll("tr.row").length`))
		b.decide(path+"/claims/1", "confirm", "", "It is not there any more.")
		b.visit(path + "?stale=1")
		require.Equal(t, []string{"claim-2"},
			eval[[]string](b, `[...document.querySelectorAll("tr.row")].map(r => r.id)`),
			"who looked again has settled it")
		b.visit(path + "/runs/1")
		require.Contains(t, b.text("main"), "This is the first run")
		b.submit(`a[rel=next]`)
		require.Equal(t, path+"/runs/2", b.path())
	})
}

// TestReplaceADocument replaces a document by a newer version. The older one links to it, and judging again shows which
// verdict flipped, because of which evidence, and which reviews became stale.
func TestReplaceADocument(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		a := startApp(t)
		path := a.travel(t)
		newer := filepath.Join(t.TempDir(), "Travel_Policy_2026.md")
		require.NoError(t, os.WriteFile(newer, []byte(travelNew), 0o600))
		b := open(t, a)
		if !scripts {
			b.withoutScripts()
		}
		document := documentOf(t, a, path+"/claims/1")
		b.visit(document)
		b.click(`details:has(#v-r) summary`)
		b.do(chromedp.SendKeys(chromedp.ID("v-r"), "Rates of 2026."))
		// like a browser that validates nothing
		eval[bool](b, `document.getElementById("v-r").form.noValidate = true`)
		b.submit(`main form[action$="/replace"] button:not([data-upload-stop])`)
		require.NotEmpty(t, b.text("#v-f-e"))
		require.Equal(t, "Rates of 2026.", eval[string](b, `document.getElementById("v-r").value`))
		a.interfere(t, path)
		b.do(chromedp.SetUploadFiles(chromedp.ID("v-f"), []string{newer}))
		b.submit(`main form[action$="/replace"] button:not([data-upload-stop])`)
		require.Contains(t, b.text(".alert-warn[role=alert]"), "The session has changed in the meantime")
		require.Equal(t, "Rates of 2026.", eval[string](b, `document.getElementById("v-r").value`))
		b.do(chromedp.SetUploadFiles(chromedp.ID("v-f"), []string{newer}))
		b.submit(`main form[action$="/replace"] button:not([data-upload-stop])`)
		require.Contains(t, b.text("h1"), "Travel_Policy_2026.md")
		require.Contains(t, b.text("main"), "This is the newer version of Travel_Policy.md")
		require.Contains(t, b.text(".sheets"), "SAR 650")
		b.visit(document)
		require.Contains(t, b.text(".alert-warn[role=note]"), "Its newer version: Travel_Policy_2026.md")
		require.Contains(t, b.text(".alert-warn[role=note]"), "Rates of 2026.")

		b.visit(path)
		b.judgeAgain()
		require.Contains(t, b.text(".figures"), "1 verdict changed")
		rows := eval[[]string](b, `[...document.querySelectorAll("table.changes tr.row")].map(r => r.innerText.replace(/\s+/g, " "))`)
		require.Len(t, rows, 2)
		require.Contains(t, rows[0], "was Supported")
		require.Contains(t, rows[0], "Contradicted")
		require.Contains(t, rows[0], "Travel_Policy_2026.md")
		require.NotContains(t, rows[1], "was Supported", "the same sentence stands in the newer version")
		b.submit("table.changes .stances a")
		require.Contains(t, b.text("h1"), "Travel_Policy_2026.md")
		require.Contains(t, b.text(".is-current"), "SAR 650")
	})
}

// TestJudgeAgain checks that judging again shows what changed, and that reviews of claims judged differently are kept,
// marked and linked to.
func TestJudgeAgain(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, scripts bool) {
		a := startApp(t)
		path := a.session("leave-policy.json") // its matches were imported, and our judge differs on some
		for _, claim := range []string{"/claims/1", "/claims/2", "/claims/3", "/claims/4"} {
			a.send(t, member{a.actor, a.cookie.Value}, path+claim+"/reviews",
				url.Values{"action": {"confirm"}, "seen": {"0"}})
		}
		b := open(t, a)
		if !scripts {
			b.withoutScripts()
		}
		b.visit(path)
		require.Equal(t, "Reviewed", b.state())
		b.judgeAgain()
		require.Equal(t, path+"/runs/2", b.path())
		changed := eval[int](b, `document.querySelectorAll("table.changes tr.row").length`)
		require.Positive(t, changed)
		b.submit(`.alert-warn a[href*="stale=1"]`)
		stale := eval[int](b, `document.querySelectorAll("tr.row").length`)
		require.Positive(t, stale)
		require.LessOrEqual(t, stale, changed)
		require.Equal(t, stale, eval[int](b, `document.querySelectorAll("tr.row .stale").length`))
		require.Equal(t, "In review", b.state(), "it is open again")
		b.visit(path + "?tab=sources")
		b.submit(".about a")
		require.Equal(t, path+"/runs/2", b.path())
	})
}

// TestADocumentFormWithoutServer submits forms about a document while the server is down: the page stays,
// with its input.
func TestADocumentFormWithoutServer(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	document := documentOf(t, a, a.session("leave-policy.json")+"/claims/1")
	address, _, _ := strings.Cut(document, "#")
	b.visit(address)
	b.click(`details:has(#w-r) summary`)
	b.do(chromedp.SendKeys(chromedp.ID("w-r"), "A draft."))
	a.down.Store(true)
	b.click(`main form[action$="/withdraw"] button`)
	b.until(`document.querySelector("#toasts[role=status]").innerText.includes("The server cannot be reached")`)
	require.Equal(t, "A draft.", eval[string](b, `document.getElementById("w-r").value`))
	a.down.Store(false)
	b.submit(`main form[action$="/withdraw"] button`)
	require.Contains(t, b.text(".alert-warn[role=note]"), "A draft.")
}
