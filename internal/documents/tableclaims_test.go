package documents_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/importers"
)

// tableClaims are tables, and claims about their cells: what they are is told from the table alone. A row names the
// cell by its first words.
var tableClaims = []struct {
	name, heads string
	rows        []string
	supported   []string // "claim => row"
	wrong       []string // the figure of another row or column: contradicted by the row
	absent      []string // of something that the table does not have: neither
}{
	{name: "cards", heads: "Card | Fee in 2024 (dinars) | Fee in 2025 (dinars) | Validity (years)",
		rows: []string{"Gold | 25 | 30 | 5", "Silver | 15 | 18 | 3", "Basic | 5 | 6 | 1"},
		supported: []string{
			"The fee for a gold card is 25 dinars in 2024 => Gold", "The silver card costs a fee of 18 dinars in 2025 => Silver",
			"A basic card has a validity of 1 year => Basic", "The gold card is valid for 5 years => Gold"},
		wrong: []string{
			"The fee for a gold card is 15 dinars in 2024 => Gold", "The fee for a gold card is 30 dinars in 2024 => Gold",
			"The fee for a silver card is 15 dinars in 2025 => Silver", "The validity of a basic card is 3 years => Basic"},
		absent: []string{"The fee for a platinum card is 25 dinars in 2024"}},
	{name: "harbours", heads: "Harbour | Ships per day | Passengers | Staff on duty",
		rows: []string{"Dover | 41 | 31,000 | 260", "Calais | 38 | 27,500 | 240", "Dunkirk | 12 | 4,200 | 95", "Ostend | 7 | 1,150 | 60"},
		supported: []string{
			"Calais handles 38 ships per day => Calais", "Dunkirk counted 4,200 passengers => Dunkirk",
			"Dover has 260 staff on duty => Dover", "Ostend has 7 ships per day and 1,150 passengers => Ostend"},
		wrong: []string{
			"Calais handles 12 ships per day => Calais", "Dunkirk counted 95 passengers => Dunkirk",
			"Dover has 240 staff on duty => Dover", "Ostend has 60 ships per day => Ostend"},
		absent: []string{"Rotterdam handles 38 ships per day"}},
	{name: "رسوم", heads: "البطاقة | رسوم 2024 (ريال) | رسوم 2025 (ريال) | مدة الصلاحية (سنوات)",
		rows: []string{"الذهبية | 25 | 30 | 5", "الفضية | 15 | 18 | 3", "الأساسية | 8 | 9 | 2"},
		supported: []string{
			"رسوم البطاقة الذهبية 25 ريالا في 2024 => الذهبية", "رسوم البطاقة الفضية 18 ريالا في 2025 => الفضية",
			"مدة صلاحية البطاقة الذهبية 5 سنوات => الذهبية", "تبلغ رسوم البطاقة الأساسية 8 ريالات في 2024 => الأساسية"},
		wrong: []string{
			"رسوم البطاقة الذهبية 15 ريالا في 2024 => الذهبية", "رسوم البطاقة الذهبية 30 ريالا في 2024 => الذهبية",
			"رسوم البطاقة الفضية 15 ريالا في 2025 => الفضية", "مدة صلاحية البطاقة الفضية 5 سنوات => الفضية"},
		absent: []string{"رسوم البطاقة البلاتينية 25 ريالا في 2024"}},
	{name: "مدارس", heads: "المدرسة | عدد الطلاب | عدد المعلمين | عدد الفصول",
		rows: []string{"مدرسة النخيل | 420 | 31 | 18", "مدرسة السدر | 365 | 27 | 15", "مدرسة الغاف | 298 | 22 | 12"},
		supported: []string{
			"عدد الطلاب في مدرسة السدر 365 => مدرسة السدر", "عدد المعلمين في مدرسة النخيل 31 معلما => مدرسة النخيل",
			"يبلغ عدد الفصول في مدرسة الغاف 12 فصلا => مدرسة الغاف", "في مدرسة الغاف 298 طالبا => مدرسة الغاف"},
		wrong: []string{
			"عدد الطلاب في مدرسة السدر 420 => مدرسة السدر", "عدد المعلمين في مدرسة النخيل 18 معلما => مدرسة النخيل",
			"يبلغ عدد الفصول في مدرسة الغاف 15 فصلا => مدرسة الغاف", "عدد الطلاب في مدرسة الغاف 22 طالبا => مدرسة الغاف"},
		absent: []string{"عدد الطلاب في مدرسة الزيتون 365"}},
}

