package packs

import (
	"strconv"
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/prose"
)

// sources lists the sources, each under its own anchor with its full excerpt.
func (m *markdownWriter) sources() {
	m.heading("sources")
	all := m.d.Content.Sources
	if len(all) == 0 {
		m.soft(m.T("no_sources"))
	}
	for i := range all {
		m.source(i, &all[i])
	}
}

func (m *markdownWriter) source(i int, s *pack.EvidenceSource) {
	m.f("### %s\n\n", pack.Reference(i))
	switch {
	case s.S3():
		m.soft(m.T("withheld"))
	case strings.TrimSpace(s.Excerpt) != "":
		m.f("%s\n", prose.Quoted(s.Shown()))
	}
	m.item("source", s.Source)
	m.item("uri", s.URI)
	m.item("internal_ref", s.InternalRef)
	m.item("kind", m.name("kind_", s.Kind))
	m.item("retrieved", m.retrieved(s))
	m.item("confidence_is", m.share(s.Confidence))
	m.item("sensitivity", s.SensitivityClass)
	for _, h := range sourceHashes(s) {
		m.item(h.id, h.words)
	}
	m.end()
}

// retrieved says when a source was retrieved, how old that was at the decision, and whether it was too old.
func (m *markdownWriter) retrieved(s *pack.EvidenceSource) string {
	parts := []string{m.instant(s.RetrievedAt)}
	if age := m.freshness(m.d, s); age != "" {
		parts = append(parts, age)
	}
	if hours, ok := m.d.age(s); ok && m.d.stale(hours) {
		parts = append(parts, "⚠️ "+m.T("stale"))
	}
	return strings.Join(parts, " · ")
}

// calls lists the tool calls: what was intended and what was done.
func (m *markdownWriter) calls() {
	m.heading("tool_calls")
	all := m.d.Content.ToolCalls
	if len(all) == 0 {
		m.soft(m.T("no_calls"))
	}
	for i := range all {
		m.call(i, &all[i])
	}
}

func (m *markdownWriter) call(i int, t *pack.ToolCallRecord) {
	m.f("### T%d\n\n", i+1)
	if t.Departed() {
		m.f("✗ **%s:** %s\n\n", m.T("contradiction"), m.T(contradictionOf(t)))
	}
	if t.Failed() {
		m.f("✗ **%s**\n\n", m.T("call_failed"))
	}
	for _, said := range m.departure(t) {
		m.item("departure", bare(said))
	}
	m.item("call_id", t.ID)
	m.item("tool", t.ToolName)
	m.item("intended", t.IntendedAction)
	m.item("actual", m.did(t))
	if !t.Departed() || t.VerificationStatus != reportedDone {
		m.item("verification", m.name("call_", t.VerificationStatus))
	}
	m.item("error", t.Error)
	m.json("inputs", t.Inputs)
	m.json("outputs", t.Outputs)
	for _, s := range t.SideEffects {
		m.item("side_effects", s)
	}
	m.item("started", m.instantOf(t.StartedAt))
	m.item("ended", m.instantOf(t.EndedAt))
	m.item("sensitivity", t.SensitivityClass)
	m.end()
}

// claims lists the ledger's entries as they stood at submission.
func (m *markdownWriter) claims() {
	l := m.d.Content.Ledger
	if l == nil {
		return
	}
	m.heading("pack_claims")
	m.soft(m.asOf(m.d))
	m.item("question", l.Query)
	m.end()
	for i := range l.Entries {
		m.claim(&l.Entries[i])
	}
	if len(l.SetAside) > 0 {
		m.heading("set_aside")
		m.soft(m.T("set_aside_are", "N", strconv.Itoa(len(l.SetAside))))
	}
	for i := range l.SetAside {
		m.claim(&l.SetAside[i])
	}
}

func (m *markdownWriter) claim(e *pack.Entry) {
	m.f("### C%d\n\n%s\n", e.Number, prose.Quoted(e.ClaimText))
	if e.State.Aside() {
		m.item("aside_why", m.name("aside_", string(e.State)))
		m.item("machine", m.machine(e))
	} else {
		m.item("effective_verdict", verdictIcon(e.Verdict)+m.Verdict(e.Verdict))
		m.item("machine", m.machine(e))
		m.item("review", m.name("state_", string(e.State)))
	}
	m.item("kind", m.name("type_", string(e.ClaimType))+" · "+m.name("importance_", string(e.Importance)))
	m.item("risk_flags", m.flags(e))
	m.item("judge_notes", m.note(e.ShownNotes()))
	m.item("source_excerpt", e.Shown())
	m.item("document", strings.Join(m.place(e), " · "))
	m.checked(e)
	for i := range e.Reviews {
		m.reviewed(&e.Reviews[i])
	}
	m.item("claim_id", e.ClaimID)
	m.item("chunk_hash", e.ChunkHash)
	m.item("chunk_root", e.ChunkRoot)
	m.item("evidence_id", e.EvidenceID)
	m.end()
}
