package e2e

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/importers"
)

// policySession imports an answer with a PDF of internal/pdftext/testdata and returns the path of its session.
func policySession(t *testing.T, a *app, lang, answer string) string {
	t.Helper()
	data, err := os.ReadFile("../pdftext/testdata/chromium." + lang + ".pdf")
	require.NoError(t, err)
	read, err := importers.FromForm(context.Background(), importers.Form{
		Title: "Policy", Answer: answer, Lang: lang, Files: []importers.File{{Name: "policy.pdf", Data: data}},
	}, importers.Options{})
	require.NoError(t, err)
	return a.importRead(t, a.actor, "", read)
}

// documentOf returns the address of a claim's link "View in document".
func documentOf(t *testing.T, a *app, claim string) string {
	t.Helper()
	_, body := a.get(t, claim)
	found := regexp.MustCompile(`/documents/[0-9a-f-]+\?[^"]+#c-[0-9]+`).FindString(body)
	require.NotEmpty(t, found, body)
	return strings.ReplaceAll(found, "&amp;", "&")
}

// TestDocumentViewer checks that a citation leads to the exact words on their page: highlighted, in view, with the
// claim's words marked. The original is shown beside them by pdf.js, which is loaded only on request and within the
// content security policy.
func TestDocumentViewer(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	english := policySession(t, a, "en",
		"All permanent employees receive 15 days of paid annual leave. Receipts are kept for 7 years. Sick leave of up to 10 weeks is granted against a medical certificate.")
	arabic := policySession(t, a, "ar",
		"يستحق كل موظف دائم إجازة سنوية مدتها 15 يومًا. تُمنح الإجازة المرضية لمدة تصل إلى 10 أسابيع بموجب شهادة طبية.")
	b := open(t, a)
	for _, c := range []struct{ session, claim, words, mark, page string }{
		{
			session: english, claim: "/claims/3", words: "10 weeks", mark: "certificate", page: "3",
		}, {session: arabic, claim: "/claims/2", words: "10 أسابيع", mark: "أسابيع", page: "3"},
	} {
		path := documentOf(t, a, c.session+c.claim)
		for _, l := range looks(t) {
			address, anchor, _ := strings.Cut(path, "#")
			b.width(l.width)
			b.visit("/sessions") // so that the next address loads another page
			b.visit(withQuery(address, l.query()) + "#" + anchor)
			b.calm()
			require.Contains(t, b.text(".chunk.is-current"), c.words)
			require.Contains(t, eval[[]string](b,
				`[...document.querySelectorAll(".chunk.is-current mark")].map(m => m.textContent)`), c.mark)
			require.True(t, eval[bool](b,
				`(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector(".chunk.is-current mark").getBoundingClientRect())`), "the words are in view")
			require.Empty(t, eval[[]string](b,
				`performance.getEntriesByType("resource").map(r => r.name).filter(n => /pdf\.(worker\.)?min/.test(n))`))
			b.accessible(l.name("viewer"))

			b.click("a[data-original]")
			b.until(`document.querySelector("#original canvas").dataset.drawn === "` + c.page + `"`)
			ink := eval[int](b, `(c => { const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] < 128) n++; return n })(document.querySelector("#original canvas"))`)
			require.Greater(t, ink, 500, "letters are drawn")
			require.Equal(t, "ltr",
				eval[string](b, `getComputedStyle(document.querySelector("#original canvas")).direction`),
				"in a canvas that reads from the right, pdf.js draws each letter in the wrong place")
			b.picture(l.name("viewer-original"))
			b.accessible(l.name("viewer-original"))
			b.click("#original [data-step='-1']")
			b.until(`document.querySelector("#original canvas").dataset.drawn === "2"`)
			b.click("#original [data-close]")
			require.True(t, eval[bool](b,
				`document.getElementById("original").hidden && document.activeElement.matches("a[data-original]")`))
			require.Empty(t, eval[[]string](b, "window.problems"))
		}
	}
}

// TestDocumentViewerWithoutScripts checks that the viewer works without JavaScript: the link downloads the original,
// and links lead through the passages.
func TestDocumentViewerWithoutScripts(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	session := policySession(t, a, "en",
		"All permanent employees receive 15 days of paid annual leave. Receipts are kept for 7 years.")
	path := documentOf(t, a, session+"/claims/1")
	b := open(t, a)
	b.withoutScripts()
	b.visit(path)
	require.True(t, eval[bool](b, `document.getElementById("original").hidden`))
	_, body := a.get(t, path)
	require.Regexp(t, `/documents/[0-9a-f-]+/original#page=1"`, body)
	require.Contains(t, body, "Text read by Sanad’s own PDF reader")
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(body)
	require.NotNil(t, next, body)
	_, body = a.get(t, strings.ReplaceAll(next[1], "&amp;", "&"))
	require.Contains(t, body, `rel="prev"`)
	require.Regexp(t, `Cited passage 2 of [23]`, body)
}
