// Package bundles draws evidence bundles and what was decided about each item.
package bundles

import (
	"strings"

	"sanad/internal/domain/bundle"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Input is one bundle as the store and the lake have it.
type Input struct {
	bundle.Stored                   // its page of items has content only if Whole is good
	Names         map[string]string // of actors, by id
	Limit         int               // items on a page
	Whole         string            // state of the artifact in the lake: good, missing, changed, large, away
}

// Page is one bundle with every decision that was made about it.
type Page struct {
	ui.Chrome
	ID, Href      string
	Facts, Policy []ui.Fact
	Built         say.Moment
	Whole         string // that state in words
	Bad           bool   // the artifact is not there, or not what it was
	Items         []EvidenceLine
	Place         string // which items these are, "" if they are all
	Pager         ui.Pager
	Builds        []BuildLine
	Runs          []RunLine
	DownloadHref  string
	ReplayHref    string
}

// BuildLine is one build, laid out.
type BuildLine struct {
	Title   string // "" if there is one only
	Counts  string
	Dropped []DroppedLine
	Failed  []FailedLine
}

// DroppedLine is an item that was left out.
type DroppedLine struct{ ID, Type, Source, Bytes, Reason string }

// FailedLine is a source that could not be used.
type FailedLine struct{ Path, Source, Reason string }

// RunLine is a run, laid out.
type RunLine struct {
	ID, Href string
	At       say.Moment

	Session, SessionHref string // "" for a run that the caller named
	Reads                string // what it judged from
}

// NewPage lays out a bundle. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	href := "/bundles/" + in.BundleID
	p := &Page{
		Chrome: c, ID: in.BundleID, Href: href, Built: c.Minute(in.CreatedAt), DownloadHref: href + "/artifact",
		ReplayHref: href + "/replay",
		Whole:      c.T("bn_whole_" + in.Whole),
		Bad:        in.Whole == "missing" || in.Whole == "changed", Facts: bundleFacts(&c, &in),
		Policy: policyFacts(&c, in.BuildVersion, &in.Policy),
	}
	for i := range in.Page {
		p.Items = append(p.Items, evidenceLine(&c, &in.Page[i], in.From+i))
	}
	p.pages(&in)
	for i := range in.Builds {
		p.Builds = append(p.Builds, buildLine(&c, &in.Builds[i], len(in.Builds) > 1))
	}
	for _, r := range in.Linked {
		line := RunLine{
			ID: r.ID, Href: ui.Address("/bundles", map[string][]string{"run_id": {r.ID}}), At: c.Minute(r.LinkedAt),
			Reads: c.T("bn_run_named"),
		}
		if r.SessionID != "" {
			line.Session = c.T("bn_run_of", "N", c.Num(r.Number), "Session", say.Isolated(r.SessionTitle))
			line.SessionHref = "/sessions/" + r.SessionID + "/runs/" + itoa(r.Number)
			if line.Reads = c.T("bn_run_linked"); r.Read {
				line.Reads = c.T("bn_run_read")
			}
		}
		p.Runs = append(p.Runs, line)
	}
	return p
}

func (p *Page) pages(in *Input) {
	if in.From > 0 {
		p.Pager.FirstHref = p.Href + "#items"
	}
	to := in.From + len(in.Page)
	if to < in.Row.Items {
		p.Pager.NextHref = p.Href + "?from=" + itoa(to) + "#items"
	}
	if p.Pager != (ui.Pager{}) && len(in.Page) > 0 {
		p.Place = p.T("bn_page_of", "From", p.Num(in.From+1), "To", p.Num(to), "All", p.Num(in.Row.Items))
	}
}

func bundleFacts(c *ui.Chrome, in *Input) []ui.Fact {
	facts := []ui.Fact{
		{Name: c.T("bn_built_by"), Value: c.ActorName(in.MadeBy, in.Names[in.MadeBy]), Mono: false},
		{Name: c.T("bn_items"), Value: c.Num(in.Row.Items), Mono: false},
		{Name: c.T("bn_types"), Value: ui.OrDash(evidenceTypes(c, in.Types)), Mono: false},
		{Name: c.T("bn_size"), Value: c.Num(in.Bytes), Mono: false},
		{Name: c.T("bn_tokens"), Value: c.Num(in.Bytes / 4), Mono: false},
		{Name: c.T("bn_version"), Value: in.BuildVersion, Mono: true},
		{Name: c.T("bn_lake_uri"), Value: in.LakeURI, Mono: true},
	}
	return facts
}

func policyFacts(c *ui.Chrome, version string, p *bundle.Policy) []ui.Fact {
	rows := "bn_max_sql_rows_each"
	if version == "2.1" { // it bounded all of them together (rule B-17)
		rows = "bn_max_sql_rows"
	}
	num := func(name string, n int) ui.Fact { return ui.Fact{Name: c.T(name), Value: c.Num(n), Mono: false} }
	return []ui.Fact{
		num("bn_max_items", p.MaxItems), num("bn_max_total_bytes", p.MaxTotalBytes),
		num("bn_max_item_bytes", p.MaxItemBytes),
		num(rows, p.MaxSQLRows), num("bn_max_sql_cols", p.MaxSQLCols),
		{Name: c.T("bn_sampling"), Value: c.Known("bn_sampling_", p.SamplingStrategy), Mono: false},
		num("bn_chunk_size", p.ChunkSize), num("bn_chunk_overlap", p.ChunkOverlap),
		{Name: c.T("bn_redaction"), Value: onOff(c, p.EnableRedaction), Mono: false},
	}
}

func buildLine(c *ui.Chrome, b *bundle.BuildRecord, several bool) BuildLine {
	l := BuildLine{Counts: c.T("bn_counts", "Final", c.Num(b.Bounding.FinalCount), "All",
		c.Num(b.Bounding.OriginalCount))}
	if several {
		l.Title = c.T("bn_making", "At", c.Time(b.CreatedAt))
	}
	for _, d := range b.Dropped {
		l.Dropped = append(l.Dropped, DroppedLine{
			ID: d.EvidenceID, Type: c.Known("bn_type_", d.EvidenceType), Source: sourceOf(d.SourceRef),
			Bytes: c.Num(d.ByteCount), Reason: c.Known("bn_out_", d.Reason),
		})
	}
	for _, f := range b.Failed {
		l.Failed = append(l.Failed, FailedLine{f.Path, sourceOf(f.SourceRef), c.Said(f.Cause())})
	}
	return l
}

// sourceOf describes the origin of evidence, with all parts of its reference.
func sourceOf(r bundle.SourceRef) string {
	var out []string
	for _, s := range []string{r.SourceURI, r.DocumentID, r.QueryKey, r.LakeURI} {
		if s != "" {
			out = append(out, s)
		}
	}
	return ui.OrDash(strings.Join(out, " · "))
}
