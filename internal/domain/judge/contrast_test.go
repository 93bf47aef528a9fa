package judge_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// judged is what the embedded judge finds in one passage; the zero match if it finds nothing.
func judged(t testing.TB, claim, passage string) ledger.Match {
	t.Helper()
	s := &ledger.Session{Documents: []ledger.Document{{Chunks: []ledger.Chunk{{Text: passage}}}}}
	matches, _ := judge.NewLexical().Judge(&ledger.Claim{Text: claim}, judge.NewIndex(s))
	if len(matches) == 0 {
		return ledger.Match{}
	}
	return matches[0]
}

// lines writes the pairs of a contrast as "kind about: claim | source".
func lines(x judge.Contrast) (out []string) {
	for _, p := range x.Pairs {
		out = append(out, string(p.Kind)+" "+string(p.About)+": "+p.Claim+" | "+p.Source)
	}
	return out
}

func TestContrast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, claim, passage string
		pairs, missing       []string
	}{
		{name: "negation in the source", claim: "Travel by taxi is reimbursed.",
			passage: "The bank pays for trains. Travel by taxi is not reimbursed. Keep the receipt.",
			pairs:   []string{"conflict negation: is reimbursed | is not reimbursed"}},
		{name: "negation in the claim", claim: "Travel by taxi is not reimbursed.",
			passage: "Travel by taxi is reimbursed.",
			pairs:   []string{"conflict negation: is not reimbursed | is reimbursed"}},
		{name: "Arabic negation", claim: "يجوز ترحيل الإجازة السنوية إلى العام التالي.",
			passage: "لا يجوز ترحيل الإجازة السنوية إلى العام التالي.",
			pairs:   []string{"conflict negation: يجوز | لا يجوز"}},
		{name: "a prohibition against a permission", claim: "Smoking is allowed in the building.",
			passage: "Smoking is prohibited in the building.",
			pairs:   []string{"differs negation: is allowed | is prohibited"}},
		{name: "an Arabic cell that says no", claim: "رسوم الامتحان مستردة.",
			passage: "| الرسم | المبلغ | مستردة |\n|---|---|---|\n| رسوم التسجيل | 500 | نعم |\n| رسوم الامتحان | 250 | لا |",
			pairs:   []string{"conflict negation: مستردة | مستردة: لا"}},
		{name: "a unit", claim: "Refunds are made within two weeks.",
			passage: "Refunds are made within 14 days of the request.",
			pairs:   []string{"equal number: within two weeks | within 14 days"}},
		{name: "Arabic number words and digits", claim: "يستحق الموظف إجازة مدتها ٣٠ يومًا.",
			passage: "يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً مدفوعة الأجر.",
			pairs:   []string{"equal number: ٣٠ يومًا | ثلاثون يوماً"}},
		{name: "an Arabic dual", claim: "يُخطر المورد خلال أسبوعين من التسليم.",
			passage: "يُخطر المورد خلال ١٤ يوماً من التسليم.",
			pairs:   []string{"equal number: خلال أسبوعين | خلال ١٤ يوماً"}},
		{name: "another Arabic number", claim: "يستحق الموظف إجازة مدتها ٣٠ يومًا.",
			passage: "يستحق الموظف إجازة سنوية مدتها واحد وعشرون يوماً.",
			pairs:   []string{"conflict number: ٣٠ يومًا | واحد وعشرون يوماً"}},
		{name: "another number", claim: "Up to 10 days may be carried over.",
			passage: "Up to 5 days may be carried over into the next year.",
			pairs:   []string{"conflict number: Up to 10 days | Up to 5 days"}},
		{name: "a date written otherwise", claim: "The contract ends on 1 March 2024.",
			passage: "The contract ends on 2024-03-01.",
			pairs:   []string{"equal date: 1 March 2024 | 2024-03-01"}},
		{name: "another date", claim: "The contract ends on 1 March 2024.",
			passage: "The contract ends on 1 March 2025.",
			pairs:   []string{"conflict date: 1 March 2024 | 1 March 2025"}},
		{name: "another name", claim: "The head office is in Jeddah since the merger.",
			passage: "The head office is in Riyadh since the merger.",
			pairs:   []string{"conflict words: Jeddah | Riyadh"}},
		{name: "modality", claim: "Contractors must wear a badge.",
			passage: "Contractors may wear a badge in the building.",
			pairs:   []string{"differs modality: must | may"}},
		{name: "a quantifier, and a currency", claim: "All employees receive a bonus of 500 USD.",
			passage: "Some employees receive a bonus of $500.",
			pairs:   []string{"equal number: 500 USD | $500", "differs quantifier: All | Some"}},
		{name: "an Arabic quantifier", claim: "يلتزم جميع الموظفين بارتداء البطاقة.",
			passage: "يلتزم بعض الموظفين بارتداء البطاقة.",
			pairs:   []string{"conflict quantifier: جميع | بعض"}},
		{name: "a bound", claim: "Approval takes at least 5 days.",
			passage: "Approval takes at most five days.",
			pairs:   []string{"conflict number: at least 5 days | at most five days"}},
		{name: "an exception", claim: "All staff may work from home.",
			passage: "All staff may work from home except for contractors and interns.",
			pairs:   []string{"differs exception:  | except for contractors and interns"}},
		{name: "what is missing", claim: "Visitors sign the book and pay 20 riyals at the gate.",
			passage: "Visitors sign the book at the gate.",
			missing: []string{"pay 20 riyals"}},
		{name: "Arabic clitics", claim: "وتُسدد الفواتير والرسوم بالبطاقة.",
			passage: "تُسدد جميع الفواتير والرسوم ببطاقة الشركة."},
		{name: "nothing differs", claim: "The canteen opens at 11:30.",
			passage: "The canteen opens at 11:30."},
		{name: "another language: figures alone", claim: "Employees get 30 days of leave.",
			passage: "يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً.",
			pairs:   []string{"equal number: 30 days | ثلاثون يوماً"}},
		{name: "what an answer says about itself is left out", claim: "Yes, according to passage 2, the fee is 40 riyals.",
			passage: "The fee is forty riyals.",
			pairs:   []string{"equal number: 40 riyals | forty riyals"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := judged(t, c.claim, c.passage)
			x := judge.NewContrast(c.claim, c.passage, &m)
			require.Equal(t, c.pairs, lines(x))
			require.Equal(t, c.missing, x.Missing)
			requireContrast(t, c.claim, c.passage, &m)
		})
	}
}

