package ledger

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Why says in plain sentences why a claim has its verdict. It says no more than the judge found, and never other than
// the verdict that is shown.
type Why struct {
	Lead   string   // the one sentence
	Tier   string   // what the tier beside a weak verdict means, "" without one
	Found  string   // after a decision otherwise: what the judge had found, "" if nobody decided otherwise
	Capped string   // why it is weak although a model says supported, "" if that is not so
	Checks []string // what is wrong with what the answer cites, quotes and rests on
}

// listedChecks is how many citations and quotations that failed are said in sentences.
const listedChecks = 3

// newWhy words the reason of a claim's verdict for a reader.
func newWhy(c *ui.Chrome, in *ledger.Page, reader string, e *ledger.Entry, d *judge.Contrast) Why {
	documents := in.Documents
	w := Why{Checks: failedChecks(c, in, &e.Claim.Checks), Capped: capped(c, e)}
	machine := machineWhy(c, e, d, documents)
	switch {
	case e.Verdict == e.Machine || e.Unjudged():
		w.Lead = machine
		if tier := e.MachineTier(); tier != "" && !e.Override {
			w.Tier = c.T("tier_means_" + string(tier))
		}
	case e.Machine == ledger.Unjudged:
		w.Lead = c.T("why_decided", "Verdict", c.Verdict(e.Verdict))
		w.Found = machine
	default:
		said := "why_decided_otherwise"
		x := overriding(e.Claim, e.Verdict)
		if x != nil && x.By != "" && x.By == reader {
			said = "why_you_decided_otherwise"
		}
		w.Lead = c.T(said, "Verdict", c.Verdict(e.Verdict))
		if x != nil && x.Reason != "" {
			w.Lead += " " + c.T("quoted", "Words", say.Isolated(cut(x.Reason, maxWhyReason)))
		}
		w.Found = c.T("why_judge_found", "Verdict", c.Verdict(e.Machine), "Why", machine)
	}
	return w
}

// overriding is the newest review that set a claim's verdict, nil if none did.
func overriding(claim *ledger.Claim, verdict ledger.Verdict) *ledger.Review {
	for i := len(claim.Reviews) - 1; i >= 0; i-- {
		if x := &claim.Reviews[i]; x.Action == ledger.Override && x.Verdict == verdict && !claim.Undone(i) {
			return x
		}
	}
	return nil
}

// maxWhyReason is how many characters of a reviewer's reason stand in the reason of a verdict; all of it is below.
const maxWhyReason = 200

// machineWhy is the reason of the judge's verdict.
func machineWhy(c *ui.Chrome, e *ledger.Entry, d *judge.Contrast, documents int) string {
	switch {
	case e.Claim.Unjudged != "":
		return c.T("why_unjudged", "Cause", c.Said(e.Claim.Cause()))
	case e.Best == nil:
		return nothingWhy(c, e, documents)
	case e.Absent() && e.Machine != ledger.Contradicted:
		return c.T("why_absent")
	case e.Doubtful() && e.Machine == ledger.Weak:
		return c.T("why_doubtful", "Where", say.Isolated(say.DocumentName(e.Document)))
	}
	switch e.Machine {
	case ledger.Supported:
		return supportedWhy(c, e, d)
	case ledger.Contradicted:
		return contradictedWhy(c, e, d)
	case ledger.Weak:
		return weakWhy(c, e, d)
	}
	return c.T("why_not_this")
}

// nothingWhy is the reason where no passage was found.
func nothingWhy(c *ui.Chrome, e *ledger.Entry, documents int) string {
	switch {
	case e.Claim.Judge == "given":
		return c.T("why_nothing_given")
	case documents == 0:
		return c.T("why_no_sources")
	}
	return c.N("why_nothing", documents)
}

