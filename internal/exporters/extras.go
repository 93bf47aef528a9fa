package exporters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
	"sanad/internal/words"
)

// extras are our own sections (rule L-22), of which empty ones are left out. Those with lines of claims are filled while
// the claims are gone through.
type extras struct {
	l      *ledger.Ledger
	claims []claimLines
	aside  section
}

// claimLines is a section with lines of claims, and what adds those of one.
type claimLines struct {
	*section
	each func(e *ledger.Entry)
}

func newExtras(l *ledger.Ledger) *extras {
	x := &extras{l: l, aside: section{heading: "## Not Counted"}}
	x.claims = slices.Concat([]claimLines{figures(), notes()}, confidences(l), []claimLines{reviews(l)}, imported(l),
		[]claimLines{{section: &x.aside, each: func(*ledger.Entry) {}}, unjudged(), citations(), checks(l), upstream(l)})
	return x
}

// add adds the lines of an entry.
func (x *extras) add(e *ledger.Entry) {
	for i := range x.claims {
		x.claims[i].each(e)
	}
}

func (x *extras) write(m *mdWriter, digest string) {
	if questions := x.l.FollowUps(); len(questions) > 0 {
		m.advice("## Follow-up Questions", questions)
	}
	m.answer(x.l.Session)
	for i := range x.claims {
		x.claims[i].write(m)
	}
	m.sources(x.l.Session)
	m.integrity(x.l, digest)
}

func (m *mdWriter) answer(s *ledger.Session) {
	if q := prose.Quoted(s.Query); q != "" {
		m.f("\n## Question\n\n%s", q)
	}
	if a := prose.Quoted(s.Answer); a != "" {
		m.f("\n## Answer\n\n%s", a)
	}
}

// notes are what the judge reported besides the verdict.
func notes() claimLines {
	s := &section{heading: "## Judge's Notes"}
	return claimLines{s, func(e *ledger.Entry) {
		if e.Best != nil && e.Best.Note != "" {
			s.item("#%d: %s", e.Claim.Number(), prose.Inline(e.Best.Note))
		}
	}}
}

// confidences say whose figures the confidences above are; none in what is exported as it was by its own rule set.
func confidences(l *ledger.Ledger) []claimLines {
	if !l.Session.ChecksAnswer() {
		return nil
	}
	s := &section{heading: "## Confidence"}
	return []claimLines{{s, func(e *ledger.Entry) {
		if says := whose(e); says != "" {
			s.item("#%d: %s", e.Claim.Number(), says)
		}
	}}}
}

func reviews(l *ledger.Ledger) claimLines {
	intro := func(halves int) string {
		out := exportTexts.Text("exported.reviewed", "Reviewed", l.Summary.Reviewed, "Total", l.Summary.Total, "Overridden",
			l.Summary.Overridden)
		if halves > 0 {
			out += " " + exportTexts.Text("exported.halves", "N", halves)
		}
		if l.Summary.Stale > 0 {
			out += " " + exportTexts.Text("exported.reviewed_stale", "Settled", l.Summary.Settled, "Stale", l.Summary.Stale)
		}
		return out
	}
	s, halves := &section{heading: "## Reviews", intro: intro(0)}, 0
	return claimLines{s, func(e *ledger.Entry) {
		if waits(e) == "review_half" {
			halves++
			s.intro = intro(halves)
		}
		threads := e.Claim.ThreadsAt()
		for j := range e.Claim.Reviews {
			s.item("#%d: %s", e.Claim.Number(), reviewLine(&e.Claim.Reviews[j])+threadMark(threads, j)+standing(e, j))
		}
	}}
}

// threadMark says of a claim's n-th review that it begins a thread that is open or resolved.
func threadMark(threads map[int]bool, n int) string {
	if id := threadWord(threads, n); id != "" {
		return " – " + exportTexts.Text("exported."+id)
	}
	return ""
}

// threadWord is the message of whether the thread that a claim's n-th review begins is open, "" if it begins none.
func threadWord(threads map[int]bool, n int) string {
	open, begins := threads[n]
	switch {
	case !begins:
		return ""
	case open:
		return "thread_open"
	}
	return "thread_resolved"
}

// standing says whether the judgement that a claim's n-th review was made of has since changed.
func standing(e *ledger.Entry, n int) string {
	switch {
	case e.LookAgain(n):
		return lookAgain(true)
	case n < e.Claim.Stale:
		return " – " + exportTexts.Text("exported.earlier_judgement")
	case waits(e) == "review_half" && e.Claim.Reviews[n].Verdict != "" && !e.Claim.Undone(n):
		return " – " + exportTexts.Text("exported.review_half")
	}
	return ""
}

