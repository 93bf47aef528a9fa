package packs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/views/viewtest"
)

// blocks returns what is drawn of a memo's blocks, in order.
func blocks(page string) (out []string) {
	for _, m := range regexp.MustCompile(`(?s)<div class="memo-block">(.*?)</div>`).FindAllStringSubmatch(page, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestPreviewIsWhatThePackShows: the previews of the form have, block by block, what the memo of the pack has.
func TestPreviewIsWhatThePackShows(t *testing.T) {
	x := onPack(pack.Draft)
	x.Content.Memo.BodyEN = "# Basis\n\nBeds **[E1]**, `E2` and [E7].\n\n1. one\n2. two\n\n> said\n\n<b>x</b> [l](javascript:alert(1))"
	x.Content.Memo.BodyAR = "# الأساس\n\nالأسرّة [E1] وفق Leave_Policy.pdf.\n\n1. واحد\n2. اثنان"
	for _, lang := range []string{"en", "ar"} {
		c := viewtest.ChromeAt(lang, "/packs/"+x.Content.PackID+"/edit")
		form := NewEditPage(c, EditInput{Pack: x})
		page := viewtest.Html(t, Edit(form))
		show := packHTML(t, lang, Input{Pack: x})
		previewed, shown := blocks(page), blocks(show)
		require.NotEmpty(t, previewed)
		require.ElementsMatch(t, shown, previewed)
		for _, unsafe := range []string{"<b>x</b>", `href="javascript:`} {
			require.NotContains(t, page, unsafe)
		}
		live := viewtest.Html(t, EditLive(form))
		require.Equal(t, previewed, blocks(live), "the parts that follow the typing are those of the page")
		require.NotContains(t, live, "<textarea")
		require.Contains(t, live, `id="faults"`)
	}
}

// TestChips: the sources that the memo must name come first, each with what it stands for; the others are in the list.
func TestChips(t *testing.T) {
	x := onPack(pack.Draft)
	for range 12 {
		x.Content.Sources = append(x.Content.Sources, pack.EvidenceSource{Source: "مصدر <b>", URI: "file://x"})
	}
	sure := 0.95
	x.Content.Sources[9].Confidence = &sure
	x.Content.Ledger = entries(pack.Entry{Number: 1, ChunkRoot: "ab", Page: 7})
	x.Content.Sources[9].ChunkRoot = "ab"
	p := NewEditPage(viewtest.ChromeAt("en", "/"), EditInput{Pack: x})
	all := p.Chips()
	require.Len(t, all, maxChips)
	require.True(t, all[0].Top)
	require.Equal(t, "[E1]", all[0].Insert)
	require.Contains(t, all[0].Title, "crm")
	require.Equal(t, "[E10]", all[2].Insert)
	require.Contains(t, all[2].Title, "p. 7")
	require.False(t, all[3].Top)
	page := viewtest.Html(t, Edit(p))
	require.Equal(t, 4*maxChips+len(x.Content.Sources), strings.Count(page, "data-insert="))
	require.Equal(t, 4, strings.Count(page, `role="toolbar"`), "one for each field that is Markdown")
	require.NotContains(t, page, "مصدر <b>")
	for i := range x.Content.Sources {
		require.Contains(t, page, "["+pack.Reference(i)+"]", "to copy from without a script")
	}
	x.Content.Sources = nil
	require.NotContains(t, viewtest.Html(t, Edit(NewEditPage(viewtest.ChromeAt("en", "/"), EditInput{Pack: x}))), "toolbar")
}

// TestWarningStandsBesideItsField: an Arabic text in Latin letters is worth a look, beside its field and in the list.
func TestWarningStandsBesideItsField(t *testing.T) {
	x := onPack(pack.Draft)
	brokenBy[27](&x.Content)
	c := viewtest.ChromeAt("en", "/")
	page := viewtest.Html(t, Edit(NewEditPage(c, EditInput{Pack: x, Faults: x.Content.Validate(nil)})))
	require.Contains(t, viewtest.ByID(t, page, "f-executive_summary_ar-e"), "mostly in Latin letters")
	require.Contains(t, viewtest.ByID(t, page, "faults"), "mostly in Latin letters")
	require.NotContains(t, viewtest.ByID(t, page, "f-executive_summary_en-e"), "Latin")
}

// TestSentencesWithoutASourceAreMarked: a reader sees behind each sentence of a person's that it names no source; the
// program's own sentences, and those with a reference, have no mark.
func TestSentencesWithoutASourceAreMarked(t *testing.T) {
	x := onPack(pack.InReview)
	own := pack.DraftMemo(&x.Content)
	x.Content.Memo.ExecutiveSummaryEN, x.Content.Memo.ExecutiveSummaryAR = own.ExecutiveSummaryEN, own.ExecutiveSummaryAR
	x.Content.Memo.BodyEN, x.Content.Memo.BodyAR = own.BodyEN, own.BodyAR
	html := packHTML(t, "en", Input{Pack: x})
	require.NotContains(t, html, pack.NoSource)
	x.Content.Memo.BodyEN += "\n\nThe vendor has **confirmed it in writing**. The notice is one month [E1]. Is it enough?"
	x.Content.Memo.BodyAR += "\n\nوقد أكد المورّد ذلك كتابيًا. ومدة الإشعار شهر واحد [E1]."
	html = packHTML(t, "en", Input{Pack: x})
	require.Equal(t, 2, strings.Count(html, `title="This sentence names no source">`+pack.NoSource))
	require.Contains(t, html, "A sentence with "+pack.NoSource+" names no source.")
	require.Contains(t, packHTML(t, "ar", Input{Pack: x}), "لا تذكر مصدرًا.")
}

// TestReservationNamesItsWord: why a source is called reserved is said with the word that tells.
func TestReservationNamesItsWord(t *testing.T) {
	x := onPack(pack.InReview)
	x.Content.Ledger = nil
	x.Content.Sources[0].Excerpt = "The change is not yet confirmed by call-back."
	html := packHTML(t, "en", Input{Pack: x})
	require.Contains(t, html, "a reservation or a condition, because it says “\u2068not yet confirmed\u2069”")
}
