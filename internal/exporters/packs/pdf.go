package packs

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// PDF writes a pack as a board document, complete in English and then in Arabic, with pack.json attached once it is
// frozen (rule PDF-1). Long texts are shortened; pack.json and the Markdown have the full texts. The same document
// produces the same bytes. It writes only after everything is rendered.
func PDF(w io.Writer, d *Document) error {
	doc := documentOf(d)
	return typeset.Write(w, &doc, d.attachments())
}

// documentOf returns a pack's document. Where it is in two languages, the second part refers to the annex of the first.
func documentOf(d *Document) typeset.Doc {
	title, _, _ := d.memo("en")
	doc := typeset.Doc{
		Title: prose.Clipped(title, prose.TitleLength), Author: d.author(),
		Subject: languages[0].T("pack") + " " + d.Content.PackID,
		Lang:    "en", Date: d.at(), ID: d.Content.PackID + "/" + d.Digest + "/" + string(d.Life.State),
	}
	if d.Language != "" {
		doc.Lang, doc.ID = d.Language, doc.ID+"/"+d.Language
	}
	var first *pdfWriter
	for i := range languages {
		if d.Language != "" && languages[i].Code != d.Language {
			continue
		}
		p := &pdfWriter{language: language{languages[i].At(d.Zone)}, d: d, first: first, chapters: map[string]int{}}
		if first == nil {
			first = p
		}
		doc.Sections = append(doc.Sections, p.part())
	}
	prose.Headed(&doc, d.Letter)
	return doc
}

func (d *Document) author() string {
	if strings.TrimSpace(d.Tenant) == "" {
		return "Sanad"
	}
	return prose.Clipped(strings.Join(strings.Fields(d.Tenant), " "), prose.TitleLength)
}

// attachments returns pack.json once the pack is frozen.
func (d *Document) attachments() []typeset.Attachment {
	if len(d.JSON) == 0 || d.Language != "" || d.Draft { // only the signed file carries it
		return nil
	}
	return []typeset.Attachment{{
		Name: "pack.json", Description: "Evidence pack, " + d.Content.Format, MIME: "application/json",
		Relation: "Source", Content: d.JSON,
	}}
}

// Maximum lengths of texts in the PDF, in code points.
const (
	tenantLength = 36  // in the header
	actionLength = 600 // intended and actual action of a tool
	nameLength   = 60  // name of an object's member
	jsonLength   = 220 // input and output of a tool
	textLength   = 2000
)

// pdfWriter collects the blocks of one part.
type pdfWriter struct {
	language
	d        *Document
	first    *pdfWriter // of the part that has the annex; nil in that part itself
	blocks   []typeset.Block
	chapters map[string]int        // the numbers of the headings by message id
	notes    map[int]*typeset.Note // by position of the source
	marked   bool                  // a sentence of the memo has the mark pack.NoSource
	draft    map[string]bool       // the sentences that the program drafts; nil until they are asked for
}

func (p *pdfWriter) add(b ...typeset.Block) { p.blocks = append(p.blocks, b...) }

// heading starts a numbered section.
func (p *pdfWriter) heading(id string) {
	n := len(p.chapters) + 1
	p.chapters[id] = n
	p.add(typeset.Heading{Level: 1, Text: strconv.Itoa(n) + ". " + p.T(id)})
}

func (p *pdfWriter) soft(words string) {
	p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(words)})
}

// part returns the document in one language.
func (p *pdfWriter) part() typeset.Section {
	p.cover()
	p.summary()
	contents := typeset.Contents{Title: p.T("contents")}
	if p.d.Language == "" && p.first == nil {
		contents.Next = p.T("part_next")
	}
	p.add(contents)
	if p.first != nil {
		p.soft(p.T("two_parts"))
	}
	p.memo()
	p.scope()
	p.sources()
	p.notShown(p.d.Content.Replay)
	p.calls()
	p.claims()
	p.prompts()
	p.policy()
	p.signatures()
	p.appendix()
	tenant := prose.Clipped(strings.Join(strings.Fields(p.d.Tenant), " "), tenantLength)
	watermark := ""
	if p.d.Draft {
		watermark = p.T("watermark")
	}
	return typeset.Section{
		Watermark: watermark,
		Lang:      p.Code, Title: p.T("pack") + " – " + p.T("language"),
		Head: [2]string{tenant, p.d.Content.PackID}, HeadLang: [2]string{prose.TextLang(tenant, ""), "en"},
		Classification: p.classification(), Foot: p.foot(), PageOf: p.T("page_of"), Blocks: p.blocks,
	}
}

