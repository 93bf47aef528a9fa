package pack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, " \n\t—…!": 0, "one": 1, "One two, three.": 3, "can't e-mail": 3, "3.5 million": 2, "1,200": 1,
		"R2D2":          1,
		"الحزمة مكتملة": 2, "وافقَ المديرُ العامُّ": 3, "٣١ ديسمبر ٢٠٢٦": 3, "84% (A2)": 2, "حزمة\u200cالأدلة": 1,
		"قيمة 12,5 ريال":                 3,
		"It holds [E1], [E12] and [E3].": 3, "ثابت [E1] و[E2]": 2, "[E1][E2]": 0, "[Ex] [E]": 2,
		"## Heading": 1, "- item\n* item\n1. item\n> 2) item": 4, "**bold** _em_ `code` ~~gone~~": 4, "**bo**ld": 1,
		"snake_case": 1, `icp\_matcher`: 1,
		"[text](https://example.com/a/b)": 1, "[text](<x> \"A title here\")": 1, "| a | b |\n|---|---|\n| c | d |": 4,
		"a\n\n---\n\nb": 2, "日本語 中文": 5, "中文words": 3, "½ ① Ⅻ": 1, "x½y": 2, "👍 fine 👨‍👩‍👧": 1,
	} {
		require.Equal(t, want, pack.Words(text), "%q", text)
	}
}

func TestReferences(t *testing.T) {
	for text, want := range map[string][]int{
		"": nil, "[E1] x [E12]": {0, 11}, "[E0] [E-1] [e1] [E1": nil, `\[E1] \\[E2] \\\[E3]`: {1}, "[E99999]": nil,
		"[[E2]]": {1},
	} {
		var got []int
		for _, r := range pack.References(text) {
			require.Equal(t, "["+pack.Reference(r.Position)+"]", text[r.Start:r.End])
			got = append(got, r.Position)
		}
		require.Equal(t, want, got, text)
	}
}

func TestTop(t *testing.T) {
	s := func(c ...float64) (out []pack.EvidenceSource) {
		for i := range c {
			out = append(out, pack.EvidenceSource{Confidence: &c[i]})
		}
		return out
	}
	require.Equal(t, []int{1, 0, 2}, pack.Top(s(0.9, 0.95, 0.9, 0.9)), "ties in listed order")
	require.Equal(t, []int{1, 0}, pack.Top(s(0.1, 0.2)))
	require.Empty(t, pack.Top(nil))
	require.Equal(t, []int{1, 0}, pack.Top(append(make([]pack.EvidenceSource, 1), s(0)...)),
		"no confidence counts as the lowest")
}

// calls returns a decision with n tool calls, some of which contradict and some of which fail.
func calls(n, contradicted, failed int) *pack.Decision {
	d := hospital()
	d.ToolCalls = nil
	for i := range n {
		c := pack.ToolCallRecord{ToolName: fmt.Sprint("tool ", i), IntendedAction: "read", ActualAction: "read",
			VerificationStatus: "verified"}
		if i < contradicted {
			c.ActualAction = "wrote"
		}
		if i >= n-failed {
			c.VerificationStatus = "failed"
		}
		d.ToolCalls = append(d.ToolCalls, c)
	}
	return d
}