// TestContrastOfACell names the cell with its head where a cell says no, not the words of the row that stand before it.
func TestContrastOfACell(t *testing.T) {
	t.Parallel()
	row := "| Dental cleaning | 180 | no |"
	passage := "Charges\n\n| Service | Price (SAR) | Covered by insurance |\n|---|---|---|\n| Consultation | 250 | yes |\n" + row
	at := text.Len(passage) - text.Len(row)
	x := judge.NewContrast("A dental cleaning is covered by insurance.", passage, &ledger.Match{Contradicts: true,
		Conflicts: []ledger.Conflict{{Kind: "negation", Evidence: "no"}},
		Quote:     text.Placement{Kind: text.Exact, Span: text.Span{Start: at, End: text.Len(passage)}}})
	require.Equal(t, []string{"conflict negation: is covered by insurance | Covered by insurance: no"}, lines(x))
	for _, m := range x.Source.Marks {
		if m.Pair == 1 {
			require.Equal(t, "no", text.Slice(passage, m.Span))
		}
	}
}

// TestContrastFigures sets every figure, bound and date of a claim beside the passage's, found or not.
func TestContrastFigures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, claim, passage string
		want                 []string
	}{
		{name: "two bounds", claim: "Staff may carry over at most 10 days of leave.",
			passage: "Staff may carry over no more than five days of leave into the next year.",
			want:    []string{"conflict number: at most 10 days | no more than five days"}},
		{name: "no figure in the source", claim: "Staff may carry over at most 10 days of leave.",
			passage: "Staff may carry over unused leave into the next year.",
			want:    []string{"missing number: at most 10 days | "}},
		{name: "the same figure", claim: "Employees are entitled to 30 days of annual leave.",
			passage: "Employees are entitled to 30 days of annual leave per year.",
			want:    []string{"same number: 30 days | 30 days"}},
		{name: "a bound that the source does not have", claim: "The probation period is not more than 90 days.",
			passage: "The probation period is 90 days.",
			want:    []string{"differs number: not more than 90 days | 90 days"}},
		{name: "of several one differs", claim: "The fine rises from 10% to 15% in 2026.",
			passage: "The fine rises from 10% to 20% in 2026.",
			want: []string{"same number: from 10% | from 10%", "conflict number: to 15% | to 20%",
				"same number: 2026 | 2026"}},
		{name: "times of day", claim: "The hotline is open from 8:00 to 17:00.",
			passage: "The hotline is open from 9:00 to 17:00.",
			want:    []string{"differs number: from 8:00 | from 9:00", "same number: to 17:00 | to 17:00"}},
		{name: "a section number is not a figure", claim: "Section 6.1 allows 10 days.",
			passage: "Section 6.1 allows ten days.", want: []string{"equal number: 10 days | ten days"}},
		{name: "an Arabic bound around its subject", claim: "لا تزيد مدة الإجازة على عشرة أيام.",
			passage: "لا تتجاوز مدة الإجازة خمسة أيام في السنة.",
			want:    []string{"conflict number: لا تزيد … على عشرة أيام | لا تتجاوز … خمسة أيام"}},
		{name: "an Arabic exception", claim: "يُقدَّم الطلب خلال 14 يومًا.",
			passage: "لا يُقبل الطلب إلا خلال ثلاثين يوماً من تاريخ الإشعار.",
			want:    []string{"conflict number: خلال 14 يومًا | إلا خلال ثلاثين يوماً"}},
		{name: "an Arabic date", claim: "تُسدد الرسوم قبل 1 مارس 2025.",
			passage: "تُسدد الرسوم في موعد أقصاه 1 أبريل 2025.",
			want:    []string{"conflict number: قبل 1 مارس 2025 | في موعد أقصاه 1 أبريل 2025"}},
		{name: "Arabic, no figure in the source", claim: "يستحق الموظف إجازة مدتها ٣٠ يومًا.",
			passage: "يستحق الموظف إجازة سنوية مدفوعة.", want: []string{"missing number: ٣٠ يومًا | "}},
		{name: "no passage", claim: "The canteen closes before 1 May 2025.",
			want: []string{"missing date: before 1 May 2025 | "}},
		{name: "two languages", claim: "Employees get 30 days of leave.",
			passage: "يستحق الموظف إجازة سنوية مدتها عشرون يوماً.",
			want:    []string{"differs number: 30 days | عشرون يوماً"}},
		{name: "a number with its name", claim: "Service is restored within 4 hours for Priority 1.",
			passage: "The provider aims to restore service for Priority 1 incidents within 4 hours.",
			want:    []string{"same number: within 4 hours | within 4 hours", "same number: Priority 1 | Priority 1"}},
		{name: "of two equal figures the one with the same limit", claim: "تُطرح المنافسة العامة إذا زادت القيمة على مليون ريال.",
			passage: "تُطرح المنافسة المحدودة إذا زادت القيمة على ١٠٠٬٠٠٠ ريال ولم تتجاوز مليون ريال، وتُطرح المنافسة العامة إذا زادت القيمة على مليون ريال.",
			want:    []string{"same number: زادت … على مليون ريال | زادت … على مليون ريال"}},
		{name: "no figure", claim: "Travel by taxi is reimbursed.", passage: "Travel by taxi is not reimbursed in 2025."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := judged(t, c.claim, c.passage)
			x := judge.NewContrast(c.claim, c.passage, &m)
			require.Equal(t, c.want, lines(judge.Contrast{Pairs: x.Figures}))
			requireContrast(t, c.claim, c.passage, &m)
		})
	}
}

