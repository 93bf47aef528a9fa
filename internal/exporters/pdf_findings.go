package exporters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
	"sanad/internal/words"
)

// findings returns what follows a verdict: its certainty, the kind of claim, the reasons, the problems,
// and the reviews. Conflicts that stand beside each other in the columns before are not said again in the part that has
// these columns.
func (p *pdfWriter) findings(e *ledger.Entry, beside []judge.Pair) []typeset.Span {
	var out prose.Lines
	kind := p.T("type_"+string(e.Type)) + " · " + p.T("importance_"+string(e.Importance))
	if id := waits(e); id != "" {
		kind += " · " + p.T("state_"+id)
	}
	switch sure := p.certainty(e); {
	case sure == "":
		out.Line(typeset.Span{Text: kind})
	case e.Override: // too long to share a line
		out.Line(typeset.Span{Text: sure})
		out.Line(typeset.Span{Text: kind})
	default:
		out.Line(typeset.Span{Text: sure + " · " + kind})
	}
	if quotes(e) && !placed(e) {
		out.Line(typeset.Span{Text: p.T("quote_invented"), Bold: true, Color: prose.Alarm})
	}
	p.reasons(&out, e, beside)
	p.citations(&out, e)
	p.checks(&out, e)
	if len(e.Flags) > 0 {
		out.Labelled(p.T("risk_flags"), typeset.Span{Text: p.List(p.FlagNames(e)...), Bold: true})
	}
	if p.first != nil && e.Document != nil && e.Document.Withdrawn != "" { // said beside the evidence in the first part
		out.Line(typeset.Span{Text: p.T("source") + ": " + p.T("withdrawn"), Bold: true, Color: prose.Alarm})
	}
	p.reviews(&out, e)
	p.upstream(&out, e)
	p.imported(&out, e)
	return out
}

// certainty returns the judge's confidence and the state of the review or, if a person overrode the verdict, the
// judge's verdict.
func (p *pdfWriter) certainty(e *ledger.Entry) string {
	if e.Override && e.Verdict == e.Machine { // a person gave the same verdict
		return p.sureOf(e)
	}
	if e.Override {
		was := p.T("overridden_was", "Verdict", p.machine(e))
		if e.Stale {
			was += " · " + p.T("look_again")
		}
		return was
	}
	var parts []string
	if s := p.sureOf(e); s != "" {
		parts = append(parts, s)
	}
	if e.State == ledger.Wanting { // what was confirmed stands below, with by whom
		parts = append(parts, p.T("state_"+string(e.State)))
	}
	if e.Stale {
		parts = append(parts, p.T("look_again"))
	}
	return strings.Join(parts, " · ")
}

// sureOf is sure, "" for a claim without a figure.
func (p *pdfWriter) sureOf(e *ledger.Entry) string {
	if e.FigureSource() == "" || !hasConfidence(e.Verdict) {
		return ""
	}
	return p.sure(e)
}

// machine returns the judge's verdict with its confidence.
func (p *pdfWriter) machine(e *ledger.Entry) string {
	if e.FigureSource() == "" {
		return p.Verdict(e.Machine)
	}
	return p.Tiered(e.Machine, e.MachineTier()) + " · " + p.sure(e)
}

// sure returns the one figure of the judge's verdict, and whose it is.
func (p *pdfWriter) sure(e *ledger.Entry) string {
	source := e.FigureSource()
	if source == ledger.Calibrated {
		return p.T("probability") + " " + percent(e.Shown())
	}
	return p.T("says_"+string(source), "Value", percent(e.Shown()))
}

// placed reports whether the quotation is in its source, word for word or nearly so.
func placed(e *ledger.Entry) bool {
	return slices.Contains([]text.PlacementKind{text.Exact, text.Normalised, text.Fuzzy}, e.Quote())
}

