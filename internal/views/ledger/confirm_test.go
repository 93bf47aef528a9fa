package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
	catalogue "sanad/internal/words"
)

// After a new judgement, confirming an earlier review's verdict says which verdict that is, unless the machine says so
// too.
func TestConfirmNamesAnEarlierVerdict(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Confirm the earlier review’s verdict: Contradicted", "ar": "تأكيد حكم المراجعة السابقة: ",
	} {
		c := viewtest.ChromeAt(lang, "/")
		part := &LedgerPart{Page: ledger.Page{Session: &ledger.Session{}}}
		stale := &ledger.Entry{Claim: &ledger.Claim{}, Verdict: ledger.Contradicted, Machine: ledger.Supported, Stale: true}
		f := reviewFormView(&c, part, stale, ReviewForm{}, "/x")
		require.Equal(t, ledger.Confirm, f.Actions[0].Value)
		require.Contains(t, f.Actions[0].Label, want)
		stale.Machine = ledger.Contradicted
		require.Equal(t, c.T("action_confirm"), reviewFormView(&c, part, stale, ReviewForm{}, "/x").Actions[0].Label)
	}
}

// What is wrong with a pointer answer is said in the reader's language.
func TestPointerFaultsAreInBothLanguages(t *testing.T) {
	c := viewtest.ChromeAt("ar", "/")
	for word, path := range map[string]string{"pointers_no_passage": "passages", "pointers_no_claim": "answer"} {
		p := NewPointersPage(c, PointersForm{Fault: &ui.FormFault{Field: path, Message: domain.Message{ID: "fault_" + word}}})
		require.Equal(t, c.T("fault_"+word), p.Passages+p.Answer)
		require.NotEqual(t, "fault_"+word, p.Passages+p.Answer)
	}
}

// A conflict of which one side has the words only is said without an empty pair of quotation marks.
func TestNotesHaveNoEmptyQuotationMarks(t *testing.T) {
	c := viewtest.ChromeAt("ar", "/")
	e := &ledger.Entry{Claim: &ledger.Claim{}, Machine: ledger.Contradicted, Best: &ledger.Match{
		Contradicts: true, Conflicts: []ledger.Conflict{{Evidence: "not"}, {Claim: "لا"}, {Claim: "5", Evidence: "14"}},
	}}
	said := notes(&c, e)[1:]
	require.Equal(t, []string{
		"ورد في المصدر «\u2068not\u2069» ولم يرد في الإفادة.", "ورد في الإفادة «\u2068لا\u2069» ولم يرد في المصدر.",
		"تقول الإفادة «\u20685\u2069» ويقول المصدر «\u206814\u2069».",
	}, said)
}

// The judge's own remarks are in the reader's language.
func TestJudgesRemarksAreInArabic(t *testing.T) {
	c := viewtest.ChromeAt("ar", "/")
	e := &ledger.Entry{Claim: &ledger.Claim{}, Machine: ledger.Weak, Best: &ledger.Match{}}
	model := func(verdict string, differs, objection catalogue.Message) catalogue.Message {
		return catalogue.Msg("note_model", "Verdict", catalogue.Msg("note_said_"+verdict), "Differs", differs, "Objection", objection)
	}
	for english, x := range map[string]struct {
		said   catalogue.Message
		arabic string
	}{
		"The claim speaks of all; the source speaks of some.": {catalogue.Msg("note_all"), c.T("note_all")},
		"The source does not mention: Q4 2024, limit.": {catalogue.Msg("note_mention", "Words", catalogue.List{"Q4 2024", "limit"}),
			"لا يذكر المصدر: \u2068Q4 2024\u2069، \u2068limit\u2069."},
		"Model says: supported.": {model("supported", catalogue.Message{}, catalogue.Message{}), "يقول النموذج: مؤيَّدة."},
		"Model says: contradicted (15, not 20); judges disagree: the embedded judge finds that they support the claim.": {
			model("contradicted", catalogue.Msg("note_model_differs", "Text", "15, not 20"), catalogue.Msg("note_model_for")),
			"يقول النموذج: مخالفة للمصدر (\u206815, not 20\u2069)؛ " +
				"اختلف المُحكِّمان: يجد المُحكِّم المضمَّن أن هذه الجمل تؤيد الإفادة."},
		"Model says: supported; a sentence beside it contains instructions to the judge.": {
			model("supported", catalogue.Message{}, catalogue.Msg("note_model_beside")),
			"يقول النموذج: مؤيَّدة؛ تجاورها جملة تخاطب المُحكِّم."},
	} {
		e.Best.Remark(x.said)
		require.Equal(t, english, e.Best.Note)
		require.Equal(t, x.arabic, notes(&c, e)[1])
	}
	e.Best = &ledger.Match{Note: "Came with an import."}
	require.Contains(t, notes(&c, e)[1], "Came with an import.")
}

