package judge_test

import (
	"strings"
	"testing"
	"time"

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
	{
		claim: "Employees are entitled to 15 days of annual leave", evidence: leavePolicy,
		want: ledger.Weak, notes: "shall receive 15 days", // the permanent ones, the source says
	},
	{
		claim:    "All permanent employees receive fifteen days of paid annual leave per calendar year",
		evidence: leavePolicy, want: ledger.Supported,
	},
	{
		claim: "Leave requests must be submitted 2 weeks in advance", evidence: requestRules,
		want: ledger.Weak, notes: "14 calendar days", // "at least"
	},
	{claim: "Leave requests must be submitted two weeks in advance", evidence: requestRules, want: ledger.Weak},
	{claim: "Overtime is paid at 150 percent of the hourly rate", evidence: requestRules, want: ledger.Supported},
	{claim: "The housing allowance is 2500 riyals monthly", evidence: requestRules, want: ledger.Supported},
	{claim: "Leave is granted by the line manager", evidence: leavePolicy, want: ledger.Supported},
	{claim: "Contractors are not entitled to sick leave", evidence: leavePolicy, want: ledger.Supported},
	{claim: "Sick leave is five days without certificate", evidence: leavePolicy, want: ledger.Supported},
	{claim: "Elsa Pataky is a Spanish actress", evidence: biography, want: ledger.Supported},
	{claim: "Elsa Pataky was born on July 18, 1976", evidence: biography, want: ledger.Supported},
	{claim: "يستحق الموظف إجازة سنوية مدتها 21 يوما", evidence: arabicPolicy, want: ledger.Supported},
	{claim: "يستحق الموظف إجازة سنوية مدتها ثلاثة أسابيع", evidence: arabicPolicy, want: ledger.Supported},
	{claim: "بدل السكن 25% من الأجر الأساسي", evidence: arabicPolicy, want: ledger.Supported},
	{
		claim: "لا يجوز ترحيل الإجازة إلى السنة التالية إلا بموافقة المدير", evidence: arabicPolicy,
		want: ledger.Supported,
	},
	{claim: "يجب على العامل تقديم تقرير طبي خلال 3 أيام", evidence: arabicPolicy, want: ledger.Supported},
	{claim: "Yes, leave is granted by the line manager", evidence: leavePolicy, want: ledger.Supported},
	{claim: "نعم، بدل السكن 25% من الأجر الأساسي", evidence: arabicPolicy, want: ledger.Supported},
	{
		claim:    "The album sold more than 100,000 copies in its first week",
		evidence: "The album sold 258,000 copies in its first week.", want: ledger.Supported,
	},
	{
		claim:    "According to passage 1, overtime is paid at 150% of the hourly rate (Passage 1).",
		evidence: requestRules, want: ledger.Supported,
	},
	{claim: "ترتفع أسعار النفط", evidence: "ارتفاع في أسعار النفط", want: ledger.Supported},
	// weak
	{
		claim: "Unused leave can be carried forward to next year", evidence: leavePolicy, want: ledger.Weak,
		notes: "condition",
	},
	{
		claim: "Leave requests need not be submitted in advance", evidence: requestRules, want: ledger.Weak,
		notes: "negation",
	},
	{
		claim:    "Leave applications must be submitted online before the start date with two signatures",
		evidence: requestRules, want: ledger.Weak, notes: "does not",
	},
	{
		claim:    "Annual leave is granted by the line manager within three working days after consultation",
		evidence: leavePolicy, want: ledger.Weak,
	},
	{
		claim: "الإجازة السنوية مدفوعة الأجر للمتقاعدين والمتدربين في الفروع الخارجية", evidence: arabicPolicy,
		want: ledger.Weak, notes: "does not mention",
	},
	// contradicted
	{
		claim: "Employees are entitled to 30 days of annual leave", evidence: leavePolicy,
		want: ledger.Contradicted, notes: "The claim says 30 days; the source says 15 days.",
	},
	{
		claim: "Leave requests must be submitted 30 days in advance", evidence: requestRules,
		want: ledger.Contradicted, notes: "The claim says 30 days",
	},
	{
		claim: "Overtime is paid at 200% of the hourly rate", evidence: requestRules,
		want: ledger.Contradicted, notes: "The claim says 200%; the source says 150%.",
	},
	{
		claim: "The monthly housing allowance is SAR 3,000", evidence: requestRules, want: ledger.Contradicted,
		notes: "SAR 2,500",
	},
	{
		claim: "Contractors are entitled to sick leave", evidence: leavePolicy, want: ledger.Contradicted,
		notes: "negates",
	},
	{
		claim: "Leave is not granted by the line manager", evidence: leavePolicy, want: ledger.Contradicted,
		notes: "negates",
	},
	{
		claim: "Pataky is married to the actor Liam Hemsworth", evidence: biography, want: ledger.Contradicted,
		notes: "names",
	},
	{
		claim: "يستحق الموظف إجازة سنوية مدتها 30 يوماً", evidence: arabicPolicy, want: ledger.Contradicted,
		notes: "٢١ يوماً",
	},
	{claim: "بدل السكن ٣٠٪ من الأجر الأساسي", evidence: arabicPolicy, want: ledger.Contradicted, notes: "٢٥٪"},
	{claim: "يجوز ترحيل الإجازة إلى السنة التالية", evidence: arabicPolicy, want: ledger.Contradicted, notes: "لا"},
	{
		claim: "The fee is 5", evidence: "The fee is 6.", want: ledger.Contradicted,
		notes: "The claim says 5; the source says 6.",
	},
	{
		claim:    "Cards are issued within 5 business days, e.g. to staff",
		evidence: "Cards are issued within 7 business days of approval.", want: ledger.Contradicted,
		notes: "5 business days",
	},
	{
		claim: "Yes, employees are entitled to 30 days of annual leave", evidence: leavePolicy,
		want: ledger.Contradicted, notes: "30 days",
	},
	{
		claim:    "The series was produced in Canada",
		evidence: "The drama series was produced in Mexico by a small studio.", want: ledger.Contradicted,
		notes: "Mexico",
	},
	{
		claim: "The bridge was not opened in 1932", evidence: "The bridge was opened in 1932 by the mayor.",
		want: ledger.Contradicted, notes: "The claim negates it",
	},
	{
		claim: "افتتح الجسر في مارس", evidence: "افتتح الجسر في أبريل بحضور الوزير.",
		want: ledger.Contradicted, notes: "أبريل",
	},
	// not found
	{claim: "Maximum carryover is 5 days", evidence: leavePolicy, want: ledger.NotFound},
	{claim: "Employees receive a company car", evidence: leavePolicy, want: ledger.NotFound},
	{claim: "The CEO resigned in 2021", evidence: leavePolicy, want: ledger.NotFound},
	{claim: "Pensions are paid quarterly", evidence: requestRules, want: ledger.NotFound},
	{claim: "يحصل الموظف على سيارة", evidence: arabicPolicy, want: ledger.NotFound},
	{claim: "يقع المقر الرئيسي في جدة", evidence: arabicPolicy, want: ledger.NotFound},
	{claim: "Employees receive 15 days of leave", want: ledger.NotFound},
	// unjudged
	{evidence: leavePolicy, want: ledger.Unjudged, notes: "no words"},
	{claim: strings.Repeat("annual leave ", 300), evidence: leavePolicy, want: ledger.Unjudged, notes: "too long"},
	{claim: "It is so.", evidence: leavePolicy, want: ledger.Unjudged, notes: "no words"},
	{claim: "Сотрудники имеют право на отпуск", evidence: leavePolicy, want: ledger.Unjudged, notes: "language"},
	{claim: "يستحق الموظفون إجازة سنوية", evidence: leavePolicy, want: ledger.Unjudged, notes: "different languages"},
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
	if *got.Verdict == ledger.Supported {
		require.Equal(t, got.Confidence, got.PSupported, "what is shown is the probability: %+v", got)
	} else {
		require.LessOrEqual(t, got.PSupported, 0.85, "verdict and probability agree: %+v", got)
	}
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
	require.Equal(t, []string{"coverage", "adjacency", "context", "letters", "numbers", "names", "negation",
		"modality", "wording", "length", "typical", "score", "rest_of_claim"}, names)
}

