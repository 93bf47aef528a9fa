package exporters

import (
	"io"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/typeset"
)

// PackPDF writes a pack as a board document, complete in English and then in Arabic, with pack.json attached once it is
// frozen (rule PDF-1). Long texts are shortened; pack.json and the Markdown have the full texts. The same document
// produces the same bytes. It writes only after everything is rendered.
func PackPDF(w io.Writer, d *PackDocument) error {
	doc := packDoc(d)
	return typeset.Write(w, &doc, d.attachments())
}

// packDoc returns a pack's document. Where it is in two languages, the second part refers to the annex of the first.
func packDoc(d *PackDocument) typeset.Doc {
	title, _, _ := d.memo("en")
	doc := typeset.Doc{
		Title: clipped(title, pdfTitleLength), Author: d.author(),
		Subject: packLangs[0].t("pack") + " " + d.Content.PackID,
		Lang:    "en", Date: d.at(), ID: d.Content.PackID + "/" + d.Digest + "/" + string(d.Life.State),
	}
	if d.Language != "" {
		doc.Lang, doc.ID = d.Language, doc.ID+"/"+d.Language
	}
	var first *packPDF
	for i := range packLangs {
		if d.Language != "" && packLangs[i].code != d.Language {
			continue
		}
		p := &packPDF{packLang: packLangs[i], d: d, first: first, chapters: map[string]int{}}
		if first == nil {
			first = p
		}
		doc.Sections = append(doc.Sections, p.part())
	}
	headed(&doc, d.Letter)
	return doc
}

func (d *PackDocument) author() string {
	if strings.TrimSpace(d.Tenant) == "" {
		return "Sanad"
	}
	return clipped(strings.Join(strings.Fields(d.Tenant), " "), pdfTitleLength)
}

// attachments returns pack.json once the pack is frozen.
func (d *PackDocument) attachments() []typeset.Attachment {
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
	packTenantLength = 36  // in the header
	packActionLength = 600 // intended and actual action of a tool
	packNameLength   = 60  // name of an object's member
	packJSONLength   = 220 // input and output of a tool
	packTextLength   = 2000
)

// packPDF collects the blocks of one part.
type packPDF struct {
	packLang
	d        *PackDocument
	first    *packPDF // of the part that has the annex; nil in that part itself
	blocks   []typeset.Block
	chapters map[string]int        // the numbers of the headings by message id
	notes    map[int]*typeset.Note // by position of the source
}

func (p *packPDF) add(b ...typeset.Block) { p.blocks = append(p.blocks, b...) }

// heading starts a numbered section.
func (p *packPDF) heading(id string) {
	n := len(p.chapters) + 1
	p.chapters[id] = n
	p.add(typeset.Heading{Level: 1, Text: strconv.Itoa(n) + ". " + p.t(id)})
}

func (p *packPDF) soft(words string) {
	p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(words)})
}

// part returns the document in one language.
func (p *packPDF) part() typeset.Section {
	p.cover()
	p.add(typeset.Contents{Title: p.t("contents")})
	p.summary()
	p.memo()
	p.scope()
	p.sources()
	p.calls()
	p.claims()
	p.prompts()
	p.policy()
	p.signatures()
	p.appendix()
	tenant := clipped(strings.Join(strings.Fields(p.d.Tenant), " "), packTenantLength)
	watermark := ""
	if p.d.Draft {
		watermark = p.t("watermark")
	}
	return typeset.Section{
		Watermark: watermark,
		Lang:      p.code, Title: p.t("pack") + " – " + p.t("language"),
		Head: [2]string{tenant, p.d.Content.PackID}, HeadLang: [2]string{textLang(tenant, ""), "en"},
		Classification: p.classification(), Foot: p.foot(), PageOf: p.t("page_of"), Blocks: p.blocks,
	}
}

// classification returns the text on each page: the class and, if so, the notice that the pack is not signed.
func (p *packPDF) classification() string {
	s := p.t("class_" + p.d.classification())
	if !p.d.signed() {
		s += " · " + p.t("not_signed")
	}
	return s
}

// foot returns the pack digest.
func (p *packPDF) foot() string {
	if p.d.Digest == "" {
		return p.t("draft_foot")
	}
	return prefixed(p.d.Digest)
}

