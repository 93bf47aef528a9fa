package ledger

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// rowList makes the rows of a page.
type rowList struct {
	c       *ui.Chrome
	flags   map[ledger.RiskType]ledger.Severity
	reasons ledger.Reasons
}

func (p *SessionPage) newRowList(in *ledger.Page) *rowList {
	l := &rowList{c: &p.Chrome, flags: map[ledger.RiskType]ledger.Severity{}, reasons: in.Reasons}
	for _, f := range in.Overview.Flags {
		l.flags[f.Type] = f.Severity
	}
	return l
}

// fill lays out what a row says of its claim.
func (l *rowList) fill(r *Row, e *ledger.Entry) {
	c, claim := l.c, e.Claim
	r.Number, r.Text, r.Critical = claim.Number(), claim.Text, e.Importance == ledger.Critical && !e.State.Aside()
	r.Aside = e.State.Aside()
	r.Badge, r.Type = rowBadge(c, e), c.T("type_"+string(e.Type))
	r.Note, r.Stale, r.Since = l.note(e), staleNote(c, e), sinceNote(c, claim)
	r.Source, r.Partial = c.Source(e.Document, e.Chunk), e.Best != nil && !e.Best.Contradicts && e.Best.Support == ledger.Partial
	r.Citations, r.Quotations = rowCitations(c, claim), rowQuotations(c, claim)
	if e.Override && r.Citations.Key == string(ledger.Weak) { // the judge's, whose verdict stands no longer
		r.Citations = RowCheck{}
	}
	changed := e.Override && !r.Aside && !e.Unjudged()
	r.Decided = changed || e.State == ledger.Confirmed && !e.Stale && !e.Unjudged()
	if changed {
		was := c.MachineBadge(e)
		r.NoteTitle = c.T("overridden_was", "Verdict", strings.TrimSpace(was.Word+" "+was.Percent))
	}
	if classes := l.reasons.Classes(e); r.Decided && !changed && len(classes) > 0 && !e.Reasoned() {
		r.Note = c.T("state_confirmed_bare")
		r.NoteTitle = c.T("reason_wanted", "Classes", strings.Join(classes, c.T("list_comma")))
	}
	comments := 0
	for i := range claim.Reviews {
		x := &claim.Reviews[i]
		switch {
		case x.Action == ledger.Undo || claim.Undone(i):
		case x.Action == ledger.Comment:
			comments++
		case x.Action != ledger.Edit && x.Action != ledger.NeedsEvidence && !x.Action.OfThread(): // it decides
			r.Reviewer = x.Actor
		}
	}
	if open := len(claim.OpenThreads()); open > 0 {
		r.Threads = c.N("n_threads_open", open)
	}
	if comments > 0 {
		r.Comments, r.CommentCount = c.N("n_comments", comments), c.Num(comments)
	}
	if r.Reviewer != "" {
		r.Initials = say.Initials(r.Reviewer, c.Lang)
	}
	l.flag(r, e)
}

// rowBadge is the verdict of a claim as its row shows it: whose figure it is, is said in one word, and in full as its
// title.
func rowBadge(c *ui.Chrome, e *ledger.Entry) ui.Badge {
	b := worded(c, c.EntryBadge(e))
	if !b.Says {
		return b
	}
	b.Percent, b.Whose, b.Says = c.T("says_"+string(e.FigureSource())+"_short", "Value", c.Percent(e.Shown())), b.Percent, false
	return b
}

// worded is a badge whose probability says in words what it is.
func worded(c *ui.Chrome, b ui.Badge) ui.Badge {
	if b.Percent != "" && !b.Says {
		said := "row_probability" // of the verdict
		if b.Key == string(ledger.Weak) {
			said = "row_supported" // a weak verdict has the probability of support (L-3)
		}
		b.Percent = c.T(said, "Value", b.Percent)
	}
	return b
}

// note is the note under the badge: what reviewers did, or why there is no verdict.
func (l *rowList) note(e *ledger.Entry) string {
	c := l.c
	switch {
	case e.State.Aside(): // its badge says so, the note why
		if r := e.Claim.AsideBy(); r != nil {
			return r.Reason
		}
		return ""
	case e.Unjudged():
		return c.Said(e.Claim.Cause())
	case e.Override:
		return c.T("state_overridden")
	case e.State == ledger.Confirmed:
		return c.T("state_confirmed")
	case e.State == ledger.Wanting:
		return c.T("state_needs_evidence")
	}
	return ""
}