// reviewLine returns one review: "2026-01-03 14:30 UTC, Amal Haddad (reviewer) overrode: ✗ Contradicted – the reason".
func reviewLine(r *ledger.Review) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s UTC, %s", r.At.UTC().Format("2006-01-02 15:04"), prose.Inline(r.Actor))
	if r.Role != "" {
		fmt.Fprintf(&b, " (%s)", prose.Inline(r.Role))
	}
	b.WriteString(" " + didName(r))
	var parts []string
	if r.Verdict != "" {
		parts = append(parts, verdictLabel(r.Verdict))
	}
	if r.Type != "" {
		parts = append(parts, "Type "+typeName(r.Type))
	}
	if r.Importance != "" {
		parts = append(parts, "Importance "+importanceName(r.Importance))
	}
	if len(parts) > 0 {
		b.WriteString(": " + strings.Join(parts, ", "))
	}
	if r.Thread > 0 {
		b.WriteString(" – " + exportTexts.Text("exported.thread_of_review", "N", r.Thread))
	}
	if r.Batch != "" {
		b.WriteString(" – " + exportTexts.Text("exported.in_bulk"))
	}
	if reason := prose.Inline(r.Reason); reason != "" {
		b.WriteString(" – " + reason)
	}
	return b.String()
}

// addAside adds a claim that no longer counts, with why.
func (x *extras) addAside(e *ledger.Entry) error {
	line := prose.Inline(e.Claim.Text) + " – " + exportTexts.Text("exported.aside_"+string(e.State))
	r := e.Claim.AsideBy()
	if r == nil { // the state of an entry that was made elsewhere, without the review that gave it
		x.aside.item("#%d: %s", e.Claim.Number(), line)
		return nil
	}
	for _, at := range r.Into {
		line += " #" + strconv.Itoa(at+1)
	}
	x.aside.item("#%d: %s – %s", e.Claim.Number(), line, reviewLine(r))
	return nil
}

func unjudged() claimLines {
	s := &section{heading: "## Unjudged Claims"}
	return claimLines{s, func(e *ledger.Entry) {
		if e.Unjudged() {
			s.item("#%d: %s", e.Claim.Number(), prose.Inline(e.Claim.Unjudged))
		}
	}}
}

func citations() claimLines {
	s := &section{heading: "## Citations"}
	return claimLines{s, func(e *ledger.Entry) {
		for j := range e.Claim.Citations {
			s.item("#%d: %s", e.Claim.Number(), citationLine(&e.Claim.Citations[j]))
		}
		if e.Uncited {
			s.item("#%d: %s", e.Claim.Number(), exportTexts.Text("exported.uncited"))
		}
	}}
}

// checks are what became of what the answer cites and quotes.
func checks(l *ledger.Ledger) claimLines {
	s := &section{heading: "## Citation and Quotation Checks"}
	return claimLines{s, func(e *ledger.Entry) { s.checks(e, l.Session) }}
}

func (s *section) checks(e *ledger.Entry, session *ledger.Session) {
	c := e.Claim
	for j, x := range citationChecks(&c.Checks, session) {
		line := prose.Inline(x.Anchor) + " – " + exportTexts.Text("exported.citation_"+string(x.Status))
		if x.Status == ledger.Elsewhere {
			line += ": " + prose.Inline(x.SupportingDocument) + ", chunk " + x.Supporting
		}
		if x.Status == ledger.NotRead {
			line += ": " + prose.Inline(x.CitedDocument) + ", chunk " + x.Cited
			if s := citedWords(&c.Checks.Citations[j], session); s != "" {
				line += ": \"" + prose.Inline(s) + "\""
			}
		}
		s.item("#%d: %s", c.Number(), line)
	}
	for _, x := range quotationChecks(&c.Checks, session) {
		line := "\"" + prose.Inline(x.Text) + "\" – " + exportTexts.Text("exported.quotation_"+string(x.Status))
		if x.Chunk != "" {
			line += ": " + prose.Inline(x.Document) + ", chunk " + x.Chunk
		}
		s.item("#%d: %s", c.Number(), line)
	}
	if x := c.Checks.LeftOut; x != nil {
		said := exportTexts.Text("exported.left_out_" + string(x.Kind))
		if d := session.Document(x.Document); d != nil {
			said += ": " + prose.Inline(documentTitle(d))
		}
		s.item("#%d: %s", c.Number(), said)
	}
	if e.Doubtful() {
		s.item("#%d: %s", c.Number(), exportTexts.Text("exported.doubtful"))
	}
	if c.Checks.Unchecked {
		s.item("#%d: %s", c.Number(), exportTexts.Text("exported.unchecked"))
	}
}

// maxPlaces is how many places of a citation are named.
const maxPlaces = 5

