package webpage

import (
	"slices"
	"strings"
)

// deskWidth and deskHeight are the size of the screen that a page is read for, in pixels.
const (
	deskWidth  = 1280
	deskHeight = 720
)

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
