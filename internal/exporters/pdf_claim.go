package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/typeset"
)

// details shows each claim with all that stands for and against it.
func (p *pdfWriter) details() {
	if len(p.l.Entries) == 0 {
		return
	}
	p.heading(1, p.t("details"))
	for i := range p.l.Entries {
		p.claim(&p.l.Entries[i])
	}
}

func (p *pdfWriter) claim(e *ledger.Entry) {
	facts := facts{}
	if !p.claimHeading(e) {
		facts.add(p.t("claim"), bold(own(e.Claim.Text)))
	}
	facts.badge(p.t("verdict"), p.badge(e.Verdict), p.confidence(e))
	if e.Override {
		facts.add(p.t("machine_verdict"), typeset.Text(p.machine(e)))
	}
	facts.add(p.list(p.t("type"), p.t("importance")), typeset.Text(p.t("type_"+string(e.Type))+" · "+p.t("importance_"+string(e.Importance))))
	facts.add(p.t("source"), p.source(e, p.t("list_comma"), "page_label", "section_long"))
	facts.badge(p.t("light_quote"), p.light(e), "")
	p.add(typeset.KeyValues{Items: facts})
	if quotes(e) {
		p.add(typeset.Quote{Spans: typeset.Text(e.Best.Snippet), Lang: textLang(e.Best.Snippet)})
	}
	p.findings(e)
	p.reviews(e)
}

// claimHeading sets number and claim as the heading, and tells whether the claim is in it: a long one, or one of the
// other direction, is left to the facts.
func (p *pdfWriter) claimHeading(e *ledger.Entry) bool {
	n, words := strconv.Itoa(e.Claim.Number()), strings.Join(strings.Fields(e.Claim.Text), " ")
	if words == "" || text.Len(words) > headingLength || !p.speaks(words) {
		p.heading(3, p.t("claim_n", "N", n))
		return false
	}
	p.heading(3, n+". "+words)
	return true
}

func bold(spans []typeset.Span) []typeset.Span {
	for i := range spans {
		spans[i].Bold = true
	}
	return spans
}

// facts are the key–values of a claim.
type facts []typeset.KeyValue

func (f *facts) add(key string, value []typeset.Span) {
	*f = append(*f, typeset.KeyValue{Key: key, Value: value})
}

func (f *facts) badge(key string, b *typeset.Badge, note string) {
	*f = append(*f, typeset.KeyValue{Key: key, Badge: b, Value: typeset.Text(note)})
}

// confidence says how sure the judge is, or what reviewers made of its verdict.
func (p *pdfWriter) confidence(e *ledger.Entry) string {
	var parts []string
	if hasConfidence(e.Verdict) && !e.Override {
		parts = append(parts, p.t("confidence")+" "+percent(e.Confidence))
	}
	switch e.State {
	case ledger.Confirmed, ledger.Wanting:
		parts = append(parts, p.t("state_"+string(e.State)))
	case ledger.Unreviewed, ledger.Overridden: // the machine's verdict stands in a row of its own
	}
	return strings.Join(parts, " · ")
}

// source names where the evidence stands: file, then page and section.
func (p *pdfWriter) source(e *ledger.Entry, between, page, section string) []typeset.Span {
	if e.Document == nil {
		return typeset.Text(p.t("no_source"))
	}
	out := []typeset.Span{{Text: documentTitle(e.Document), Isolate: true}}
	if e.Chunk == nil {
		return out
	}
	next := func(spans ...typeset.Span) {
		out = append(append(out, typeset.Span{Text: between}), spans...)
		between = p.t("list_comma")
	}
	if e.Chunk.Page > 0 {
		next(typeset.Span{Text: p.t(page, "N", strconv.Itoa(e.Chunk.Page))})
	}
	if s := e.Chunk.Section(); ledger.IsSectionNumber(s) {
		next(fill(p.t(section), "{{.N}}", s)...)
	} else if s != "" {
		next(typeset.Span{Text: clipped(s, headingLength), Isolate: true})
	}
	return out
}

// documentTitle is what a document is called.
func documentTitle(d *ledger.Document) string {
	for _, s := range []string{d.Filename, d.Title, d.URI} {
		if strings.TrimSpace(s) != "" {
			return clipped(s, pdfTitleLength)
		}
	}
	return d.Key
}

