package webpage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

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