// TestMemoCounts: nouns and verbs agree with their numbers, in Arabic in all six plural forms.
func TestMemoCounts(t *testing.T) {
	for _, tt := range []struct {
		n, contradicted, failed int
		en, ar                  string
	}{
		{en: "The system called no tool.", ar: "ولم يستدعِ النظام أي أداة."},
		{
			n: 1, en: "The system made one tool call; it did what was intended.",
			ar: "ونفّذ النظام استدعاءً واحدًا لأداة، وجرى على النحو المقصود.",
		},
		{
			n: 1, contradicted: 1, en: "one tool call; it departed from what was intended.",
			ar: "استدعاءً واحدًا لأداة، وقد خالف ما كان مقصودًا.",
		},
		{n: 1, failed: 1, en: "one tool call; it failed.", ar: "استدعاءً واحدًا لأداة، وقد أخفق."},
		{
			n: 1, contradicted: 1, failed: 1, en: "it departed from what was intended, and failed.",
			ar: "وقد خالف ما كان مقصودًا وأخفق.",
		},
		{
			n: 2, contradicted: 2,
			en: "2 tool calls; 2 of them departed from what was intended, and none failed.",
			ar: "ونفّذ النظام استدعاءين للأدوات، خالف اثنان منها ما كان مقصودًا، ولم يخفق أيٌّ منها.",
		},
		{
			n: 3, failed: 1, en: "3 tool calls; none of them departed from what was intended, and one failed.",
			ar: "ونفّذ النظام 3 استدعاءات للأدوات، لم يخالف أيٌّ منها ما كان مقصودًا، وأخفق واحد منها.",
		},
		{
			n: 11, contradicted: 1, failed: 2,
			en: "11 tool calls; one of them departed from what was intended, and 2 failed.",
			ar: "ونفّذ النظام 11 استدعاءً للأدوات، خالف واحد منها ما كان مقصودًا، وأخفق اثنان منها.",
		},
		{
			n: 100, contradicted: 3, en: "100 tool calls;",
			ar: "ونفّذ النظام 100 استدعاء للأدوات، خالف 3 منها ما كان مقصودًا",
		},
		{n: 103, en: "103 tool calls;", ar: "ونفّذ النظام 103 استدعاءات للأدوات،"},
	} {
		m := draftOf(calls(tt.n, tt.contradicted, tt.failed), nil).Memo
		require.Contains(t, m.ExecutiveSummaryEN, tt.en)
		require.Contains(t, m.ExecutiveSummaryAR, tt.ar)
	}
	for n, want := range map[int]string{
		0: "ولم تُسجَّل للقرار أي مصادر.", 1: "إلى مصدر واحد.", 2: "إلى مصدرين.", 10: "إلى 10 مصادر.",
		12: "إلى 12 مصدرًا.", 101: "إلى 101 مصدر.",
	} {
		d := hospital()
		d.Evidence = nil
		for range n {
			d.Evidence = append(d.Evidence, source("s", "x:y", "z", 0.5))
		}
		require.Contains(t, draftOf(d, nil).Memo.ExecutiveSummaryAR, want)
	}
}

// Each language's draft quotes that language's statement; where there is one only, both quote it.
func TestDraftMemoQuotesItsLanguage(t *testing.T) {
	for name, tt := range map[string]struct{ statement, ar, en, wantEN, wantAR string }{
		"English, with Arabic": {statement: "Buy it.", ar: "يُشترى.", wantEN: "“Buy it”", wantAR: "«يُشترى»"},
		"Arabic, with English": {statement: "يُشترى.", en: "Buy it.", wantEN: "“Buy it”", wantAR: "«يُشترى»"},
		"English alone":        {statement: "Buy it.", wantEN: "“Buy it”", wantAR: "«Buy it»"},
		"Arabic alone":         {statement: "يُشترى.", wantEN: "“يُشترى”", wantAR: "«يُشترى»"},
	} {
		t.Run(name, func(t *testing.T) {
			d := hospital()
			d.Statement, d.StatementAR, d.StatementEN = tt.statement, tt.ar, tt.en
			m := draftOf(d, nil).Memo
			require.Contains(t, m.ExecutiveSummaryEN, tt.wantEN)
			require.Contains(t, m.ExecutiveSummaryAR, tt.wantAR)
			require.NotContains(t, m.BodyEN, tt.wantEN, "it is quoted once")
			require.NotContains(t, m.BodyAR, tt.wantAR)
		})
	}
}