// classification returns the text on each page: the class and, if so, the notice that the pack is not signed.
func (p *pdfWriter) classification() string {
	s := p.T("class_" + p.d.classification())
	if !p.d.signed() {
		s += " · " + p.T("not_signed")
	}
	return s
}

// foot returns the pack digest.
func (p *pdfWriter) foot() string {
	if p.d.Digest == "" {
		return p.T("draft_foot")
	}
	return prefixed(p.d.Digest)
}

// cover adds the first page: the decision, the pack's state, why it is needed and who signed it.
func (p *pdfWriter) cover() {
	c := &p.d.Content
	title, _, _ := p.d.memo(p.Code)
	title = prose.Clipped(title, prose.TitleLength)
	p.add(typeset.Cover{
		Kicker: p.T("sanad") + " · " + p.T("pack"), Title: title, TitleLang: p.foreign(title),
		Subtitle: p.T("pack_subtitle"),
		Badge:    &typeset.Badge{Kind: stateKinds[p.d.Life.State], Word: p.status(&p.d.Life)},
	})
	if !p.d.signed() {
		p.add(typeset.Paragraph{Spans: []typeset.Span{{Text: p.T("not_signed_is"), Bold: true, Color: prose.Alarm}}})
	}
	if p.d.signed() && p.d.Language != "" {
		p.add(typeset.Paragraph{Spans: []typeset.Span{{Text: p.T("rendering"), Bold: true}}})
	}
	p.alarms()
	p.add(typeset.KeyValues{Items: p.facts(c)})
}

func (p *pdfWriter) summary() {
	_, summary, _ := p.d.memo(p.Code)
	p.heading("executive_summary")
	p.prose(summary)
}

func (p *pdfWriter) facts(c *pack.Content) []typeset.KeyValue {
	var out []typeset.KeyValue
	add := func(id string, spans ...typeset.Span) {
		out = append(out, typeset.KeyValue{Key: p.T(id), Value: spans})
	}
	if c.Ledger != nil && strings.TrimSpace(c.Ledger.Query) != "" {
		add("question", append([]typeset.Span{p.said(c.Ledger.Query)}, p.InOriginal(c.Ledger.Query)...)...)
	}
	out = append(out, p.decision(c))
	add("decided_at", typeset.Span{Text: p.instant(c.DecidedAt) + " · " + p.T("confidence_is") + " " +
		p.confidence(&c.Header)})
	add("system", p.names(c.AgentName, strings.Join(present(c.Model, c.ModelVersion), " "))...)
	add("entity", p.names(c.EntityID)...)
	add("classes", typeset.Span{Text: p.classes(&c.Header)})
	if s := p.classOf(p.d); s != "" {
		add("sensitivity", typeset.Span{Text: s})
	}
	out = append(out, typeset.KeyValue{Key: p.T("requirement"), Badge: p.level(&c.Requirement),
		Value: typeset.Text(p.requirement(&c.Requirement))})
	for i := range p.d.Life.Approvals {
		add("approved_by", p.approval(&p.d.Life.Approvals[i])...)
	}
	if r := p.d.Life.Return; r != nil {
		add("returned_by", append(p.names(who(r.Name, r.Actor)), typeset.Span{Text: " · " + p.instant(r.At) + "\n"},
			p.said(r.Reason))...)
	}
	for _, f := range p.glance(p.d) {
		add(f.id, typeset.Span{Text: f.words})
	}
	if len(c.Mended) > 0 {
		add("mended", isolates(p.mended(c))...)
	}
	add("version", typeset.Span{Text: p.version(p.d) + " · " + p.T("retain_until") + " " + p.Day(c.RetainUntil)})
	if p.d.Digest != "" && len(p.d.attachments()) > 0 {
		add("attached", typeset.Span{Text: p.T("pack_attached")})
	}
	return out
}

