package pack

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain"
)

// BilingualMemo explains a pack to a board, in Markdown (rule P-8).
type BilingualMemo struct {
	TitleEN            string `json:"title_en"`
	TitleAR            string `json:"title_ar"`
	ExecutiveSummaryEN string `json:"executive_summary_en"`
	ExecutiveSummaryAR string `json:"executive_summary_ar"`
	BodyEN             string `json:"body_en"`
	BodyAR             string `json:"body_ar"`
}

// MaxMemo bounds a field of the memo, in bytes (rule SEC-8).
const MaxMemo = 32 << 10

// The word limits of a memo, in each language (rule P-8).
const (
	MaxSummaryWords = 120
	MaxBodyWords    = 600
)

// MemoField is one text of a memo with its name in JSON.
type MemoField struct {
	Name string // "body_ar"
	Lang string // "en", "ar"
	Text string
}

// Fields returns the memo's texts: title, executive summary and body, each in English and Arabic.
func (m *BilingualMemo) Fields() []MemoField {
	return []MemoField{
		{"title_en", "en", m.TitleEN}, {"title_ar", "ar", m.TitleAR},
		{"executive_summary_en", "en", m.ExecutiveSummaryEN}, {"executive_summary_ar", "ar", m.ExecutiveSummaryAR},
		{"body_en", "en", m.BodyEN}, {"body_ar", "ar", m.BodyAR},
	}
}

// check collects the errors of a memo that came with a decision; a nil memo has none. A memo that breaks only the rules
// of Validate is accepted here and corrected in the draft.
func (m *BilingualMemo) check(f *faults) {
	if m == nil {
		return
	}
	for _, field := range m.Fields() {
		if len(field.Text) > MaxMemo {
			*f = append(*f, domain.Refuse(domain.TooLarge, "memo."+field.Name, "fault_long_memo", "N", MaxMemo>>10))
		}
	}
}

// empty reports whether a memo says nothing.
func (m *BilingualMemo) empty() bool { return m == nil || *m == BilingualMemo{} }

// SetMemo replaces the memo of a draft. It may break the rules of Validate, but a field over MaxMemo is refused.
func (c *Content) SetMemo(m BilingualMemo) error {
	for _, f := range m.Fields() {
		if len(f.Text) > MaxMemo {
			return domain.Refuse(domain.TooLarge, "memo."+f.Name, "fault_long_memo", "N", MaxMemo>>10)
		}
	}
	for _, text := range []*string{&m.TitleEN, &m.TitleAR, &m.ExecutiveSummaryEN, &m.ExecutiveSummaryAR, &m.BodyEN,
		&m.BodyAR} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
	if c.Memo != m {
		c.MemoBy = ""
	}
	c.Memo = m
	return nil
}

// topSources is the number of sources that a memo's body must refer to (rule P-8).
const topSources = 3

// Top returns the positions of the sources that the memo must refer to: the three with the highest confidence, ties in
// listed order, or all if there are fewer.
func Top(sources []EvidenceSource) []int {
	order := make([]int, len(sources))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(confidence(&sources[b]), confidence(&sources[a]))
	})
	return order[:min(topSources, len(order))]
}

// confidence returns what sources are ranked by; without a confidence it is the lowest.
func confidence(s *EvidenceSource) float64 {
	if s.Confidence == nil {
		return -1
	}
	return *s.Confidence
}

// Ref is a reference of a memo to a source: [E1].
type Ref struct {
	Position   int // of the source, 0-based; there may be no such source
	Start, End int // bytes of the Markdown
}

// References returns the references in Markdown. One after a backslash is text.
func References(markdown string) []Ref {
	var out []Ref
	for _, m := range reference.FindAllStringSubmatchIndex(markdown, -1) {
		n, err := strconv.Atoi(markdown[m[2]:m[3]])
		before := markdown[:m[0]]
		backslashes := len(before) - len(strings.TrimRight(before, `\`))
		if err == nil && n > 0 && backslashes%2 == 0 {
			out = append(out, Ref{n - 1, m[0], m[1]})
		}
	}
	return out
}

// refers reports whether Markdown refers to the source at a position.
func refers(markdown string, position int) bool {
	return slices.ContainsFunc(References(markdown), func(r Ref) bool { return r.Position == position })
}
