package bundles

import (
	"sanad/internal/domain/bundle"
	"sanad/internal/views/ui"
)

// replayShown is how many sources the page of a replay shows; the API has all.
const replayShown = 500

// ReplayPage compares a bundle with what was built again by its record.
type ReplayPage struct {
	ui.Chrome
	ID, Href string
	Equal    bool
	Verdict  string
	Notes    []string // what else is to be known of the whole
	Facts    []ui.Fact
	Sources  []ComparedLine // what is not the same first
	More     string         // the note if these are not all
}

// ComparedLine is a source of either bundle.
type ComparedLine struct {
	ID, Type, Source string
	Outcome          string
	Good             bool
	Change           string // where it was and where it is now; "" if that is the same
	Reason           string
	Differs          []DifferenceLine
}

// DifferenceLine is a field that differs, as JSON.
type DifferenceLine struct{ Field, Was, Now string }

// NewReplayPage lays out a comparison. Pure.
func NewReplayPage(c ui.Chrome, r *bundle.Comparison) *ReplayPage {
	p := &ReplayPage{Chrome: c, ID: r.BundleID, Href: "/bundles/" + r.BundleID, Equal: r.Equal, Verdict: c.T("bn_replay_differs")}
	if r.Equal {
		p.Verdict = c.T("bn_replay_equal")
	}
	if !r.RecordHolds {
		p.Notes = append(p.Notes, c.T("bn_replay_record"))
	}
	if r.Counts[bundle.NotKept] > 0 {
		p.Notes = append(p.Notes, c.T("bn_replay_not_kept"))
	}
	p.Facts = []ui.Fact{
		{Name: c.T("bn_version"), Value: r.BuildVersion, Mono: true},
		{Name: c.T("bn_replay_id_was"), Value: r.BundleID, Mono: true},
		{Name: c.T("bn_replay_id_now"), Value: r.BuiltID, Mono: true},
	}
	for _, outcome := range []string{bundle.Same, bundle.Differs, bundle.Missing, bundle.Added, bundle.NotKept} {
		p.Facts = append(p.Facts, ui.Fact{
			Name: c.T("bn_outcome_" + outcome), Value: c.Num(r.Counts[outcome]), Mono: false,
		})
	}
	p.sources(r)
	return p
}

// sources lists what differs, and after it what is the same.
func (p *ReplayPage) sources(r *bundle.Comparison) {
	for _, same := range []bool{false, true} {
		for i := range r.Sources {
			if (r.Sources[i].Outcome == bundle.Same) == same && len(p.Sources) < replayShown {
				p.Sources = append(p.Sources, comparedLine(&p.Chrome, &r.Sources[i]))
			}
		}
	}
	if len(r.Sources) > replayShown {
		p.More = p.T("bn_replay_more", "N", p.Num(replayShown), "All", p.Num(len(r.Sources)))
	}
}

func comparedLine(c *ui.Chrome, x *bundle.Compared) ComparedLine {
	l := ComparedLine{
		ID: x.EvidenceID, Type: c.Known("bn_type_", x.EvidenceType), Source: sourceOf(x.SourceRef),
		Outcome: c.T("bn_outcome_" + x.Outcome), Good: x.Outcome == bundle.Same || x.Outcome == bundle.NotKept,
	}
	if l.Good && (x.Now == bundle.InFailed || x.Now == bundle.InDropped) {
		l.Outcome = c.T("bn_again_" + x.Now) // "equal" would be said of what is not there
	}
	if l.ID == "" {
		l.ID = x.Path
	}
	if x.Was != "" && x.Now != "" && x.Was != x.Now {
		l.Change = c.T("bn_replay_moved", "Was", c.T("bn_in_"+x.Was), "Now", c.T("bn_in_"+x.Now))
	}
	switch {
	case x.Reason == "":
	case x.Now == bundle.InDropped || x.Now == "" && x.Was == bundle.InDropped:
		l.Reason = c.Known("bn_out_", x.Reason)
	default:
		l.Reason = c.Said(x.Said)
	}
	for _, d := range x.Differs {
		l.Differs = append(l.Differs, DifferenceLine{Field: d.Field, Was: ui.OrDash(d.Was), Now: ui.OrDash(d.Now)})
	}
	return l
}
