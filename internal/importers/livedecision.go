package importers

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/recode"
)

// Attributes by which a program says what a trace cannot: how grave the decision is. Any span may have them; the root's
// count first.
const (
	approvalAttribute      = "sanad.approval_class"
	reversibilityAttribute = "sanad.reversibility_class"
	sensitivityAttribute   = "sanad.sensitivity_class"
	confidenceAttribute    = "sanad.confidence"
	highStakesAttribute    = "sanad.high_stakes"
	entityAttribute        = "sanad.entity_id"
	titleAttribute         = "sanad.title"
)

// decisionAttributes lists those whose value may be wrong.
var decisionAttributes = []string{approvalAttribute, reversibilityAttribute, sensitivityAttribute, confidenceAttribute}

// Decision makes a decision of the trace: its answer is the statement, what was retrieved its evidence, and the calls
// of tools its calls. What no span says is assumed: A1, R1, S1, no confidence. The error is a *DecisionError.
func (t *LiveTrace) Decision() (*pack.Decision, error) {
	d := &pack.Decision{Header: pack.Header{
		DecisionID: "trace-" + t.Facts.TraceID, TraceID: t.Facts.TraceID,
		EntityID:           cmp.Or(t.said(entityAttribute), t.service(), "–"),
		AgentName:          cmp.Or(t.said("gen_ai.agent.name", "agent.name"), t.service(), t.root().name, "–"),
		Model:              clipped(t.draft.head.Model, pack.MaxID),
		DecidedAt:          t.ended(),
		Statement:          cutTo(t.draft.text.String(), pack.MaxStatement),
		ApprovalClass:      cmp.Or(t.said(approvalAttribute), "A1"),
		ReversibilityClass: cmp.Or(t.said(reversibilityAttribute), "R1"),
		SensitivityClass:   cmp.Or(t.said(sensitivityAttribute), "S1"),
		HighStakes:         t.said(highStakesAttribute) == "true",
	}, Evidence: []pack.EvidenceSource{}, ToolCalls: []pack.ToolCallRecord{}, Prompts: []pack.PromptRecord{}}
	d.EntityID, d.AgentName = clipped(d.EntityID, pack.MaxID), clipped(d.AgentName, pack.MaxID)
	title := cmp.Or(t.said(titleAttribute), t.draft.head.Query, t.root().name, d.DecisionID)
	title = strings.Join(strings.Fields(title), " ")
	d.Title = cutTo(title, pack.MaxName)
	confidence, err := strconv.ParseFloat(cmp.Or(t.said(confidenceAttribute), "0"), 64)
	if err == nil {
		d.Confidence = &confidence
	}
	for i := range t.spans {
		if c := t.spans[i].toolCall(); c != nil {
			d.ToolCalls = append(d.ToolCalls, t.spans[i].toolRecord(c, i))
		}
	}
	t.evidence(d)
	if faults := d.Validate(); len(faults) > 0 {
		for _, f := range faults {
			if asked := "sanad." + f.Path; slices.Contains(decisionAttributes, asked) {
				f.Path = asked // where the sender finds it
			}
		}
		return nil, &DecisionError{faults}
	}
	return d, nil
}

// evidence adds the passages that were retrieved; results of tools are in their calls.
func (t *LiveTrace) evidence(d *pack.Decision) {
	for _, s := range t.draft.sources {
		if strings.HasPrefix(s.id, toolPrefix) {
			continue
		}
		for _, p := range s.parts {
			e := pack.EvidenceSource{Source: clipped(cmp.Or(s.title, s.id, "–"), pack.MaxName),
				URI:         clipped(s.uri, pack.MaxURI),
				InternalRef: clipped(s.id, pack.MaxURI), RetrievedAt: t.ended()}
			e.Excerpt = cutTo(p.text, pack.MaxStatement)
			d.Evidence = append(d.Evidence, e)
		}
	}
}

// toolRecord returns a call as a decision holds it.
func (s *span) toolRecord(c *toolCall, n int) pack.ToolCallRecord {
	r := pack.ToolCallRecord{ID: clipped(cmp.Or(s.id, strconv.Itoa(n)), pack.MaxID),
		ToolName: clipped(c.name, pack.MaxName),
		Inputs:   dataOf(c.input), Outputs: dataOf(c.output), SideEffects: []string{},
		StartedAt: nanoTime(strings.TrimLeft(s.start, "0")), EndedAt: nanoTime(s.end)}
	for _, e := range s.events {
		if e.name == "exception" {
			r.Error = cutTo(cmp.Or(e.attrs.text("exception.message"), "exception"), pack.MaxStatement)
		}
	}
	return r
}

// dataOf returns the JSON that a text holds, else the text.
func dataOf(raw json.RawMessage) json.RawMessage {
	if begins(raw) == '"' {
		inner := strings.TrimSpace(plainJSONText(raw))
		if (strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "[")) && json.Valid([]byte(inner)) {
			raw = json.RawMessage(inner)
		}
	}
	if len(raw) > pack.MaxData {
		return recode.Encode(cutTo(plainJSONText(raw), pack.MaxData/8))
	}
	return raw
}

// cutTo returns at most so many code points of a text, of which the last says that there was more.
func cutTo(s string, most int) string {
	if text.Len(s) <= most {
		return s
	}
	return clipped(s, most-1) + "…"
}

// said returns an attribute of the root, else of the first span that has it.
func (t *LiveTrace) said(keys ...string) string {
	if words := t.root().attrs.text(keys...); words != "" {
		return words
	}
	for i := range t.spans {
		if words := t.spans[i].attrs.text(keys...); words != "" {
			return words
		}
	}
	return ""
}

// root returns the first root, else the first span.
func (t *LiveTrace) root() *span {
	for i := range t.spans {
		if t.spans[i].root {
			return &t.spans[i]
		}
	}
	return &t.spans[0]
}

func (t *LiveTrace) service() string {
	for _, name := range t.Facts.Services {
		if name != "" {
			return name
		}
	}
	return ""
}

// ended returns when the root ended, else when the last span began.
func (t *LiveTrace) ended() string {
	if at := nanoTime(t.root().end); at != "" {
		return at
	}
	last := nanoTime(strings.TrimLeft(t.spans[len(t.spans)-1].start, "0"))
	return cmp.Or(last, time.Unix(0, 0).UTC().Format(time.RFC3339))
}

// nanoTime returns a time that is given in nanoseconds since 1970, "" if none.
func nanoTime(nanos string) string {
	n, err := strconv.ParseInt(nanos, 10, 64)
	if err != nil || n <= 0 {
		return ""
	}
	return time.Unix(0, n).UTC().Format(time.RFC3339Nano)
}
