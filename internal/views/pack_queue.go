package views

import "net/url"

// PackQueueInput is what waits for the reader: at most a handful of each, with how many there are.
type PackQueueInput struct {
	ToDecide, Returned                    []PackRow
	Asks                                  []ExportAsk
	Missing                               []MissingRow
	NToDecide, NReturned, NAsks, NMissing int
}

// PackQueue is what waits for the reader, laid out.
type PackQueue struct {
	ToDecide, Returned                                []PackLine
	Asks                                              []AskView
	Missing                                           []MissingLine
	MoreToDecide, MoreReturned, MoreAsks, MoreMissing string
}

// Empty tells whether nothing waits.
func (q *PackQueue) Empty() bool {
	return len(q.ToDecide)+len(q.Returned)+len(q.Asks)+len(q.Missing) == 0
}

// MissingLine is one missing pack, laid out.
type MissingLine struct {
	Title, DecisionID, Agent, Href string
	Decided                        Moment
	Reasons                        []string
}

func (c *Chrome) packQueue(in PackQueueInput) PackQueue {
	q := PackQueue{ToDecide: c.packLines(in.ToDecide), Returned: c.packLines(in.Returned), Missing: c.missingLines(in.Missing)}
	for _, x := range in.Asks {
		q.Asks = append(q.Asks, c.askView(x, false))
	}
	more := func(all, shown int) string {
		if all > shown {
			return c.N("pk_n_more", all-shown)
		}
		return ""
	}
	q.MoreToDecide, q.MoreReturned = more(in.NToDecide, len(in.ToDecide)), more(in.NReturned, len(in.Returned))
	q.MoreAsks, q.MoreMissing = more(in.NAsks, len(in.Asks)), more(in.NMissing, len(in.Missing))
	return q
}

func (c *Chrome) missingLines(rows []MissingRow) []MissingLine {
	out := make([]MissingLine, len(rows))
	for i, x := range rows {
		out[i] = MissingLine{
			Title: x.Title, DecisionID: x.DecisionID, Agent: x.Agent, Decided: c.moment(instant(x.DecidedAt)),
			Href: "/packs/new?" + url.Values{"decision": {x.DecisionID}}.Encode(),
		}
		for _, r := range x.Requirement.Rules {
			out[i].Reasons = append(out[i].Reasons, c.reason(r))
		}
	}
	return out
}
