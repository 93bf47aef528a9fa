package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"sanad/internal/domain"
	catalogue "sanad/internal/words"
)

// Limits on a tenant's own patterns. RE2 takes time linear in the text; these bound the constant factor.
const (
	MaxPatterns       = 50
	MaxPatternBytes   = 500
	maxPatternProgram = 2000 // instructions
)

// Pattern is a tenant's own kind: a name for the mask, and an RE2 expression. Digits in the expression match Arabic
// digits too.
type Pattern struct {
	Kind string `json:"kind"`
	Expr string `json:"expr"`
}

type pattern struct {
	kind string
	re   *regexp.Regexp
}

var kindForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// builtIn is the version of the built-in rules; it is part of Profile, and so of every bundle.
const builtIn = "sanad-1"

// New returns a Redactor with the built-in kinds and these patterns. Errors are Invalid and name the place.
func New(own []Pattern) (*Redactor, error) {
	r := &Redactor{profile: builtIn}
	if len(own) > MaxPatterns {
		return nil, domain.Refuse(domain.Invalid, "patterns", "refused_most_patterns_these", "N", MaxPatterns, "Most",
			len(own))
	}
	sum := sha256.New()
	for i, p := range own {
		re, err := p.compile(fmt.Sprintf("patterns[%d]", i))
		if err != nil {
			return nil, err
		}
		r.patterns = append(r.patterns, pattern{p.Kind, re})
		fmt.Fprintf(sum, "%q %q\n", p.Kind, p.Expr)
	}
	if len(own) > 0 {
		r.profile += "+" + hex.EncodeToString(sum.Sum(nil))[:12]
	}
	return r, nil
}

func (p Pattern) compile(path string) (*regexp.Regexp, error) {
	if !kindForm.MatchString(p.Kind) || slices.Contains(Kinds(), p.Kind) {
		return nil, domain.Refuse(domain.Invalid, path+".kind", "refused_kind_32_characters")
	}
	if len(p.Expr) == 0 || len(p.Expr) > MaxPatternBytes {
		return nil, domain.Refuse(domain.Invalid, path+".expr", "refused_expression_bytes", "N", MaxPatternBytes)
	}
	parsed, err := syntax.Parse(p.Expr, syntax.Perl)
	if err != nil {
		wrong := p.Expr // where it cannot be told more closely
		var at *syntax.Error
		if errors.As(err, &at) && at.Expr != "" {
			wrong = at.Expr
		}
		return nil, domain.Refuse(domain.Invalid, path+".expr", "refused_re2_expression", "Name", catalogue.Quoted(wrong))
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(prog.Inst) > maxPatternProgram {
		return nil, domain.Refuse(domain.Invalid, path+".expr", "refused_expression_too_large")
	}
	re := regexp.MustCompile(p.Expr)
	if re.MatchString("") {
		return nil, domain.Refuse(domain.Invalid, path+".expr", "refused_expression_matches_empty")
	}
	return re, nil
}

// pattern matches a tenant's own kind against the original text and, if they differ, against the text with ASCII digits
// and without invisible characters.
func (f *finder) pattern(p *pattern, rank int) {
	for _, m := range p.re.FindAllStringIndex(f.v.src, -1) {
		if m[0] < m[1] {
			f.spans = append(f.spans, span{kind: p.kind, rank: rank, start: m[0], end: m[1]})
		}
	}
	if f.v.at == nil {
		return
	}
	s, at := f.v.readable()
	for _, m := range p.re.FindAllStringIndex(s, -1) {
		if m[0] < m[1] {
			last := at[m[1]-1]
			_, w := utf8.DecodeRuneInString(f.v.src[last:])
			f.spans = append(f.spans, span{kind: p.kind, rank: rank, start: at[m[0]], end: last + w})
		}
	}
}