func TestDraftMemo(t *testing.T) {
	d := hospital()
	d.DecidedAt, d.Confidence, d.Statement = "2026-03-01T01:30:00+03:00", ptr(0.69999), "Buy [E4] *now*.\n\u202eGo."
	d.ReversibilityClass = "R3"
	c := draftOf(d, session(4))
	m := c.Memo
	require.Equal(t, "Decision memo: Riyadh Hospital fit", m.TitleEN)
	require.Equal(t, "مذكرة قرار: مستشفى الرياض يطابق الملف المستهدف بدرجة 0.84 (الفئة A)", m.TitleAR,
		"the title is in the other language, so the statement stands for it")
	require.Contains(t, m.ExecutiveSummaryEN, `On 1 March 2026, icp_matcher decided: “Buy \[E4\] \*now\*. Go”.`)
	require.Contains(t, m.ExecutiveSummaryEN, "69.99%", "a value under 0.7 is not shown as 70%")
	require.Contains(t, m.ExecutiveSummaryEN,
		"An evidence pack is mandatory: approval class A2 or A3; reversibility class R3; confidence under 70% on a high-stakes decision.")
	require.Contains(t, m.ExecutiveSummaryAR, "بتاريخ 1 مارس 2026")
	require.Contains(t, m.ExecutiveSummaryAR, "إلزامي للأسباب الآتية: ")
	for _, body := range []string{m.BodyEN, m.BodyAR} {
		var refs []int
		for _, r := range pack.References(body) {
			refs = append(refs, r.Position)
		}
		require.Equal(t, []int{1, 0, 3, 2}, refs, "every source, highest confidence first; none from quoted text")
		require.Less(t, strings.Index(body, "hubspot.update"), strings.Index(body, "moh.lookup"), "departures first")
		require.Contains(t, body, "hubspot.update")
		require.NotContains(t, body, "hubspot.get_contact", "calls that went as intended are not named")
	}
	for _, f := range m.Fields() {
		require.NotContains(t, f.Text, "%!")
		require.NotContains(t, f.Text, "\u202e")
		require.NotContains(t, f.Text, "..")
	}
	require.Equal(t, m, pack.DraftMemo(&c), "the same pack yields the same memo")
}

// The summary begins with what was done against the instruction, and what failed; a long statement is in the body.
func TestDraftMemoSaysFirstWhatWentWrong(t *testing.T) {
	d := hospital()
	c := draftOf(d, nil)
	t2, t3 := &c.ToolCalls[1], &c.ToolCalls[2]
	t2.ToolName, t2.IntendedAction, t2.ActualAction = "pay", "draft it, not released", "released it"
	t3.ToolName, t3.Error = "recall", "It did not answer."
	m := pack.DraftMemo(&c)
	require.True(t, strings.HasPrefix(m.ExecutiveSummaryEN, "Against the instruction, call T2 (pay) did this: “released it”. "+
		"Intended: “draft it, not released”. Call T3 (recall) failed: “It did not answer”. On "), m.ExecutiveSummaryEN)
	require.True(t, strings.HasPrefix(m.ExecutiveSummaryAR, "نفّذ الاستدعاء T2 (الأداة pay) خلاف المقصود: المنفَّذ «released it»، "+
		"والمقصود «draft it, not released». أخفق الاستدعاء T3 (الأداة recall): «It did not answer». بتاريخ "), m.ExecutiveSummaryAR)
	require.Contains(t, m.BodyEN, "**recall**: intended “look up licence”; actual no action was taken; error “It did not answer”.")
	require.NotContains(t, m.BodyEN, "## Decision")
	for _, body := range []string{m.BodyEN, m.BodyAR} { // what the summary says is there too
		release, recall := strings.Index(body, "- T2 **pay**"), strings.Index(body, "- T3 **recall**")
		require.Positive(t, release)
		require.Less(t, release, recall, body)
	}

	c.Statement = strings.Repeat("word ", 100)
	c.StatementEN, c.StatementAR = "", ""
	require.Contains(t, pack.DraftMemo(&c).BodyEN, "## Decision")
}

