package judge_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

const (
	leavePolicy = "4 Leave\n\n4.1 Annual leave\n\nAll permanent employees shall receive 15 days of paid annual leave per calendar year. Leave is granted by the line manager.\n\n" +
		"4.2 Carry-over\n\nUnused annual leave may be carried over at the discretion of the department head, subject to operational requirements.\n\n" +
		"4.3 Sick leave\n\nSick leave is 5 days without a certificate. Contractors are not entitled to sick leave."
	requestRules = "Leave applications must be submitted at least 14 calendar days before the intended start date. Overtime is paid at 150% of the hourly rate. The monthly housing allowance is SAR 2,500."
	arabicPolicy = "المادة (٧): الإجازات\n\nيَستحقُّ الموظفُ إجازةً سنويةً مدفوعة الأجر مدتها ٢١ يوماً. لا يجوز ترحيل الإجازة إلى السنة التالية إلا بموافقة المدير.\n\n" +
		"المادة (٨): الأجور\n\nتُدفع الأجور في اليوم الخامس من كل شهر. يبلغ بدل السكن ٢٥٪ من الأجر الأساسي. يلتزم العامل بتقديم تقرير طبي خلال ثلاثة أيام."
	biography = "Elsa Pataky (born 18 July 1976) is a Spanish model and actress. She was born in Madrid, Spain. Pataky is married to the actor Chris Hemsworth."
)