// reasons appends the reasons: from the judge's measurements, and as the judge worded them.
func (p *pdfWriter) reasons(out *prose.Lines, e *ledger.Entry, beside []judge.Pair) {
	if e.Claim.Unjudged != "" {
		out.Line(typeset.Span{Text: p.T("unjudged_title")})
		out.Line(p.note(e.Claim.Cause())...)
	}
	if e.Best == nil {
		return
	}
	measured := p.measured(out, e, beside)
	remark := e.Best.Remarked()
	id, own := prose.Notes[remark.String()]
	if !measured && e.Machine == ledger.Weak && e.Verdict == ledger.Weak && e.Document != nil {
		missing, agree := prose.Lacking(e.Claim.Text, passageOf(e), e.Best)
		switch {
		case len(missing) > 0:
			out.Labelled(p.T("not_in_passage"), p.inList(missing)...)
		case agree && id == "why_unsure":
			out.Line(typeset.Span{Text: p.T("why_unsure_agree")})
			return
		case agree:
			out.Line(typeset.Span{Text: p.T("words_agree")})
		}
	}
	if own {
		out.Line(p.note(remark)...)
	} else if !remark.IsZero() && !(measured && e.Claim.ByEmbedded()) { // whose note only repeats the measurements
		out.Labelled(p.T("judge_notes"), p.note(remark)...)
	}
}

// note returns a judge's note in the section's language, with the words of claim and source in their own direction.
// Other people's words stay as they are, but for the judge's fixed sentences, which an import has in English only.
func (p *pdfWriter) note(m domain.Message) []typeset.Span {
	if id, ok := prose.Notes[m.String()]; ok {
		return typeset.Text(p.T(id))
	}
	if m.ID == words.AsWritten("").ID {
		return p.free(prose.Clipped(strings.TrimSpace(m.String()), prose.RemarkLength))
	}
	const apart = "\x00"
	said := p.Words.Say(m, func(value any) string { return apart + fmt.Sprint(value) + apart })
	var out []typeset.Span
	for i, part := range strings.Split(said, apart) {
		if part != "" {
			out = append(out, typeset.Span{Text: part, Isolate: i%2 == 1})
		}
	}
	return out
}

// measured appends the words that conflict, or for an unsupported claim those missing from the evidence. It reports
// whether there were any.
func (p *pdfWriter) measured(out *prose.Lines, e *ledger.Entry, beside []judge.Pair) bool {
	switch {
	case len(e.Best.Conflicts) > 0:
		for i := range e.Best.Conflicts {
			c := &e.Best.Conflicts[i]
			if p.first != nil || !slices.ContainsFunc(beside, func(x judge.Pair) bool {
				return strings.Contains(x.Claim, c.Claim) && strings.Contains(x.Source, c.Evidence)
			}) {
				out.Line(p.conflict(c)...)
			}
		}
	case len(e.Best.Missing) > 0 && e.Machine != ledger.Supported:
		label := p.T("not_in_passage")
		if quotes(e) && !placed(e) { // the actual source may contain them
			label = p.T("not_in_source")
		}
		missing := slices.DeleteFunc(slices.Clone(e.Best.Missing), func(w string) bool { // said of the source beside it
			return slices.ContainsFunc(beside, func(x judge.Pair) bool {
				return (x.Kind == judge.MarkSame || x.Kind == judge.MarkEqual) && strings.Contains(x.Claim, w)
			})
		})
		if e.Document != nil { // nor is what stands in the sentence that was set before the quotation
			missing = prose.Unsaid(missing, p.quotation(e, beside).Text)
		}
		if len(missing) == 0 {
			return false
		}
		out.Labelled(label, p.inList(missing)...)
	default:
		return false
	}
	return true
}

// conflict returns the words of claim and source that contradict each other.
func (p *pdfWriter) conflict(c *ledger.Conflict) []typeset.Span {
	id := "notes_conflict"
	switch {
	case c.Claim == "": // only one side has, for example, a negation
		id = "conflict_source"
	case c.Evidence == "":
		id = "conflict_claim"
	}
	return fill(p.T(id), "{{.Claim}}", prose.Clipped(c.Claim, prose.TitleLength), "{{.Evidence}}",
		prose.Clipped(c.Evidence, prose.TitleLength))
}

