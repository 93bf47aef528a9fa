package pack

// Part names a leaf of the content root that can be proved alone or left out of a copy, with a text that identifies it
// for people.
type Part struct {
	Kind, ID string
	Text     string
}

// Parts returns the claims, those set aside, excerpts, memo fields and tool calls, each in order. The text of an excerpt is its source's
// name.
func (c *Content) Parts() []Part {
	var out []Part
	if c.Ledger != nil {
		for i := range c.Ledger.Entries {
			out = append(out, Part{LeafClaim, c.Ledger.Entries[i].ClaimID, c.Ledger.Entries[i].ClaimText})
		}
		for _, e := range c.Ledger.SetAside {
			out = append(out, Part{LeafAside, e.ClaimID, e.ClaimText})
		}
	}
	for i := range c.Sources {
		out = append(out, Part{LeafExcerpt, Reference(i), c.Sources[i].Source})
	}
	for _, f := range c.Memo.Fields() {
		out = append(out, Part{LeafMemo, f.Name, f.Text})
	}
	for i := range c.ToolCalls {
		out = append(out, Part{LeafCall, callID(i), c.ToolCalls[i].ToolName})
	}
	return out
}
