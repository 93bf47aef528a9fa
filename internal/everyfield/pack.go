package everyfield

import (
	"fmt"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// PackValues returns the valid values of the restricted types in a decision and a pack.
func PackValues() Values {
	v := SessionValues()
	Add(v, pack.Reasons...)
	Add(v, pack.Mandatory, pack.Recommended)
	Add(v, ledger.ReviewStates...)
	Add(v, ledger.RiskTypes...)
	return v
}

// Decision returns a decision that Validate accepts. Every exported field is set in at least one place where it occurs.
func Decision() *pack.Decision {
	d := &pack.Decision{}
	Fill(d, PackValues())
	fitHeader(&d.Header)
	for i := range d.Evidence {
		fitSource(&d.Evidence[i], i)
	}
	for i := range d.ToolCalls {
		fitCall(&d.ToolCalls[i], i)
		d.ToolCalls[i].ActualAction = d.ToolCalls[i].IntendedAction
	}
	for i := range d.Prompts {
		d.Prompts[i].RenderedHash = hash("prompt", i)
	}
	return d
}

// Pack returns the content of a pack that Freeze accepts, filled in the same way.
func Pack() *pack.Content {
	c := &pack.Content{}
	Fill(c, PackValues())
	c.Format, c.PackID = pack.Format, "pack_00000000000000ef"
	fitHeader(&c.Header)
	for i := range c.Sources {
		fitSource(&c.Sources[i], i)
	}
	for i := range c.ToolCalls {
		fitCall(&c.ToolCalls[i], i)
	}
	return c
}

func fitHeader(h *pack.Header) {
	h.DecidedAt = "2026-03-01T09:00:00Z"
	h.ApprovalClass, h.ReversibilityClass, h.SensitivityClass = "A2", "R1", "S1"
}

func fitSource(s *pack.EvidenceSource, i int) {
	start, end := i+1, i+20
	s.RetrievedAt = fmt.Sprintf("2026-03-01T08:0%d:00Z", i)
	s.Kind, s.SensitivityClass = pack.SourceKinds[i+1], pack.SensitivityClasses[i+1]
	s.ExcerptHash, s.ContentHash = hash("excerpt", i), hash("content", i)
	s.ChunkRoot = pack.Digest(fmt.Appendf(nil, "chunk %d", i))
	s.OffsetStart, s.OffsetEnd = &start, &end
}

func fitCall(t *pack.ToolCallRecord, i int) {
	t.VerificationStatus, t.SensitivityClass = pack.VerificationStatuses[i], pack.SensitivityClasses[i+1]
	t.IntendedAction, t.ActualAction = fmt.Sprintf("fetch record %d", i+7), fmt.Sprintf("retrieved record %d", i+7)
	t.Caller.VerificationStatus = t.VerificationStatus
	t.Departure.Result, t.Departure.Decided.Result = "cannot_tell", "same" // a person has decided
	t.Departure.Words = (&pack.Decision{ToolCalls: []pack.ToolCallRecord{*t}}).Calls()[0].Departure.Words
	t.StartedAt, t.EndedAt = fmt.Sprintf("2026-03-01T08:1%d:00Z", i), fmt.Sprintf("2026-03-01T08:2%d:00Z", i)
}

func hash(what string, i int) string { return pack.Hash(fmt.Appendf(nil, "%s %d", what, i)) }