// decision returns what was decided, under the decision's title if the memo's title differs.
func (p *pdfWriter) decision(c *pack.Content) typeset.KeyValue {
	statement := prose.Clipped(strings.TrimSpace(c.Statement), textLength)
	if en, ar := c.Statements(); p.Code == "ar" && ar != "" {
		statement = prose.Clipped(strings.TrimSpace(ar), textLength)
	} else if p.Code == "en" && en != "" {
		statement = prose.Clipped(strings.TrimSpace(en), textLength)
	}
	var out prose.Lines
	memo, _, _ := p.d.memo(p.Code)
	if title := strings.Join(strings.Fields(c.Title), " "); !strings.Contains(memo, title) {
		out.Line(append([]typeset.Span{{Text: prose.Clipped(title, prose.TitleLength), Bold: true, Isolate: true,
			Lang: prose.TextLang(title, "")}}, p.InOriginal(title)...)...)
	}
	out.Line(typeset.Span{Text: statement})
	return typeset.KeyValue{Key: p.T("decision"), Value: out, Lang: p.foreign(statement)}
}

// approval returns one approval on the cover: person, role, time and comment.
func (p *pdfWriter) approval(a *pack.Approval) []typeset.Span {
	out := append(p.signer(a),
		typeset.Span{Text: " · " + p.name("role_", a.Role) + " · " + p.instant(a.At)})
	if strings.TrimSpace(a.Comment) != "" {
		out = append(append(out, typeset.Span{Text: "\n"}, p.said(a.Comment)), p.InOriginal(a.Comment)...)
	}
	return out
}

// level returns the badge of a requirement.
func (p *pdfWriter) level(r *pack.Requirement) *typeset.Badge {
	kind := typeset.Plain
	if r.Level == pack.Skip {
		kind = typeset.Open
	}
	return &typeset.Badge{Kind: kind, Word: p.name("level_", string(r.Level))}
}

// scope says in half a page what the pack holds, how it came about, and what it does not say; with a ledger, also what
// its verdicts mean.
func (p *pdfWriter) scope() {
	c := &p.d.Content
	p.heading("scope_title")
	claims := 0
	if c.Ledger != nil {
		claims = len(c.Ledger.Entries)
	}
	limits := p.T("limits_are") + " " + p.T("limits_tools") + " " + p.checkedOfMemo(c)
	if p.marked {
		limits += " " + p.T("memo_no_source", "Mark", pack.NoSource)
	}
	p.add(prose.About(p.T,
		p.T("scope_is", "Sources", strconv.Itoa(len(c.Sources)), "Calls", strconv.Itoa(len(c.ToolCalls)), "Claims",
			strconv.Itoa(claims)),
		p.T("method_is", "N", strconv.Itoa(c.Requirement.Approvers)),
		limits))
	if t := p.terms(c); claims > 0 || len(t.More) > len(alwaysMeant) {
		p.heading("definitions")
		p.add(p.Definitions(t))
	}
}

// alwaysMeant are the terms that every pack uses.
var alwaysMeant = []string{"classes", "confidence"}

// terms are what this pack uses.
func (p *pdfWriter) terms(c *pack.Content) *prose.Terms {
	t := &prose.Terms{More: slices.Clone(alwaysMeant)}
	done := func(x pack.ToolCallRecord) bool { return !x.Departed() && x.VerificationStatus == reportedDone }
	if slices.ContainsFunc(c.ToolCalls, done) {
		t.More = append(t.More, "call_verified")
	}
	if slices.ContainsFunc(c.ToolCalls, func(x pack.ToolCallRecord) bool { return x.Departed() }) {
		t.More = append(t.More, "departed")
	}
	l := c.Ledger
	if l == nil {
		return t
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		tier := e.Tier
		if e.Verdict != e.MachineVerdict {
			t.Note(e.MachineVerdict, tier, e.FigureSource)
			tier = ""
		}
		t.Note(e.Verdict, tier, e.FigureSource)
		t.Flags = t.Flags || len(e.Flags) > 0
		t.Confirmed = t.Confirmed || e.State == ledger.Confirmed
		t.Citations = t.Citations || len(e.Citations) > 0
	}
	return t
}
