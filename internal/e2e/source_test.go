package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// view waits until the evidence column shows a view of a claim, in the page and in its address.
func (b *tab) view(name string, claim int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#claim-view")?.dataset.n === "%[2]d" &&
		document.querySelector("#claim-source")?.dataset.view === %[1]q &&
		document.querySelector(".view-tabs [aria-current]").dataset.key === %[1]q &&
		(new URLSearchParams(location.search).get("view") ?? "evidence") === %[1]q`, name, claim))
}

// TestSourceStandsBesideTheDecision reads a claim's evidence, the text of its source and the original beside the
// decision (rule WEB-17): the tabs change the column alone, and Back and Forward go through them.
func TestSourceStandsBesideTheDecision(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	path := policySession(t, a, "en",
		"All permanent employees receive 15 days of paid annual leave. Receipts are kept for 7 years. Sick leave of up to 10 weeks is granted against a medical certificate.")
	b := open(t, a)
	b.window(1280, 800)
	b.visit(path + "?claim=3")
	b.view("evidence", 3)
	require.Contains(t, b.text("#claim-source"), "10 weeks", "no click leads to the exact words")
	require.Empty(t, eval[[]string](b,
		`performance.getEntriesByType("resource").map(r => r.name).filter(n => /pdf\.(worker\.)?min|original/.test(n))`))
	b.screen("source-evidence")
	b.click("#pane input[value=comment]")
	b.typeInto("#r-r", "Half a sentence")

	b.click(`.view-tabs [data-key="text"]`)
	b.view("text", 3)
	require.Contains(t, b.text("#passage"), "10 weeks")
	b.inView("#passage", ".source-box")
	require.Equal(t, "text", eval[string](b, "document.activeElement.dataset.key"), "the tab keeps the focus")
	require.Equal(t, "Half a sentence", eval[string](b, `document.getElementById("r-r").value`), "what was typed stays")
	b.screen("source-text")
	b.accessible("source-text")
	b.click(`.view-tabs [data-key="original"]`)
	b.view("original", 3)
	b.until(`document.querySelector("#original canvas").dataset.drawn === "3"`)
	require.Positive(t, eval[int](b, `document.querySelectorAll(".original-sheet .hit").length`))
	b.inView(".original-sheet .hit", ".original-page")
	require.Contains(t, b.text("#original [data-said]"), "marked on this page")
	b.screen("source-original")
	b.accessible("source-original")
	eval[bool](b, "(history.back(), true)")
	b.view("text", 3)
	eval[bool](b, "(history.forward(), true)")
	b.view("original", 3)
	require.Equal(t, "Half a sentence", eval[string](b, `document.getElementById("r-r").value`))
	b.calm()
}