// cover adds the first page: the decision, the pack's state, why it is needed and who signed it.
func (p *packPDF) cover() {
	c := &p.d.Content
	title, _, _ := p.d.memo(p.code)
	title = clipped(title, pdfTitleLength)
	p.add(typeset.Cover{
		Kicker: p.t("sanad") + " · " + p.t("pack"), Title: title, TitleLang: p.foreign(title),
		Subtitle: p.t("pack_subtitle"),
		Badge:    &typeset.Badge{Kind: packKinds[p.d.Life.State], Word: p.status(&p.d.Life)},
	})
	if !p.d.signed() {
		p.add(typeset.Paragraph{Spans: []typeset.Span{{Text: p.t("not_signed_is"), Bold: true, Color: pdfAlarm}}})
	}
	if p.d.signed() && p.d.Language != "" {
		p.add(typeset.Paragraph{Spans: []typeset.Span{{Text: p.t("rendering"), Bold: true}}})
	}
	p.alarms()
	p.add(typeset.KeyValues{Items: p.facts(c)})
}

func (p *packPDF) summary() {
	_, summary, _ := p.d.memo(p.code)
	p.heading("executive_summary")
	p.prose(summary)
}

func (p *packPDF) facts(c *pack.Content) []typeset.KeyValue {
	var out []typeset.KeyValue
	add := func(id string, spans ...typeset.Span) {
		out = append(out, typeset.KeyValue{Key: p.t(id), Value: spans})
	}
	out = append(out, p.decision(c))
	add("decided_at", typeset.Span{Text: p.instant(c.DecidedAt) + " · " + p.t("confidence_is") + " " +
		p.confidence(&c.Header)})
	add("system", p.names(c.AgentName, strings.Join(present(c.Model, c.ModelVersion), " "))...)
	add("entity", p.names(c.EntityID)...)
	add("classes", typeset.Span{Text: p.classes(&c.Header)})
	out = append(out, typeset.KeyValue{Key: p.t("requirement"), Badge: p.level(&c.Requirement),
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
	if c.Ledger != nil && strings.TrimSpace(c.Ledger.Query) != "" {
		add("question", p.said(c.Ledger.Query))
	}
	add("version", typeset.Span{Text: p.version(p.d) + " · " + p.t("retain_until") + " " + p.day(c.RetainUntil)})
	if p.d.Digest != "" && len(p.d.attachments()) > 0 {
		add("attached", typeset.Span{Text: p.t("pack_attached")})
	}
	return out
}

// decision returns what was decided, under the decision's title if the memo's title differs.
func (p *packPDF) decision(c *pack.Content) typeset.KeyValue {
	statement := clipped(strings.TrimSpace(c.Statement), packTextLength)
	if en, ar := c.Statements(); p.code == "ar" && ar != "" {
		statement = clipped(strings.TrimSpace(ar), packTextLength)
	} else if p.code == "en" && en != "" {
		statement = clipped(strings.TrimSpace(en), packTextLength)
	}
	var out lines
	memo, _, _ := p.d.memo(p.code)
	if title := strings.Join(strings.Fields(c.Title), " "); !strings.Contains(memo, title) {
		out.line(typeset.Span{Text: clipped(title, pdfTitleLength), Bold: true, Isolate: true,
			Lang: textLang(title, "")})
	}
	out.line(typeset.Span{Text: statement})
	return typeset.KeyValue{Key: p.t("decision"), Value: out, Lang: p.foreign(statement)}
}

// approval returns one approval on the cover: person, role, time and comment.
func (p *packPDF) approval(a *pack.Approval) []typeset.Span {
	out := append(p.names(who(a.Name, a.Actor)),
		typeset.Span{Text: " · " + p.name("role_", a.Role) + " · " + p.instant(a.At)})
	if strings.TrimSpace(a.Comment) != "" {
		out = append(out, typeset.Span{Text: "\n"}, p.said(a.Comment))
	}
	return out
}

// level returns the badge of a requirement.
func (p *packPDF) level(r *pack.Requirement) *typeset.Badge {
	kind := typeset.Plain
	if r.Level == pack.Skip {
		kind = typeset.Open
	}
	return &typeset.Badge{Kind: kind, Word: p.name("level_", string(r.Level))}
}
