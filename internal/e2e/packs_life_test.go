package e2e

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
)

// TestLifeOfAPack is the whole life cycle of a pack, with five people: drafted, submitted, returned, a new version,
// approved twice, requested, granted, downloaded, and verified from the copy alone.
func TestLifeOfAPack(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	dbtest.AllowUnchecked(t, o.store, o.tenant.ID) // the decision has no ledger
	b := open(t, o.app)
	first := draftIt(b, o)
	returnIt(b, o, first)
	second := reviseIt(b, o, first)
	approveIt(b, o, second)
	data := takeIt(b, o, second)
	checkCopy(t, o, data)

	b.as(o, "maryam")
	b.visit("/packs/" + second)
	require.Contains(t, b.text(".stamp"), "Signed off")
	require.Contains(t, b.text(".seal-verdict"), "Everything is valid")
	require.Equal(t, len(pack.Checks), eval[int](b, `document.querySelectorAll(".seal-checks .v-supported").length`))
	require.Contains(t, b.text("#sec-trail"), "exported")
	b.visit("/packs/" + first)
	require.Contains(t, b.text(".stamp"), "Superseded")
}

// draftIt creates the missing pack, fixes a rule that was broken on the way, and submits it.
func draftIt(b *tab, o *bureau) (id string) {
	b.as(o, "yousef")
	b.visit("/")
	require.Contains(b.t, b.text(".missing-packs"), "tender 2026-90417")
	b.submit(".missing-packs .btn")
	b.submit(`main form[action="/packs"] .btn-primary`)
	id = strings.Split(strings.TrimPrefix(b.path(), "/packs/"), "/")[0]
	require.True(b.t, pack.CheckID(id), b.path())

	was := b.text("#f-executive_summary_en-w")
	b.do(chromedp.SendKeys(chromedp.ID("f-executive_summary_en"), " Three more words [E1]."))
	// words are counted while typing
	b.until(`document.getElementById("f-executive_summary_en-w").textContent != "` + was + `"`)
	eval[bool](b, `(document.getElementById("f-title_ar").value = "", true)`)
	b.submit(`button[formaction$="/submit"]`)
	require.Equal(b.t, "/packs/"+id+"/submit", b.path())
	require.Contains(b.t, b.text("#faults"), "Rule 11")
	b.accessible("draft refused")
	require.Contains(b.t, eval[string](b, `document.getElementById("f-executive_summary_en").value`),
		"Three more words")
	b.click(`#faults a[href="#f-title_ar"]`)
	b.until(`location.hash == "#f-title_ar"`)
	require.Equal(b.t, "true", eval[string](b, `document.getElementById("f-title_ar").getAttribute("aria-invalid")`))
	b.do(chromedp.SendKeys(chromedp.ID("f-title_ar"), "تقديم العطاء"))
	b.submit(`button[formaction$="/submit"]`)
	require.Equal(b.t, "/packs/"+id, b.path())
	require.Contains(b.t, b.text(".stamp"), "In review")
	require.Contains(b.t, b.text(".stamp"), "Unresolved")
	require.Equal(b.t, 0, eval[int](b, `document.querySelectorAll("#decide").length`),
		"who drafts as a reviewer decides nothing")
	return id
}

// sheet waits until a sheet is open over the page.
func (b *tab) sheet() { b.t.Helper(); b.until(`!!document.querySelector("dialog.side[open] #deed")`) }

func returnIt(b *tab, o *bureau, id string) {
	b.as(o, "sara")
	b.visit("/packs/" + id)
	b.click(`.next-bar a[href$="/return"]`)
	b.sheet()
	b.click(`dialog form[action$="/return"] .btn-danger`) // without a reason
	b.until(`!!document.getElementById("d-r-e")`)
	require.NotEmpty(b.t, b.text("#d-r-e"))
	b.accessible("return refused")
	b.do(chromedp.SendKeys(chromedp.ID("d-r"), "The bid was never submitted: say so in the summary."))
	b.submit(`dialog form[action$="/return"] .btn-danger`)
	require.Contains(b.t, b.text(".stamp"), "Returned")
}

