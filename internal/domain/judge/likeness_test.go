package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text/quantity"
)

// TestFiguresOfTheSameWords holds claims against sentences that have the same words: what their figures mean decides,
// in both languages and with the digits of both scripts, whatever a reader says.
func TestFiguresOfTheSameWords(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		want          likeness
	}{
		{"Infuse .2 ml an hour.", "Infuse 0.2 ml an hour.", alike},
		{"تصل قيمة المخالفة إلى 800 درهم على الأكثر.", "لا تتعدى قيمة المخالفة 800 درهم.", alike},
		{"لا تتعدى قيمة المخالفة 800 درهم.", "لا تقل قيمة المخالفة عن 800 درهم.", otherFigure},
		{"لا تتجاوز قيمة المخالفة 800 درهم.", "تتجاوز قيمة المخالفة 800 درهم.", otherFigure},
		{"فاز الأهلي بنتيجة 3-1.", "فاز الأهلي بثلاثة أهداف مقابل هدف واحد.", alike},
		{"فاز الأهلي بنتيجة 3-1.", "فاز الأهلي بثلاثة أهداف مقابل هدفين.", otherFigure},
		{"The photo measures 1200 × 800.", "The photo measures 1200 by 800.", alike},
		{"The photo measures 1200 × 800.", "The photo measures 800 by 1200.", otherFigure},
		{"The pulse was 130/85 mmHg.", "The pulse was 130 over 85 mmHg.", alike},
		{"Eid was on 1 Shawwal 1445 AH by the Umm al-Qura calendar.", "Eid was on 10 April 2024.", alike},
		{"The fan turns for three-quarters of an hour.", "The fan turns for 45 minutes.", alike},
		{"The fan turns for three-quarters of an hour.", "The fan turns for 40 minutes.", otherFigure},
		{"Infuse .2 ml an hour.", "Infuse 2 ml an hour.", otherFigure},
		{"Infuse .35 ml an hour.", "Infuse 35 ml an hour.", otherFigure},
		{"يضاف ٫٢ مل كل ساعة.", "يضاف ٢ مل كل ساعة.", otherFigure},
		{"يضاف 0.2 مل كل ساعة.", "يضاف ٠٫٢ مل كل ساعة.", alike},
		{"Turnout rose by 4,5 %.", "Turnout rose by 4.5%.", alike},
		{"Turnout rose by 4.5%.", "Turnout rose by 45%.", otherFigure},
		{"Turnout rose by 4.", "Turnout rose by 4%.", lesserOther},
		{"The pump costs 12,345.67 dirhams.", "The pump costs 12.345,67 dirhams.", alike},
		{"The pump costs 14500 dirhams.", "The pump costs 14.500 dirhams.", openFigure},
		{"ثمن المضخة ١٤٬٥٠٠ درهم.", "ثمن المضخة 14500 درهم.", alike},
		{"The vault is kept at -7 degrees.", "The vault is kept at 7 degrees.", otherFigure},
		{"The vault is kept at −7 degrees.", "The vault is kept at –7 degrees.", alike},
		{"The vault is kept at minus 7 degrees.", "The vault is kept at -7 degrees.", alike},
		{"The vault may not get warmer than -7 degrees.", "The vault may not get warmer than 7 degrees.", otherFigure},
		{"تحفظ العينات عند -٧ درجات.", "تحفظ العينات عند ٧ درجات.", otherFigure},
		{"تحفظ العينات عند ٧ درجات تحت الصفر.", "تحفظ العينات عند −7 درجات.", alike},
		{"تحفظ العينات عند ٧ درجات تحت الصفر.", "تحفظ العينات عند ٧ درجات فوق الصفر.", otherFigure},
		{"Lead is < 3 ppm.", "Lead is > 3 ppm.", otherFigure},
		{"Lead is at most 3 ppm.", "Lead is ≤ 3 ppm.", alike},
		{"Lead is over 3 ppm.", "Lead is 4 ppm.", alike},
		{"Lead is over 3 ppm.", "Lead is 2 ppm.", otherFigure},
		{"The fare is €6.", "The fare is $6.", otherFigure},
		{"The final ended 2-4.", "The final ended 4-2.", otherFigure},
		{"Gates 2 and 4 are shut.", "Gates 4 and 2 are shut.", openFigure},
		{"Sales were 8 in May and 9 in June.", "Sales were 9 in May and 8 in June.", otherFigure},
		{"Sales were 8 in May and 9 in June.", "Sales were 7 in May and 6 in June.", lesserOther},
		{"Clause 5.1 binds heirs.", "Clause 5.10 binds heirs.", otherFigure},
		{"The mean was 5.1.", "The mean was 5.10.", alike},
		{"The fee is 5.1 dinars.", "The fee is 5.10 dinars.", alike},
		{"Berth 7 is free.", "Berth No. 7 is free.", alike},
		{"المادة السابعة ملغاة.", "المادة رقم ٧ ملغاة.", alike},
		{"المادة الثالثة عشرة ملغاة.", "المادة ١٣ ملغاة.", alike},
		{"المادة السابعة ملغاة.", "المادة ٨ ملغاة.", otherFigure},
		{"The ferry leaves at 5 p.m.", "The ferry leaves at 17:00.", alike},
		{"The ferry leaves at 5 p.m.", "The ferry leaves at 5:00.", openFigure},
		{"The trip takes 150 minutes.", "The trip takes 2.5 hours.", alike},
		{"The lease runs for 18 months.", "The lease runs for two years.", otherFigure},
		{"The lease runs for 30 days.", "The lease runs for one month.", openFigure},
		{"The town has 43 million visitors.", "The town has 43.4 million visitors.", openFigure},
		{"The town has 4,120 visitors.", "The town has 4,210 visitors.", otherFigure},
		{"The bridge opened in 1932.", "The bridge opened in 1934.", lesserOther},
		{"The bridge opened on 4 May 1932.", "The bridge opened on May 4, 1932.", alike},
		{"The bridge opened on 4 May 1932.", "The bridge opened on 5 May 1932.", otherFigure},
		{"افتتح الجسر عام ١٤٤٠ هـ.", "افتتح الجسر عام ٢٠١٨ م.", openFigure},
		{"افتتح الجسر عام ٢٠١٨م.", "افتتح الجسر عام 2018.", alike},
		{"Notice is 9 working days.", "Notice is 9 calendar days.", otherFigure},
		{"قيمة المنحة 95 ديناراً كويتياً.", "قيمة المنحة 95 ديناراً أردنياً.", otherFigure},
		{"المهلة أحد عشر يوماً.", "المهلة ١١ يوماً.", alike},
		{"المهلة ١٠ أيام.", "المهلة أحد عشر يوماً.", otherFigure},
		{"يبدأ العمل في ٩ شوال ١٤٤٤ هـ.", "يبدأ العمل في ٢٩ أبريل ٢٠٢٣.", alike},
		{"The trams ran in 1930s.", "The trams ran in 1936.", openFigure},
		{"The bridge opened in 1930.", "The bridge opened in 1934.", lesserOther},
		{"The prize is JOD 95.", "The prize is BHD 95.", otherFigure},
		{"The quay is shut between 6 a.m. and 9 p.m.", "The quay is shut between 9 p.m. and 6 a.m.", otherFigure},
		{"There are no 5 mg tablets.", "There are 5 mg tablets.", otherWords},
		{"The ferry calls at Aden.", "The ferry calls at Muscat.", otherWords},
	} {
		x := NewIndex(RowSession(Row{Claim: c.claim, Evidence: []Evidence{{Text: c.source}}}))
		q := x.newQuery(c.claim)
		sentences := readSentences(q, &x.chunks[0])
		require.Len(t, sentences, 1, c.source)
		assert.Equal(t, c.want, sentences[0].likened().likeness, "%s | %s", c.claim, c.source)
		for _, j := range []Judge{NewLexical(), NewEmbeddedWith(sayingReader{supports: "e"}, mustBalances(t)),
			NewEmbeddedWith(sayingReader{contradicts: "e"}, mustBalances(t))} {
			out := JudgeRow(Row{Claim: c.claim, Evidence: []Evidence{{Text: c.source}}}, j)
			require.NotNil(t, out.Verdict, c.claim)
			switch c.want {
			case alike:
				assert.Equal(t, ledger.Supported, *out.Verdict, "%s: %s | %s", j.Name(), c.claim, c.source)
			case otherFigure:
				assert.Equal(t, ledger.Contradicted, *out.Verdict, "%s: %s | %s", j.Name(), c.claim, c.source)
			case openFigure:
				assert.NotEqual(t, ledger.Contradicted, *out.Verdict, "%s: %s | %s", j.Name(), c.claim, c.source)
			case lesserOther:
				assert.NotEqual(t, ledger.Supported, *out.Verdict, "%s: %s | %s", j.Name(), c.claim, c.source)
			}
		}
	}
}