// TestDecidingWordIsMarked holds that no word that turns or limits a passage stands among those that are passed over.
func TestDecidingWordIsMarked(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"Managers approve expenses.", "Only directors, and not managers, approve expenses.", "Only not"},
		{"Staff may carry over leave.", "Staff may carry over leave, except for contractors, after no more than five days.",
			"except five"},
		{"Staff may carry over leave.", "Staff may carry over leave unless the manager refuses before 1 May 2025.",
			"unless 2025"},
		{"Contractors wear a badge.", "Contractors must wear a badge in the building.", "must"},
		{"يُقدَّم الطلب خلال شهر.", "لا يُقدَّم الطلب إلا بموافقة المدير خلال شهر.", "لا إلا"},
		{"يستحق الموظف إجازة سنوية.", "يستحق الموظف إجازة سنوية بعد ستة أشهر فقط، ما لم يرفض المدير.", "ستة فقط لم"},
		{"تُصرف المكافأة للموظفين.", "لم تُصرف المكافأة للموظفين دون موافقة.", "لم دون"},
	} {
		m := judged(t, c[0], c[1])
		x := judge.NewContrast(c[0], c[1], &m)
		for _, word := range strings.Fields(c[2]) {
			at := text.Len(c[1][:strings.Index(c[1], word)])
			marked := false
			for _, k := range x.Source.Marks {
				marked = marked || k.Start <= at && at+text.Len(word) <= k.End
			}
			require.True(t, marked, "%s in %q", word, c[1])
		}
		requireContrast(t, c[0], c[1], &m)
	}
}