// supportedWhy is the reason of support: word for word, or with figures or words that are written otherwise.
func supportedWhy(c *ui.Chrome, e *ledger.Entry, d *judge.Contrast) string {
	if p := first(d, judge.MarkConflict, judge.MarkDiffers); p != nil {
		return c.T("why_supported_although", "Why", differenceWhy(c, p))
	}
	switch {
	case d.Verbatim:
		return c.T("why_verbatim")
	case len(d.Missing) > 0 && !d.Apart:
		if slices.ContainsFunc(d.Missing, hasDigit) { // no other words say a figure
			return c.T("why_supported_lacks_figure", "Words", quoted(c, few(d.Missing)))
		}
		return c.T("why_supported_lacks", "Words", quoted(c, few(d.Missing)))
	}
	if p := first(d, judge.MarkEqual); p != nil {
		return c.T("why_supported_equal", words(p)...)
	}
	if e.Claim.Judge == "given" {
		return c.T("why_supported_given")
	}
	if p := first(d, judge.MarkInstead); p != nil {
		return c.T("why_supported_words", words(p)...)
	}
	return c.T("why_supported")
}

// contradictedWhy is the reason of a contradiction, by the words that the judge named.
func contradictedWhy(c *ui.Chrome, e *ledger.Entry, d *judge.Contrast) string {
	if p := first(d, judge.MarkConflict); p != nil {
		return differenceWhy(c, p)
	}
	if e.Claim.Judge == "given" {
		return c.T("why_contradicted_given")
	}
	return c.T("why_contradicted")
}

// weakWhy is the reason of weak evidence: a difference that can be named, what is missing, or the judge's remark.
func weakWhy(c *ui.Chrome, e *ledger.Entry, d *judge.Contrast) string {
	m := e.Best
	if a := m.Attached; a != nil && m.NoteSaid.ID == judge.AttachedNote {
		return c.T("why_attached", "Who", c.Named(a.Actor))
	}
	if judge.IsUnsure(m) {
		return c.Said(m.Remarked())
	}
	if p := first(d, judge.MarkDiffers, judge.MarkConflict); p != nil {
		return c.T("why_weak_differs", "Why", differenceWhy(c, p))
	}
	switch {
	case len(d.Missing) > 0 && !d.Apart:
		return c.T("why_weak_lacks", "Words", quoted(c, few(d.Missing)))
	case replaced(d, m.Missing) != nil:
		return c.T("why_weak_differs", "Why", differenceWhy(c, replaced(d, m.Missing)))
	case m.Note != "" && len(m.Missing) == 0 && e.Claim.Judge != "given":
		return c.T("why_weak_differs", "Why", c.Said(m.Remarked()))
	case e.Claim.Judge == "given":
		return c.T("why_weak_given")
	}
	return c.T("why_weak")
}

// differenceWhy says in one sentence how a pair differs.
func differenceWhy(c *ui.Chrome, p *judge.Pair) string {
	id := "why_says"
	switch {
	case p.About == judge.AboutNegation && p.Source != "":
		id = "why_opposite"
	case p.About == judge.AboutNegation:
		id = "why_denies"
	case p.About == judge.AboutOpposite && p.Claim != "" && p.Source != "":
		id = "why_opposite_of"
	case p.Claim == "":
		id = "why_source_" + oneSided(p.About)
	case p.Source == "":
		id = "why_answer_" + oneSided(p.About)
	}
	return c.T(id, words(p)...)
}

// oneSided is how a difference is called of which one side alone has the words.
func oneSided(about judge.About) string {
	switch about {
	case judge.AboutException, judge.AboutCondition:
		return string(about)
	}
	return "limit"
}

// words are the placeholders of a pair.
func words(p *judge.Pair) []any {
	return []any{"Claim", say.Isolated(cut(p.Claim, maxListed)), "Source", say.Isolated(cut(p.Source, maxListed))}
}

// first is the first pair of some kinds, nil if none.
func first(d *judge.Contrast, kinds ...judge.MarkKind) *judge.Pair {
	for i := range d.Pairs {
		for _, k := range kinds {
			if d.Pairs[i].Kind == k {
				return &d.Pairs[i]
			}
		}
	}
	return nil
}

// replaced is the first pair of other words that stand for one that the judge found missing, nil if none.
func replaced(d *judge.Contrast, missing []string) *judge.Pair {
	for i := range d.Pairs {
		p := &d.Pairs[i]
		if p.Kind == judge.MarkInstead && slices.Contains(missing, p.Claim) && hasDigit(p.Claim) == hasDigit(p.Source) {
			return p
		}
	}
	return nil
}

