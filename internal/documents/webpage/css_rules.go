package webpage

import (
	"cmp"
	"slices"
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

// atRuleHolds reports whether the rules in an at-rule hold on the screen of a desk.
func atRuleHolds(name, prelude string) bool {
	switch prelude = strings.ToLower(prelude); strings.ToLower(name) {
	case "@media":
		return slices.ContainsFunc(strings.Split(prelude, ","), mediaHolds)
	case "@supports":
		return !strings.HasPrefix(prelude, "not")
	case "@layer", "@container", "@scope":
		return true
	}
	return false // @font-face, @keyframes, @page
}

// deskWidth and deskHeight are the size of the screen that a page is read for, in pixels.
const (
	deskWidth  = 1280
	deskHeight = 720
)

// mediaHolds reports whether one media query holds.
func mediaHolds(query string) bool {
	query = strings.TrimSpace(query)
	if query == "" {
		return true
	}
	for part := range strings.SplitSeq(query, " and ") {
		switch part = strings.TrimSpace(part); {
		case part == "all" || part == "screen" || part == "only screen" || part == "only all" || part == "not print":
		case strings.HasPrefix(part, "("):
			if !featureHolds(strings.Trim(part, "() ")) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func featureHolds(feature string) bool {
	if strings.ContainsAny(feature, "<>") {
		return rangeHolds(feature)
	}
	name, value, _ := strings.Cut(feature, ":")
	width, isWidth := pixels(strings.TrimSpace(value), 16)
	switch strings.TrimSpace(name) {
	case "min-width", "min-device-width":
		return isWidth && width <= deskWidth
	case "max-width", "max-device-width":
		return isWidth && width >= deskWidth
	case "hover", "pointer", "any-hover", "any-pointer":
		return strings.TrimSpace(value) != "none" && strings.TrimSpace(value) != "coarse"
	case "orientation":
		return strings.TrimSpace(value) == "landscape"
	case "prefers-color-scheme":
		return strings.TrimSpace(value) == "light"
	}
	return false
}

// rangeHolds reports whether a range of widths holds: width >= 600px, or 600px <= width < 900px.
func rangeHolds(feature string) bool {
	feature = strings.NewReplacer("<=", " ≤ ", ">=", " ≥ ", "<", " < ", ">", " > ", "=", " ≤ ").Replace(feature)
	words := strings.Fields(feature)
	value := func(s string) (float64, bool) {
		if s == "width" {
			return deskWidth, true
		}
		return pixels(s, 16)
	}
	for i := 1; i+1 < len(words); i += 2 {
		a, knownA := value(words[i-1])
		b, knownB := value(words[i+1])
		holds := map[string]bool{"<": a < b, ">": a > b, "≤": a <= b, "≥": a >= b}[words[i]]
		if !knownA || !knownB || !holds {
			return false
		}
	}
	return len(words) >= 3 && slices.Contains(words, "width")
}

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

// alternatives writes out the lists that stand within selectors, as :is(a, b).
func alternatives(selectors []string) []string {
	out := selectors
	for i := 0; i < len(out) && len(out) < mostSelectors; {
		s := out[i]
		from, to := -1, -1
		for _, name := range []string{":is(", ":where(", ":-webkit-any(", ":-moz-any("} {
			if at := strings.Index(s, name); at >= 0 && (from < 0 || at < from) {
				from, to = at, at+len(name)
			}
		}
		end := closing(s, to)
		if from < 0 || end < 0 {
			i++
			continue
		}
		var written []string
		for _, one := range selectorsOf(s[to:end]) {
			written = append(written, s[:from]+one+s[end+1:])
		}
		out = slices.Concat(out[:i], written, out[i+1:])
	}
	return out
}

// closing returns where the bracket closes that is open at a place of s, -1 if it does not.
func closing(s string, from int) int {
	for i, depth := max(from, 0), 1; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// ruleOf cuts a selector into its parts, nil if it cannot be compared. They are compared one by one, so that what a
// selector costs is counted.
func ruleOf(s string) *styleRule {
	rule := &styleRule{}
	depth, from := 0, 0
	part := func(end int) bool {
		one, err := cascadia.Parse(s[from:end])
		if err != nil || depth != 0 {
			return false
		}
		rule.parts, rule.weight = append(rule.parts, one), rule.weight.Add(one.Specificity())
		return true
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth > 0 || !isCombinator(c):
		case !part(i):
			return nil
		default:
			sign := byte(' ')
			for ; i < len(s) && isCombinator(s[i]); i++ {
				if s[i] > ' ' {
					sign = s[i]
				}
			}
			rule.between = append(rule.between, sign)
			from = i
			i--
		}
	}
	if !part(len(s)) {
		return nil
	}
	rule.asks = askedFor(s[from:])
	rule.slow = strings.ContainsAny(s, "~+") || strings.Contains(s, "-child") || strings.Contains(s, "-of-type")
	return rule
}

func isCombinator(c byte) bool { return strings.IndexByte(" \t\n>+~", c) >= 0 }

// match reports whether the parts of a rule up to the one with the index at ask for an element.
func (r *styleRules) match(rule *styleRule, n *html.Node, at int) bool {
	if r.matches++; r.matches > mostMatches || !rule.parts[at].Match(n) {
		return false
	}
	if at == 0 {
		return true
	}
	sign := rule.between[at-1]
	next := func(n *html.Node) *html.Node { return n.Parent }
	if sign == '+' || sign == '~' {
		next = func(n *html.Node) *html.Node { return n.PrevSibling }
	}
	for n = next(n); n != nil; n = next(n) {
		if n.Type != html.ElementNode {
			continue
		}
		if r.match(rule, n, at-1) {
			return true
		}
		if sign == '>' || sign == '+' {
			return false
		}
	}
	return false
}

// askedFor returns what a part of a selector asks for first of all: #id, .class, an element's name, "" for anything.
func askedFor(part string) string {
	part = strings.TrimSpace(part)
	if strings.Contains(part, "\\") { // a name with signs
		return ""
	}
	if end := strings.IndexAny(part, "[(:"); end >= 0 {
		part = part[:end]
	}
	for _, sign := range []string{"#", "."} {
		if _, name, ok := strings.Cut(part, sign); ok {
			if end := strings.IndexAny(name, "#."); end >= 0 {
				name = name[:end]
			}
			return sign + name
		}
	}
	if part == "*" {
		return ""
	}
	return strings.ToLower(part)
}

// asking calls do for the rules of an index that ask for an element, until it returns true.
func (r *styleRules) asking(index ruleIndex, n *html.Node, do func(*styleRule) bool) {
	if len(index) == 0 {
		return
	}
	try := func(key string) bool {
		for _, rule := range index[key] {
			if !(rule.slow && r.siblingsOf(n) > mostSiblings) && r.match(rule, n, len(rule.parts)-1) && do(rule) {
				return true
			}
		}
		return false
	}
	if try("") || try(n.Data) {
		return
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "id":
			if try("#" + a.Val) {
				return
			}
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				if try("." + class) {
					return
				}
			}
		}
	}
}

// of returns what holds for an element, its own style included, or an error if the page's rules are too many.
func (r *styleRules) of(n *html.Node) (declarations, error) {
	var found []*styleRule
	r.asking(r.by, n, func(rule *styleRule) bool {
		found = append(found, rule)
		return false
	})
	if r.matches > mostMatches {
		return nil, ErrStyles
	}
	own := attributeOf(n, "style")
	if len(found) == 0 && own == "" {
		return nil, nil
	}
	slices.SortFunc(found, func(a, b *styleRule) int {
		switch {
		case a.weight.Less(b.weight):
			return -1
		case b.weight.Less(a.weight):
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
	out := declarations{}
	for _, rule := range found {
		out.take(rule.set)
	}
	if own != "" {
		inline := inlineStyle(own)
		for property, x := range inline {
			x.own = true
			inline[property] = x
		}
		out.take(inline)
	}
	return out, nil
}

// take lets other declarations replace those that are not more important.
func (d declarations) take(o declarations) {
	for property, now := range o {
		if !d[property].important || now.important {
			d[property] = now
		}
	}
}

func (r *styleRules) siblingsOf(n *html.Node) int {
	if n.Parent == nil {
		return 0
	}
	count, ok := r.siblings[n.Parent]
	if !ok {
		for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
			count++
		}
		r.siblings[n.Parent] = count
	}
	return count
}

func attributeOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
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
