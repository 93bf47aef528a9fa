package ledger

import (
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// UpstreamView is what a provider's file said about a claim, shown beside our verdict.
type UpstreamView struct {
	Key, Icon, Word string // the verdict that its label means to us, "" if none
	Label, Score    string // as the file has them
	Reason          string
	Stated          bool // the file judged the claim
	Placed          []string
	Marks           []UpstreamMarkView
	More            string
}

// UpstreamMarkView is one citation or label of the file, and how it was placed.
type UpstreamMarkView struct{ Words, Label, Source, Placed string }

// FromLine says which provider's file a session came from, and how its citations were located.
type FromLine struct {
	Provider string
	Marks    string // "Citations and labels: 6", "" if none
	Placed   []string
}

// listedMarks is how many citations of the file a claim shows.
const listedMarks = 20

// newUpstreamView lays out what the file said about a claim; nil if it said nothing.
func newUpstreamView(c *ui.Chrome, s *ledger.Session, position int) *UpstreamView {
	u := s.Upstream(position)
	if u == nil {
		return nil
	}
	v := &UpstreamView{Label: u.Label, Reason: u.Reason, Stated: u.Verdict != "" || u.Label != "" || u.Score != nil}
	if u.Verdict != "" {
		v.Key, v.Icon, v.Word = string(u.Verdict), ui.Icons[u.Verdict], c.Verdict(u.Verdict)
	}
	if u.Score != nil {
		v.Score = c.T("said_score", "Score", say.Isolated(c.InDigits(strconv.FormatFloat(*u.Score, 'g', 4, 64))))
	}
	var placed ledger.Placed
	for _, list := range [][]ledger.UpstreamMark{u.Citations, u.Labels} {
		for i := range list {
			if list[i].Kind != ledger.PointerMark {
				placed.Add(list[i].Placed)
			}
			v.mark(c, s, &list[i])
		}
	}
	for _, kind := range ledger.Placements {
		if n := placed.Of(kind); n > 0 {
			v.Placed = append(v.Placed, c.T("placed_count", "How", placedWords(c, kind), "N", c.Num(n)))
		}
	}
	if more := placed.Total() - len(v.Marks); more > 0 {
		v.More = c.T("n_more_marks", "N", c.Num(more))
	}
	return v
}

// mark adds one citation or label, up to listedMarks.
func (v *UpstreamView) mark(c *ui.Chrome, s *ledger.Session, m *ledger.UpstreamMark) {
	if len(v.Marks) == listedMarks {
		return
	}
	out := UpstreamMarkView{Words: m.Words, Placed: placedWords(c, m.Placed)}
	if m.Kind == ledger.PointerMark {
		out.Placed = m.ChunkID
	}
	if m.UpstreamVerdict != nil {
		out.Label = m.Label
	}
	for i := range s.Documents {
		if d := &s.Documents[i]; m.DocumentID != "" && d.Key == m.DocumentID {
			out.Source = say.DocumentName(d)
		}
	}
	v.Marks = append(v.Marks, out)
}

// placedWords names a way in which a citation is placed.
func placedWords(c *ui.Chrome, kind text.PlacementKind) string { return c.T("placed_" + string(kind)) }

// providerLine names the provider's file that a session came from; nil for our own formats.
func providerLine(c *ui.Chrome, s *ledger.Session) *FromLine {
	whole := s.UpstreamWhole()
	if whole == nil {
		return nil
	}
	f := &FromLine{Provider: c.T("imported_from", "Provider", say.Isolated(ledger.ProviderName(s.Format)))}
	if p := whole.Placed; p != nil {
		f.Marks = c.T("n_marks", "N", c.Num(p.Total()))
		for _, kind := range ledger.Placements {
			f.Placed = append(f.Placed,
				c.T("placed_share", "How", placedWords(c, kind), "N", c.Num(p.Of(kind)), "Percent",
					c.Percent(p.Share(kind))))
		}
	}
	return f
}

// spansRefused says which spans of the session's live trace were refused, and why.
func spansRefused(c *ui.Chrome, s *ledger.Session) (out []string) {
	for _, r := range s.RefusedSpans() {
		out = append(out, c.SpansMissing(r.N, r.Cause, r.Spans))
	}
	return out
}