// hasDigit reports whether words have a figure: no word stands instead of one.
func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// few are the first words of a list for a sentence; the list itself stands below.
func few(list []string) []string { return list[:min(len(list), 3)] }

// failedChecks says what is wrong with what the answer cites and quotes for the claim, and with what it rests on.
func failedChecks(c *ui.Chrome, in *ledger.Page, checks *ledger.Checks) (out []string) {
	s := in.Session
	add := func(id string, args ...any) {
		if len(out) < listedChecks {
			out = append(out, c.T(id, args...))
		}
	}
	if x := checks.LeftOut; x != nil {
		if d := s.Document(x.Document); d != nil {
			add("why_left_out_"+string(x.Kind), "Where", say.Isolated(say.DocumentName(d)))
		}
	}
	for i := range checks.Citations {
		x := &checks.Citations[i]
		anchor := say.Isolated(shownAnchor(c, in, x))
		switch x.Status {
		case ledger.Elsewhere:
			var l CheckLine
			if l.at(c, s, x.Supporting); l.Where == "" {
				add("why_cite_other", "Anchor", anchor)
			} else {
				add("why_cite_elsewhere", "Anchor", anchor, "Where", say.Isolated(l.Where))
			}
		case ledger.DoesNotHold:
			add("why_cite_not", "Anchor", anchor)
		case ledger.NotResolved:
			add("why_cite_gone", "Anchor", anchor)
		}
	}
	for i := range checks.Quotations {
		x := &checks.Quotations[i]
		switch x.Status {
		case ledger.QuoteNotFound:
			add("why_quote_not", "Words", say.Isolated(cut(x.Text, maxListed)))
		case ledger.QuoteFuzzy:
			add("why_quote_fuzzy", "Words", say.Isolated(cut(x.Text, maxListed)))
		}
	}
	return out
}

// shownAnchor is the anchor of a citation as the answer shows it (SessionPage.cite): "[cite:a1b2c3d4]" is its number
// there or, where it resolves to nothing or stands in a part of the answer that is not beside the claim, its hash.
func shownAnchor(c *ui.Chrome, in *ledger.Page, x *ledger.CitationCheck) string {
	hash, found := strings.CutPrefix(strings.TrimSuffix(x.Anchor, "]"), "[cite:")
	if !found {
		return cut(x.Anchor, 40)
	}
	hash = strings.ToLower(hash)
	var shown []string
	if in.Answer.Start == 0 && x.Status != ledger.NotResolved {
		for _, a := range ledger.Anchors(in.Answer.Text) {
			if !slices.Contains(shown, a.Hash) {
				shown = append(shown, a.Hash)
			}
		}
	}
	if n := slices.Index(shown, hash); n >= 0 {
		return "[" + c.Num(n+1) + "]"
	}
	return "[" + hash[:min(len(hash), ledger.HashDigits)] + "]"
}

// capped says why a claim is weak although a model says supported, "" if a person's verdict stands.
func capped(c *ui.Chrome, e *ledger.Entry) string {
	if e.Override {
		return ""
	}
	switch by := e.CappedBy(); by {
	case "":
		return ""
	case ledger.CapShare:
		return c.T("cap_share", "Share", c.InDigits(strconv.FormatFloat(e.Best.Similarity*100, 'f', 1, 64)+"%"))
	default:
		return c.T("cap_" + string(by))
	}
}

// maxListed bounds the words of one cell of a list, in code points.
const maxListed = 200

// cut shortens words to n code points.
func cut(s string, n int) string {
	if text.Len(s) <= n {
		return s
	}
	return text.Slice(s, text.Span{End: n}) + "…"
}

// quoted is a list of words, each in quotation marks.
func quoted(c *ui.Chrome, words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(c.T("list_comma"))
		}
		b.WriteString(c.T("quoted", "Words", say.Isolated(cut(w, maxListed))))
	}
	return b.String()
}