// Each case is a claim, what it is judged against, its verdict and a part of the explanation.
var scoreCases = []struct {
	claim, evidence string
	want            ledger.Verdict
	notes           string
}{
	// supported
	{"Employees are entitled to 15 days of annual leave", leavePolicy, ledger.Supported, "shall receive 15 days"},
	{"All permanent employees receive fifteen days of paid annual leave per calendar year", leavePolicy, ledger.Supported, ""},
	{"Leave requests must be submitted 2 weeks in advance", requestRules, ledger.Supported, "14 calendar days"},
	{"Leave requests must be submitted two weeks in advance", requestRules, ledger.Supported, ""},
	{"Overtime is paid at 150 percent of the hourly rate", requestRules, ledger.Supported, ""},
	{"The housing allowance is 2500 riyals monthly", requestRules, ledger.Supported, ""},
	{"Leave is granted by the line manager", leavePolicy, ledger.Supported, ""},
	{"Contractors are not entitled to sick leave", leavePolicy, ledger.Supported, ""},
	{"Sick leave is five days without certificate", leavePolicy, ledger.Supported, ""},
	{"Elsa Pataky is a Spanish actress", biography, ledger.Supported, ""},
	{"Elsa Pataky was born on July 18, 1976", biography, ledger.Supported, ""},
	{"يستحق الموظف إجازة سنوية مدتها 21 يوما", arabicPolicy, ledger.Supported, ""},
	{"يستحق الموظف إجازة سنوية مدتها ثلاثة أسابيع", arabicPolicy, ledger.Supported, ""},
	{"بدل السكن 25% من الأجر الأساسي", arabicPolicy, ledger.Supported, ""},
	{"لا يجوز ترحيل الإجازة إلى السنة التالية إلا بموافقة المدير", arabicPolicy, ledger.Supported, ""},
	{"يجب على العامل تقديم تقرير طبي خلال 3 أيام", arabicPolicy, ledger.Supported, ""},
	{"Yes, leave is granted by the line manager", leavePolicy, ledger.Supported, ""},
	{"نعم، بدل السكن 25% من الأجر الأساسي", arabicPolicy, ledger.Supported, ""},
	{"The album sold more than 100,000 copies in its first week", "The album sold 258,000 copies in its first week.", ledger.Supported, ""},
	{"According to passage 1, overtime is paid at 150% of the hourly rate (Passage 1).", requestRules, ledger.Supported, ""},
	{"ترتفع أسعار النفط", "ارتفاع في أسعار النفط", ledger.Supported, ""},
	// weak
	{"Unused leave can be carried forward to next year", leavePolicy, ledger.Weak, "condition"},
	{"Leave requests need not be submitted in advance", requestRules, ledger.Weak, "negation"},
	{"Leave applications must be submitted online before the start date with two signatures", requestRules, ledger.Weak, "does not"},
	{"Annual leave is granted by the line manager within three working days after consultation", leavePolicy, ledger.Weak, ""},
	{"الإجازة السنوية مدفوعة الأجر للمتقاعدين والمتدربين في الفروع الخارجية", arabicPolicy, ledger.Weak, "does not mention"},
	// contradicted
	{"Employees are entitled to 30 days of annual leave", leavePolicy, ledger.Contradicted, "The claim says 30 days, the source says 15 days."},
	{"Leave requests must be submitted 30 days in advance", requestRules, ledger.Contradicted, "The claim says 30 days"},
	{"Overtime is paid at 200% of the hourly rate", requestRules, ledger.Contradicted, "The claim says 200%, the source says 150%."},
	{"The monthly housing allowance is SAR 3,000", requestRules, ledger.Contradicted, "SAR 2,500"},
	{"Contractors are entitled to sick leave", leavePolicy, ledger.Contradicted, "negates"},
	{"Leave is not granted by the line manager", leavePolicy, ledger.Contradicted, "negates"},
	{"Pataky is married to the actor Liam Hemsworth", biography, ledger.Contradicted, "names"},
	{"يستحق الموظف إجازة سنوية مدتها 30 يوماً", arabicPolicy, ledger.Contradicted, "٢١ يوماً"},
	{"بدل السكن ٣٠٪ من الأجر الأساسي", arabicPolicy, ledger.Contradicted, "٢٥٪"},
	{"يجوز ترحيل الإجازة إلى السنة التالية", arabicPolicy, ledger.Contradicted, "لا"},
	{"The fee is 5", "The fee is 6.", ledger.Contradicted, "The claim says 5, the source says 6."},
	{"Cards are issued within 5 business days, e.g. to staff", "Cards are issued within 7 business days of approval.", ledger.Contradicted, "5 business days"},
	{"Yes, employees are entitled to 30 days of annual leave", leavePolicy, ledger.Contradicted, "30 days"},
	{"The series was produced in Canada", "The drama series was produced in Mexico by a small studio.", ledger.Contradicted, "Mexico"},
	{"The bridge was not opened in 1932", "The bridge was opened in 1932 by the mayor.", ledger.Contradicted, "The claim negates it"},
	{"افتتح الجسر في مارس", "افتتح الجسر في أبريل بحضور الوزير.", ledger.Contradicted, "أبريل"},
	// not found
	{"Maximum carryover is 5 days", leavePolicy, ledger.NotFound, ""},
	{"Employees receive a company car", leavePolicy, ledger.NotFound, ""},
	{"The CEO resigned in 2021", leavePolicy, ledger.NotFound, ""},
	{"Pensions are paid quarterly", requestRules, ledger.NotFound, ""},
	{"يحصل الموظف على سيارة", arabicPolicy, ledger.NotFound, ""},
	{"يقع المقر الرئيسي في جدة", arabicPolicy, ledger.NotFound, ""},
	{"Employees receive 15 days of leave", "", ledger.NotFound, ""},
	// unjudged
	{"", leavePolicy, ledger.Unjudged, "no words"},
	{strings.Repeat("annual leave ", 300), leavePolicy, ledger.Unjudged, "too long"},
	{"It is so.", leavePolicy, ledger.Unjudged, "no words"},
	{"Сотрудники имеют право на отпуск", leavePolicy, ledger.Unjudged, "language"},
	{"يستحق الموظفون إجازة سنوية", leavePolicy, ledger.Unjudged, "different languages"},
}

func row(claim string, evidence ...string) judge.Row {
	r := judge.Row{ID: "1", Claim: claim}
	for _, e := range evidence {
		r.Evidence = append(r.Evidence, judge.Evidence{Doc: "d", Text: e})
	}
	return r
}

