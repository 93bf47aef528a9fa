package views

import (
	"strings"
	"time"
)

// BundleRow is one evidence bundle of a list.
type BundleRow struct {
	ID              string
	CreatedAt       time.Time
	Items, Bytes    int
	Types           map[string]int
	Redacted        bool
	Dropped, Failed int
	Runs            int
}

// BundlesInput is the list of bundles with its filters.
type BundlesInput struct {
	Rows              []BundleRow
	Next              string
	RunID, EvidenceID string
	SHA256            string
	Paged             bool
}

// BundlesPage is the list of bundles.
type BundlesPage struct {
	Chrome
	In       BundlesInput
	Rows     []BundleLine
	Filtered bool
	Pager    Pager
}

// BundleLine is one bundle, laid out.
type BundleLine struct {
	ID, Href, Types                     string
	Built                               Moment
	Items, Bytes, Dropped, Failed, Runs string
	SomeOut, SomeFailed                 bool
	Redaction                           string
}

// NewBundlesPage lays out the list. Pure.
func NewBundlesPage(c Chrome, in BundlesInput) *BundlesPage {
	p := &BundlesPage{Chrome: c, In: in, Filtered: in.RunID != "" || in.EvidenceID != "" || in.SHA256 != ""}
	for _, r := range in.Rows {
		p.Rows = append(p.Rows, BundleLine{
			ID: r.ID, Href: "/bundles/" + r.ID, Types: evidenceTypes(&c, r.Types), Built: c.minute(r.CreatedAt), Items: c.Num(r.Items), Bytes: c.Num(r.Bytes),
			Dropped: c.Num(r.Dropped), Failed: c.Num(r.Failed), Runs: c.Num(r.Runs), SomeOut: r.Dropped > 0, SomeFailed: r.Failed > 0,
			Redaction: onOff(&c, r.Redacted),
		})
	}
	q := c.Query("after")
	if in.Paged {
		p.Pager.FirstHref = address("/bundles", q)
	}
	if in.Next != "" {
		q.Set("after", in.Next)
		p.Pager.NextHref = address("/bundles", q)
	}
	return p
}

// evidenceKinds lists the types of evidence in the order of a bundle.
var evidenceKinds = []string{"inline_text", "lake_text", "lake_http", "sql_query_def", "sql_result", "doc_chunk", "transcript_chunk"}

// evidenceTypes counts items by type, in words.
func evidenceTypes(c *Chrome, counts map[string]int) string {
	var out []string
	for _, kind := range evidenceKinds {
		if n := counts[kind]; n > 0 {
			out = append(out, c.known("bn_type_", kind)+" "+c.Num(n))
		}
	}
	return strings.Join(out, c.T("list_comma"))
}

func onOff(c *Chrome, on bool) string {
	if on {
		return c.T("bn_on")
	}
	return c.T("bn_off")
}
