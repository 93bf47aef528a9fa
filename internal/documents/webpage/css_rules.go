package webpage

import (
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Bounds of a page's style sheets (rule SEC-9).
const (
	mostMatches  = 10_000_000 // selectors compared with elements
	mostSiblings = 2_000      // of an element whose place among them a selector asks for
)

// ErrStyles says that a page's style sheets ask for more than is compared.
var ErrStyles = isolated.Over(words.Msg("bound_styles", "N", mostMatches))

// declaration is the value of a property.
type declaration struct {
	value     string
	important bool
	own       bool // it is the element's own style, not a sheet's
}

// declarations are those of one rule or element, by property.
type declarations map[string]declaration

// readProperties are the properties that decide whether a reader sees a text. Others are not kept.
var readProperties = map[string]bool{"display": true, "visibility": true, "opacity": true, "font-size": true,
	"font": true, "position": true, "left": true, "right": true, "top": true, "bottom": true, "text-indent": true,
	"margin-left": true,
	"margin-top":  true, "clip": true, "clip-path": true, "width": true, "height": true, "max-height": true,
	"max-width": true, "overflow": true, "overflow-x": true, "overflow-y": true, "color": true, "background": true,
	"background-color": true, "background-image": true, "background-clip": true, "-webkit-background-clip": true,
	"text-decoration": true, "text-decoration-line": true, "transform": true, "animation": true,
	"animation-name": true, "transition": true, "content-visibility": true, "translate": true, "scale": true, "zoom": true,
	"filter": true, "inset": true, "inset-inline": true, "inset-block": true, "inset-inline-start": true,
	"inset-inline-end": true, "inset-block-start": true, "vertical-align": true, "-webkit-text-fill-color": true}

// styleRule is a rule of a style sheet for one selector.
type styleRule struct {
	parts   []cascadia.Sel // the last one is of the element itself
	between []byte         // what stands between two parts: ' ', '>', '+' or '~'
	asks    string         // what the last part asks for
	weight  cascadia.Specificity
	order   int
	slow    bool // it asks for the place among siblings
	// it shows an element in a state that only a script brings it into
	scripted bool
	set      declarations
}

// ruleIndex has rules by what the last part of their selector asks for: #id, .class, an element's name, or "" for
// anything.
type ruleIndex map[string][]*styleRule

// styleRules are the rules of a page.
type styleRules struct {
	by       ruleIndex
	showing  ruleIndex // those that show an element in a state that a reader can bring it into
	order    int
	matches  int
	siblings map[*html.Node]int
}

// sheet adds a style sheet, as far as it holds on the screen of a desk.
func (r *styleRules) sheet(source string) {
	p := css.NewParser(parse.NewInputString(source), false)
	var nested []openRule
	skipped, open := 0, 0 // at-rules that do not hold
	for {
		kind, _, data := p.Next()
		switch kind {
		case css.ErrorGrammar:
			if p.HasParseError() && p.Err() == nil {
				continue
			}
			if !p.HasParseError() {
				return
			}
		case css.BeginAtRuleGrammar:
			if open++; skipped == 0 && !atRuleHolds(string(data), tokens(p.Values())) {
				skipped = open
			}
		case css.EndAtRuleGrammar:
			if skipped == open {
				skipped = 0
			}
			open--
		case css.BeginRulesetGrammar:
			rule := openRule{selectors: selectorsOf(tokens(p.Values())), set: declarations{}}
			if n := len(nested); n > 0 {
				rule.selectors = nestedIn(nested[n-1].selectors, rule.selectors)
			}
			nested = append(nested, rule)
		case css.DeclarationGrammar, css.CustomPropertyGrammar:
			if n := len(nested); n > 0 {
				nested[n-1].set.add(string(data), p.Values())
			}
		case css.EndRulesetGrammar:
			if n := len(nested); n > 0 {
				if skipped == 0 {
					r.add(nested[n-1].selectors, nested[n-1].set)
				}
				nested = nested[:n-1]
			}
		}
	}
}

// openRule is a rule that is being read; others may stand in it.
type openRule struct {
	selectors []string
	set       declarations
}

// mostSelectors is how many selectors a rule has with those of the rules that it stands in.
const mostSelectors = 1000

// selectorsOf splits a list of selectors.
func selectorsOf(list string) (out []string) {
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 && len(out) < mostSelectors {
				out, from = append(out, strings.TrimSpace(list[from:i])), i+1
			}
		}
	}
	return append(out, strings.TrimSpace(list[from:]))
}

// nestedIn returns the selectors of a rule that stands in another one.
func nestedIn(outer, inner []string) (out []string) {
	for _, o := range outer {
		for _, i := range inner {
			if len(out) == mostSelectors {
				return out
			}
			if strings.Contains(i, "&") {
				out = append(out, strings.ReplaceAll(i, "&", o))
			} else {
				out = append(out, o+" "+i)
			}
		}
	}
	return out
}

func tokens(list []css.Token) string {
	var b strings.Builder
	for _, t := range list {
		b.Write(t.Data)
	}
	return strings.TrimSpace(b.String())
}

// add keeps a declaration whose property is read. One with !important is not replaced by a later one without.
func (d declarations) add(property string, values []css.Token) {
	if property = strings.ToLower(property); !readProperties[property] && !isCustom(property) {
		return
	}
	value := strings.ToLower(tokens(values))
	now := declaration{value: value}
	if head, ok := strings.CutSuffix(strings.ReplaceAll(value, " ", ""), "!important"); ok {
		now = declaration{value: strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(value, "important"), "!")),
			important: true}
		if head == "" {
			return
		}
	}
	if d[property].important && !now.important {
		return
	}
	d[property] = now
}

// inlineStyle reads the attribute style.
func inlineStyle(source string) declarations {
	out := declarations{}
	p := css.NewParser(parse.NewInputString(source), true)
	for range mostDeclarations {
		kind, _, data := p.Next()
		if kind == css.ErrorGrammar && !p.HasParseError() {
			break
		}
		if kind == css.DeclarationGrammar || kind == css.CustomPropertyGrammar {
			out.add(string(data), p.Values())
		}
	}
	return out
}

const mostDeclarations = 1000

// add keeps the rules of selectors that can be compared.
func (r *styleRules) add(selectors []string, set declarations) {
	if len(set) == 0 {
		return
	}
	shows := set.show()
	for _, s := range alternatives(selectors) {
		if strings.Contains(s, ":has") || strings.Contains(s, ":contains") || strings.Contains(s, ":matches") {
			continue // what they cost grows with the page
		}
		if shows {
			r.addShowing(s)
		} else if hidesUntilState(s) {
			continue
		}
		if rule := ruleOf(s); rule != nil {
			r.order++
			rule.order, rule.set = r.order, set
			r.by[rule.asks] = append(r.by[rule.asks], rule)
		}
	}
}

// pixels reads a length. em is the size that em counts in.
func pixels(s string, em float64) (float64, bool) {
	for _, unit := range []struct {
		name string
		size float64
	}{{"rem", 16}, {"em", em}, {"px", 1}, {"pt", 4.0 / 3}, {"pc", 16}, {"in", 96}, {"cm", 37.8}, {"mm", 3.78},
		{"ex", em / 2}, {"ch", em / 2}, {"vw", deskWidth / 100.0}, {"vh", deskHeight / 100.0}} {
		if number, ok := strings.CutSuffix(s, unit.name); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			return v * unit.size, err == nil
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v == 0
}