// reviseIt creates the second version; the administrator contributes, so may not approve it.
func reviseIt(b *tab, o *bureau, first string) (id string) {
	b.as(o, "yousef")
	b.visit("/")
	require.Contains(b.t, b.text("main"), "Your drafts")
	b.visit("/packs/" + first)
	require.Contains(b.t, b.text(".alert-bad"), "never submitted")
	b.submit(`main form[action$="/versions"] button`)
	id = strings.Split(strings.TrimPrefix(b.path(), "/packs/"), "/")[0]
	require.NotEqual(b.t, first, id)

	b.as(o, "khalid")
	b.visit("/packs/" + id + "/edit")
	b.do(chromedp.SendKeys(chromedp.ID("f-executive_summary_en"), " The bid was not submitted."))
	b.submit(`main form[data-words] .btn-primary`)
	require.Contains(b.t, b.text("main"), "Draft saved")
	b.as(o, "yousef")
	b.visit("/packs/" + id + "/edit")
	b.submit(`button[formaction$="/submit"]`)
	require.Contains(b.t, b.text(".stamp"), "In review")

	b.as(o, "khalid")
	b.visit("/packs/" + id)
	require.Contains(b.t, b.text("#decide"), "You have made or edited a version")
	require.Equal(b.t, 0, eval[int](b, `document.querySelectorAll("a[href$='/sign']").length`))
	b.visit("/packs/" + id + "/compare")
	require.Contains(b.t, b.text(".memo-change ins"), "The bid was not submitted")
	return id
}

func approveIt(b *tab, o *bureau, id string) {
	for _, who := range []string{"sara", "nasser"} {
		b.as(o, who)
		b.visit("/")
		require.Contains(b.t, b.text("main"), "Packs to decide")
		b.visit("/packs/" + id)
		b.click(`.next-bar a[href$="/sign"]`)
		b.sheet()
		b.accessible("signing")
		b.do(chromedp.SendKeys(chromedp.ID("d-c"), "Read by "+who+"."),
			chromedp.SendKeys(chromedp.ID("d-p"), officePassword))
		b.click(`dialog form[action$="/approve"] .btn-primary`)
		b.until(`!!document.getElementById("d-a-e")`) // no alarm is acknowledged
		b.acknowledge()
		b.do(chromedp.SendKeys(chromedp.ID("d-p"), "not it"))
		b.click(`dialog form[action$="/approve"] .btn-primary`)
		b.until(`!!document.getElementById("d-p-e")`)
		b.accessible("approval refused")
		require.Equal(b.t, "Read by "+who+".", eval[string](b, `document.getElementById("d-c").value`),
			"what was typed stays")
		require.Zero(b.t, eval[int](b, `document.querySelectorAll(".acknowledge input:not(:checked)").length`),
			"what was acknowledged stays")
		b.do(chromedp.SendKeys(chromedp.ID("d-p"), officePassword))
		b.submit(`dialog form[action$="/approve"] .btn-primary`)
		require.Contains(b.t, b.text("#sec-approvals"), "Read by "+who+".")
		require.Contains(b.t, b.text(".just-signed"), b.text(".just-signed .mono"), "the seal says what was signed")
		require.Contains(b.t, b.text(".next-bar"), map[string]string{"sara": "ناصر الكعبي", "nasser": "sealed"}[who],
			"who comes next")
	}
	require.Contains(b.t, b.text(".stamp"), "Signed off")
	require.NotContains(b.t, b.text(".stamp"), "Unresolved")
}

// takeIt asks for a copy as a viewer, grants it as an approver, and downloads the zip by the personal link, which
// nobody else can use.
func takeIt(b *tab, o *bureau, id string) []byte {
	b.as(o, "maryam")
	b.visit("/packs/" + id)
	b.do(chromedp.SendKeys(chromedp.ID("x-r"), "For the audit committee."))
	b.submit(`main form[action$="/exports/ask"] .btn-primary`)
	require.Equal(b.t, 0, eval[int](b, `document.querySelectorAll("main form[action$='/link']").length`))
	b.as(o, "nasser")
	b.visit("/")
	b.submit(`main form[action$="/grant"] button`)
	b.as(o, "maryam")
	b.visit("/packs/" + id)
	b.submit(`main form[action$="/link"] button`)
	b.accessible("link")
	href := eval[string](b, `document.querySelector("a[download]").getAttribute("href")`)
	status, _ := o.fetch(b.t, href, "nasser")
	require.Equal(b.t, http.StatusNotFound, status)
	status, data := o.fetch(b.t, href, "maryam")
	require.Equal(b.t, http.StatusOK, status)
	return data
}

