package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/viewtest"
	catalogue "sanad/internal/words"
)

// opened is the view of a claim that our judge judged against one passage; change, where given, makes another state.
func opened(t *testing.T, lang, claim, passage string, change func(*ledger.Session, *ledger.Claim)) *ClaimView {
	t.Helper()
	answer := "Intro [cite:a1b2c3d4]. **" + strings.TrimSuffix(claim, ".") + "**. What follows, and more."
	s := &ledger.Session{ID: "s", Answer: answer, Documents: []ledger.Document{{ID: "d", Key: "d", Filename: "rules.txt",
		Status: ledger.Ready, Chunks: []ledger.Chunk{{Text: passage, Hash: ledger.ChunkDigest(passage)}}}}}
	sp := text.Place(strings.TrimSuffix(claim, "."), answer).Span
	c := ledger.Claim{Text: claim, Key: "c1", Judge: "lexical", Span: &sp, Type: ledger.Fact, Importance: ledger.Minor}
	c.Matches, _ = judge.NewLexical().Judge(&c, judge.NewIndex(s))
	if change != nil {
		change(s, &c)
	}
	s.Claims = []ledger.Claim{c}
	l := ledger.Assess(s, 24)
	chrome := viewtest.ChromeAt(lang, "/sessions/s/claims/1")
	p := NewClaimPage(chrome, LedgerPart{Page: ledger.Page{Session: s, Documents: len(s.Documents), Overview: l.Overview,
		Answer: ledger.AnswerPart{Text: s.Answer, Length: text.Len(s.Answer), Whole: true}}}, 0, ReviewForm{})
	return p.View
}

const (
	taxi   = "Travel by taxi is reimbursed."
	noTaxi = "Trains are paid. Travel by taxi is not reimbursed. Keep the receipt."
)

// TestWhy holds the plain sentence in both languages, for every verdict and for checks that failed.
// insurance is said in other words by noInsurance, whose words seem to negate it.
const (
	insurance   = "There is no need to buy additional protection at the hire desk, since the contract comes with insurance."
	noInsurance = "Hire cars must be of the compact class; if three or more people travel together, an estate car is permitted. " +
		"Cover is already included in the framework contract, so extra insurance offered at the counter should be declined."
)

