package packs

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// fact is a label's message id and its value.
type fact struct{ id, words string }

// version returns the pack's position in its chain of versions.
func (p *language) version(d *Document) string {
	parts := []string{strconv.Itoa(d.Content.Version)}
	if d.Content.Supersedes != "" {
		parts = append(parts, p.T("supersedes", "ID", d.Content.Supersedes))
	}
	if d.Life.SupersededBy != "" {
		parts = append(parts, p.T("superseded_by", "ID", d.Life.SupersededBy))
	}
	return strings.Join(parts, " · ")
}

// system returns the agent, model and version that made the decision.
func (p *language) system(h *pack.Header) string {
	return strings.Join(present(h.AgentName, strings.Join(present(h.Model, h.ModelVersion), " ")), " · ")
}

// confidence returns the decision's confidence and whether its stakes are high.
func (p *language) confidence(h *pack.Header) string {
	parts := []string{p.share(h.Confidence)}
	if h.HighStakes {
		parts = append(parts, p.T("high_stakes"))
	}
	return strings.Join(parts, " · ")
}

// window returns the maximum age of sources; "" if none.
func (p *language) window(h *pack.Header) string {
	if h.FreshnessWindowHours == nil {
		return ""
	}
	return p.T("hours_n", "N", strconv.Itoa(*h.FreshnessWindowHours))
}

// glance returns the summary of the pack.
func (p *language) glance(d *Document) []fact {
	c := &d.Content
	out := []fact{
		{"sources", p.T("sources_n", "N", strconv.Itoa(len(c.Sources)), "Stale", strconv.Itoa(d.stales()))},
		{"calls", pack.CallsSaid(c, p.Code)},
	}
	if l := c.Ledger; l != nil {
		out = append(out, fact{"claims",
			p.T("claims_n", "N", strconv.Itoa(len(l.Entries)), "Verdicts", p.tally(l.Entries))})
		if len(l.SetAside) > 0 {
			out = append(out, fact{"set_aside", p.T("set_aside_are", "N", strconv.Itoa(len(l.SetAside)))})
		}
	}
	return append(out, fact{"policy.policy", p.policyHead(d.policy()) + " · " + p.policyTally(d.policy())})
}

// asOf says when the shown claims were copied: submission freezes them.
func (p *language) asOf(d *Document) string {
	id, l := "claims_as_of", d.Content.Ledger
	if d.Life.State == pack.Draft {
		id = "claims_as_now"
	}
	return p.T(id, "Session", l.SessionID, "Revision", strconv.Itoa(l.Revision))
}

// identifiers returns the pack's machine-readable identifiers.
func (d *Document) identifiers() []fact {
	c := &d.Content
	out := []fact{
		{"pack_digest", prefixed(d.Digest)}, {"content_root", c.ContentRoot}, {"evidence_map_root", c.EvidenceMapRoot},
		{"pack_id", c.PackID}, {"decision_id", c.DecisionID}, {"ledger_session", c.LedgerSessionID},
		{"trace_id", c.TraceID},
		// so that the files' signed digests can't be used to test guesses at what a copy leaves out
		{"tenant_id", c.TenantID}, {"format", c.Format}, {"blind", c.Blind},
	}
	if c.LedgerSessionID == "" && c.Ledger != nil {
		out[5].words = c.Ledger.SessionID
	}
	return out
}

// sourceHashes returns a source's hashes. The hash of a withheld excerpt is salted.
func sourceHashes(s *pack.EvidenceSource) []fact {
	excerpt, offsets := "excerpt_hash", ""
	if s.S3() {
		excerpt = "salted_hash"
	} else if s.OffsetStart != nil && s.OffsetEnd != nil {
		offsets = strconv.Itoa(*s.OffsetStart) + "–" + strconv.Itoa(*s.OffsetEnd)
	}
	return []fact{{excerpt, s.ExcerptHash}, {"content_hash", s.ContentHash}, {"chunk_root", s.ChunkRoot},
		{"offsets", offsets}, {"evidence_id", s.EvidenceID}}
}

// verdictIcon returns the icon before a verdict's word.
func verdictIcon(v ledger.Verdict) string {
	icon, id := "–", "exported.label_"+string(v)
	if all := words.In("en"); all.Has(id) { // as in a ledger's Markdown
		icon, _, _ = strings.Cut(all.Text(id), " ")
	}
	return icon + " "
}

// prefixed returns a digest with the algorithm's name before it; "" stays "".
func prefixed(digest string) string {
	if digest == "" || strings.HasPrefix(digest, "sha256:") {
		return digest
	}
	return "sha256:" + digest
}

// compactJSON returns JSON on one line; anything else is returned unchanged.
func compactJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// present returns the non-empty texts.
func present(all ...string) []string {
	var out []string
	for _, s := range all {
		if strings.TrimSpace(s) != "" {
			out = append(out, s)
		}
	}
	return out
}