func TestLexical(t *testing.T) {
	for _, c := range scoreCases {
		t.Run(c.claim, func(t *testing.T) {
			got := judge.JudgeRow(row(c.claim, c.evidence), judge.NewLexical())
			verdict := ledger.Unjudged
			if got.Verdict != nil {
				verdict = *got.Verdict
			}
			require.Equal(t, c.want, verdict, "%+v", got)
			require.Contains(t, got.Notes+got.Unjudged, c.notes)
			requireHonest(t, row(c.claim, c.evidence), got)
		})
	}
}

// requireHonest checks what holds of the answer to any row.
func requireHonest(t *testing.T, r judge.Row, got judge.Result) {
	t.Helper()
	require.True(t, got.Confidence >= 0 && got.Confidence <= 1)
	require.True(t, got.PSupported >= 0 && got.PSupported <= 1)
	if got.Verdict == nil {
		require.NotEmpty(t, got.Unjudged)
		return
	}
	require.Equal(t, *got.Verdict == ledger.Supported, got.PSupported >= 0.5, "verdict and likelihood agree: %+v", got)
	for _, m := range got.Matches {
		require.True(t, m.Similarity >= 0 && m.Similarity <= 1)
		require.True(t, m.Contradicts || m.Support == ledger.Full || m.Support == ledger.Partial)
		require.NotEmpty(t, m.Features)
		quoted := false
		for _, e := range r.Evidence {
			quoted = quoted || text.Slice(e.Text, text.Span{Start: m.Start, End: m.End}) == m.Snippet
		}
		require.True(t, quoted, "the snippet stands literally at its span: %q", m.Snippet)
		require.Equal(t, m.Contradicts, len(m.Conflicts) > 0)
	}
}

func TestLexicalExplains(t *testing.T) {
	got := judge.JudgeRow(row("Employees are entitled to 30 days of annual leave", leavePolicy), judge.NewLexical())
	m := got.Matches[0]
	require.Equal(t, []ledger.Conflict{{Kind: "number", Claim: "30 days", Evidence: "15 days"}}, m.Conflicts)
	require.Equal(t, []string{"30 days"}, m.Missing)
	require.Equal(t, "All permanent employees shall receive 15 days of paid annual leave per calendar year.", m.Snippet)
	var names []string
	for _, f := range m.Features {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"coverage", "adjacency", "context", "letters", "numbers", "names", "negation", "modality", "wording", "length", "typical", "score", "rest_of_claim"}, names)
}

// TestLexicalConflictingSources shows that a document that says otherwise is heard beside one that supports.
func TestLexicalConflictingSources(t *testing.T) {
	got := judge.JudgeRow(row("Employees receive 15 days of annual leave", leavePolicy, "Employees receive 20 days of annual leave."), judge.NewLexical())
	require.Equal(t, ledger.Contradicted, *got.Verdict)
	require.Len(t, got.Matches, 2)
	require.Contains(t, got.Notes, "20 days")
}

func FuzzLexical(f *testing.F) {
	for _, c := range scoreCases {
		f.Add(c.claim, c.evidence)
	}
	f.Add("a \xff b", "\x00`` | 5% \xff")
	f.Fuzz(func(t *testing.T, claim, evidence string) {
		r := row(claim, evidence)
		requireHonest(t, r, judge.JudgeRow(r, judge.NewLexical()))
	})
}

func benchmarkLexical(b *testing.B, length int) {
	filler := leavePolicy + "\n\n" + requestRules + "\n\n" + biography + "\n\n"
	doc := strings.Repeat(filler, length/len(filler)+1)[:length]
	r := row("Leave requests must be submitted to the line manager 2 weeks in advance", doc)
	for b.Loop() {
		judge.JudgeRow(r, judge.NewLexical())
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "claims/s")
}

func BenchmarkLexical(b *testing.B) {
	b.Run("passage1500", func(b *testing.B) { benchmarkLexical(b, 1500) })
	b.Run("contract9000", func(b *testing.B) { benchmarkLexical(b, 9000) })
	b.Run("session", benchmarkSession)
}
