package webpage

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A page may hide a part until its reader opens it: styles have a state for that, such as a class that a script adds,
// or a box that is ticked.

// stateClasses are the classes that scripts give to what a reader opened, without "is-" and "js-".
var stateClasses = []string{"active", "in", "on", "open", "opened", "show", "shown", "expanded", "visible", "current",
	"selected", "toggled", "uk-open"}

var (
	inState   = regexp.MustCompile(`:(checked|target|hover|focus-within|focus)\b`)
	attrState = regexp.MustCompile(`\[(open|aria-expanded|aria-hidden|aria-selected|data-state|data-open)\b[^\]]*\]`)
	aClass    = regexp.MustCompile(`\.[\w-]+`)
	notState  = regexp.MustCompile(`:not\(([^()]*)\)`)
)

// withoutState returns a selector without the states that it asks for, and of which kinds they are.
func withoutState(s string) (rest string, byReader, byScript bool) {
	rest = inState.ReplaceAllStringFunc(s, func(string) string {
		byReader = true
		return ""
	})
	rest = attrState.ReplaceAllStringFunc(rest, func(string) string {
		byScript = true
		return ""
	})
	rest = aClass.ReplaceAllStringFunc(rest, func(class string) string {
		if !isStateClass(class[1:]) {
			return class
		}
		byScript = true
		return ""
	})
	return rest, byReader, byScript
}

func isStateClass(name string) bool {
	return slices.Contains(stateClasses, strings.TrimPrefix(strings.TrimPrefix(name, "is-"), "js-"))
}

// hidesUntilState reports whether a selector asks for elements that are not in a state, as .panel:not(.open).
func hidesUntilState(s string) bool {
	for _, m := range notState.FindAllStringSubmatch(s, -1) {
		if rest, byReader, byScript := withoutState(m[1]); (byReader || byScript) && strings.TrimSpace(rest) == "" {
			return true
		}
	}
	return false
}

// show reports whether declarations show what others may hide.
func (d declarations) show() bool {
	is := func(property string, hides ...string) bool {
		v := d[property].value
		return v != "" && !slices.Contains(hides, v)
	}
	return is("display", "none") || is("visibility", "hidden", "collapse") || is("opacity", "0", "0.0") ||
		is("max-height", "0", "0px") || is("height", "0", "0px")
}

// addShowing keeps a selector that shows an element in a state, as it asks for the element without it.
func (r *styleRules) addShowing(s string) {
	if strings.Contains(s, ":not(") {
		return
	}
	rest, byReader, byScript := withoutState(s)
	if !byReader && !byScript {
		return
	}
	last := s
	if at := strings.LastIndexFunc(s, func(r rune) bool { return r < 0x80 && isCombinator(byte(r)) }); at >= 0 {
		last = s[at+1:]
	}
	own, _, _ := withoutState(last)
	if own == "" || strings.Contains(last, ":hover") || strings.Contains(last, ":focus") {
		return // the state alone, or one that what is hidden cannot come into
	}
	parts := strings.Fields(rest)
	combines := func(i int) bool { return i < 0 || len(parts[i]) == 1 && isCombinator(parts[i][0]) }
	for i := len(parts) - 1; i >= 0; i-- { // a part that asked for the state alone asks for anything
		if combines(i) && combines(i-1) {
			parts = slices.Insert(parts, i, "*")
		}
	}
	rule := ruleOf(strings.Join(parts, " "))
	if rule == nil {
		return
	}
	rule.scripted = byScript && !byReader
	r.showing[rule.asks] = append(r.showing[rule.asks], rule)
}

// shows reports whether a reader can bring an element into a state in which it is seen. scripts says that the page has
// some.
func (r *styleRules) shows(n *html.Node, scripts bool) (yes bool) {
	r.asking(r.showing, n, func(rule *styleRule) bool {
		yes = scripts || !rule.scripted
		return yes
	})
	return yes
}

// customs are the custom properties that hold for an element: those that it sets, and those of the ones it stands in.
type customs struct {
	set   declarations
	outer *customs
}

func isCustom(property string) bool { return strings.HasPrefix(property, "--") }

// with returns the custom properties within an element that has these declarations.
func (c *customs) with(d declarations) *customs {
	for property := range d {
		if isCustom(property) {
			return &customs{set: d, outer: c}
		}
	}
	return c
}

// Bounds of custom properties: how deep they stand in each other, and how many elements are asked for one.
const (
	customDepth = 8
	customOuter = 64
)

// fill replaces var() in the values of declarations.
func (c *customs) fill(d declarations) {
	for property, x := range d {
		if !isCustom(property) && strings.Contains(x.value, "var(") {
			x.value = c.filled(x.value, customDepth)
			d[property] = x
		}
	}
}

func (c *customs) filled(v string, depth int) string {
	for range customDepth {
		before, rest, ok := strings.Cut(v, "var(")
		end := closing(rest, 0)
		if !ok || end < 0 || depth == 0 || len(v) > 1000 {
			return v
		}
		name, instead, _ := strings.Cut(rest[:end], ",")
		value := c.value(strings.TrimSpace(name))
		if value == "" {
			value = strings.TrimSpace(instead)
		}
		v = before + c.filled(value, depth-1) + rest[end+1:]
	}
	return v
}

// value returns the value of a custom property, "" if it has none.
func (c *customs) value(name string) string {
	for range customOuter {
		if c == nil {
			break
		}
		if x, ok := c.set[name]; ok {
			return x.value
		}
		c = c.outer
	}
	return ""
}