// The negator within the words that conflict is known, so that it can be shown apart.
func TestContrastKnowsWhatTurns(t *testing.T) {
	t.Parallel()
	const claim, passage = "Travel by taxi is reimbursed.", "Trains are paid. Travel by taxi is not reimbursed."
	m := judged(t, claim, passage)
	x := judge.NewContrast(claim, passage, &m)
	last := x.Source.Marks[len(x.Source.Marks)-1]
	require.Equal(t, "not", text.Slice(passage, last.Turn))
	require.Equal(t, "Travel by taxi is not reimbursed.", text.Slice(passage, x.Source.Core))
	require.Equal(t, "Trains are paid.", text.Slice(passage, x.Source.Before))
}

// Where words contradict a claim they say enough: what else the passage lacks is not listed beside them.
func TestContrastEndsWithAContradiction(t *testing.T) {
	t.Parallel()
	const claim = "The agreement renews automatically for a further year unless one party gives notice."
	const passage = "The agreement does not renew automatically; an extension requires a written instrument signed by both parties."
	m := ledger.Match{Contradicts: true, Quote: text.Placement{Kind: text.Exact, Span: text.Span{End: text.Len(passage)}}}
	x := judge.NewContrast(claim, passage, &m)
	require.Equal(t, []string{"conflict negation: renews | does not renew"}, lines(x))
	require.Empty(t, x.Missing)
	m.Contradicts, m.Support = false, ledger.Partial
	x = judge.NewContrast(claim, passage, &m)
	require.NotEmpty(t, x.Missing)
}

// Where the match contradicts nothing, no word conflicts, whatever the analysis finds; where the passage carries the
// claim, operators are not held against it.
func TestContrastNeverSaysMoreThanTheMatch(t *testing.T) {
	t.Parallel()
	const claim, passage = "Travel by taxi is reimbursed.", "Travel by taxi is not reimbursed."
	whole := text.Placement{Kind: text.Exact, Span: text.Span{End: text.Len(passage)}}
	for _, m := range []ledger.Match{
		{Support: ledger.Full, Snippet: passage, Quote: whole}, {Support: ledger.Partial, Snippet: passage, Quote: whole},
	} {
		x := judge.NewContrast(claim, passage, &m)
		for _, p := range x.Pairs {
			require.NotEqual(t, judge.MarkConflict, p.Kind)
		}
		if m.Support == ledger.Full {
			require.Empty(t, x.Pairs)
		}
	}
	given := ledger.Match{Contradicts: true, Quote: whole} // nobody named the words
	require.Equal(t, []string{"conflict negation: is reimbursed | is not reimbursed"},
		lines(judge.NewContrast(claim, passage, &given)))
	gone := ledger.Match{Contradicts: true, Quote: whole,
		Conflicts: []ledger.Conflict{{Kind: "number", Claim: "7 days", Evidence: "9 days"}}}
	require.Equal(t, "conflict number: 7 days | 9 days", lines(judge.NewContrast(claim, passage, &gone))[0],
		"words of an older judge that are not where they were are still listed")
}

func TestContrastVerbatim(t *testing.T) {
	t.Parallel()
	const passage = "The gate opens at 9. The gate closes at 6, unless it snows."
	m := judged(t, "The gate opens at 9.", passage)
	require.True(t, judge.NewContrast("the gate opens at 9", passage, &m).Verbatim)
	m = judged(t, "The gate closes at 6.", passage)
	require.False(t, judge.NewContrast("The gate closes at 6.", passage, &m).Verbatim, "the sentence goes on")
}