// What moved an amount comes first, with the amount; no call that departed or failed is left out; and what speaks against
// the decision stands in the summary.
func TestDraftMemoPutsTheAmountFirst(t *testing.T) {
	d := calls(9, 3, 5)
	d.ToolCalls[0].ToolName, d.ToolCalls[8].VerificationStatus = "erp.read", ""
	d.ToolCalls[0].Outputs = json.RawMessage(`{"amount": 412500.50, "currency": "SAR"}`)
	d.ToolCalls[0].ActualAction = d.ToolCalls[0].IntendedAction
	d.ToolCalls[2].ToolName, d.ToolCalls[2].Inputs = "pay", json.RawMessage(`{"amount": 412500.50}`)
	d.Evidence[1].Excerpt, d.Evidence[1].ExcerptHash = "The account changed; not yet confirmed.", ""
	c := draftOf(d, nil)
	m := pack.DraftMemo(&c)
	require.True(t, strings.HasPrefix(m.ExecutiveSummaryEN, "Against the instruction, call T3 (pay, SAR 412,500.50) did this: "+
		"“wrote”. Intended: “read”. Against the instruction, call T2 "), m.ExecutiveSummaryEN)
	require.Contains(t, m.ExecutiveSummaryEN, "Call T5 (tool 4) failed. Call T6 (tool 5) failed. These calls departed or failed too: T7, T8. "+
		"Open, or against the decision: “The account changed; not yet confirmed” [E2]. On ")
	require.Contains(t, m.ExecutiveSummaryAR, "(الأداة pay، 412,500.50 ريال سعودي)")
	require.Contains(t, m.ExecutiveSummaryAR, "أيضًا: T7، T8.")
	require.Contains(t, m.BodyEN, "- T3 **pay**: intended “read”; actual “wrote” (amount: SAR 412,500.50).\n- T2 ")
	require.Contains(t, m.BodyEN, "- These failed too: T8.")
	require.LessOrEqual(t, pack.Words(m.ExecutiveSummaryEN), pack.MaxSummaryWords)

	d.ToolCalls[1].Inputs = json.RawMessage(`{"amount": 412500.50, "currency": "USD"}`)
	c = draftOf(d, nil)
	require.Contains(t, pack.DraftMemo(&c).ExecutiveSummaryEN, "call T3 (pay, 412,500.50) did this", "two currencies: neither is taken")
	d.ToolCalls[1].Inputs = nil
	d.ToolCalls[2].ActualAction = "wrote 1,412,500.50"
	c = draftOf(d, nil)
	require.Contains(t, pack.DraftMemo(&c).ExecutiveSummaryEN, "call T3 (pay, SAR 412,500.50) did this", "another figure ends alike")
	d.ToolCalls[2].ActualAction = "paid SAR 412,500.50."
	c = draftOf(d, nil)
	require.Contains(t, pack.DraftMemo(&c).ExecutiveSummaryEN, "call T3 (pay) did this: “paid SAR 412,500.50”", "it says the amount itself")

	many := calls(60, 60, 60)
	c = draftOf(many, nil)
	m = pack.DraftMemo(&c)
	require.Contains(t, m.ExecutiveSummaryEN, "T12 …", "the body names the rest")
	require.LessOrEqual(t, pack.Words(m.ExecutiveSummaryAR), pack.MaxSummaryWords)
}

func TestSetMemo(t *testing.T) {
	c := draftOf(hospital(), nil)
	before := c.Memo
	long := before
	long.BodyAR = strings.Repeat("x", pack.MaxMemo+1)
	err := c.SetMemo(long)
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
	require.ErrorContains(t, err, "memo.body_ar")
	require.Equal(t, before, c.Memo)
	require.NoError(t, c.SetMemo(pack.BilingualMemo{TitleEN: "a\xffb", BodyEN: strings.Repeat("x", pack.MaxMemo)}))
	require.Equal(t, "a\uFFFDb", c.Memo.TitleEN)
	freeze(t, c)
}

// Names with underscores are read and edited by people: no backslash where Markdown needs none.
func TestDraftMemoKeepsNames(t *testing.T) {
	d := hospital()
	d.AgentName = "a_b_c_d agent _x_"
	c := draftOf(d, nil)
	require.Contains(t, c.Memo.ExecutiveSummaryEN, `a_b_c_d agent \_x\_`)
}

