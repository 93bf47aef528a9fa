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
	"sanad/internal/exporters/typeset"
	"sanad/internal/words"
)

// pdfAlarm is the colour of warnings.
const pdfAlarm typeset.Color = 0xa1211c

// lines collects spans line by line.
type lines []typeset.Span

func (l *lines) line(spans ...typeset.Span) {
	if len(*l) > 0 {
		*l = append(*l, typeset.Span{Text: "\n"})
	}
	*l = append(*l, spans...)
}

// labelled appends a line with a soft label before it, which may be a question.
func (l *lines) labelled(label string, spans ...typeset.Span) {
	if !strings.HasSuffix(label, "?") && !strings.HasSuffix(label, "؟") {
		label += ":"
	}
	l.line(append([]typeset.Span{{Text: label + " ", Color: pdfSoft}}, spans...)...)
}

// findings returns what follows a verdict: its certainty, the kind of claim, the reasons, the problems,
// and the reviews. Conflicts that stand beside each other in the columns before are not said again.
func (p *pdfWriter) findings(e *ledger.Entry, beside []judge.Pair) []typeset.Span {
	var out lines
	kind := p.t("type_"+string(e.Type)) + " · " + p.t("importance_"+string(e.Importance))
	switch sure := p.certainty(e); {
	case sure == "":
		out.line(typeset.Span{Text: kind})
	case e.Override: // too long to share a line
		out.line(typeset.Span{Text: sure})
		out.line(typeset.Span{Text: kind})
	default:
		out.line(typeset.Span{Text: sure + " · " + kind})
	}
	if quotes(e) && !placed(e) {
		out.line(typeset.Span{Text: p.t("quote_invented"), Bold: true, Color: pdfAlarm})
	}
	p.reasons(&out, e, beside)
	p.citations(&out, e)
	p.checks(&out, e)
	if len(e.Flags) > 0 {
		out.labelled(p.t("risk_flags"), typeset.Span{Text: p.list(p.flagNames(e)...), Bold: true})
	}
	if p.first != nil && e.Document != nil && e.Document.Withdrawn != "" { // said beside the evidence in the first part
		out.line(typeset.Span{Text: p.t("source") + ": " + p.t("withdrawn"), Bold: true, Color: pdfAlarm})
	}
	p.reviews(&out, e)
	p.upstream(&out, e)
	p.imported(&out, e)
	return out
}

// certainty returns the judge's confidence and the state of the review or, if a person overrode the verdict, the
// judge's verdict.
func (p *pdfWriter) certainty(e *ledger.Entry) string {
	if e.Override {
		was := p.t("overridden_was", "Verdict", p.machine(e))
		if e.Stale {
			was += " · " + p.t("look_again")
		}
		return was
	}
	var parts []string
	if e.FigureSource() != "" && hasConfidence(e.Verdict) {
		parts = append(parts, p.sure(e))
	}
	if e.State == ledger.Confirmed || e.State == ledger.Wanting {
		parts = append(parts, p.t("state_"+string(e.State)))
	}
	if e.Stale {
		parts = append(parts, p.t("look_again"))
	}
	return strings.Join(parts, " · ")
}

// machine returns the judge's verdict with its confidence.
func (p *pdfWriter) machine(e *ledger.Entry) string {
	if e.FigureSource() == "" {
		return p.verdict(e.Machine)
	}
	return p.tiered(e.Machine, e.MachineTier()) + " · " + p.sure(e)
}

// sure returns the one figure of the judge's verdict, and whose it is.
func (p *pdfWriter) sure(e *ledger.Entry) string {
	source := e.FigureSource()
	if source == ledger.Calibrated {
		return p.t("probability") + " " + percent(e.Shown())
	}
	return p.t("says_"+string(source), "Value", strconv.FormatFloat(e.Shown(), 'f', 2, 64))
}

// placed reports whether the quotation is in its source, word for word or nearly so.
func placed(e *ledger.Entry) bool {
	return slices.Contains([]text.PlacementKind{text.Exact, text.Normalised, text.Fuzzy}, e.Quote())
}