// TestContrastNamesNoSynonymAsAReason holds that words of one meaning are shown as other words where the passage may
// carry the claim, and not under a contradiction, where they would be read as what contradicts.
func TestContrastNamesNoSynonymAsAReason(t *testing.T) {
	t.Parallel()
	const claim, passage = "The rules help workers to buy a home.", "The rules assist workers to purchase a house."
	whole := text.Placement{Kind: text.Exact, Span: text.Span{End: text.Len(passage)}}
	weak := judge.NewContrast(claim, passage, &ledger.Match{Support: ledger.Partial, Quote: whole})
	require.Contains(t, lines(weak), "instead words: help | assist")
	require.Empty(t, lines(judge.NewContrast(claim, passage, &ledger.Match{Contradicts: true, Quote: whole})))
}

// TestContrastElsewhereIsInThePassage holds that what is said to stand elsewhere in the passage stands there.
func TestContrastElsewhereIsInThePassage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rest string
		want []string
	}{
		{"Clerks purchase paper.", []string{"purchase"}},
		{"Clerks buy paper.", []string{"buy"}},
		{"Clerks eat bread.", nil},
	} {
		passage := "The harbour has cranes. It rains. It snows. " + c.rest
		at := text.Placement{Kind: text.Exact, Span: text.Span{End: 23}}
		m := ledger.Match{Support: ledger.Partial, Quote: at}
		require.Equal(t, c.want, judge.NewContrast("The harbour has cranes and will buy them.", passage, &m).Elsewhere)
	}
}

// Whatever the texts are, what is shown is bounded, and marks are in order and inside.
func TestContrastBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Employees receive fifteen days of paid leave in a calendar year. ", 1600)
	unbroken := strings.Repeat("a", 100_000)
	arabic := strings.Repeat("يستحق الموظف إجازة مدتها ٣٠ يومًا ولا يجوز ترحيلها. ", 2000)
	for _, claim := range []string{"", " ", "?", long, unbroken, arabic, "لا", "\u202eEmployees\u202c إجازة 5 days"} {
		for _, passage := range []string{"", "\n", long, unbroken, arabic, "15 days\u0000"} {
			for _, m := range []ledger.Match{{}, {Contradicts: true, Quote: text.Placement{Kind: text.Exact,
				Span: text.Span{Start: 50_000, End: 50_400}}}} {
				requireContrast(t, claim, passage, &m)
			}
		}
	}
}

// requireContrast checks what every contrast promises.
func requireContrast(t *testing.T, claim, passage string, m *ledger.Match) {
	t.Helper()
	x := judge.NewContrast(claim, passage, m)
	require.Equal(t, x, judge.NewContrast(claim, passage, m), "deterministic")
	require.LessOrEqual(t, len(x.Pairs), 9)
	require.LessOrEqual(t, len(x.Figures), 9)
	require.LessOrEqual(t, len(x.Missing)+len(x.Elsewhere), 16)
	for _, s := range []struct {
		side judge.Side
		of   string
	}{{x.Claim, claim}, {x.Source, passage}} {
		require.LessOrEqual(t, s.side.Core.Len(), 1200)
		require.LessOrEqual(t, s.side.Core.End, text.Len(s.of))
		at := s.side.Core.Start
		for _, k := range s.side.Marks {
			require.LessOrEqual(t, at, k.Start)
			require.Less(t, k.Start, k.End)
			require.LessOrEqual(t, k.Pair, len(x.Pairs))
			require.True(t, k.Turn.Len() == 0 || k.Start <= k.Turn.Start && k.Turn.End <= k.End)
			at = k.End
		}
		require.LessOrEqual(t, at, max(s.side.Core.End, s.side.Core.Start))
		for _, around := range []text.Span{s.side.Before, s.side.After} {
			require.LessOrEqual(t, around.Len(), 300)
			require.LessOrEqual(t, around.End, text.Len(s.of))
		}
	}
}

