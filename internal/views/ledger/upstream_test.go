package ledger

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/viewtest"
)

// provided returns a session with one claim, as imported from a provider's file.
func provided(format, claim string) *ledger.Session {
	s := documents("HR.pdf")
	s.Documents[0].Key, s.ID, s.Format = "hr", "s", format
	s.Claims = []ledger.Claim{{ID: "c", Text: "15 days.", Type: ledger.Policy, Importance: ledger.Material,
		Judge: "lexical"}}
	s.Extra = map[string]json.RawMessage{
		ledger.UpstreamWholePath: json.RawMessage(`{"format":"ragtruth","placed":{"exact":3,"normalised":0,"fuzzy":1,"not_placed":4}}`),
		ledger.UpstreamPath(0):   json.RawMessage(claim),
	}
	return s
}

func claimHTML(t *testing.T, lang string, s *ledger.Session) string {
	return viewtest.Html(t, Claim(NewClaimPage(viewtest.ChromeAt(lang, "/sessions/s/claims/1"),
		LedgerPart{Page: ledger.Page{Session: s}},
		0, ReviewForm{})))
}

func sessionHTML(t *testing.T, lang, tab string, s *ledger.Session) string {
	return viewtest.Html(t, Session(NewSessionPage(viewtest.ChromeAt(lang, "/sessions/s"),
		SessionInput{LedgerPart: LedgerPart{Page: ledger.Page{Session: s}}, Open: 0, Tab: tab})))
}

const saidOfClaim = `{"verdict":"contradicted","label":"<b> تعارض </b>","score":0.25,"reason":"not so","citations":[
	{"path":"a","kind":"k","placed":"exact","words":"خمسة عشر","document_id":"hr"},{"path":"b","kind":"k","placed":"not_placed"}],
	"labels":[{"path":"c","kind":"k","placed":"fuzzy","words":"w","label":"Evident Conflict","verdict":"contradicted"}]}`

func TestClaimShowsProviderVerdict(t *testing.T) {
	s := provided("ragtruth", saidOfClaim)
	for name, page := range map[string]string{"own page": claimHTML(t, "en", s), "in place": sessionHTML(t, "en", TabClaims, s)} {
		said := viewtest.ByClass(t, page, "said")
		require.Len(t, said, 1, name)
		require.Equal(t, "In the imported file ✗ Contradicted <b> تعارض </b> score \u20680.25\u2069 Citations and labels placed exactly: 1 nearly the same words: 1 not placed: 1", viewtest.VisibleText(said[0]))
		notes := viewtest.ByClass(t, page, "said-notes")
		require.Len(t, notes, 1)
		require.Equal(t, "Notes from the file not so خمسة عشر HR.pdf placed exactly not placed w Evident Conflict nearly the same words", viewtest.VisibleText(notes[0]))
		label := viewtest.ByClass(t, page, "said-label")
		require.Len(t, label, 1)
		require.Equal(t, "q", label[0].Data)
		require.Contains(t, label[0].Attr, nethtml.Attribute{Key: "dir", Val: "ltr"})
		require.Contains(t, page, "○", "ours stays")
	}
	ar := claimHTML(t, "ar", s)
	require.Equal(t, "ما ورد في الملف ✗ مخالفة للمصدر <b> تعارض </b> الدرجة \u20680.25\u2069 الاستشهادات والوسوم مطابق حرفيًا: 1 قريب من النص: 1 لم يُحدَّد موضعه: 1", viewtest.VisibleText(viewtest.ByClass(t, ar, "said")[0]))
}

func TestSessionShowsProvider(t *testing.T) {
	s := provided("ragtruth", saidOfClaim)
	require.Equal(t, "Imported from \u2068RAGTruth\u2069 Citations and labels: 8 placed exactly: 3 (38%) same words, different spelling: 0 (0%) nearly the same words: 1 (13%) not placed: 4 (50%)",
		viewtest.ByID(t, sessionHTML(t, "en", TabSources, s), "from"))
	require.Contains(t, viewtest.ByID(t, sessionHTML(t, "ar", TabSources, s), "from"),
		"مستورد من \u2068RAGTruth\u2069 الاستشهادات والوسوم: 8 مطابق حرفيًا: 3 (\u206638%\u2069)")
	s.Extra[ledger.UpstreamWholePath] = json.RawMessage(`{"format":"langfuse.trace"}`)
	require.Equal(t, "Imported from \u2068RAGTruth\u2069", viewtest.ByID(t, sessionHTML(t, "en", TabSources, s), "from"))
}

// Without a provider's verdict nothing is shown; nor is data that only looks like one.
func TestNoProviderVerdict(t *testing.T) {
	for name, s := range map[string]*ledger.Session{
		"own format": provided("sanad.session/v1", saidOfClaim), "not an object": provided("ragtruth", `["x"]`),
		"empty": provided("ragtruth", `{}`),
	} {
		page := claimHTML(t, "en", s)
		require.Empty(t, viewtest.ByClass(t, page, "said"), name)
		require.Empty(t, viewtest.ByClass(t, page, "said-notes"), name)
	}
	require.NotContains(t, sessionHTML(t, "en", TabSources, provided("sanad.session/v1", saidOfClaim)), `id="from"`)
	page := claimHTML(t, "en", provided("ragtruth", `{"verdict":"fine","label":"7","citations":[{"placed":"sure"}]}`))
	require.Equal(t, "In the imported file 7 Citations and labels not placed: 1",
		viewtest.VisibleText(viewtest.ByClass(t, page, "said")[0]))
}

func TestListedCitationsAreBounded(t *testing.T) {
	marks := strings.Repeat(`{"placed":"exact","words":"w"},`, 1000)
	page := claimHTML(t, "en", provided("openai.chat", `{"citations":[`+strings.TrimSuffix(marks, ",")+`]}`))
	require.Len(t, viewtest.ByClass(t, page, "placed"), listedMarks)
	require.Contains(t, viewtest.VisibleText(viewtest.ByClass(t, page, "said-notes")[0]), "and 980 more")
	require.Contains(t, viewtest.VisibleText(viewtest.ByClass(t, page, "said")[0]), "placed exactly: 1,000")
}