// pdfNotes maps the judge's fixed sentences about a verdict, or about why there is none, to message ids, so that the
// document has them in both languages.
var pdfNotes = map[string]string{
	"The judge finds neither support nor contradiction in this passage.": "why_attached",

	"The source does not give the claim's number.":           "why_number",
	"Claim and source may differ in a negation; read both.":  "why_negation",
	"The claim requires what the source only permits.":       "why_permits",
	"The claim speaks of all, the source of some.":           "why_some",
	"The source sets a condition that the claim leaves out.": "why_condition",
	"The source speaks of a plan, the claim of a fact.":      "why_plan",

	"The claim's words are in different rows or columns of a table; read both.": "why_cell",
	"The claim makes a comparison that the source does not make.":               "why_comparison",
	"Claim and source set different limits for a number.":                       "why_bound",

	"The source reads as saying the same in other words.":                                                                "why_same_meaning",
	"The source reads as saying otherwise.":                                                                              "why_otherwise",
	"The claim has a word that the judge does not know, and the source does not have it in this spelling.":               "why_unread_word",
	"Claim and source are in two languages. Their words were compared by a list of translations, their figures exactly.": "why_translated",

	"Claim and source differ in a date, or the source's can be read in two ways.":                                                "why_date",
	"The source goes on to say that this is not so.":                                                                             "why_denied",
	"One of the two makes a condition of something that the other says does not matter.":                                         "why_even_if",
	"One of the two makes an exception that the other does not make.":                                                            "why_exception",
	"Words of the claim have swapped places in the source; read both.":                                                           "why_exchanged",
	"The source says this of an earlier time; the claim says it of the present.":                                                 "why_former",
	"The source reports this as hearsay; the claim states it as fact.":                                                           "why_hearsay",
	"The source gives this as an example of something wrong.":                                                                    "why_mistake",
	"The claim combines words from different parts of the source's sentence; read both.":                                         "why_mixed",
	"Claim and source differ in what they limit with \"only\".":                                                                  "why_only",
	"The passage tells the judge what to answer, which is not evidence.":                                                         "why_order",
	"The source asks this; it does not state it.":                                                                                "why_question",
	"The reader says that the source contradicts the claim. It is not calibrated for this organisation, so this counts as weak.": "why_reader_contradicts",
	"The reader says that the source supports the claim. It is not calibrated for this organisation, so this counts as weak.":    "why_reader_supports",
	"Claim and source give a number with different signs.":                                                                       "why_sign",
	"One of the two speaks of the past, the other of the present.":                                                               "why_time",
	"The number has a different unit in the source.":                                                                             "why_unit",
	"The judge is not sure that this passage supports the claim.":                                                                "why_unsure",
	"This passage supports the claim, but it stands in another place than the claim cites.":                                      "why_other_place",

	"The claim has no words that can be compared with a source.":                             "why_words",
	"The claim is too long to be judged as one statement: split it.":                         "why_long",
	"The claim is too long to be read as one statement: split it.":                           "why_claim_tokens",
	"The claim's language is not covered: this judge reads English and Arabic.":              "why_claim_language",
	"The sources' language is not covered: this judge reads English and Arabic.":             "why_source_language",
	"The claim and the sources are in different languages, which this judge cannot compare.": "why_languages",
	"The judge failed.": "why_failed",
}

// reasons appends the reasons: from the judge's measurements, and as the judge worded them.
func (p *pdfWriter) reasons(out *lines, e *ledger.Entry, beside []judge.Pair) {
	if e.Claim.Unjudged != "" {
		out.line(typeset.Span{Text: p.t("unjudged_title")})
		out.line(p.note(e.Claim.Cause())...)
	}
	if e.Best == nil {
		return
	}
	measured := p.measured(out, e, beside)
	remark := e.Best.Remarked()
	if _, own := pdfNotes[remark.String()]; own {
		out.line(p.note(remark)...)
	} else if !remark.IsZero() && !(measured &&
		(e.Claim.Judge == "lexical" || e.Claim.Judge == "embedded")) { // the lexical judge's note only repeats the measurements
		out.labelled(p.t("judge_notes"), p.note(remark)...)
	}
}

