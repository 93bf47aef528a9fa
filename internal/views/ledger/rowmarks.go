package ledger

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// rowList has what the rows of a page share: its words around what differs, and addresses without a claim's number.
type rowList struct {
	c             *ui.Chrome
	lang          string // of the session
	before, after string // the address of the page with a claim in focus, around its number
	fragment      string // the address of a claim alone, before its number
	flags         map[ledger.RiskType]ClaimFlag
	page          ui.Around
	model, caller rowFigure
	reviews       rowFigure
	why, whySaid  string // see unjudged
}

// rowFigure is a confidence as a row shows it: whose figure it is, is said in one word, and in full as its title.
type rowFigure struct{ short, title ui.Around }

func (p *SessionPage) newRowList(o *ledger.Overview) *rowList {
	c := &p.Chrome
	l := &rowList{
		c: c, lang: p.Lang, fragment: p.Path + "/claims/", flags: make(map[ledger.RiskType]ClaimFlag, len(o.Flags)),
		page:    c.Around("page_short"),
		model:   rowFigure{c.Around("says_model_short"), c.Around("says_model")},
		caller:  rowFigure{c.Around("says_caller_short"), c.Around("says_caller")},
		reviews: rowFigure{c.Around("says_reviews_short"), c.Around("says_reviews")},
	}
	const claim = "claim=0"
	address := p.address("after", p.after, "claim", "0")
	at := strings.Index(address, "?"+claim)
	if at < 0 {
		at = strings.Index(address, "&"+claim)
	}
	at += len(claim)
	l.before, l.after = address[:at], address[at+1:]
	for _, f := range o.Flags {
		l.flags[f.Type] = ClaimFlag{f.Severity, c.T("flag_name_" + string(f.Type))}
	}
	return l
}

// fill lays out what a row says of its claim.
func (l *rowList) fill(r *Row, e *ledger.Entry) {
	c, claim := l.c, e.Claim
	r.list, r.Number, r.Text, r.Critical = l, claim.Number(), claim.Text, e.Importance == ledger.Critical
	l.badge(r, e)
	r.Note, r.Stale, r.Since = l.note(e), staleNote(c, e), sinceNote(c, claim)
	if e.Document != nil && e.Chunk != nil && e.Chunk.Page > 0 {
		r.Source.File, r.page = ui.DocumentName(e.Document), e.Chunk.Page
	} else {
		r.Source = c.Source(e.Document, e.Chunk)
	}
	r.Citations, r.Quotations = rowCitations(c, claim), rowQuotations(c, claim)
	comments := 0
	for i := range claim.Reviews {
		x := &claim.Reviews[i]
		switch {
		case x.Action == ledger.Undo || claim.Undone(i):
		case x.Action == ledger.Comment:
			comments++
		case x.Action == ledger.Confirm || x.Action == ledger.Override:
			r.Reviewer = x.Actor
		}
	}
	if comments > 0 {
		r.Comments = c.N("n_comments", comments)
	}
	if r.Reviewer != "" {
		r.Initials = ui.Initials(r.Reviewer, l.lang)
	}
	l.flag(r, e)
}

// note is the note under the badge: what reviewers did, or why there is no verdict.
func (l *rowList) note(e *ledger.Entry) string {
	c := l.c
	switch {
	case e.Unjudged():
		return l.unjudged(e.Claim.Unjudged)
	case e.Override:
		was := c.MachineBadge(e)
		return c.T("overridden_was", "Verdict", strings.TrimSpace(was.Word+" "+was.Percent))
	case e.State == ledger.Confirmed:
		return c.T("state_confirmed")
	case e.State == ledger.Wanting:
		return c.T("state_needs_evidence")
	}
	return ""
}

// unjudged is the reason of a claim without a verdict in the reader's language. Rows that follow each other mostly have
// the same one, and it is looked for among many patterns.
func (l *rowList) unjudged(why string) string {
	if l.why != why {
		l.why, l.whySaid = why, l.c.SaidText(why)
	}
	return l.whySaid
}

// badge is the verdict of a claim as its row shows it.
func (l *rowList) badge(r *Row, e *ledger.Entry) {
	switch {
	case !ui.HasFigure(e) || e.JudgeProbability != nil:
		r.Badge = l.c.EntryBadge(e)
		return
	case e.JudgeSource == ledger.ByCaller:
		r.figure = &l.caller
	case e.Measured:
		r.figure = &l.reviews
	default:
		r.figure = &l.model
	}
	r.Badge, r.confidence = l.c.VerdictBadge(e.Machine, e.Confidence), e.Confidence
}

// flag fills in the flags of a row. It has room for the name of one: the gravest that neither the verdict nor a check
// beside it says already. Of the others it has the number, and of those alone the sign; their names are its title.
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
	x := &r.Others
	for i, f := range e.Flags {
		if i == lead {
			continue
		}
		flag := l.flagOf(f)
		if x.Count++; x.Count == 1 {
			x.Names, x.Severity = flag.Name, flag.Severity
			continue
		}
		x.Names += l.c.T("list_comma") + flag.Name
		if weight(flag.Severity) < weight(x.Severity) {
			x.Severity = flag.Severity
		}
	}
	switch {
	case lead >= 0:
		x.Severity = ""
	case x.Count == 1:
		x.Count = 0
	}
}

func (l *rowList) flagOf(f ledger.RiskType) ClaimFlag {
	flag, ok := l.flags[f]
	if !ok {
		flag.Name = l.c.T("flag_name_" + string(f))
		l.flags[f] = flag
	}
	return flag
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
	case mask&ledger.NotResolved.Bit() != 0: // nothing was found out
		return newRowCheck(c, ledger.Unjudged, "row_citation_unresolved", title, false)
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
		Key: ui.VerdictKey(key), Icon: ui.Icons[key], Word: c.T(word), Quiet: quiet, Title: c.T(title),
	}
}
