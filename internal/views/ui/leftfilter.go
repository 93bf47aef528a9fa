package ui

import (
	"strings"

	"sanad/internal/domain/filter"
)

// ClaimAlone is the kind of a claim's number in the address without the session that it belongs to.
const ClaimAlone filter.Kind = "claim-alone"

// sampleDay shows how a day is written.
const sampleDay = "2026-01-31"

// maxLeftValue is how much of a value is repeated, in characters.
const maxLeftValue = 60

// filterLabels are the messages that name filters, where they are not filter_NAME.
var filterLabels = map[string]string{
	"state": "status", "verdict": "verdict", "flag": "risk_flags", "level": "pk_requirement", "kind": "find_kind",
	"from": "aud_from", "to": "aud_to", "action": "aud_family", "claim": "aud_claim", "type": "type",
	"importance": "importance", "citation": "filter_citation", "quotation": "filter_quotation", "assigned": "assigned_me",
	"due": "due_heading",
}

// Left returns the filter called name if its value could not be used, and nil otherwise.
func (c *Chrome) Left(name string) *filter.Left {
	for i := range c.LeftFilters {
		if c.LeftFilters[i].Name == name {
			return &c.LeftFilters[i]
		}
	}
	return nil
}

// leftText says which filter could not be used, and why.
func (c *Chrome) leftText(f filter.Left) string {
	value := []rune(f.Value)
	if len(value) > maxLeftValue {
		value = append(value[:maxLeftValue:maxLeftValue], '…')
	}
	shown := "\u2068" + strings.Map(visible, string(value)) + "\u2069"
	label := c.T(filterLabels[f.Name])
	switch f.Kind {
	case filter.Day:
		return c.T("left_filter_day", "FIELD", label, "VALUE", shown, "SAMPLE", "\u2066"+c.InDigits(sampleDay)+"\u2069")
	case filter.Number:
		return c.T("left_filter_number", "FIELD", label, "VALUE", shown)
	case ClaimAlone:
		return c.T("left_filter_claim_alone", "FIELD", label, "VALUE", shown, "OBJECT", c.T("aud_object"))
	}
	return c.T("left_filter_choice", "FIELD", label, "VALUE", shown)
}

// visible drops what would change the direction of the words around a value.
func visible(r rune) rune {
	if r < ' ' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
		return -1
	}
	return r
}

// DayFilter is a date field that limits a list to days from or up to day; it keeps what was typed into it.
func (c *Chrome) DayFilter(id, name, label, day string) DateField {
	f := DateField{ID: id, Name: name, Label: label, Value: c.InDigits(day)}
	if left := c.Left(name); left != nil {
		f.Value, f.Invalid = left.Value, true
	}
	return f
}
