package pack

import (
	"cmp"
	"strconv"
	"strings"

	"sanad/internal/domain/text/redline"
)

// FieldChange is a text that differs between two versions; "" where it is not in one.
type FieldChange struct {
	Name     string // as in pack.json: "intended_action"; of the policy also the name of a rule
	Old, New string
	Pieces   []redline.Piece // the wording of both, word by word; nil if one is missing or they are long
}

// maxFieldDiff is how long both texts of a field may be to be compared word by word, in bytes: a pack has up to 1,000
// tool calls.
const maxFieldDiff = 8 << 10

// ItemChange is a tool call, prompt or attachment that came, went or changed.
type ItemChange struct {
	Kind     string // MendAdded, MendRemoved or MendChanged
	Position int    // in the newer content or, if it was removed, in the older
	Name     string
	Fields   []FieldChange // what differs; of one that came or went what it says
}

// field is a named text of an item.
type field struct{ name, text string }

// comparedFields returns what differs between two lists of the same fields; nil stands for no item.
func comparedFields(older, newer []field) (out []FieldChange) {
	for i := range max(len(older), len(newer)) {
		var was, is string
		name := ""
		if i < len(older) {
			name, was = older[i].name, older[i].text
		}
		if i < len(newer) {
			name, is = newer[i].name, newer[i].text
		}
		if was != is {
			x := FieldChange{Name: name, Old: was, New: is}
			if was != "" && is != "" && len(was)+len(is) <= maxFieldDiff {
				x.Pieces, _ = redline.Compare(was, is)
			}
			out = append(out, x)
		}
	}
	return out
}

// comparedItems pairs items of the same key, in order, and returns those that came, changed or went.
func comparedItems[T any](older, newer []T, key, name func(*T) string, fields func(*T) []field) (out []ItemChange) {
	was := indexed(older, key)
	for i := range newer {
		x := ItemChange{Kind: MendChanged, Position: i, Name: name(&newer[i])}
		if old := was.take(key(&newer[i])); old != nil {
			x.Fields = comparedFields(fields(old), fields(&newer[i]))
		} else {
			x.Kind, x.Fields = MendAdded, comparedFields(nil, fields(&newer[i]))
		}
		if x.Kind == MendAdded || len(x.Fields) > 0 {
			out = append(out, x)
		}
	}
	for i, x := range was.rest(older) {
		out = append(out, ItemChange{Kind: MendRemoved, Position: i, Name: name(&x),
			Fields: comparedFields(fields(&x), nil)})
	}
	return out
}

// more compares what is neither claim, source nor memo.
func (c *Changes) more(older, newer *Content) {
	c.Decision = comparedFields(older.Header.fields(older.Ledger), newer.Header.fields(newer.Ledger))
	c.Calls = comparedItems(older.ToolCalls, newer.ToolCalls,
		func(t *ToolCallRecord) string { return t.ID + "\x00" + t.ToolName },
		func(t *ToolCallRecord) string { return t.ToolName }, (*ToolCallRecord).fields)
	c.Prompts = comparedItems(older.Prompts, newer.Prompts, func(p *PromptRecord) string { return p.TemplateName },
		func(p *PromptRecord) string { return p.TemplateName }, func(p *PromptRecord) []field {
			return []field{{"template_version", p.TemplateVersion}, {"rendered_hash", p.RenderedHash}}
		})
	c.Attachments = comparedItems(older.Attachments, newer.Attachments,
		func(a *Attachment) string { return a.Name }, func(a *Attachment) string { return a.Name },
		func(a *Attachment) []field { return []field{{"sha256", a.SHA256}, {"media_type", a.MediaType}} })
	c.Policy = comparedFields(older.Policy.fields(), newer.Policy.fields())
}

// fields are what a decision says of itself, and the session whose ledger was copied.
func (h *Header) fields(l *Ledger) []field {
	window, session := "", h.LedgerSessionID
	if h.FreshnessWindowHours != nil {
		window = strconv.Itoa(*h.FreshnessWindowHours)
	}
	if l != nil {
		session = l.SessionID
	}
	return []field{
		{"title", h.Title}, {"statement", h.Statement}, {"statement_ar", h.StatementAR}, {"statement_en", h.StatementEN},
		{"approval_class", h.ApprovalClass}, {"reversibility_class", h.ReversibilityClass},
		{"sensitivity_class", h.SensitivityClass}, {"confidence", shareField(h.Confidence)},
		{"high_stakes", strconv.FormatBool(h.HighStakes)}, {"data_freshness_window_hours", window},
		{"agent_name", h.AgentName}, {"model", strings.TrimSpace(h.Model + " " + h.ModelVersion)},
		{"decided_at", h.DecidedAt}, {"ledger_session_id", session},
	}
}

func (t *ToolCallRecord) fields() []field {
	departure := ""
	if d := t.Departure; d != nil {
		departure = string(d.Result)
		if d.Decided != nil {
			departure = string(d.Decided.Result)
		}
	}
	return []field{
		{"intended_action", t.IntendedAction}, {"actual_action", t.ActualAction},
		{"verification_status", t.VerificationStatus}, {"departure", departure},
		{"error", t.Error}, {"side_effects", strings.Join(t.SideEffects, "\n")},
		{"inputs", string(t.Inputs)}, {"outputs", string(t.Outputs)}, {"sensitivity_class", t.SensitivityClass},
		{"started_at", t.StartedAt}, {"ended_at", t.EndedAt},
	}
}

// fields are those of a source besides its hashes.
func (s *EvidenceSource) fields() []field {
	return []field{
		{"excerpt", s.Excerpt}, {"confidence", shareField(s.Confidence)}, {"retrieved_at", s.RetrievedAt},
		{"kind", cmp.Or(s.Kind, SourceKinds[0])}, {"sensitivity_class", s.SensitivityClass},
	}
}

// fields are what a policy demands, not what the pack met.
func (p *PolicyRecord) fields() []field {
	out := []field{{"version", strconv.Itoa(p.Version)}, {"class", p.Class}}
	for _, rule := range PolicyRules {
		text := ""
		for i := range p.Rules {
			if r := &p.Rules[i]; r.Rule == rule {
				text = string(r.Level)
				if r.Days > 0 {
					text += " " + strconv.Itoa(r.Days)
				}
			}
		}
		out = append(out, field{rule, text})
	}
	return out
}

func shareField(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}
