package ledger_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/webtest"
)

// checkedSession is a session over three documents. Its answer cites the wrong document, invents a quotation, quotes
// a rule that another document takes back, and cites by number from a list of references. A look-alike of the first
// statement speaks of another subject.
func checkedSession(lang string) string {
	type document struct {
		ID       string `json:"id"`
		Filename string `json:"filename"`
		Text     string `json:"text"`
	}
	hash := func(text string) string { return "[cite:" + ledger.ChunkHash(text) + "]" }
	leave, sick := "Full-time employees receive 30 days of annual leave for each year of service.",
		"Part-time trainees receive 12 days of study leave for each year of training."
	retracted := "Requests must be submitted two weeks in advance."
	notice := "The sentence “Requests must be submitted two weeks in advance” no longer applies since May."
	answer := leave + " " + hash(sick) + "\n\nThe handbook says: \"Nobody may take a day off in summer without a doctor.\"\n\n" +
		"The rules state that \"Requests must be submitted two weeks in advance\" [2].\n\n" +
		"Full-time employees receive 30 days of annual leave for each year of service [1].\n\n" +
		"## References\n\n[1] leave.txt\n[2] notice.txt\n"
	if lang == "ar" {
		leave, sick = "يستحق الموظف المتفرغ إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة.",
			"يستحق المتدرب إجازة دراسية مدتها اثنا عشر يوماً عن كل سنة تدريب."
		retracted = "تقدم الطلبات قبل أسبوعين من موعدها."
		notice = "عبارة «تقدم الطلبات قبل أسبوعين من موعدها» لم تعد سارية منذ مايو."
		answer = leave + " " + hash(sick) + "\n\nيقول الدليل: «لا يجوز لأحد أن يأخذ يوماً في الصيف دون طبيب.»\n\n" +
			"وتنص القواعد على أن «تقدم الطلبات قبل أسبوعين من موعدها» [٢].\n\n" +
			leave[:len(leave)-1] + " [١].\n\n## المراجع\n\n[١] leave.txt\n[٢] notice.txt\n"
	}
	data, err := json.Marshal(map[string]any{
		"format":  "sanad.session/v1",
		"session": map[string]string{"title": "Checks", "answer": answer, "lang": lang},
		"documents": []document{{"leave", "leave.txt", leave + " " + retracted}, {"sick", "sick.txt", sick},
			{"notice", "notice.txt", notice}},
	})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// checkedEntry is what the tests read of an entry, in the API and the export.
type checkedEntry struct {
	Text      string   `json:"claim_text"`
	RuleSet   int      `json:"rule_set"`
	Flags     []string `json:"flags"`
	Source    string   `json:"confidence_source"`
	Citations []struct {
		Anchor, Status string
		Cited          string `json:"cited_chunk"`
		Supporting     string `json:"supporting_chunk"`
	} `json:"citation_checks"`
	Quotations []struct {
		Text, Status, Chunk string
		Start, End          *int
	} `json:"quotation_checks"`
}

// TestChecksFromImportToExport follows a miscitation, an invented quotation, a look-alike and a sentence that another
// document takes back from the import through page, filter, API and exports, in both languages.
func TestChecksFromImportToExport(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		t.Run(lang, func(t *testing.T) {
			s := webtest.NewServer(t)
			at := "/sessions/" + s.Create(checkedSession(lang)).SessionID
			api := webtest.Get[struct {
				Ledger struct{ Entries []checkedEntry }
			}](t, s.Do("GET", "/api/v1"+at+"/ledger", ""), 200).Ledger.Entries
			require.Len(t, api, 4, "the list of references is no claim")

			require.Equal(t, 2, api[0].RuleSet)
			require.Len(t, api[0].Citations, 1)
			require.Equal(t, "elsewhere", api[0].Citations[0].Status)
			require.NotEmpty(t, api[0].Citations[0].Supporting)
			require.Contains(t, api[0].Flags, "miscitation")

			require.Len(t, api[1].Quotations, 1)
			require.Equal(t, "not_found", api[1].Quotations[0].Status)
			require.Contains(t, api[1].Flags, "invented_quotation")

			require.Len(t, api[2].Quotations, 1)
			require.Equal(t, "exact", api[2].Quotations[0].Status)
			require.Equal(t, []string{api[2].Citations[0].Cited}, []string{api[2].Quotations[0].Chunk},
				"of two documents with the words the cited one counts")

			require.Equal(t, "holds", api[3].Citations[0].Status)
			require.NotContains(t, api[3].Flags, "miscitation")

			checkedPages(t, s, at, lang)
			exported := webtest.Get[struct{ Entries []checkedEntry }](t, s.Do("GET", at+"/export/json", ""), 200).Entries
			for i := range api {
				require.ElementsMatch(t, api[i].Flags, exported[i].Flags)
				api[i].Flags, exported[i].Flags = nil, nil // the export leaves out an empty list
			}
			require.Equal(t, api, exported)
			markdown := s.Do("GET", at+"/export/markdown", "").Body.String()
			require.Contains(t, markdown, "#1: \\[cite:")
			require.Contains(t, markdown, "in no source")
		})
	}
}