// flag fills in the flags of a row. It has room for the name of one: the gravest that neither the verdict nor a check
// beside it says already. Of the others of this kind it has the number; where all are said already, their sign; their
// names are its title.
func (l *rowList) flag(r *Row, e *ledger.Entry) {
	lead := -1
	for i, f := range e.Flags {
		if !saidInRow(e, f) && (lead < 0 || weight(l.flagOf(f).Severity) < weight(l.flagOf(e.Flags[lead]).Severity)) {
			lead = i
		}
	}
	r.Flagged = len(e.Flags) > 0
	if lead >= 0 {
		r.Flag = l.flagOf(e.Flags[lead])
	}
	x, count := &r.Others, 0
	for i, f := range e.Flags {
		if i == lead || lead >= 0 && saidInRow(e, f) {
			continue
		}
		flag := l.flagOf(f)
		if count++; count == 1 {
			x.Names, x.Severity = flag.Name, flag.Severity
			continue
		}
		x.Names += l.c.T("list_comma") + flag.Name
		if weight(flag.Severity) < weight(x.Severity) {
			x.Severity = flag.Severity
		}
	}
	switch {
	case lead >= 0 && count > 0:
		x.Count, x.Severity = "+"+l.c.Num(count), ""
	case count > 1:
		x.Count = l.c.Num(count)
	}
}

func (l *rowList) flagOf(f ledger.RiskType) ClaimFlag {
	return ClaimFlag{l.flags[f], l.c.T("flag_name_" + string(f))}
}

// saidInRow reports whether the verdict of a claim, or one of its checks, says in its row what a flag says.
func saidInRow(e *ledger.Entry, f ledger.RiskType) bool {
	switch f {
	case ledger.Contradiction:
		return e.Verdict == ledger.Contradicted
	case ledger.MissingEvidence:
		return e.Verdict == ledger.NotFound
	case ledger.Miscitation:
		return e.Claim.Checks.CitationMask()&ledger.Elsewhere.Bit() != 0
	case ledger.InventedQuotation:
		return e.Claim.Checks.Invented()
	}
	return false
}

// RowCheck is the outcome of a check in the list of claims: what became of all citations of a claim, or of all its
// quotations. The worst one speaks for all. It is zero without a check.
type RowCheck struct {
	Key, Icon, Word string
	Quiet           bool   // it passed: nothing to look at
	Title           string // what was checked
}

// rowCitations returns the check of what the answer cites for a claim; zero if it cites nothing.
func rowCitations(c *ui.Chrome, claim *ledger.Claim) RowCheck {
	mask := claim.Checks.CitationMask()
	const title = "citation_check"
	switch {
	case mask&ledger.DoesNotHold.Bit() != 0:
		return newRowCheck(c, citationKeys[ledger.DoesNotHold], "row_citation_does_not_hold", title, false)
	case mask&ledger.Elsewhere.Bit() != 0:
		return newRowCheck(c, citationKeys[ledger.Elsewhere], "row_citation_elsewhere", title, false)
	case mask&(ledger.NotResolved.Bit()|ledger.NotRead.Bit()) != 0: // nothing was found out
		return newRowCheck(c, ledger.Unjudged, "row_citation_unresolved", title, false)
	case mask&ledger.InPart.Bit() != 0:
		return newRowCheck(c, citationKeys[ledger.InPart], "row_citation_in_part", title, false)
	case mask&ledger.Holds.Bit() != 0:
		return newRowCheck(c, citationKeys[ledger.Holds], "row_citation_holds", title, true)
	}
	return RowCheck{}
}

// rowQuotations returns the check of what a claim quotes; zero if it quotes nothing.
func rowQuotations(c *ui.Chrome, claim *ledger.Claim) RowCheck {
	mask := claim.Checks.QuotationMask()
	const title = "quotation_check"
	switch {
	case claim.Checks.Invented():
		return newRowCheck(c, ledger.Contradicted, "row_invented", title, false)
	case mask&ledger.QuoteFuzzy.Bit() != 0:
		return newRowCheck(c, ledger.Weak, "row_quotation_fuzzy", title, false)
	case claim.Checks.Unchecked:
		return newRowCheck(c, ledger.Unjudged, "row_quotation_unchecked", title, false)
	case mask != 0:
		return newRowCheck(c, ledger.Supported, "row_quotation_exact", title, true)
	}
	return RowCheck{}
}

func newRowCheck(c *ui.Chrome, key ledger.Verdict, word, title string, quiet bool) RowCheck {
	return RowCheck{
		Key: say.VerdictKey(key), Icon: ui.Icons[key], Word: c.T(word), Quiet: quiet, Title: c.T(title),
	}
}

// commaBefore is the comma between a file and the place in it, "" without a place.
func commaBefore(c *ui.Chrome, place string) string {
	if place == "" {
		return ""
	}
	return c.T("list_comma")
}