func (o *bureau) fetch(t *testing.T, path, who string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, o.url+path, nil)
	require.NoError(t, err)
	r.AddCookie(&http.Cookie{Name: "sanad", Value: o.cookies[who]})
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, data
}

// checkCopy verifies the zip like a third party who knows the fingerprint.
func checkCopy(t *testing.T, o *bureau, data []byte) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	in := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		in[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	known, err := o.store.Keys(context.Background(), o.tenant.ID)
	require.NoError(t, err)
	var fingerprint string
	for _, k := range known {
		if k.Purpose == "sign" {
			fingerprint = k.ID
		}
	}
	report := pack.Verify(pack.Files{
		Pack: in[pack.FileJSON], Markdown: in[pack.FileMarkdown], PDF: in[pack.FilePDF], Envelope: in[pack.FileEnvelope],
		Bundle:   in[pack.FileBundle],
		LogProof: in[pack.FileLogProof], Salts: in[pack.FileSalts], PublicKey: in[pack.FileKey], Whole: true,
	}, pack.Trust{Fingerprint: fingerprint})
	require.Equal(t, pack.Verified, report.Verdict, "%+v", report.Checks)
}

// TestDraftingWithoutJavaScript saves and submits a draft, and checks that somebody else's changes are not overwritten.
func TestDraftingWithoutJavaScript(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	id := o.broken(t)
	b := open(t, o.app)
	b.as(o, "yousef")
	b.withoutScripts()
	b.do(chromedp.Navigate(o.url+"/packs/"+id+"/edit"), chromedp.WaitVisible(chromedp.ID("f-title_ar")))
	require.Contains(t, b.text("#f-body_en-w"), "601 of 600")
	require.Contains(t, b.text("#faults"), "Rule 13")

	v, err := o.store.Pack(context.Background(), o.tenant.ID, id)
	require.NoError(t, err)
	_, err = o.store.UpdatePack(context.Background(), o.people["khalid"], id, v.Life.Revision, db.Answering{},
		func(k *pack.Content) error {
			m := k.Memo
			m.TitleEN = "Somebody else's title"
			return k.SetMemo(m)
		})
	require.NoError(t, err)
	b.do(chromedp.SetValue(chromedp.ID("f-title_ar"), "عنوان"))
	b.click(`main form[data-words] .btn-primary`)
	b.do(chromedp.WaitVisible(chromedp.CSS(".alert-warn[role=alert]")))
	require.Contains(t, b.text("main"), "Somebody else's title")
	b.click(`main form[data-words] .btn-primary`)
	b.do(chromedp.WaitVisible(chromedp.CSS(".notice[role=status]")))
	v, err = o.store.Pack(context.Background(), o.tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, "عنوان", v.Content.Memo.TitleAR)
	require.NotEqual(t, "Somebody else's title", v.Content.Memo.TitleEN)
}

// TestMemoLeadsToItsEvidence checks that a reference in the memo leads to its evidence and marks it, and that a narrow
// page shows one language at a time.
func TestMemoLeadsToItsEvidence(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	b := open(t, o.app)
	b.as(o, "maryam")
	b.visit("/packs/" + o.packs["dec_hospital_fit"])
	b.click(`.memo [data-lang="ar"] a[href="#e2"]`)
	b.until(`location.hash == "#e2" && document.querySelector("#e2:target")`)
	b.calm()
	tops := func(lang string) []int {
		return eval[[]int](b, `[...document.querySelectorAll('[data-lang="`+lang+
			`"] .memo-block > *')].map(e => Math.round(e.getBoundingClientRect().top))`)
	}
	en, ar := tops("en"), tops("ar")
	require.Len(t, ar, len(en), "the demo's memo has as many paragraphs in both")
	for i := range en {
		require.InDelta(t, en[i], ar[i], 3, "paragraph %d stands level", i)
	}
	b.width(360)
	visible := `[...document.querySelectorAll(".memo-column")].filter(e => e.offsetParent).map(e => e.lang).join()`
	require.Equal(t, "en", eval[string](b, visible))
	b.click(`.memo-switch input[value="ar"]`)
	require.Equal(t, "ar", eval[string](b, visible))
}
