package ui

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/views/say"
)

var marks = regexp.MustCompile(`<span class="vh"[^>]*>[^<]*</span>|<[^>]*>`)

// textOf returns the text of a component, without what only screen readers are told.
func textOf(t *testing.T, c templ.Component) string {
	t.Helper()
	var page strings.Builder
	require.NoError(t, c.Render(t.Context(), &page))
	return html.UnescapeString(marks.ReplaceAllString(page.String(), ""))
}

// The text of a quotation, of an answer, of a comment and of a sentence is that of its source, to the byte.
func TestQuotationsKeepTheirText(t *testing.T) {
	texts := []string{
		"paid leave", " a  b ", "<b>it's</b> &amp; \"more\"", "مدتها 15 يومًا وفق الملحق (B) من Leave_Policy.pdf", "(B)", "،", "",
	}
	for _, dir := range []string{"ltr", "rtl"} {
		for _, a := range texts {
			require.Equal(t, a, textOf(t, FlowingText(a, dir)), dir)
			for _, b := range texts {
				segments := []Segment{{Text: a}, {Text: b, Kind: "match"}, {Text: b}, {Text: a, Kind: "match"}}
				require.Equal(t, a+b+b+a, textOf(t, MarkedText(segments, dir)), dir)
				claim := &AnswerClaim{Number: 1, Href: "/", Label: "claim 1"}
				runs := []AnswerRun{{Text: a}, {Text: b, Claim: claim}, {Text: a, Bold: true, Claim: claim, Repeat: true},
					{Cite: &AnswerCite{Label: "[1]", Href: "/"}}, {Text: b, Code: true}, {Text: a, Bold: true},
					{Cite: &AnswerCite{Label: "[2]", Broken: true}}, {Text: b}}
				require.Equal(t, a+b+a+"[1]"+b+a+"[2]"+b, textOf(t, answerRuns(AnswerBlock{Dir: dir, Runs: runs})), dir)
				require.Equal(t, a+b+a+b+a+b, textOf(t, said([]say.Piece{{Text: a}, {Kind: "who", Text: b, Href: "/"},
					{Kind: "name", Text: a}, {Kind: "quote", Text: b}, {Kind: "value", Text: a, Href: "/"}, {Kind: "id", Text: b}})))
			}
		}
	}
	mentions := []notify.Mention{{Start: 1, Length: 3, Name: "Sara <b>"}, {Start: 2, Length: 1, Name: "Omar"},
		{Start: 4, Length: 2, Name: "هدى"}, {Start: 6, Length: 9, Name: "Noura"}}
	require.Equal(t, " @Sara <b>@هدى.", textOf(t, Said(" @Sa@H.", mentions)))
}

// What is shown of a figure, and of who says it, is escaped.
func TestVerdictIsEscaped(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "en"})
	b := c.FigureBadge(ledger.Weak, 0.71, ledger.Calibrated)
	var out strings.Builder
	require.NoError(t, VerdictOf(&c, b).Render(t.Context(), &out))
	require.Equal(t, `<span class="verdict-of"><span class="badge badge-weak solid"><span class="ic ic-weak" aria-hidden="true">?`+
		`</span>Weak</span><span class="pct" title="Probability">71%</span></span>`, out.String())
	b.Percent, b.Says = `0.71 <in "a" file>`, true
	out.Reset()
	require.NoError(t, VerdictOf(&c, b).Render(t.Context(), &out))
	require.Contains(t, out.String(), `<span class="pct says" title="Probability">0.71 &lt;in &#34;a&#34; file&gt;</span>`)
}

// TestFiguresKeepTheirOrderInArabic: a date or a range after Arabic letters would be turned round, in a block of either
// direction and in the words that an Arabic run takes with it, and must not be broken at the end of a line.
func TestFiguresKeepTheirOrderInArabic(t *testing.T) {
	const s = "من 2026-03-01 إلى 2027-02-28 وفي 2024-2026 كاملة"
	for _, words := range []string{s, "In the lease: " + s} {
		for _, dir := range []string{"rtl", "ltr"} {
			html := htmlOf(t, FlowingText(words, dir))
			for _, figures := range []string{"2026-03-01", "2027-02-28", "2024-2026"} {
				require.Contains(t, html, `<bdi dir="ltr" class="nowrap">`+figures+`</bdi>`, dir)
			}
		}
	}
	require.NotContains(t, htmlOf(t, FlowingText("From 2026-03-01 to 2027-02-28.", "ltr")), "<bdi")
	require.NotContains(t, htmlOf(t, FlowingText("المستند "+strings.Repeat("12-", 20)+"1", "rtl")), "nowrap")
	require.Contains(t, htmlOf(t, WrittenText(s)), `<bdi dir="ltr" class="nowrap">2026-03-01</bdi>`)
}