func FuzzContrast(f *testing.F) {
	f.Add("Travel is reimbursed within two weeks.", "Travel is not reimbursed within 14 days.", "not", 0, 20)
	f.Add("يجوز الترحيل", "لا يجوز الترحيل بعد ٣٠ يومًا", "لا", 2, 9)
	f.Add("$5", "5$ 5,000", "", -4, 99)
	f.Fuzz(func(t *testing.T, claim, passage, conflict string, from, to int) {
		m := ledger.Match{Contradicts: len(claim)%2 == 0,
			Conflicts: []ledger.Conflict{{Kind: "negation", Evidence: conflict}}}
		if n := text.Len(passage); 0 <= from && from < to && to <= n {
			m.Quote = text.Placement{Kind: text.Exact, Span: text.Span{Start: from, End: to}}
		}
		requireContrast(t, claim, passage, &m)
	})
}

// TestContrastNamesWholeNames holds that where a reader finds a contradiction without naming it, names and titles are
// held against each other whole.
func TestContrastNamesWholeNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, claim, passage, want string
	}{
		{
			name:    "a title",
			claim:   "Flying business class requires the written consent of the Head of Finance Operations, Miriam Okafor.",
			passage: "Business class requires the written consent of the Chief Financial Officer, Tomasz Wielgosz, who grants it rarely.",
			want:    "conflict words: Head of Finance Operations | Chief Financial Officer",
		},
		{
			name:    "one that has a word of the other",
			claim:   "If patients received affected doses, the Chief Pharmacist decides with the ward.",
			passage: "If patients received affected doses, the Medical Director decides with the ward.",
			want:    "conflict words: Chief Pharmacist | Medical Director",
		},
		{
			name:    "one that is part of the other",
			claim:   "The report was signed by Director Amal Haddad in June.",
			passage: "The report was signed by Deputy Director Amal Haddad in June.",
			want:    "-",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := judge.NewContrast(c.claim, c.passage, &ledger.Match{Contradicts: true,
				Quote: text.Placement{Span: text.Span{End: text.Len(c.passage)}}})
			require.Contains(t, append(lines(x), "-"), c.want)
			require.Equal(t, c.want == "-", len(x.Pairs) == 0, "%v", lines(x))
		})
	}
}

// TestContrastRangesAndCodes checks that the ends of a range are one figure, and that a standard is none.
func TestContrastRangesAndCodes(t *testing.T) {
	for claim, want := range map[string][]string{
		"A customer has 200 to 800 beds.":             {"200 to 800"},
		"It is certified to ISO/IEC 27001:2022.":      nil,
		"The hospital has 310 beds and 1,240 people.": {"310", "1,240"},
	} {
		var got []string
		for _, p := range judge.NewContrast(claim, claim, &ledger.Match{Support: ledger.Full}).Figures {
			got = append(got, p.Claim)
		}
		require.Equal(t, want, got, claim)
	}
}

// TestContrastShowsWhatSoftens holds that words which say of a thing that it is only tried or planned are marked in the
// passage, as a pair if the judge named them.
func TestContrastShowsWhatSoftens(t *testing.T) {
	t.Parallel()
	const claim = "The provider restores service within 4 hours."
	for source, want := range map[string]string{
		"The provider aims to restore service within 4 hours.":                    "differs aims",
		"The provider tries to restore service within 4 hours.":                   "decides tries",
		"The provider uses reasonable efforts to restore service within 4 hours.": "decides efforts",
		"The provider may restore service within 4 hours.":                        "decides may",
		"The provider does not restore service within 4 hours.":                   "conflict not",
		"The provider restores service within 4 hours except on holidays.":        "differs except on holidays",
	} {
		row := judge.Row{Claim: claim, Evidence: []judge.Evidence{{Doc: "d", Text: source}}}
		matches, err := judge.NewLexical().Judge(&ledger.Claim{Text: claim}, judge.NewIndex(judge.RowSession(row)))
		require.NoError(t, err)
		require.NotEmpty(t, matches)
		var got []string
		for _, m := range judge.NewContrast(claim, source, &matches[0]).Source.Marks {
			span := m.Span
			if m.Turn.Len() > 0 {
				span = m.Turn
			}
			got = append(got, string(m.Kind)+" "+text.Slice(source, span))
		}
		require.Contains(t, got, want, source)
	}
}