func mustBalances(t *testing.T) *Balances {
	t.Helper()
	b, err := ReadBalances([]byte(readerOnly))
	require.NoError(t, err)
	return b
}

// TestRowsOfAnAnswersTable: a row of an answer's table, which becomes a claim with its heads, is held against the
// source's row head by head.
func TestRowsOfAnAnswersTable(t *testing.T) {
	const plans = "| Plan | Basic | Premium |\n|---|---|---|\n| Storage | 50 GB | 200 GB |\n" +
		"| Price | 9 euros | 29 euros |\n| Seats | 3 | 12 |\n"
	const years = "| البند | 2022 | 2023 |\n|---|---|---|\n| الإيرادات | ٤٥ مليون | ٥٢ مليون |\n| الموظفون | ١٢٠ | ١٥٠ |\n"
	for _, c := range []struct {
		claim, table string
		want         ledger.Verdict
	}{
		{claim: "Storage: 200 GB Basic; 50 GB Premium", table: plans, want: ledger.Contradicted},
		{claim: "Price: 29 euros Basic; 9 euros Premium", table: plans, want: ledger.Contradicted},
		{claim: "Seats: 3 Basic; 21 Premium", table: plans, want: ledger.Contradicted},
		{claim: "Rent: 900 Basic; 50 Premium", table: plans, want: ledger.NotFound},
		{claim: "الإيرادات: ٥٢ مليون 2022; ٤٥ مليون 2023", table: years, want: ledger.Contradicted},
		{claim: "الموظفون: ١٢٠ 2022; ١٥٠ 2023", table: years, want: ledger.Supported},
	} {
		out := judged(c.claim, c.table)
		require.NotNil(t, out.Verdict, c.claim)
		assert.Equal(t, c.want, *out.Verdict, c.claim)
	}
}