func TestWhy(t *testing.T) {
	t.Parallel()
	given := func(m ledger.Match) func(*ledger.Session, *ledger.Claim) {
		return func(_ *ledger.Session, c *ledger.Claim) {
			c.Judge, c.Given, c.Matches = "given", true, []ledger.Match{m}
			if m.Snippet == "" {
				c.Matches = nil
			}
		}
	}
	override := func(_ *ledger.Session, c *ledger.Claim) {
		c.Reviews = []ledger.Review{{Action: ledger.Override, Verdict: ledger.Supported, Reason: "x", Actor: "N", By: "n"}}
	}
	for _, x := range []struct {
		name, claim, passage string
		change               func(*ledger.Session, *ledger.Claim)
		en, ar               string
	}{
		{name: "opposite", claim: taxi, passage: noTaxi, en: "The source says the opposite: “is not reimbursed”.",
			ar: "يقول المصدر العكس: «is not reimbursed»."},
		{name: "number", claim: "Up to 10 days may be carried over.", passage: "Up to 5 days may be carried over.",
			en: "The source says “Up to 5 days”; the answer says “Up to 10 days”.", ar: "يقول المصدر «Up to 5 days»، وتقول الإجابة «Up to 10 days»."},
		{name: "Arabic", claim: "يجوز ترحيل الإجازة السنوية إلى العام التالي.",
			passage: "لا يجوز ترحيل الإجازة السنوية إلى العام التالي.",
			en:      "The source says the opposite: “لا يجوز”.", ar: "يقول المصدر العكس: «لا يجوز»."},
		{name: "word for word", claim: "The canteen opens at 11:30.", passage: "The canteen opens at 11:30.",
			en: "The source says this word for word.", ar: "يقول المصدر ذلك بنصه."},
		{name: "equal", claim: "Refunds are made within two weeks.", passage: "Refunds are made within 14 days of the request.",
			en: "The source says the same: its “within 14 days” equals “within two weeks” in the answer.",
			ar: "يقول المصدر الشيء نفسه: «within 14 days» فيه تساوي «within two weeks» في الإجابة."},
		{name: "weak", claim: "Contractors must wear a badge.", passage: "Contractors may wear a badge in the building.",
			en: "The source does not quite say this. The source says “may”; the answer says “must”.",
			ar: "لا يقول المصدر ذلك تمامًا. يقول المصدر «may»، وتقول الإجابة «must»."},
		{name: "other words", claim: "The board confirmed the annual budget on Monday.",
			passage: "The board confirmed the annual dividend on Monday.",
			en:      "The source does not quite say this. The source says “dividend”; the answer says “budget”.",
			ar:      "لا يقول المصدر ذلك تمامًا. يقول المصدر «dividend»، وتقول الإجابة «budget»."},
		{name: "the reader is not sure", claim: insurance, passage: noInsurance, change: func(_ *ledger.Session, c *ledger.Claim) {
			m := ledger.Match{Snippet: noInsurance, Support: ledger.Partial, Similarity: 0.6,
				Quote:    text.Placement{Kind: text.Exact, Span: text.Span{End: text.Len(noInsurance)}},
				Features: []ledger.Feature{{Name: judge.ReaderFeature, Value: 0.6}}}
			m.Remark(catalogue.Msg("note_unsure"))
			c.Judge, c.Matches = "embedded", []ledger.Match{m}
		}, en: "The judge is not sure that this passage supports the claim.", ar: "لا يجزم المُحكِّم بأن هذا المقطع يؤيد الإفادة."},
		{name: "nothing", claim: "Fathers sail to Malta in spring.", passage: "The canteen opens at 11:30.",
			en: "This was not found in the only source.", ar: "لم يُعثر في المصدر الوحيد على ما يقول ذلك."},
		{name: "nothing given", claim: taxi, passage: noTaxi, change: given(ledger.Match{}),
			en: "The imported file gives no evidence for this.", ar: "لا يقدّم الملف المستورد دليلًا على ذلك."},
		{name: "a file's word", claim: taxi, passage: noTaxi, change: given(ledger.Match{Support: ledger.Full, Similarity: 0.9,
			Snippet: "Travel by taxi", Quote: text.Place("Travel by taxi", noTaxi)}),
			en: "The imported file says that this passage supports the answer.",
			ar: "يفيد الملف المستورد بأن هذا المقطع يؤيد الإجابة."},
		{name: "a reviewer decided otherwise", claim: taxi, passage: noTaxi, change: override,
			en: "A reviewer decided otherwise: Supported. “x”", ar: "قرر أحد المراجعين خلاف ذلك: مؤيَّدة. «x»"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			for lang, want := range map[string]string{"en": x.en, "ar": x.ar} {
				v := opened(t, lang, x.claim, x.passage, x.change)
				require.Equal(t, want, strings.NewReplacer("\u2068", "", "\u2069", "").Replace(v.Why.Lead))
				require.Equal(t, x.name == "a reviewer decided otherwise", v.Why.Found != "")
			}
		})
	}
}

func TestWhyChecks(t *testing.T) {
	t.Parallel()
	v := opened(t, "en", taxi, noTaxi, func(_ *ledger.Session, c *ledger.Claim) {
		c.Checks = ledger.Checks{
			Citations: []ledger.CitationCheck{{Anchor: "[1]", Status: ledger.Holds},
				{Anchor: "[2]", Status: ledger.Elsewhere, Supporting: &ledger.ChunkRef{}}},
			Quotations: []ledger.QuotationCheck{{Text: "never paid", Status: ledger.QuoteNotFound}},
		}
	})
	require.Len(t, v.Why.Checks, 2)
	require.Contains(t, v.Why.Checks[0], "rules.txt")
	require.Contains(t, v.Why.Checks[1], "no source has these words")
}

// The claim stands in the answer's words as people read them, the passage in its own; marks have one number on both
// sides, and copying gives the words alone.
func TestDiff(t *testing.T) {
	t.Parallel()
	v := opened(t, "en", taxi, noTaxi, nil)
	page := viewtest.Html(t, OpenedClaim(v, false))
	for _, want := range []string{
		`<span class="around">Intro.</span> <h2 class="claim-text" id="claim-h" tabindex="-1" aria-describedby="why">`,
		`<span class="d d-conflict" data-n="1" title="Contradicts · in the source: ` + "\u2068is not reimbursed\u2069" + `">is reimbursed</span>.</h2>`,
		`<span class="d d-conflict" data-n="1" title="Contradicts · in the answer: ` + "\u2068is reimbursed\u2069" + `">is <strong>not</strong> reimbursed</span>`,
		`<span class="around">Trains are paid.</span>`, `<bdi dir="ltr" lang="en">is not reimbursed</bdi>`,
	} {
		require.Contains(t, page, want)
	}
}