// tableFiles writes a table as a file of each format.
func tableFiles(t *testing.T, heads string, rows []string) map[string][]byte {
	split := func(r string) []string { return strings.Split(r, " | ") }
	var h, m strings.Builder
	h.WriteString("<h1>1</h1><table><tr><th>" + strings.Join(split(heads), "<th>"))
	m.WriteString("| " + heads + " |\n|" + strings.Repeat("---|", len(split(heads))) + "\n")
	w := strings.Join(split(heads), "|")
	for _, r := range rows {
		h.WriteString("<tr><td>" + strings.Join(split(r), "<td>"))
		m.WriteString("| " + r + " |\n")
		w += "/" + strings.Join(split(r), "|")
	}
	return map[string][]byte{
		"a.html": []byte(h.String() + "</table>"), "a.md": []byte(m.String()),
		"a.pdf":  documents.PDFRows(t, true, text.Script(heads) == "ar", append([]string{heads}, rows...)),
		"a.docx": documents.WordFile("word/document.xml", "<w:document><w:body>"+documents.WordTables(w)+"</w:body></w:document>"),
	}
}

// judgedBy judges one claim by a file.
func judgedBy(t *testing.T, name string, data []byte, claim string) (ledger.VerdictResult, *ledger.Claim, *ledger.Session) {
	t.Helper()
	r, err := importers.FromForm(context.Background(), importers.Form{Answer: claim + ".", Files: []importers.File{{Name: name, Data: data}}}, importers.Options{})
	require.NoError(t, err)
	s := &r.Session
	s.Claims = []ledger.Claim{{Key: "c1", Text: claim}}
	judge.Run(s, judge.NewLexical(), time.Time{})
	require.Empty(t, s.Claims[0].Unjudged)
	return ledger.RuleSets[ledger.CurrentRuleSet()-1].Decide(s.Claims[0].Matches), &s.Claims[0], s
}

// TestTableClaims measures how the embedded judge reads claims about cells, over the formats and both languages. -v
// prints the figures, which are in docs/judge.md.
func TestTableClaims(t *testing.T) {
	type tally struct{ right, all int }
	count := map[string]*tally{}
	add := func(key string, right bool) {
		if count[key] == nil {
			count[key] = &tally{}
		}
		if count[key].all++; right {
			count[key].right++
		}
	}
	for _, table := range tableClaims {
		for name, data := range tableFiles(t, table.heads, table.rows) {
			for _, c := range []struct {
				kind   string
				claims []string
			}{{"supported", table.supported}, {"contradicted", table.wrong}, {"absent", table.absent}} {
				for _, line := range c.claims {
					claim, row, _ := strings.Cut(line, " => ")
					a, got, s := judgedBy(t, name, data, claim)
					right := string(a.Verdict) == c.kind || c.kind == "absent" && a.Verdict != ledger.Supported && a.Verdict != ledger.Contradicted
					add(c.kind+" "+name, right)
					add(c.kind, right)
					require.False(t, c.kind != "supported" && a.Verdict == ledger.Supported, "%s in %s", claim, name)
					if a.Deciding >= 0 && row != "" {
						m := got.Matches[a.Deciding]
						add("passage", strings.Contains(text.Slice(s.Chunk(m.Chunk).Text, m.Quote.Span), row))
					}
					if !right && testing.Verbose() {
						t.Logf("%s: %s, not %s: %s", name, a.Verdict, c.kind, claim)
					}
				}
			}
		}
	}
	require.Equal(t, count["passage"].all, count["passage"].right, "the passage is the row")
	for kind, least := range map[string]float64{"supported": 0.9, "contradicted": 0.9, "absent": 1} {
		require.GreaterOrEqual(t, float64(count[kind].right), least*float64(count[kind].all), kind)
	}
	for key, c := range count {
		t.Logf("%s: %d of %d", key, c.right, c.all)
	}
}