func TestReaderSeesNumberSigns(t *testing.T) {
	for passage, want := range map[string]string{
		"Under order No. 88 the tenant was evicted.": "Under order number 88 the tenant was evicted.",
		"Office no. 4 is vacant.":                    "Office number 4 is vacant.",
		"There are no 88 orders.":                    "There are no 88 orders.",
		"No tenant was evicted in 88 days.":          "No tenant was evicted in 88 days.",
	} {
		assert.Equal(t, want, inClaimsWords(nil, "The tenant was evicted.", passage))
	}
}

func TestPairsTurnedRound(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		turned        bool
	}{
		{claim: "won 4-2", source: "won by four goals to two"},
		{claim: "won 2-4", source: "won by four goals to two", turned: true},
		{claim: "115/75 mmHg", source: "75 over 115 mmHg", turned: true},
		{claim: "115/75 mmHg", source: "115 over 75 mmHg"},
		{claim: "640×480", source: "480 by 640", turned: true},
		{claim: "3 to 5 days", source: "between 3 and 5 days"},
		{claim: "3:2", source: "3 to 2 and then 2 to 3"},
	} {
		assert.Equal(t, c.turned, turnedPair(quantity.Read(c.claim), quantity.Read(c.source)), c.claim+" | "+c.source)
	}
}