// A draft lists every source. What a claim is contradicted by comes first, then what has a reservation or a condition,
// then what is too old, then the rest by confidence.
func TestDraftMemoListsEverySource(t *testing.T) {
	d := hospital()
	d.Evidence = []pack.EvidenceSource{source("first", "x:1", "Invoice 7 is for SAR 412,500.", 0.97),
		source("open", "x:2", "Bank account changed on 16 November, change not yet confirmed by call-back.", 0.6),
		source("old", "x:3", "The order was placed.", 0.95), source("against", "x:4", "The total is SAR 40,000.", 0.5),
		source("limit", "x:5", "Payment is due no later than 30 days after delivery.", 0.3)}
	window := 24
	d.FreshnessWindowHours, d.DecidedAt = &window, "2026-03-02T00:00:00Z"
	for i := range d.Evidence {
		d.Evidence[i].RetrievedAt = "2026-03-01T12:00:00Z"
	}
	d.Evidence[2].RetrievedAt = "2026-02-01T12:00:00Z"
	c := draftOf(d, session(1))
	c.Ledger.Entries[0].Verdict, c.Ledger.Entries[0].Snippet = ledger.Contradicted, "The total is SAR  40,000."
	m := pack.DraftMemo(&c)
	for _, body := range []string{m.BodyEN, m.BodyAR} {
		var refs []int
		for _, r := range pack.References(body) {
			refs = append(refs, r.Position)
		}
		require.Equal(t, []int{3, 1, 2, 0, 4}, refs)
	}
	require.Contains(t, m.BodyEN, "- **against** (50%; contradicts C1): “The total is SAR 40,000” [E4].")
	require.Contains(t, m.BodyEN, "- **open** (60%; a reservation or a condition):")
	require.Contains(t, m.BodyEN, "- **old** (95%; older than allowed):")
	require.Contains(t, m.BodyEN, "comes first.")
	require.Contains(t, m.BodyAR, "يعارض C1")
	s := pack.Standing{Content: &c, Life: &pack.Life{State: pack.Draft}, At: created}
	require.Contains(t, line(s.Concerns()), "1 source with a reservation or a condition [E2] · ")
	adverse := c.AdverseSources()
	require.Equal(t, []pack.Adverse{{At: 3, Claims: []string{"C1"}}, {At: 1}}, adverse)
	require.Equal(t, "contradicts C1", adverse[0].Said("en"))
	require.Equal(t, "فيه تحفظ أو شرط", adverse[1].Said("ar"))

	for range 400 {
		d.Evidence = append(d.Evidence, source("one of many", "x:y", strings.Repeat("word ", 60), 0.2))
	}
	long := draftOf(d, nil).Memo
	for _, body := range []string{long.BodyEN, long.BodyAR} {
		require.LessOrEqual(t, pack.Words(body), pack.MaxBodyWords)
		require.Len(t, pack.References(body), 405, "each once, by its reference alone where no room is left")
	}
}

// Reservations are told by words of both languages, in the forms in which they stand; limits and plain facts are none.
func TestSourcesWithReservations(t *testing.T) {
	for words, want := range map[string]bool{
		"Guarantee is pending.": true, "The licence has expired.": true, "No signature was received.": true,
		"Approval was not given; not approved by legal.": true, "Delivery is disputed by the buyer.": true,
		"Nothing is paid unless two sign.": true, "لم تُؤكَّد بيانات الحساب بعد.": true, "الترخيص منتهٍ منذ مارس.": true,
		"العقد غير موقّع من الطرف الثاني.": true, "لا يُصرف أي مبلغ إلا بتوقيعين.": true, "الطلب المرفوض أُعيد.": true,
		"لا يجوز الصرف من هذا البند.":                         true,
		"Payment is due no later than 30 days after invoice.": false, "Three-way match: passed.": false,
		"No copy leaves the country.": false, "الترخيص ساري حتى 31 ديسمبر 2027.": false,
		"لمدة لا تزيد على سنتين بإشعار كتابي.": false, "The customer pays reliably.": false,
	} {
		d := hospital()
		d.Evidence = []pack.EvidenceSource{source("s", "x:1", words, 0.5)}
		require.Equal(t, want, strings.Contains(draftOf(d, nil).Memo.BodyEN, "a reservation or a condition"), words)
	}
}

// A draft lists every tool call that departed, before those that failed, and by its number where no room is left.
func TestDraftMemoListsEveryDeparture(t *testing.T) {
	c := draftOf(calls(40, 30, 0), nil)
	for _, body := range []string{c.Memo.BodyEN, c.Memo.BodyAR} {
		require.LessOrEqual(t, pack.Words(body), pack.MaxBodyWords)
		require.Contains(t, body, "T9")
		require.Contains(t, body, "T30")
		require.NotContains(t, body, "T31")
	}
}

// The line of a pack, its memo and its exports count departures alike: also a call that failed as well.
func TestDeparturesAreCountedAlike(t *testing.T) {
	c := draftOf(calls(4, 2, 3), nil)
	require.Equal(t, []string{"T1", "T2"}, c.Departed())
	require.Equal(t, []string{"T2", "T3", "T4"}, c.FailedCalls())
	s := pack.Standing{Content: &c, Life: &pack.Life{State: pack.Draft}, At: created}
	line := line(s.Concerns())
	require.Contains(t, line, "2 tool calls departed from what was intended [T1 T2] · 3 tool calls failed [T2 T3 T4]")
	require.Contains(t, c.Memo.BodyEN, pack.CallsSaid(&c, "en"))
	require.Contains(t, c.Memo.BodyAR, pack.CallsSaid(&c, "ar"))
	require.Contains(t, pack.CallsSaid(&c, "en"), "2 of them departed from what was intended, and 3 failed")
}

