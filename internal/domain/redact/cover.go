package redact

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cover puts place-holders into texts that belong together: a value gets the same one everywhere, as [phone 2], and
// another value another, so that who reads them can still compare. A value that it learned is covered also where no
// words around it tell what it is. A Cover does not change; With returns another.
type Cover struct {
	redactor *Redactor
	values   map[string]value
	numbers  map[string]int // given last, of each kind
	written  []string       // values of several words, as they were written
}

// value is a learned value.
type value struct{ kind, name string }

// Cover returns one that has learned the values of texts. Their numbers follow the order in which they stand there.
func (r *Redactor) Cover(texts ...string) *Cover {
	return (&Cover{redactor: r}).With(texts...)
}

// With returns a cover that knows the values of texts too; the same one if there is nothing new in them.
func (c *Cover) With(texts ...string) *Cover {
	out := c
	for _, s := range texts {
		for _, f := range c.redactor.find(s) {
			raw := s[f.start:f.end]
			key := same(f.kind, raw)
			if _, known := out.values[key]; known {
				continue
			}
			if out == c {
				out = c.copy()
			}
			out.numbers[f.kind]++
			out.values[key] = value{f.kind, "[" + called(f.kind) + " " + strconv.Itoa(out.numbers[f.kind]) + "]"}
			if strings.ContainsFunc(raw, unicode.IsSpace) {
				out.written = append(out.written, raw)
			}
		}
	}
	return out
}

func (c *Cover) copy() *Cover {
	out := &Cover{redactor: c.redactor, values: map[string]value{}, numbers: map[string]int{}}
	out.written = slices.Clone(c.written)
	maps.Copy(out.values, c.values)
	maps.Copy(out.numbers, c.numbers)
	return out
}

// Text returns s with place-holders. What is found and was never learned gets one without a number.
func (c *Cover) Text(s string) string {
	spans := join(append(c.redactor.find(s), c.known(s)...))
	if len(spans) == 0 {
		return s
	}
	var out strings.Builder
	at := 0
	for _, f := range spans {
		out.WriteString(s[at:f.start])
		if v, known := c.values[same(f.kind, s[f.start:f.end])]; known {
			out.WriteString(v.name)
		} else {
			out.WriteString("[" + called(f.kind) + "]")
		}
		at = f.end
	}
	out.WriteString(s[at:])
	return out.String()
}

// called is a kind in a place-holder.
func called(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// known finds learned values, whatever is around them.
func (c *Cover) known(s string) (out []span) {
	if len(c.values) == 0 {
		return nil
	}
	for from := 0; from < len(s); {
		i := strings.IndexFunc(s[from:], inWord)
		if i < 0 {
			break
		}
		from += i
		n := strings.IndexFunc(s[from:], func(r rune) bool { return !inWord(r) })
		if n < 0 {
			n = len(s) - from
		}
		word := strings.TrimRight(s[from:from+n], ".:-+") // what ends a sentence
		if v, known := c.lookUp(word); known {
			out = append(out, c.span(v.kind, from, from+len(word)))
		}
		from += n
	}
	for _, raw := range c.written {
		for from := 0; ; {
			i := strings.Index(s[from:], raw)
			if i < 0 {
				break
			}
			from += i + len(raw)
			if v, known := c.lookUp(raw); known {
				out = append(out, c.span(v.kind, from-len(raw), from))
			}
		}
	}
	return out
}

func (c *Cover) span(kind string, start, end int) span {
	rank := slices.Index(Kinds(), kind)
	if rank < 0 {
		rank = len(Kinds()) + MaxPatterns
	}
	return span{kind: kind, rank: rank, start: start, end: end}
}

// lookUp finds a word among the values, in each form that a kind may give it.
func (c *Cover) lookUp(word string) (value, bool) {
	for _, kind := range []string{Email, IBAN, Phone} {
		if v, known := c.values[same(kind, word)]; known {
			return v, true
		}
	}
	return value{}, false
}

// inWord reports whether a value without spaces may hold r.
func inWord(r rune) bool {
	c := plain(r)
	return c == 0 || c == letter || isAlnum(c) || c < utf8.RuneSelf && strings.IndexByte("@._%+-:", c) >= 0
}

// same is what all ways to write a value have in common: without invisible characters, with ASCII digits, in lower
// case; numbers without what groups them, Saudi phone numbers in their national form.
func same(kind, s string) string {
	v := newView(s)
	if v.at != nil {
		s, _ = v.readable()
	}
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	switch kind {
	case IBAN, Card, NationalID, Phone:
		s = strings.Map(func(r rune) rune {
			if r < utf8.RuneSelf && isAlnum(byte(r)) {
				return r
			}
			return -1
		}, s)
	}
	if kind == Phone {
		s = strings.TrimPrefix(s, "00")
		if rest, saudi := strings.CutPrefix(s, "966"); saudi && saudiNational(rest) {
			s = "0" + rest
		}
	}
	return s
}