var lightKinds = map[text.PlacementKind]typeset.Kind{
	text.Exact: typeset.Good, text.Normalised: typeset.Good, text.Fuzzy: typeset.Unsure, text.NotPlaced: typeset.Bad,
}

// light is the first light: is the quotation in the source.
func (p *pdfWriter) light(e *ledger.Entry) *typeset.Badge {
	if !quotes(e) {
		return &typeset.Badge{Kind: typeset.Open, Word: p.t("quote_none")}
	}
	kind := e.Quote()
	if _, known := lightKinds[kind]; !known {
		kind = text.NotPlaced
	}
	return &typeset.Badge{Kind: lightKinds[kind], Word: p.t("quote_" + string(kind))}
}

// quotes tells whether there is a quotation to show.
func quotes(e *ledger.Entry) bool { return e.Best != nil && strings.TrimSpace(e.Best.Snippet) != "" }

// findings says why, and what is cited.
func (p *pdfWriter) findings(e *ledger.Entry) {
	f := facts{}
	f.add(p.t("judge_notes"), p.notes(e))
	if e.Best != nil && len(e.Best.Conflicts) > 0 {
		f.add(p.t("conflicts"), p.conflicts(e.Best.Conflicts))
	}
	if e.Best != nil && len(e.Best.Missing) > 0 {
		f.add(p.t("not_in_passage"), p.inList(e.Best.Missing))
	}
	if cites := p.citations(e); len(cites) > 0 {
		f.add(p.t("citations"), cites)
	}
	var flags []string
	for _, t := range e.Flags {
		flags = append(flags, p.t("flag_name_"+string(t)))
	}
	if len(flags) > 0 {
		f.add(p.t("risk_flags"), typeset.Text(p.list(flags...)))
	}
	p.add(typeset.KeyValues{Items: f})
}

// inList sets words of either language one after the other.
func (p *pdfWriter) inList(words []string) []typeset.Span {
	var out []typeset.Span
	for i, w := range words {
		if i > 0 {
			out = append(out, typeset.Span{Text: p.t("list_comma")})
		}
		out = append(out, typeset.Span{Text: w, Isolate: true})
	}
	return out
}

func (p *pdfWriter) conflicts(all []ledger.Conflict) []typeset.Span {
	var out []typeset.Span
	for i, c := range all {
		if i > 0 {
			out = append(out, typeset.Span{Text: "\n"})
		}
		id := "notes_conflict"
		switch {
		case c.Claim == "": // a negation, say, stands on one side only
			id = "conflict_source"
		case c.Evidence == "":
			id = "conflict_claim"
		}
		out = append(out, fill(p.t(id), "{{.Claim}}", c.Claim, "{{.Evidence}}", c.Evidence)...)
	}
	return out
}

// fill puts words of either language into a sentence, each in its own direction; pairs are placeholder, words.
func fill(sentence string, pairs ...string) []typeset.Span {
	var out []typeset.Span
	for i := 0; i+1 < len(pairs); i += 2 {
		before, after, ok := strings.Cut(sentence, pairs[i])
		if ok {
			out, sentence = append(out, typeset.Span{Text: before}, typeset.Span{Text: pairs[i+1], Isolate: true}), after
		}
	}
	return append(out, typeset.Span{Text: sentence})
}

// citations lists what became of the claim's anchors.
func (p *pdfWriter) citations(e *ledger.Entry) []typeset.Span {
	var out []typeset.Span
	line := func(spans ...typeset.Span) {
		if len(out) > 0 {
			out = append(out, typeset.Span{Text: "\n"})
		}
		out = append(out, spans...)
	}
	for i := range e.Claim.Citations {
		c := &e.Claim.Citations[i]
		spans := []typeset.Span{{Text: c.Hash, Code: true}, {Text: " " + p.t("cite_"+string(c.Status)) + " "}}
		line(append(spans, p.inList(p.places(c))...)...)
	}
	if e.Uncited {
		line(typeset.Span{Text: p.t("claim_uncited")})
	}
	return out
}

// places names the files a citation may mean.
func (p *pdfWriter) places(c *ledger.Citation) []string {
	var out []string
	for _, at := range c.Places[:min(len(c.Places), maxPlaces)] {
		out = append(out, clipped(at.Filename, pdfTitleLength))
	}
	if more := len(c.Places) - len(out); more > 0 {
		out = append(out, "+"+strconv.Itoa(more))
	}
	return out
}
