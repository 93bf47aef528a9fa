package redact

import (
	"cmp"
	"slices"
	"strings"
)

// The kinds that are always looked for.
const (
	Email      = "email"
	IBAN       = "iban"
	Card       = "card"
	NationalID = "national_id" // Saudi national id or iqama
	Phone      = "phone"
	IPv4       = "ipv4"
	IPv6       = "ipv6"
)

// Kinds lists the built-in kinds; where two are found at one place, the first in this order names it.
func Kinds() []string { return []string{Email, IBAN, Card, IPv6, IPv4, NationalID, Phone} }

// Counts tells how often each kind was found.
type Counts map[string]int

// Add adds what other counted.
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

// Mask is what stands for something of that kind.
func Mask(kind string) string { return "[REDACTED:" + kind + "]" }

// Profile names the rules, so that an export can say which were used: the version of the built-in ones, and a hash of
// the tenant's own where there are any.
func (r *Redactor) Profile() string { return r.profile }

// Text returns s with masks, and what was masked; nil if nothing was. Valid UTF-8 stays so.
func (r *Redactor) Text(s string) (string, Counts) { return r.mask("", s) }

// Field is Text for a value with a label, the header of its column say, that tells what it is.
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

// span is a find: bytes of the original.
type span struct {
	kind       string
	rank       int // of its kind, the smaller the stronger
	start, end int
}

// find returns what is in s, in order and apart.
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
	groups []group // of the run of numbers in hand
	back   []word  // room for the words in hand
}

// add notes a find at v.b[i:j].
func (f *finder) add(kind string, i, j int) {
	start, end := f.v.original(i, j)
	f.spans = append(f.spans, span{kind: kind, rank: slices.Index(Kinds(), kind), start: start, end: end})
}

// join orders finds and makes one of those that overlap: what any detector found is covered, under the strongest name.
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
