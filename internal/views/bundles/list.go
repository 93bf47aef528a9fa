package bundles

import (
	"strings"

	"sanad/internal/domain/bundle"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// ListInput is the list of bundles with its filters.
type ListInput struct {
	Rows  []bundle.Row
	Query bundle.Query
	Next  string // the After of the next page, "" after the last one
}

// ListPage is the list of bundles.
type ListPage struct {
	ui.Chrome
	In       ListInput
	Rows     []Line
	Filtered bool
	Pager    ui.Pager
}

// Line is one bundle, laid out.
type Line struct {
	ID, Href, Types                     string
	Built                               say.Moment
	Items, Bytes, Dropped, Failed, Runs string
	SomeOut, SomeFailed                 bool // Dropped and Failed are not zero
	Redaction                           string
}

// NewListPage lays out the list. Pure.
func NewListPage(c ui.Chrome, in ListInput) *ListPage {
	p := &ListPage{Chrome: c, In: in, Filtered: in.Query.Filters()}
	for _, r := range in.Rows {
		p.Rows = append(p.Rows, Line{
			ID: r.BundleID, Href: "/bundles/" + r.BundleID, Types: evidenceTypes(&c, r.Types),
			Built: c.Minute(r.CreatedAt), Items: c.Num(r.Items), Bytes: c.Num(r.Bytes),
			Dropped: c.Num(r.Dropped), Failed: c.Num(r.Failed), Runs: c.Num(r.Runs), SomeOut: r.Dropped > 0,
			SomeFailed: r.Failed > 0,
			Redaction:  onOff(&c, r.Redacted),
		})
	}
	q := c.Query("after")
	if in.Query.After != "" {
		p.Pager.FirstHref = ui.Address("/bundles", q)
	}
	if in.Next != "" {
		q.Set("after", in.Next)
		p.Pager.NextHref = ui.Address("/bundles", q)
	}
	return p
}

// evidenceKinds lists the types of evidence in the order of a bundle.
var evidenceKinds = []string{"inline_text", "lake_text", "lake_http", "sql_query_def", "sql_result", "doc_chunk",
	"transcript_chunk"}

// evidenceTypes counts items by type, in words.
func evidenceTypes(c *ui.Chrome, counts map[string]int) string {
	var out []string
	for _, kind := range evidenceKinds {
		if n := counts[kind]; n > 0 {
			out = append(out, c.Known("bn_type_", kind)+" "+c.Num(n))
		}
	}
	return strings.Join(out, c.T("list_comma"))
}

func onOff(c *ui.Chrome, on bool) string {
	if on {
		return c.T("bn_on")
	}
	return c.T("bn_off")
}
