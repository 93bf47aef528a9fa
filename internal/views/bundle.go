package views

import (
	"strings"
	"time"

	"sanad/internal/domain/bundle"
)

// BundleInput is one bundle as the store and the lake have it.
type BundleInput struct {
	BundleRow
	BuildVersion string
	MadeBy       string
	Names        map[string]string // of actors, by id
	Policy       bundle.Policy
	Builds       []BundleBuild
	Items        []bundle.Item // of this page; without content where Whole is not good
	From, Limit  int
	Whole        string // what the artifact in the lake is: good, missing, changed, large, away
	LinkedRuns   []BundleRun
}

// BundleBuild is one making of a bundle.
type BundleBuild struct {
	At       time.Time
	Bounding bundle.BundleBounding
	Dropped  []bundle.Dropped
	Failed   []bundle.Failed
}

// BundleRun is a run that was given the bundle.
type BundleRun struct {
	ID string
	At time.Time

	SessionID, Title string // of a judge run; "" of a run that the caller named
	Number           int
}

// BundlePage is one bundle with every decision that was made about it.
type BundlePage struct {
	Chrome
	ID, Href      string
	Facts, Policy []Fact
	Built         Moment
	Whole         string // said
	Bad           bool   // the artifact is not there, or not what it was
	Items         []EvidenceLine
	Place         string // which items these are, "" where they are all
	Pager         Pager
	Builds        []BuildLine
	Runs          []RunLine
	DownloadHref  string
}

// BuildLine is one making, laid out.
type BuildLine struct {
	Title   string // "" where there is one only
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
	At       Moment

	Session, SessionHref string // "" of a run that the caller named
}

// NewBundlePage lays out a bundle. Pure.
func NewBundlePage(c Chrome, in BundleInput) *BundlePage {
	href := "/bundles/" + in.ID
	p := &BundlePage{
		Chrome: c, ID: in.ID, Href: href, Built: c.minute(in.CreatedAt), DownloadHref: href + "/artifact", Whole: c.T("bn_whole_" + in.Whole),
		Bad: in.Whole == "missing" || in.Whole == "changed", Facts: bundleFacts(&c, &in), Policy: policyFacts(&c, &in.Policy),
	}
	for i := range in.Items {
		p.Items = append(p.Items, evidenceLine(&c, &in.Items[i], in.From+i))
	}
	p.pages(&in)
	for i := range in.Builds {
		p.Builds = append(p.Builds, buildLine(&c, &in.Builds[i], len(in.Builds) > 1))
	}
	for _, r := range in.LinkedRuns {
		line := RunLine{
			ID: r.ID, Href: address("/bundles", map[string][]string{"run_id": {r.ID}}), At: c.minute(r.At),
		}
		if r.SessionID != "" {
			line.Session = c.T("bn_run_of", "N", c.Num(r.Number), "Session", isolated(r.Title))
			line.SessionHref = "/sessions/" + r.SessionID + "/runs/" + itoa(r.Number)
		}
		p.Runs = append(p.Runs, line)
	}
	return p
}

func (p *BundlePage) pages(in *BundleInput) {
	if in.From > 0 {
		p.Pager.FirstHref = p.Href + "#items"
	}
	to := in.From + len(in.Items)
	if to < in.BundleRow.Items {
		p.Pager.NextHref = p.Href + "?from=" + itoa(to) + "#items"
	}
	if p.Pager != (Pager{}) && len(in.Items) > 0 {
		p.Place = p.T("bn_page_of", "From", p.Num(in.From+1), "To", p.Num(to), "All", p.Num(in.BundleRow.Items))
	}
}

func bundleFacts(c *Chrome, in *BundleInput) []Fact {
	facts := []Fact{
		{c.T("bn_built_by"), c.actorName(in.MadeBy, in.Names[in.MadeBy]), false},
		{c.T("bn_items"), c.Num(in.BundleRow.Items), false},
		{c.T("bn_types"), orDash(evidenceTypes(c, in.Types)), false},
		{c.T("bn_size"), c.Num(in.Bytes), false},
		{c.T("bn_tokens"), c.Num(in.Bytes / 4), false},
		{c.T("bn_version"), in.BuildVersion, true},
	}
	return facts
}

func policyFacts(c *Chrome, p *bundle.Policy) []Fact {
	num := func(name string, n int) Fact { return Fact{c.T(name), c.Num(n), false} }
	return []Fact{
		num("bn_max_items", p.MaxItems), num("bn_max_total_bytes", p.MaxTotalBytes), num("bn_max_item_bytes", p.MaxItemBytes),
		num("bn_max_sql_rows", p.MaxSQLRows), num("bn_max_sql_cols", p.MaxSQLCols),
		{c.T("bn_sampling"), c.known("bn_sampling_", p.SamplingStrategy), false},
		num("bn_chunk_size", p.ChunkSize), num("bn_chunk_overlap", p.ChunkOverlap), {c.T("bn_redaction"), onOff(c, p.EnableRedaction), false},
	}
}

func buildLine(c *Chrome, b *BundleBuild, several bool) BuildLine {
	l := BuildLine{Counts: c.T("bn_counts", "Final", c.Num(b.Bounding.FinalCount), "All", c.Num(b.Bounding.OriginalCount))}
	if several {
		l.Title = c.T("bn_making", "At", c.Time(b.At))
	}
	for _, d := range b.Dropped {
		l.Dropped = append(l.Dropped, DroppedLine{
			ID: d.EvidenceID, Type: c.known("bn_type_", d.EvidenceType), Source: sourceOf(d.SourceRef),
			Bytes: c.Num(d.ByteCount), Reason: c.known("bn_out_", d.Reason),
		})
	}
	for _, f := range b.Failed {
		l.Failed = append(l.Failed, FailedLine{f.Path, sourceOf(f.SourceRef), f.Reason})
	}
	return l
}

// sourceOf names where evidence is from: all that its reference says.
func sourceOf(r bundle.SourceRef) string {
	var out []string
	for _, s := range []string{r.SourceURI, r.DocumentID, r.QueryKey, r.LakeURI} {
		if s != "" {
			out = append(out, s)
		}
	}
	return orDash(strings.Join(out, " · "))
}