// checkedPages looks at the list, its filters and the claims' own pages.
func checkedPages(t *testing.T, s *webtest.Server, at, lang string) {
	t.Helper()
	words := map[string][]string{
		"en": {"Wrong citation", "Invented quotation", "In no source", "No, another passage does", "Passage from the source"},
		"ar": {"استشهاد خاطئ", "اقتباس مختلق", "لا يرد في أي مصدر", "لا، بل يؤيدها مقطع آخر", "مقطع من المصدر"},
	}[lang]
	page := func(path string) string {
		mark := "?"
		if strings.Contains(path, "?") {
			mark = "&"
		}
		return plainWords(s.Do("GET", path+mark+"lang="+lang, "").Body.String())
	}
	rows := func(filter string) int {
		return strings.Count(s.Do("GET", at+"?"+filter, "").Body.String(), `<tr class="row" id="claim-`)
	}
	all := page(at)
	require.Contains(t, all, words[0])
	require.Contains(t, all, words[1])
	require.Contains(t, page(at+"/claims/2"), words[2])
	require.Contains(t, page(at+"/claims/1"), words[3])
	require.Contains(t, page(at+"/claims/4"), words[4])
	require.NotContains(t, page(at+"/claims/4"), "Is the quoted passage in the source?")
	for filter, n := range map[string]int{
		"citation=elsewhere": 1, "quotation=not_found": 1, "quotation=exact": 1, "flag=miscitation": 1,
		"citation=unresolved": 0, "citation=nonsense": 4,
	} {
		require.Equal(t, n, rows(filter), filter)
	}
	require.Equal(t, 400, s.Do("GET", "/api/v1"+at+"/ledger?citation=nonsense", "").Code)
	one := webtest.Get[struct {
		Ledger struct{ Entries []checkedEntry }
	}](t, s.Do("GET", "/api/v1"+at+"/ledger?"+url.Values{"quotation": {"not_found"}}.Encode(), ""), 200)
	require.Len(t, one.Ledger.Entries, 1)
}

// TestExplanationsOfTheCaller keeps what a caller's judge said in a file of our own format, beside our verdict.
func TestExplanationsOfTheCaller(t *testing.T) {
	s := webtest.NewServer(t)
	made := s.Create(`{"format": "sanad.session/v1", "session": {"answer": "Leave is 30 days.", "title": "x"},
		"documents": [{"id": "d", "filename": "d.txt", "chunks": [{"id": "c", "text": "Leave is 30 days."}]}],
		"claims": [{"claim_text": "Leave is 30 days.", "rationale": "The policy names the number.",
			"matches": [{"chunk": "c", "similarity": 0.9, "support_level": "full", "snippet": "Leave is 30 days.",
				"reason": "Word for word."}]}]}`)
	require.Empty(t, made.Warnings)
	page := plainWords(s.Do("GET", "/sessions/"+made.SessionID+"/claims/1", "").Body.String())
	require.Contains(t, page, "The policy names the number.")
	require.Contains(t, page, "Word for word.")
	require.Contains(t, page, "90% in the imported file")
	require.Contains(t, s.Do("GET", "/sessions/"+made.SessionID+"/export/json", "").Body.String(), "The policy names the number.")
}
