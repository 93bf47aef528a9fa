package exporters

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
)

// PackMarkdown writes everything in a pack, complete in English and then in Arabic; a memo's [E1] links to its source.
// Texts by people, machines and models are written as plain text. The same document produces the same bytes. It writes
// only after everything is rendered; errors are the writer's.
func PackMarkdown(w io.Writer, d *PackDocument) error {
	var all bytes.Buffer
	for i := range packLangs {
		m := packMarkdown{packLang: packLangs[i], d: d, part: i}
		m.document()
		if i > 0 {
			all.WriteString("---\n\n")
		}
		all.Write(m.Bytes())
	}
	_, err := w.Write(all.Bytes())
	return err
}

// packMarkdown collects one part of the file.
type packMarkdown struct {
	mdWriter
	packLang
	d       *PackDocument
	part    int
	section int
}

func (m *packMarkdown) document() {
	if m.code == "ar" { // ignored by renderers that do not support it
		m.f("<div dir=\"rtl\" lang=\"ar\">\n\n")
	}
	title, summary, body := m.d.memo(m.code)
	m.f("# %s\n\n", inline(m.t("part_title", "Title", title)))
	if !m.d.signed() {
		m.f("**%s**\n\n", inline(m.t("not_signed_is")))
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
	m.calls()
	m.claims()
	m.prompts()
	m.policy()
	m.approvals()
	m.appendix()
	if m.code == "ar" {
		m.f("</div>\n")
	}
}

// heading starts a numbered section.
func (m *packMarkdown) heading(id string) {
	m.section++
	m.f("## %d. %s\n\n", m.section, m.t(id))
}

// soft writes a line that is the document's own text.
func (m *packMarkdown) soft(words string) { m.f("%s\n\n", line(words)) }

// item writes a labelled value unless it is empty.
func (m *packMarkdown) item(id, value string) {
	if value = inline(value); value != "" {
		m.f("- **%s:** %s\n", m.t(id), value)
	}
}

// json writes a labelled JSON value unless it is empty.
func (m *packMarkdown) json(id string, raw json.RawMessage) { m.item(id, compactJSON(raw)) }

// end closes a list.
func (m *packMarkdown) end() { m.f("\n") }

func (m *packMarkdown) memoOr(words string) {
	if strings.TrimSpace(words) == "" {
		m.soft(m.t("no_memo"))
		return
	}
	m.memo(words)
}

// head writes the decision, the pack's state and its summary.
func (m *packMarkdown) head() {
	c := &m.d.Content
	m.item("status", m.status(&m.d.Life))
	m.item("pack_id", c.PackID)
	m.item("version", m.version(m.d))
	m.item("tenant", m.d.Tenant)
	m.item("sensitivity", m.t("class_"+m.d.classification()))
	m.item("decision", c.Title)
	m.item("decided_at", m.instant(c.DecidedAt))
	m.item("system", m.system(&c.Header))
	m.item("entity", c.EntityID)
	m.item("classes", m.classes(&c.Header))
	m.item("confidence_is", m.confidence(&c.Header))
	m.item("freshness", m.window(&c.Header))
	m.item("requirement", m.name("level_", string(c.Requirement.Level))+": "+m.requirement(&c.Requirement))
	m.item("retain_until", m.day(c.RetainUntil))
	for _, f := range m.glance(m.d) {
		m.item(f.id, f.words)
	}
	m.f("\n%s\n", quoted(c.Statement))
	for _, other := range present(c.StatementAR, c.StatementEN) {
		m.f("\n%s\n", quoted(other))
	}
	if len(c.Mended) > 0 {
		m.end()
		m.item("mended", bare(m.mended(c)))
		m.end()
	}
}

func (m *packMarkdown) prompts() {
	m.heading("prompts")
	all := m.d.Content.Prompts
	if len(all) == 0 {
		m.soft(m.t("no_prompts"))
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
func (m *packMarkdown) approvals() {
	m.heading("approvals")
	l := &m.d.Life
	if len(l.Approvals) == 0 {
		m.soft(m.t("no_approvals"))
	}
	for i := range l.Approvals {
		a := &l.Approvals[i]
		m.f("%d. **%s** · %s · %s\n", i+1, inline(who(a.Name, a.Actor)), inline(m.name("role_", a.Role)),
			inline(m.instant(a.At)))
		m.under("approved_digest", prefixed(a.Digest))
		m.under("comment", a.Comment)
		for _, alarm := range m.acknowledged(&m.d.Content, a) {
			m.under("acknowledged", alarm)
		}
	}
	m.end()
	if m.d.Content.OneAdministrator {
		m.soft(m.t("one_administrator"))
	}
	if r := l.Return; r != nil {
		m.item("returned_by", who(r.Name, r.Actor)+" · "+m.instant(r.At))
		m.item("reason", r.Reason)
		m.end()
	}
}

// under writes an item indented below a numbered one.
func (m *packMarkdown) under(id, value string) {
	if value = inline(value); value != "" {
		m.f("   - **%s:** %s\n", m.t(id), value)
	}
}

// appendix writes identifiers and hashes.
func (m *packMarkdown) appendix() {
	m.heading("appendix")
	m.soft(m.t("appendix_hint"))
	for _, f := range m.d.identifiers() {
		m.item(f.id, f.words)
	}
	m.item("created", m.instant(m.d.Content.CreatedAt))
	m.item("submitted", m.instantOf(m.d.Life.SubmittedAt))
	m.end()
	for i := range m.d.Content.Attachments {
		a := &m.d.Content.Attachments[i]
		m.item("attachments", a.Name+" · "+a.MediaType+" · "+m.t("bytes_n", "N", strconv.FormatInt(a.Size, 10))+" · "+
			a.SHA256)
	}
	m.end()
	m.replay(m.d.Content.Replay)
}

// replay lists what the model was not shown, and which policy excluded it.
func (m *packMarkdown) replay(r *pack.Replay) {
	if r == nil {
		return
	}
	m.f("### %s\n\n", m.t("not_shown"))
	m.json("policy", r.Policy)
	for _, x := range r.LeftOut {
		m.f("- %s · **%s:** %s · **%s:** %s\n", line(x.Source), m.t("reason"), inline(x.Reason), m.t("evidence_id"),
			inline(x.EvidenceID))
	}
	m.end()
}