// inList returns words of either language in sequence, at most maxNumbers of them.
func (p *pdfWriter) inList(words []string) []typeset.Span {
	var out []typeset.Span
	for i, w := range words[:min(len(words), maxNumbers)] {
		if i > 0 {
			out = append(out, typeset.Span{Text: p.T("list_comma")})
		}
		out = append(out, typeset.Span{Text: prose.Clipped(w, prose.TitleLength), Isolate: true})
	}
	if len(words) > maxNumbers {
		out = append(out, typeset.Span{Text: " …"})
	}
	return out
}

// citations appends the state of the claim's anchors, except those shown beside the evidence's document.
func (p *pdfWriter) citations(out *prose.Lines, e *ledger.Entry) {
	if gone(e) {
		out.Line(typeset.Span{Text: p.T("note_unresolved")})
	}
	for i := range e.Claim.Citations {
		if c := &e.Claim.Citations[i]; len(c.Places) > 0 && !leadsHome(c, e) {
			said := []typeset.Span{{Text: p.T("cite_"+string(c.Status)) + " "}}
			for j := range c.Places[:min(len(c.Places), maxPlaces)] {
				if j > 0 {
					said = append(said, typeset.Span{Text: p.T("note_or")})
				}
				said = append(said, p.placeSpans(&c.Places[j])...)
			}
			out.Labelled(p.T("citation"), said...)
		}
	}
	if e.Uncited && !gone(e) {
		out.Line(typeset.Span{Text: p.T("uncited")})
	}
}

// gone reports whether a claim has an anchor that points to no passage of the session.
func gone(e *ledger.Entry) bool {
	return slices.ContainsFunc(e.Claim.Citations, func(c ledger.Citation) bool { return len(c.Places) == 0 })
}

// checks appends what became of what the answer cites and quotes, except citations that hold.
func (p *pdfWriter) checks(out *prose.Lines, e *ledger.Entry) {
	for _, x := range e.Claim.Checks.Citations {
		if x.Status == ledger.Holds || x.Cited == nil && gone(e) && strings.HasPrefix(x.Anchor, anchored) {
			continue // it holds, or was said above
		}
		said := append(p.citedPlace(&x), typeset.Span{Text: " · " + p.T("citation_status_"+string(x.Status))})
		shown := x.Supporting
		if x.Status == ledger.NotRead {
			shown = x.Cited
		}
		if d := p.documentOf(shown); d != "" && d != p.documentOf(x.Cited) { // which is named before it
			said = append(said, typeset.Span{Text: ": "}, typeset.Span{Text: d, Isolate: true})
		}
		out.Labelled(p.T("citation_check"), said...)
		if s := citedWords(&x, p.l.Session); s != "" {
			out.Line(p.free(s)...)
		}
	}
	for _, x := range e.Claim.Checks.Quotations {
		said := []typeset.Span{{Text: prose.Clipped(x.Text, prose.TitleLength), Isolate: true},
			{Text: " · " + p.T("quotation_"+string(x.Status)), Bold: x.Status == ledger.QuoteNotFound}}
		out.Labelled(p.T("filter_quotation"), said...)
	}
	if x := e.Claim.Checks.LeftOut; x != nil {
		if d := p.l.Session.Document(x.Document); d != nil {
			out.Line(typeset.Span{Text: p.T("why_left_out_"+string(x.Kind), "Where", documentTitle(d)), Bold: true})
		}
	}
	if e.Doubtful() && e.Document != nil {
		out.Line(typeset.Span{Text: p.T("why_doubtful", "Where", documentTitle(e.Document)), Bold: true})
	}
	if e.Claim.Checks.Unchecked {
		out.Line(typeset.Span{Text: p.T("checks_unchecked")})
	}
}