// TestLexicalConflictingSources shows that a document that says otherwise is heard beside one that supports.
func TestLexicalConflictingSources(t *testing.T) {
	got := judge.JudgeRow(row("Employees receive 15 days of annual leave", leavePolicy,
		"Employees receive 20 days of annual leave."), judge.NewLexical())
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

// A short answer is judged with its question's words: the same figure or name elsewhere does not support it.
func TestShortAnswersAreJudgedWithTheirQuestion(t *testing.T) {
	const towns = "Sur is the capital of the province. Nizwa lies inland. The harbour was opened in 1974 and has 12 berths."
	for _, c := range []struct {
		question, answer string
		want             []ledger.Verdict
	}{
		{"What is the capital of the province?", "Sur", []ledger.Verdict{ledger.Supported}},
		{"What is the capital of the province?", "Nizwa", []ledger.Verdict{ledger.Weak, ledger.NotFound,
			ledger.Contradicted}},
		{"When was the harbour opened?", "1974", []ledger.Verdict{ledger.Supported}},
		{"When was the harbour opened?", "1984", []ledger.Verdict{ledger.NotFound, ledger.Contradicted, ledger.Weak}},
		{"How many berths does the harbour have?", "12", []ledger.Verdict{ledger.Supported}},
		{"How many berths does the harbour have?", "20", []ledger.Verdict{ledger.NotFound, ledger.Contradicted, ledger.Weak}},
	} {
		s := judge.RowSession(judge.Row{Claim: c.answer, Evidence: []judge.Evidence{{Doc: "d", Text: towns}}})
		s.Claims = []ledger.Claim{{Text: c.answer}}
		without := judge.NewIndex(s)
		s.Query = c.question
		require.NotEqual(t, c.answer, judge.NewIndex(s).Stated(&s.Claims[0]))
		require.Equal(t, c.answer, without.Stated(&s.Claims[0]))
		judge.Run(s, judge.NewLexical(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		require.Contains(t, c.want, ledger.DecideVerdict(s.Claims[0].Matches).Verdict, c.answer)
	}
}
