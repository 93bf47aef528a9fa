package say

import (
	"strings"

	"sanad/internal/domain/filter"
)

// sampleDay shows how a day is written.
const sampleDay = "2026-01-31"

// maxLeftValue is how much of a value is repeated, in characters.
const maxLeftValue = 60

// filterLabels are the messages that name filters.
var filterLabels = map[string]string{
	"state": "status", "verdict": "verdict", "tier": "tier", "flag": "risk_flags", "level": "pk_requirement", "kind": "find_kind",
	"from": "aud_from", "to": "aud_to", "action": "aud_action", "claim": "aud_claim", "type": "type",
	"importance": "importance", "citation": "filter_citation", "quotation": "filter_quotation", "assigned": "assigned_me",
	"due": "due_heading", "aside": "filter_aside", "threads": "filter_threads",
}

// LeftFilter says which filter could not be used, and why.
func (r *Reader) LeftFilter(f filter.Left) string {
	value := []rune(f.Value)
	if len(value) > maxLeftValue {
		value = append(value[:maxLeftValue:maxLeftValue], '…')
	}
	shown := Isolated(strings.Map(visible, string(value)))
	label := r.T(filterLabels[f.Name])
	switch f.Kind {
	case filter.Day:
		return r.T("left_filter_day", "FIELD", label, "VALUE", shown, "SAMPLE", "\u2066"+r.InDigits(sampleDay)+"\u2069")
	case filter.Number:
		return r.T("left_filter_number", "FIELD", label, "VALUE", shown)
	case filter.ClaimAlone:
		return r.T("left_filter_claim_alone", "FIELD", label, "VALUE", shown, "OBJECT", r.T("aud_object"))
	}
	return r.T("left_filter_choice", "FIELD", label, "VALUE", shown)
}

// visible drops what would change the direction of the words around a value.
func visible(c rune) rune {
	if c < ' ' || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
		return -1
	}
	return c
}