// anchored is what stands before the hash of an anchor.
const anchored = "[cite:"

// citedPlace names what a citation cites: the place of the passage, else what the answer says.
func (p *pdfWriter) citedPlace(x *ledger.CitationCheck) []typeset.Span {
	name, is := strings.CutPrefix(x.Anchor, anchored)
	if is {
		name = strings.TrimSuffix(name, "]")
	}
	var out []typeset.Span
	if !is || x.Cited == nil {
		out = append(out, typeset.Span{Text: name, Isolate: true})
	}
	if x.Cited == nil {
		return out
	}
	d, c := p.l.Session.Document(x.Cited.Document), p.l.Session.Chunk(*x.Cited)
	if d == nil {
		return out
	}
	if len(out) > 0 {
		out = append(out, typeset.Span{Text: " · "})
	}
	if x.Whole {
		c = nil
	}
	place := p.at(d, c)
	for i := range place {
		place[i].Color = 0
	}
	return append(out, place...)
}

// documentOf names the document of a passage, "" if none.
func (p *pdfWriter) documentOf(ref *ledger.ChunkRef) string {
	if ref == nil {
		return ""
	}
	if d := p.l.Session.Document(ref.Document); d != nil {
		return documentTitle(d)
	}
	return ""
}

// leadsHome reports whether a citation resolves only to the document that contains the evidence.
func leadsHome(c *ledger.Citation, e *ledger.Entry) bool {
	return c.Status == ledger.Resolved && e.Document != nil && len(c.Places) > 0 &&
		!slices.ContainsFunc(c.Places, func(at ledger.Place) bool { return at.Filename != e.Document.Filename })
}

// reviews appends the reviews, oldest first: action, whether it must be repeated, person, time, reason.
func (p *pdfWriter) reviews(out *prose.Lines, e *ledger.Entry) {
	threads := e.Claim.ThreadsAt()
	for i := range e.Claim.Reviews {
		r := &e.Claim.Reviews[i]
		did := p.action(r)
		if r.Action == ledger.Override && r.Verdict == e.Machine && i >= e.Claim.Stale {
			did = p.T("review_confirm_reason", "Verdict", p.Verdict(r.Verdict))
		}
		if id := threadWord(threads, i); id != "" {
			did += " · " + p.T(id)
		}
		out.Line(typeset.Span{Text: did, Bold: true})
		switch {
		case e.LookAgain(i):
			out.Line(typeset.Span{Text: p.T("look_again_why"), Bold: true, Color: prose.Alarm})
		case i < e.Claim.Stale:
			out.Line(typeset.Span{Text: p.T("said_before"), Color: prose.Soft})
		}
		out.Line(typeset.Span{Text: prose.Clipped(r.Actor, prose.TitleLength), Isolate: true, Color: prose.Soft},
			typeset.Span{Text: p.T("list_comma") + p.Time(r.At), Color: prose.Soft})
		if strings.TrimSpace(r.Reason) != "" {
			out.Line(p.free(prose.Clipped(r.Reason, prose.RemarkLength))...)
		}
	}
}

// action returns what a review did.
func (p *pdfWriter) action(r *ledger.Review) string {
	var to []string
	if r.Verdict != "" {
		to = append(to, p.Verdict(r.Verdict))
	}
	if r.Type != "" {
		to = append(to, p.T("type_"+string(r.Type)))
	}
	if r.Importance != "" {
		to = append(to, p.T("importance_"+string(r.Importance)))
	}
	did := p.T("review_" + r.Did())
	if len(to) > 0 {
		did += ": " + p.List(to...)
	}
	if r.Thread > 0 {
		did += " · " + p.T("thread_of_review", "N", strconv.Itoa(r.Thread))
	}
	if r.Batch != "" {
		did += " · " + p.T("in_bulk")
	}
	return did
}

// hasConfidence reports whether a confidence applies to a verdict.
func hasConfidence(v ledger.Verdict) bool { return v != ledger.Unjudged && v != ledger.NotFound }
