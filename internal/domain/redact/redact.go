package redact

import (
	"cmp"
	"slices"
	"strings"
)

// The built-in kinds.
const (
	Email      = "email"
	IBAN       = "iban"
	Card       = "card"
	NationalID = "national_id" // Saudi national id or iqama
	Phone      = "phone"
	IPv4       = "ipv4"
	IPv6       = "ipv6"
)

// Kinds returns the built-in kinds. If two match at one place, the first in this order names the mask.
func Kinds() []string { return []string{Email, IBAN, Card, IPv6, IPv4, NationalID, Phone} }

// Counts holds how often each kind was found.
type Counts map[string]int

// Add adds the counts of other to c.
func (c Counts) Add(other Counts) {
	for kind, n := range other {
		c[kind] += n
	}
}

// Redactor finds the built-in kinds and a tenant's own. It is safe for use by several goroutines.
type Redactor struct {
	patterns []pattern
	profile  string
}

// Mask returns the text that replaces a value of that kind.
func Mask(kind string) string { return "[REDACTED:" + kind + "]" }

// Profile names the rules, so that an export can say which were used: the version of the built-in ones and, if the
// tenant has its own, a hash of those.
func (r *Redactor) Profile() string { return r.profile }

// Text returns s with masks, and the counts of what was masked, nil if nothing was. Valid UTF-8 stays valid.
func (r *Redactor) Text(s string) (string, Counts) { return r.mask("", s) }

// Field is Text for a value with a label, such as the header of its column, which helps to recognise the value.
func (r *Redactor) Field(label, value string) (string, Counts) {
	if label == "" {
		return r.Text(value)
	}
	return r.mask(label+": ", value)
}

func (r *Redactor) mask(head, value string) (string, Counts) {
	s := head + value
	spans := r.find(s)
	if len(spans) == 0 {
		return value, nil
	}
	var out strings.Builder
	counts, at := Counts{}, len(head)
	for _, f := range spans {
		if f.end <= len(head) {
			continue
		}
		out.WriteString(s[at:max(f.start, at)])
		out.WriteString(Mask(f.kind))
		counts[f.kind]++
		at = f.end
	}
	if len(counts) == 0 {
		return value, nil
	}
	out.WriteString(s[at:])
	return out.String(), counts
}

// span is a match: bytes of the original.
type span struct {
	kind       string
	rank       int // of its kind; the smallest wins
	start, end int
}

// find returns the matches in s, in order, without overlaps.
func (r *Redactor) find(s string) []span {
	f := finder{v: newView(s)}
	f.emails()
	f.ibans()
	f.ipv6s()
	f.ipv4s()
	f.numbers()
	for i := range r.patterns {
		f.pattern(&r.patterns[i], len(Kinds())+i)
	}
	return join(f.spans)
}

// finder collects what the detectors find in one view.
type finder struct {
	v      view
	spans  []span
	groups []group // of the current run of numbers
	back   []word  // buffer that before reuses
}

// add records a match at v.b[i:j].
func (f *finder) add(kind string, i, j int) {
	start, end := f.v.original(i, j)
	f.spans = append(f.spans, span{kind: kind, rank: slices.Index(Kinds(), kind), start: start, end: end})
}

// join sorts matches and merges those that overlap. Everything that any detector found is covered; the kind of the
// smallest rank names it.
func join(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(a.start-b.start, a.rank-b.rank) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.start < out[n-1].end {
			last := &out[n-1]
			if s.rank < last.rank {
				last.kind, last.rank = s.kind, s.rank
			}
			last.end = max(last.end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}
