package bundles

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/bundle"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// EvidenceLine is one item of a bundle, with what was decided about it.
type EvidenceLine struct {
	Anchor, Number   string
	ID, Type, Source string
	Bytes, SHA256    string
	SameHref         string // the list of bundles that have the same text
	Decisions        []string
	Text             string
	More             string    // the note if Text is not all of it
	Shown            bool      // there is a text to show
	Full             []ui.Fact // size and hash of the uncut text in the lake; nil if it was not cut
	FullURI          string    // its address there
}

// evidenceShown is how many characters of an item a page shows.
const evidenceShown = 4_000

func itoa(n int) string { return strconv.Itoa(n) }

func evidenceLine(c *ui.Chrome, x *bundle.Item, n int) EvidenceLine {
	l := EvidenceLine{
		Anchor: "item-" + itoa(n), Number: c.Num(n + 1), ID: x.EvidenceID, Type: c.Known("bn_type_", x.EvidenceType),
		Source: sourceOf(x.SourceRef),
		Bytes:  c.T("bn_bytes", "N", c.Num(x.ByteCount)), SHA256: x.ContentSHA256, Decisions: decisionWords(c, &x.Metadata),
		Shown:    x.Content != "",
		SameHref: ui.Address("/bundles", map[string][]string{"content_sha256": {x.ContentSHA256}}),
	}
	l.Text = x.Content
	if utf8.RuneCountInString(l.Text) > evidenceShown {
		l.Text = string([]rune(l.Text)[:evidenceShown]) + "…"
		l.More = c.T("bn_text_more", "N", c.Num(evidenceShown))
	}
	if f := x.FullRef; f != nil {
		l.FullURI = f.LakeURI
		l.Full = []ui.Fact{{Name: c.T("bn_size"), Value: c.Num(f.Size), Mono: false},
			{Name: c.T("bn_sha"), Value: f.SHA256, Mono: true}}
	}
	return l
}

// decisionWords describes what was decided about an item.
func decisionWords(c *ui.Chrome, m *bundle.Metadata) []string {
	var out []string
	say := func(id string, args ...any) { out = append(out, c.T(id, args...)) }
	if k := m.Chunk; k != nil {
		say("bn_d_chunk", "N", c.Num(k.Index+1), "All", c.Num(k.Count), "From", c.Num(k.Start), "To", c.Num(k.End))
	}
	if h := m.HTTP; h != nil {
		say("bn_d_status", "N", c.InDigits(itoa(h.Status)))
		if len(h.MaskedHeaders) > 0 {
			say("bn_d_headers", "Names", c.Codes(h.MaskedHeaders))
		}
	}
	if s := m.Sampling; s != nil {
		out = append(out, samplingWords(c, s)...)
	}
	if m.Repaired > 0 {
		say("bn_d_repaired", "N", c.Num(m.Repaired))
	}
	if r := m.Redaction; r != nil {
		if r.Applied {
			say("bn_d_redacted", "Kinds", maskedKinds(c, r.Kinds))
		} else {
			say("bn_d_clean")
		}
	}
	if b := m.Bounding; b.TruncationPoint != nil {
		say("bn_d_cut", "At", c.Num(b.BoundedSize), "All", c.Num(b.OriginalSize))
	} else if isComplete(m) {
		say("bn_d_whole")
	}
	return out
}

// isComplete reports whether an item that was not cut is its whole source.
func isComplete(m *bundle.Metadata) bool {
	part := m.Chunk != nil && m.Chunk.Count > 1
	return !part && (m.Sampling == nil || m.Sampling.RowsShown == m.Sampling.RowsTotal &&
		m.Sampling.ColsShown == m.Sampling.ColsTotal)
}

// samplingWords describes which rows and columns of a SQL result were given.
func samplingWords(c *ui.Chrome, s *bundle.Sampling) []string {
	how := c.Known("bn_sampling_", s.Strategy)
	var ranges []string
	for _, r := range s.RowRanges {
		ranges = append(ranges, say.Isolated(c.Num(r[0]+1)+"–"+c.Num(r[1])))
	}
	if len(ranges) > 0 {
		how += " (" + strings.Join(ranges, c.T("list_comma")) + ")"
	}
	if s.Step > 1 {
		how += " (" + say.Isolated("×"+c.Num(s.Step)) + ")"
	}
	out := []string{c.T("bn_d_rows", "Shown", c.Num(s.RowsShown), "All", c.Num(s.RowsTotal), "How", how)}
	if s.ColsShown < s.ColsTotal {
		out = append(out, c.T("bn_d_cols", "Shown", c.Num(s.ColsShown), "All", c.Num(s.ColsTotal), "Names",
			c.Codes(s.ColumnsLeftOut)))
	}
	return out
}

// maskedKinds lists what was masked and how often.
func maskedKinds(c *ui.Chrome, counts map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, say.Isolated(c.Known("bn_kind_", k))+" "+c.Num(counts[k]))
	}
	return strings.Join(out, c.T("list_comma"))
}
