package packs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
)

// Markdown writes everything in a pack, complete in English and then in Arabic; a memo's [E1] links to its source.
// Texts by people, machines and models are written as plain text. The same document produces the same bytes. It writes
// only after everything is rendered; errors are the writer's.
func Markdown(w io.Writer, d *Document) error {
	var all bytes.Buffer
	for i := range languages {
		m := markdownWriter{language: languages[i], d: d, part: i}
		m.document()
		if i > 0 {
			all.WriteString("---\n\n")
		}
		all.Write(m.Bytes())
	}
	_, err := w.Write(all.Bytes())
	return err
}

// markdownWriter collects one part of the file.
type markdownWriter struct {
	bytes.Buffer
	language
	d       *Document
	part    int
	section int
}

func (m *markdownWriter) f(format string, args ...any) { fmt.Fprintf(m, format, args...) }

func (m *markdownWriter) document() {
	if m.Code == "ar" { // ignored by renderers that do not support it
		m.f("<div dir=\"rtl\" lang=\"ar\">\n\n")
	}
	title, summary, body := m.d.memo(m.Code)
	m.f("# %s\n\n", prose.Inline(m.T("part_title", "Title", title)))
	if !m.d.signed() {
		m.f("**%s**\n\n", prose.Inline(m.T("not_signed_is")))
	}
	m.alarms()
	m.head()
	m.heading("executive_summary")
	m.memoOr(summary)
	m.heading("memo")
	if m.d.Content.MemoBy != "" {
		m.soft(m.name("memo_by_", m.d.Content.MemoBy))
	}
	m.memoOr(body)
	m.sources()
	m.replay(m.d.Content.Replay)
	m.calls()
	m.claims()
	m.prompts()
	m.policy()
	m.approvals()
	m.appendix()
	if m.Code == "ar" {
		m.f("</div>\n")
	}
}

// heading starts a numbered section.
func (m *markdownWriter) heading(id string) {
	m.section++
	m.f("## %d. %s\n\n", m.section, m.T(id))
}

// soft writes a line that is the document's own text.
func (m *markdownWriter) soft(words string) { m.f("%s\n\n", prose.Line(words)) }

// item writes a labelled value unless it is empty.
func (m *markdownWriter) item(id, value string) {
	if value = prose.Inline(value); value != "" {
		m.f("- **%s:** %s\n", m.T(id), value)
	}
}

// json writes a labelled JSON value unless it is empty.
func (m *markdownWriter) json(id string, raw json.RawMessage) { m.item(id, compactJSON(raw)) }

// end closes a list.
func (m *markdownWriter) end() { m.f("\n") }

func (m *markdownWriter) memoOr(words string) {
	if strings.TrimSpace(words) == "" {
		m.soft(m.T("no_memo"))
		return
	}
	m.memo(words)
}

// head writes the decision, the pack's state and its summary.
func (m *markdownWriter) head() {
	c := &m.d.Content
	m.item("status", m.status(&m.d.Life))
	m.item("pack_id", c.PackID)
	m.item("version", m.version(m.d))
	m.item("tenant", m.d.Tenant)
	m.item("sensitivity", m.T("class_"+m.d.classification()))
	m.item("decision", c.Title)
	m.item("decided_at", m.instant(c.DecidedAt))
	m.item("system", m.system(&c.Header))
	m.item("entity", c.EntityID)
	m.item("classes", m.classes(&c.Header))
	m.item("sensitivity", m.classOf(m.d))
	m.item("confidence_is", m.confidence(&c.Header))
	m.item("freshness", m.window(&c.Header))
	m.item("requirement", m.name("level_", string(c.Requirement.Level))+": "+m.requirement(&c.Requirement))
	m.item("retain_until", m.Day(c.RetainUntil))
	for _, f := range m.glance(m.d) {
		m.item(f.id, f.words)
	}
	m.f("\n%s\n", prose.Quoted(c.Statement))
	for _, other := range present(c.StatementAR, c.StatementEN) {
		m.f("\n%s\n", prose.Quoted(other))
	}
	if len(c.Mended) > 0 {
		m.end()
		m.item("mended", bare(m.mended(c)))
		m.end()
	}
}

func (m *markdownWriter) prompts() {
	m.heading("prompts")
	all := m.d.Content.Prompts
	if len(all) == 0 {
		m.soft(m.T("no_prompts"))
	}
	for i := range all {
		m.f("### P%d\n\n", i+1)
		m.item("template", all[i].TemplateName)
		m.item("version", all[i].TemplateVersion)
		m.item("rendered", all[i].RenderedHash)
		m.end()
	}
}

// approvals writes who approved or returned the pack.
func (m *markdownWriter) approvals() {
	m.heading("approvals")
	l := &m.d.Life
	if len(l.Approvals) == 0 {
		m.soft(m.T("no_approvals"))
	}
	for i := range l.Approvals {
		a := &l.Approvals[i]
		m.f("%d. **%s**", i+1, prose.Inline(who(a.Name, a.Actor)))
		if a.Title != "" {
			m.f("%s%s", m.T("list_comma"), prose.Inline(a.Title))
		}
		m.f(" · %s · %s\n", prose.Inline(m.name("role_", a.Role)), prose.Inline(m.instant(a.At)))
		if a.For != nil {
			m.under("as_deputy_of", who(a.For.Name, a.For.Actor)+" ("+m.deputyTime(a.For)+")")
		}
		m.under("approved_digest", prefixed(a.Digest))
		m.under("comment", a.Comment)
		for _, alarm := range m.acknowledged(&m.d.Content, a) {
			m.under("acknowledged", alarm)
		}
	}
	m.end()
	if m.d.Content.OneAdministrator {
		m.soft(m.T("one_administrator"))
	}
	if r := l.Return; r != nil {
		m.item("returned_by", who(r.Name, r.Actor)+" · "+m.instant(r.At))
		m.item("reason", r.Reason)
		m.end()
	}
}

// under writes an item indented below a numbered one.
func (m *markdownWriter) under(id, value string) {
	if value = prose.Inline(value); value != "" {
		m.f("   - **%s:** %s\n", m.T(id), value)
	}
}

// appendix writes identifiers and hashes.
func (m *markdownWriter) appendix() {
	m.heading("appendix")
	m.soft(m.T("appendix_hint"))
	for _, f := range m.d.identifiers() {
		m.item(f.id, f.words)
	}
	m.item("created", m.instant(m.d.Content.CreatedAt))
	m.item("submitted", m.instantOf(m.d.Life.SubmittedAt))
	m.end()
	for i := range m.d.Content.Attachments {
		a := &m.d.Content.Attachments[i]
		m.item("attachments", a.Name+" · "+a.MediaType+" · "+m.T("bytes_n", "N", strconv.FormatInt(a.Size, 10))+" · "+
			a.SHA256)
	}
	m.end()
}

// replay lists what the model was not shown, and which policy excluded it.
func (m *markdownWriter) replay(r *pack.Replay) {
	if r == nil {
		return
	}
	m.heading("left_out")
	if said := m.selection(r); said != "" {
		m.item("policy", said)
	} else {
		m.json("policy", r.Policy)
	}
	m.end()
	for _, x := range r.LeftOut {
		m.f("- %s · **%s:** %s · **%s:** %s\n", prose.Line(x.Source), m.T("reason"), prose.Inline(m.leftOut(r, x.Reason)),
			m.T("evidence_id"),
			prose.Inline(x.EvidenceID))
	}
	m.end()
}