// Where nothing differs, a claim that is not supported has the figures marked that both sides have: there the reader
// finds it in a long passage. A person's verdict colours the passage.
func TestDiffMarksWhatAgrees(t *testing.T) {
	t.Parallel()
	const claim, passage = "A tender is announced for 30 days.", "Direct purchases need 3 offers. A tender is announced for 30 days."
	given := func(support ledger.Support, reviews ...ledger.Review) *ClaimView {
		return opened(t, "en", claim, passage, func(_ *ledger.Session, c *ledger.Claim) {
			c.Unjudged, c.Judge, c.Given, c.Reviews = "", "given", true, reviews
			c.Matches = []ledger.Match{{Support: support, Similarity: 0.9, Snippet: "A tender is announced for 30 days.",
				Quote: text.Placement{Kind: text.Exact, Span: text.Span{Start: 32, End: 66}}}}
		})
	}
	const mark = `<span class="d d-equal">30 days</span>`
	require.Equal(t, 2, strings.Count(viewtest.Html(t, OpenedClaim(given(ledger.Partial), false)), mark))
	require.NotContains(t, viewtest.Html(t, OpenedClaim(given(ledger.Full), false)), mark)
	v := given(ledger.Partial, ledger.Review{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "x", Actor: "N", By: "n"})
	require.Equal(t, string(ledger.Contradicted), v.Evidence.Key)
}

// TestDiffOfMarkdown holds that the passage of a Markdown file is shown without its marks, and that of another file as
// it is.
func TestDiffOfMarkdown(t *testing.T) {
	t.Parallel()
	const passage = "Trains are **paid**. Travel by taxi is **not** reimbursed. Keep the receipt."
	for name, stars := range map[string]bool{"rules.md": false, "rules.txt": true} {
		v := opened(t, "en", taxi, passage, func(s *ledger.Session, _ *ledger.Claim) { s.Documents[0].Filename = name })
		require.Equal(t, stars, strings.Contains(v.Diff.Source.Before, "**paid**"), name)
		html := viewtest.Html(t, contrastSection(v))
		require.Contains(t, html, "Trains are ")
		require.Equal(t, stars, strings.Contains(html, "**"), name)
	}
}

// States in which something is not there, or there is too much of it.
func TestDiffStates(t *testing.T) {
	t.Parallel()
	gone := opened(t, "en", taxi, noTaxi, func(s *ledger.Session, c *ledger.Claim) {
		s.Documents[0].Chunks, c.Span = nil, nil
	})
	require.Equal(t, []string{"The answer does not contain the claim word for word."}, gone.Diff.Said)
	require.Equal(t, []string{"Only these words of the source are stored, without their surroundings."}, gone.Diff.Notes)
	require.Contains(t, viewtest.Html(t, OpenedClaim(gone, false)), "<strong>not</strong>")

	huge := strings.Repeat("Travel by taxi is reimbursed and ", 3200)
	v := opened(t, "en", huge, noTaxi, nil)
	require.Equal(t, huge, v.Whole)
	require.Less(t, len(viewtest.Html(t, OpenedClaim(v, false))), 20_000)
	require.Contains(t, viewtest.Html(t, OpenedClaim(v, true)), huge[:2000], "its own page has it whole")

	other := opened(t, "en", "Employees get 30 days.", "للموظف إجازة مدتها ثلاثون يوماً.",
		func(_ *ledger.Session, c *ledger.Claim) {
			c.Unjudged, c.Judge = "", "given"
			c.Matches = []ledger.Match{{Support: ledger.Full, Similarity: 0.9, Snippet: "ثلاثون يوماً",
				Quote: text.Placement{Kind: text.Exact, Span: text.Span{Start: 18, End: 30}}}}
		})
	require.Equal(t, "ltr", other.Diff.Answer.Dir)
	require.Equal(t, "rtl", other.Diff.Source.Dir)
	require.Contains(t, other.Diff.Notes[0], "different languages")
	require.Len(t, other.Diff.Pairs, 1, "nothing is called missing")
}

// A claim that is a cell of a table is said in the answer's own words: neither these nor what follows end in the sign
// between two cells.
func TestAClaimInACellHasItsOwnWords(t *testing.T) {
	t.Parallel()
	v := opened(t, "en", taxi, noTaxi, func(s *ledger.Session, c *ledger.Claim) {
		s.Answer = "| Topic | Rule | Source |\n|---|---|---|\n| Taxi | " + taxi + " | [cite:a1b2c3d4] |\n| Train | Paid | |\n"
		sp := text.Place(taxi, s.Answer).Span
		c.Span = &sp
	})
	require.Empty(t, v.Diff.Standing)
	require.Equal(t, "Taxi ·", v.Diff.Answer.Before)
	require.Empty(t, v.Diff.Answer.Mark)
	require.True(t, v.Diff.Answer.BreakAfter)
	require.Contains(t, v.Diff.Answer.After, "Train")
}