// How many claims a question is about stands before their numbers, so that it cannot be read as one; each number leads to
// its claim.
func TestQuestionsLeadToTheirClaims(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Which document covers 14 claims (3, 10, 12 and others)?", "ar": "أي مستند يغطي 14 إفادة (منها 3 و10 و12)؟",
	} {
		p := &SessionPage{Chrome: viewtest.ChromeAt(lang, "/sessions/s"), Path: "/sessions/s"}
		said, to := "", []string{}
		for _, x := range p.question(ledger.Advice{Kind: "ask_missing_evidence", Numbers: []int{3, 10, 12}, More: 11},
			ledger.MissingEvidence) {
			said += x.Text
			if x.Href != "" {
				to = append(to, x.Href)
			}
		}
		require.Equal(t, want, said)
		require.Equal(t, []string{"/sessions/s?flag=missing_evidence#ledger", "/sessions/s?claim=3#claim-3",
			"/sessions/s?claim=10#claim-10", "/sessions/s?claim=12#claim-12"}, to)
	}
}

// A passage to attach is read in full, sentence by sentence, and sent by one button, without scripts.
func TestPassagesToAttachAreReadInFull(t *testing.T) {
	c := viewtest.ChromeAt("ar", "/")
	long := strings.Repeat("the liability of Rimal is capped and ", 20) + "ends here."
	d := &ledger.Document{ID: "d", Filename: "a.pdf", Chunks: []ledger.Chunk{{Text: long + " A second sentence."}}}
	page := viewtest.Html(t, PassageForm(&c, newPassageChoice(&c, "s", 1, 2, d, &d.Chunks[0])))
	require.Contains(t, page, `dir="ltr" lang="en">`+long+`</span>`)
	require.NotContains(t, page, "<select")
	require.Equal(t, 1, strings.Count(page, "<button"))
	require.Equal(t, 1, strings.Count(page, "checked"))
	d.Chunks[0].Text = "One sentence alone."
	page = viewtest.Html(t, PassageForm(&c, newPassageChoice(&c, "s", 1, 2, d, &d.Chunks[0])))
	require.Contains(t, page, "One sentence alone.</blockquote>")
	require.NotContains(t, page, `type="radio"`)
}

// An anchor is called as the answer shows it: by its number, or by its hash where it has none.
func TestAnchorsAreCalledAsTheAnswerShowsThem(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	in := LedgerPart{}
	in.Answer.Text = "One [cite:aaaaaaaa]. Two [cite:EAC8289D], three [cite:aaaaaaaa]."
	for anchor, want := range map[string]string{"[cite:eac8289d]": "[2]", "[cite:aaaaaaaa]": "[1]", "[cite:bbbbbbbb]": "[bbbbbbbb]", "[3]": "[3]"} {
		require.Equal(t, want, shownAnchor(&c, &in.Page, &ledger.CitationCheck{Anchor: anchor}))
	}
	in.Answer.Start = 16000 // another part may stand beside the claim, and count from its own beginning
	require.Equal(t, "[eac8289d]", shownAnchor(&c, &in.Page, &ledger.CitationCheck{Anchor: "[cite:eac8289d]"}))
}