func citationLine(c *ledger.Citation) string {
	var parts []string
	for _, p := range c.Places[:min(len(c.Places), maxPlaces)] {
		at := ledger.Location{Unit: ledger.UnitOf("", p.Filename), Number: p.Page}
		parts = append(parts, prose.Inline(p.Filename)+located(&at))
	}
	if more := len(c.Places) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	switch c.Status {
	case ledger.Resolved:
		return c.Hash + " – " + strings.Join(parts, "; ")
	case ledger.Ambiguous:
		return c.Hash + " – ambiguous: " + strings.Join(parts, "; ")
	case ledger.Unresolved:
	}
	return c.Hash + " – " + ledger.UnresolvedText
}

func (m *mdWriter) sources(session *ledger.Session) {
	s := section{heading: "## Sources"}
	for i := range session.Documents {
		d := &session.Documents[i]
		s.item("%s", sourceLine(d, session.Replaces(d)))
	}
	s.write(m)
}

// sourceLine returns a document's line. older is the document that it replaces, nil if the session does not have it.
func sourceLine(d, older *ledger.Document) string {
	parts := []string{prose.Line(d.Filename)}
	add := func(label, value string) {
		if value != "" {
			parts = append(parts, label+prose.Inline(value))
		}
	}
	if d.Title != d.Filename {
		add("", d.Title)
	}
	add("", d.URI)
	add("published ", d.PublishedAt)
	add("valid until ", d.ValidUntil)
	if older == nil {
		add("replaces ", d.Supersedes)
	} else {
		add("replaces ", replacedName(older, d))
	}
	if d.Status == ledger.Deleted {
		add("", "deleted")
	}
	add("withdrawn: ", d.Withdrawn)
	add("", leftOutLine(d))
	add("root ", d.Root)
	return strings.Join(parts, "; ")
}

// leftOutLine says how much of a document's file is hidden from a reader or struck out, "" if nothing is.
func leftOutLine(d *ledger.Document) string {
	hidden, struck := d.CountLeftOut()
	var parts []string
	if hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d hidden", hidden))
	}
	if struck > 0 {
		parts = append(parts, fmt.Sprintf("%d struck out", struck))
	}
	if len(parts) == 0 {
		return ""
	}
	return "passages that support nothing: " + strings.Join(parts, ", ")
}

// replacedName returns the title of a replaced document; if both have the same title, with the key
// that distinguishes them.
func replacedName(older, newer *ledger.Document) string {
	name := documentTitle(older)
	if t := strings.TrimSpace(older.Title); t != "" && t != name {
		name += " – " + prose.Clipped(t, prose.TitleLength)
	}
	if older.Filename == newer.Filename && older.Title == newer.Title {
		name += " (" + older.Key + ")"
	}
	return name
}

func (m *mdWriter) integrity(l *ledger.Ledger, digest string) {
	m.f("\n## Integrity\n\n")
	if run := l.Session.Run; run.Judge != "" {
		m.f("- **Judge:** %s %s%s, %s UTC\n", prose.Inline(run.Judge), prose.Inline(run.Version), readWith(&run),
			run.At.UTC().Format("2006-01-02 15:04"))
		m.reader(&run)
	}
	if l.Session.Model != "" {
		m.f("- **Model:** %s %s\n", prose.Inline(l.Session.Model), prose.Inline(l.Session.ModelVersion))
	}
	m.f("- **Ledger:** %s\n", prose.Inline(l.Session.LedgerID))
	m.f("- **Digest (SHA-256 of the RFC 8785 form of the JSON export):** %s\n", digest)
}

// readWith says in short what the embedded judge read with, or that it compared words only; "" for other judges.
func readWith(run *ledger.Run) string {
	reader := words.In("en").Text(ledger.ReaderMessage(run.Reader()), "Digest",
		prose.Inline(prose.ShortDigest(run.Reader())))
	switch {
	case run.Calibrated():
		return ", " + reader + ", calibrated"
	case run.Reader() != "":
		return ", " + reader + ", not calibrated"
	case run.WordsOnly():
		return ", words only"
	}
	return ""
}

// reader names the reader and its calibration by their whole digests.
func (m *mdWriter) reader(run *ledger.Run) {
	if run.Reader() != "" {
		m.f("- **Reader:** %s\n- **Calibration:** %s\n", prose.Inline(run.Reader()), prose.Inline(run.Calibration()))
	}
}

// section is a list with a heading.
type section struct {
	heading string
	intro   string
	always  bool // it is not left out: the intro says enough
	items   mdWriter
}

func (s *section) item(format string, args ...any) { s.items.f("- "+format+"\n", args...) }

func (s *section) write(m *mdWriter) {
	switch {
	case s.items.Len() > 0:
		m.f("\n%s\n\n", s.heading)
	case s.always:
		m.f("\n%s\n\n%s\n", s.heading, s.intro)
		return
	default:
		return
	}
	if s.intro != "" {
		m.f("%s\n\n", s.intro)
	}
	m.Write(s.items.Bytes())
}