// note returns a judge's note in the section's language, with the words of claim and source in their own direction.
// Other people's words stay as they are, but for the judge's fixed sentences, which an import has in English only.
func (p *pdfWriter) note(m domain.Message) []typeset.Span {
	if id, ok := pdfNotes[m.String()]; ok {
		return typeset.Text(p.t(id))
	}
	if m.ID == words.AsWritten("").ID {
		return p.free(clipped(strings.TrimSpace(m.String()), pdfRemarkLength))
	}
	const apart = "\x00"
	said := p.words.Say(m, func(value any) string { return apart + fmt.Sprint(value) + apart })
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
func (p *pdfWriter) measured(out *lines, e *ledger.Entry, beside []judge.Pair) bool {
	switch {
	case len(e.Best.Conflicts) > 0:
		for i := range e.Best.Conflicts {
			c := &e.Best.Conflicts[i]
			if !slices.ContainsFunc(beside, func(x judge.Pair) bool {
				return strings.Contains(x.Claim, c.Claim) && strings.Contains(x.Source, c.Evidence)
			}) {
				out.line(p.conflict(c)...)
			}
		}
	case len(e.Best.Missing) > 0 && e.Machine != ledger.Supported:
		label := p.t("not_in_passage")
		if quotes(e) && !placed(e) { // the actual source may contain them
			label = p.t("not_in_source")
		}
		out.labelled(label, p.inList(e.Best.Missing)...)
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
	return fill(p.t(id), "{{.Claim}}", clipped(c.Claim, pdfTitleLength), "{{.Evidence}}",
		clipped(c.Evidence, pdfTitleLength))
}

// inList returns words of either language in sequence, at most maxNumbers of them.
func (p *pdfWriter) inList(words []string) []typeset.Span {
	var out []typeset.Span
	for i, w := range words[:min(len(words), maxNumbers)] {
		if i > 0 {
			out = append(out, typeset.Span{Text: p.t("list_comma")})
		}
		out = append(out, typeset.Span{Text: clipped(w, pdfTitleLength), Isolate: true})
	}
	if len(words) > maxNumbers {
		out = append(out, typeset.Span{Text: " …"})
	}
	return out
}

// citations appends the state of the claim's anchors, except those shown beside the evidence's document.
func (p *pdfWriter) citations(out *lines, e *ledger.Entry) {
	for i := range e.Claim.Citations {
		if c := &e.Claim.Citations[i]; !leadsHome(c, e) {
			said := []typeset.Span{{Text: p.t("cite_"+string(c.Status)) + " "}}
			if len(c.Places) == 0 {
				said = append(said, typeset.Span{Text: c.Hash[:min(len(c.Hash), ledger.HashDigits)], Isolate: true})
			}
			for j := range c.Places[:min(len(c.Places), maxPlaces)] {
				if j > 0 {
					said = append(said, typeset.Span{Text: p.t("note_or")})
				}
				said = append(said, p.placeSpans(&c.Places[j])...)
			}
			out.labelled(p.t("citation"), said...)
		}
	}
	if e.Uncited {
		out.line(typeset.Span{Text: p.t("uncited")})
	}
}

// checks appends what became of what the answer cites and quotes, except citations that hold.
func (p *pdfWriter) checks(out *lines, e *ledger.Entry) {
	for _, x := range e.Claim.Checks.Citations {
		if x.Status == ledger.Holds {
			continue
		}
		said := []typeset.Span{{Text: x.Anchor, Isolate: true}, {Text: " " + p.t("citation_status_"+string(x.Status))}}
		shown := x.Supporting
		if x.Status == ledger.NotRead {
			shown = x.Cited
		}
		if d := p.documentOf(shown); d != "" {
			said = append(said, typeset.Span{Text: ": "}, typeset.Span{Text: d, Isolate: true})
		}
		out.labelled(p.t("citation_check"), said...)
		if s := citedWords(&x, p.l.Session); s != "" {
			out.line(p.free(s)...)
		}
	}
	for _, x := range e.Claim.Checks.Quotations {
		said := []typeset.Span{{Text: clipped(x.Text, pdfTitleLength), Isolate: true},
			{Text: " · " + p.t("quotation_"+string(x.Status)), Bold: x.Status == ledger.QuoteNotFound}}
		out.labelled(p.t("filter_quotation"), said...)
	}
	if x := e.Claim.Checks.LeftOut; x != nil {
		if d := p.l.Session.Document(x.Document); d != nil {
			out.line(typeset.Span{Text: p.t("why_left_out_"+string(x.Kind), "Where", documentTitle(d)), Bold: true})
		}
	}
	if e.Doubtful() && e.Document != nil {
		out.line(typeset.Span{Text: p.t("why_doubtful", "Where", documentTitle(e.Document)), Bold: true})
	}
	if e.Claim.Checks.Unchecked {
		out.line(typeset.Span{Text: p.t("checks_unchecked")})
	}
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
func (p *pdfWriter) reviews(out *lines, e *ledger.Entry) {
	for i := range e.Claim.Reviews {
		r := &e.Claim.Reviews[i]
		out.line(typeset.Span{Text: p.action(r), Bold: true})
		switch {
		case e.LookAgain(i):
			out.line(typeset.Span{Text: p.t("look_again_why"), Bold: true, Color: pdfAlarm})
		case i < e.Claim.Stale:
			out.line(typeset.Span{Text: p.t("said_before"), Color: pdfSoft})
		}
		out.line(typeset.Span{Text: clipped(r.Actor, pdfTitleLength), Isolate: true, Color: pdfSoft},
			typeset.Span{Text: p.t("list_comma") + p.time(r.At), Color: pdfSoft})
		if strings.TrimSpace(r.Reason) != "" {
			out.line(p.free(clipped(r.Reason, pdfRemarkLength))...)
		}
	}
}

// action returns what a review did.
func (p *pdfWriter) action(r *ledger.Review) string {
	var to []string
	if r.Verdict != "" {
		to = append(to, p.verdict(r.Verdict))
	}
	if r.Type != "" {
		to = append(to, p.t("type_"+string(r.Type)))
	}
	if r.Importance != "" {
		to = append(to, p.t("importance_"+string(r.Importance)))
	}
	did := p.t("review_" + string(r.Action))
	if len(to) > 0 {
		did += ": " + p.list(to...)
	}
	if r.Batch != "" {
		did += " · " + p.t("in_bulk")
	}
	return did
}