// TestQuotationIsIsolatedWhole: a quotation in the other direction is one isolate, from its first word to its last, so
// that its commas and figures stay where they are; one within words of its own direction stays with them.
func TestQuotationIsIsolatedWhole(t *testing.T) {
	const (
		english = "create payment order for INV-7731 as a draft, not released"
		account = "Supplier 20418: bank account changed on 16 November 2026, change not yet confirmed"
		arabic  = "لا يُصرف أي مبلغ يتجاوز 250,000 ريال، إلا بتوقيعين"
	)
	for _, marks := range [][2]string{{"«", "»"}, {"“", "”"}, {`"`, `"`}} {
		for _, quote := range []string{english, account} {
			html := htmlOf(t, FlowingText("المقصود "+marks[0]+quote+marks[1]+"، والمنفَّذ فعليًا "+marks[0]+account+marks[1]+".", "rtl"))
			require.Contains(t, html, `<bdi dir="ltr" lang="en">`+quote+"</bdi>", marks)
			require.Equal(t, 2, strings.Count(html, "<bdi"), html)
		}
		html := htmlOf(t, FlowingText("The policy says "+marks[0]+arabic+marks[1]+", it is clear.", "ltr"))
		html = strings.ReplaceAll(html, `<bdi dir="ltr" class="nowrap">250,000</bdi>`, "250,000")
		require.Contains(t, html, `<bdi dir="rtl" lang="ar">`+arabic+"</bdi>", marks)
		require.Equal(t, 1, strings.Count(html, "<bdi"), html)
	}
	const within = "in English: لائحة «العمل عن بعد» للشركة"
	require.Equal(t, 1, strings.Count(htmlOf(t, FlowingText(within, "ltr")), "<bdi"))
	for _, open := range []string{"«", "“one", "a » b « c", "«»", `""`} {
		require.Equal(t, open, textOf(t, FlowingText(open, "rtl")))
	}
}

func htmlOf(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, c.Render(t.Context(), &b))
	return b.String()
}

// What a sentence of ours quotes has a lang of its own, which is "" where the language is not known; the sentence keeps
// its words.
func TestSaidTextHasTheLanguageOfWhatItQuotes(t *testing.T) {
	var page strings.Builder
	said := "The source says “\u2068لا يجوز ترحيل أي يوم\u2069”; the answer says “\u2068Frais annuels de scolarité\u2069”."
	require.NoError(t, SaidText(said).Render(t.Context(), &page))
	require.Contains(t, page.String(), `“<bdi lang="ar">لا يجوز ترحيل أي يوم</bdi>”`)
	require.Contains(t, page.String(), `“<bdi lang="">Frais annuels de scolarité</bdi>”`)
	require.Equal(t, strings.NewReplacer("\u2068", "", "\u2069", "").Replace(said), textOf(t, SaidText(said)))
	require.Equal(t, "12 \u2068open", textOf(t, SaidText("12 \u2068open")), "an isolate that does not end is text")
}

// TestBoldNamesAreTurnedWhole: a name in bold whose letters are all of the other direction is isolated whole, so that its
// figures stand as in its own language.
func TestBoldNamesAreTurnedWhole(t *testing.T) {
	require.True(t, turnsAll("عقد الاستضافة 2024، البند 12", "ltr"))
	require.False(t, turnsAll("عقد Rimal 12", "ltr"))
	require.False(t, turnsAll("عقد الاستضافة", "rtl"))
	require.True(t, turnsAll("Policy 2024, 12", "rtl"))
	require.False(t, turnsAll("2024, 12", "ltr"), "no letter tells")
}