// A pack that was returned is not submitted again as it is: ids, dates and the ledger's revision are no change.
func TestReturnedAndUnchanged(t *testing.T) {
	old := freeze(t, draftOf(hospital(), session(3))).Content
	next := old.Next("pack_00000000000000aa", created.AddDate(0, 0, 3))
	next.Ledger.Revision += 4
	next.OneAdministrator = true
	same := freeze(t, next).Content
	require.ErrorContains(t, same.CheckChanged(&old), "Nothing has changed")
	next.Memo.BodyEN += "\n\nThe bank has confirmed it."
	other := freeze(t, next).Content
	require.NoError(t, other.CheckChanged(&old))
}

func TestDraftMemoNamesClaimsSetAside(t *testing.T) {
	c := draftOf(hospital(), setAside())
	for _, want := range []string{"Claims: 5;", "Set aside, counted in none of these figures: 2.",
		"Claim 6, “Claim 6”: in its place 4, 5, written by Name of u8.",
		"Claim 7, “Claim 7”: not a claim, according to Name of u8; reason: “It only leads in”."} {
		require.Contains(t, c.Memo.BodyEN, want)
	}
	require.Contains(t, c.Memo.BodyAR, "المستبعد الذي لا يدخل في هذه الأرقام: 2.")
	require.NotContains(t, draftOf(hospital(), session(7)).Memo.BodyEN, "Set aside")
}

// TestMemoSaysWhatNobodyVerified: the memo is no smoother than the pack's head: it names the calls that nobody verified and
// the sources that are the model's own text.
func TestMemoSaysWhatNobodyVerified(t *testing.T) {
	d := calls(3, 0, 0)
	d.ToolCalls[1].VerificationStatus = ""
	d.Evidence[2].Kind = pack.ModelOutput
	m := draftOf(d, nil).Memo
	require.Contains(t, m.ExecutiveSummaryEN, "The decision rests on 4 sources, of which E3 is the model's own text. "+
		"The system made 3 tool calls; none of them departed from what was intended, and none failed; nobody has verified T2.")
	require.Contains(t, m.ExecutiveSummaryAR, "واستند القرار إلى 4 مصادر، منها E3 وهو من نص النموذج نفسه.")
	require.Contains(t, m.ExecutiveSummaryAR, "، ولم يتحقق أحد من T2.")
	require.Contains(t, m.BodyEN, "nobody has verified T2.")
	d.ToolCalls[1].VerificationStatus, d.Evidence[2].Kind = "verified", "document"
	require.NotContains(t, draftOf(d, nil).Memo.ExecutiveSummaryEN, "verified")
}

// TestMemoSaysTheSameInBothLanguages: where one language has no room for a sentence, the other has it neither.
func TestMemoSaysTheSameInBothLanguages(t *testing.T) {
	told := map[bool]int{}
	for n := range 12 {
		d := hospital()
		d.StatementAR = "القرار " + strings.Repeat("كلمة ", 8*n) + "."
		m := draftOf(d, nil).Memo
		en := strings.Contains(m.ExecutiveSummaryEN, "is classed A2")
		told[en]++
		require.Equal(t, en, strings.Contains(m.ExecutiveSummaryAR, "صُنِّف القرار ضمن الفئة A2"), "%d: %s", n, m.ExecutiveSummaryAR)
		require.Equal(t, strings.Contains(m.ExecutiveSummaryEN, "is mandatory"),
			strings.Contains(m.ExecutiveSummaryAR, "إلزامي"), "%d: %s", n, m.ExecutiveSummaryAR)
		require.LessOrEqual(t, pack.Words(m.ExecutiveSummaryAR), pack.MaxSummaryWords)
	}
	require.Len(t, told, 2, "both are tried")
}

// TestMemoOfTheModelsOwnTextAlone: where nothing else was consulted, the memo says so in words that agree.
func TestMemoOfTheModelsOwnTextAlone(t *testing.T) {
	d := hospital()
	d.Evidence = d.Evidence[:1]
	d.Evidence[0].Kind = pack.ModelOutput
	m := draftOf(d, nil).Memo
	require.Contains(t, m.ExecutiveSummaryEN, "The decision rests on one source, which is the model's own text.")
	require.Contains(t, m.ExecutiveSummaryAR, "واستند القرار إلى مصدر واحد هو من نص النموذج نفسه.")
}