// The field for the reason says that an override needs one.
func TestReasonSaysThatItIsRequired(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	for chosen, want := range map[ledger.Action]string{ledger.Override: "Reason (required)", ledger.Confirm: "Reason or comment"} {
		require.Equal(t, want, (&FormView{Chosen: chosen}).placeholder(&c))
	}
}

// TestBulkSaysWhy: what is confirmed in one step says why it has its verdict, as the claim's page does.
func TestBulkSaysWhy(t *testing.T) {
	d := ledger.Document{ID: "d", Key: "d", Filename: "a.txt", Status: ledger.Ready}
	s := &ledger.Session{ID: "s", RuleSet: len(ledger.RuleSets)}
	for i, m := range []ledger.Match{
		{Snippet: "Leave is 10 days.", Similarity: 0.9, Contradicts: true,
			Conflicts: []ledger.Conflict{{Claim: "15 days", Evidence: "10 days"}}},
		{Snippet: "Leave is days.", Similarity: 0.8, Support: ledger.Partial},
		{Snippet: "Leave is 15 days.", Similarity: 0.95, Support: ledger.Full},
		{Snippet: "Leave of 15 days.", Similarity: 0.9, Support: ledger.Full},
	} {
		m.Chunk.Chunk = i
		d.Chunks = append(d.Chunks, ledger.Chunk{Position: i, Text: m.Snippet, Hash: ledger.ChunkDigest(m.Snippet)})
		s.Claims = append(s.Claims, ledger.Claim{Position: i, Text: "Leave is 15 days.", Matches: []ledger.Match{m}})
	}
	s.Documents = []ledger.Document{d}
	s.Claims[3].Checks.Absent = []int{0}
	in := BulkInput{Confirmable: ledger.Confirmable{Session: s, Count: len(s.Claims), Documents: 1}}
	for i := range s.Claims {
		e, _ := s.EntryAt(i, nil)
		in.First = append(in.First, e)
	}
	var whys []string
	for _, r := range NewBulkPage(viewtest.ChromeAt("en", "/"), in).First {
		whys = append(whys, r.Why)
	}
	require.Contains(t, whys[0], "10 days")
	require.NotEmpty(t, whys[1])
	require.Equal(t, "The source says this word for word.", whys[2])
	require.Equal(t, "The words given as evidence are not in the source.", whys[3], "a check of the given snippet")
}

// TestConfirmedWithoutReason: a row says where the pack would not be signed for want of a reason, in the classes of the
// tenant's own policy.
func TestConfirmedWithoutReason(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	l := &rowList{c: &c, reasons: ledger.Reasons{Adverse: []string{"A2", "A3"}}}
	row := func(reason string, v ledger.Verdict) *Row {
		r := &Row{}
		l.fill(r, &ledger.Entry{Verdict: v, Machine: v, State: ledger.Confirmed, Claim: &ledger.Claim{
			Reviews: []ledger.Review{{Action: ledger.Confirm, Verdict: v, By: "u", Reason: reason}}}})
		return r
	}
	bare := row("", ledger.NotFound)
	require.Equal(t, "Confirmed, no reason", bare.Note)
	require.Contains(t, bare.NoteTitle, "A2, A3")
	require.Equal(t, "Confirmed", row("It is not there.", ledger.NotFound).Note)
	require.Equal(t, "Confirmed", row("", ledger.Supported).Note)
	l.reasons = ledger.Reasons{}
	require.Equal(t, "Confirmed", row("", ledger.NotFound).Note)
}

// TestStaleOverrideStaysAnOverride: a claim that was judged again after it was overridden is not called confirmed.
func TestStaleOverrideStaysAnOverride(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	l := &rowList{c: &c, reasons: ledger.Reasons{Adverse: []string{"A2"}}}
	r := &Row{}
	l.fill(r, &ledger.Entry{Verdict: ledger.Contradicted, Machine: ledger.Weak, State: ledger.Overridden, Override: true, Stale: true,
		Claim: &ledger.Claim{Stale: 1, Reviews: []ledger.Review{{Action: ledger.Override, Verdict: ledger.Contradicted, By: "u", Reason: "Read."}}}})
	require.Equal(t, "Overridden", r.Note)
}
