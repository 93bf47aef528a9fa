package wordfile

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/text"
)

// odtLevels is how many levels a list has; they begin with 1.
const odtLevels = 10

// odtLevel is how a level of a list is numbered.
type odtLevel struct {
	bullet         bool
	format         string // 1, a, A, i, I; "" for no number
	prefix, suffix string
	pattern        string // "%1%.%2%", in place of both
	start          int
	shown          int // how many levels its number shows
}

// odtListStyle is a list style by its levels.
type odtListStyle [odtLevels + 1]odtLevel

// odtLists counts the lists of a file.
type odtLists struct {
	styles  map[string]*odtListStyle
	open    *odtListStyle // that is being read
	last    map[string]*odtCounts
	byID    map[string]*odtCounts
	outline odtCounts
}

type odtCounts [odtLevels + 1]int

// odtOutline is the name of the style of headings.
const odtOutline = "\x00outline"

func newODTLists() odtLists {
	return odtLists{styles: map[string]*odtListStyle{}, last: map[string]*odtCounts{}, byID: map[string]*odtCounts{}}
}

// odtList is an open list.
type odtList struct {
	style  *odtListStyle // nil if it is not known
	name   string
	level  int
	counts *odtCounts
	fresh  *bool // the open item has no paragraph yet
}

// openList takes an element of lists.
func (r *odt) openList(e xml.StartElement) {
	outer := r.now.list
	switch e.Name.Local {
	case "list":
		r.now.list = r.lists.openIn(outer, e)
	case "list-item":
		if outer == nil {
			return
		}
		l, fresh := *outer, true
		l.fresh = &fresh
		if n, err := strconv.Atoi(block.Attribute(e, "start-value")); err == nil && n >= 0 {
			l.counts[l.level] = n - 1
		}
		r.now.list = &l
	case "list-header":
		if outer != nil {
			l := *outer
			l.fresh = nil
			r.now.list = &l
		}
	}
}

// openIn begins a list, which may go on with the numbers of an earlier one.
func (s *odtLists) openIn(outer *odtList, e xml.StartElement) *odtList {
	l := &odtList{name: block.Attribute(e, "style-name"), level: 1}
	if outer != nil {
		l.level = min(outer.level+1, odtLevels)
		l.counts = outer.counts
		if l.name == "" {
			l.name = outer.name
		}
	}
	l.style = s.styles[l.name]
	goesOn := block.Attribute(e, "continue-numbering") == "true"
	switch {
	case outer != nil:
	case s.byID[block.Attribute(e, "continue-list")] != nil:
		l.counts, goesOn = s.byID[block.Attribute(e, "continue-list")], true
	case goesOn && s.last[l.name] != nil:
		l.counts = s.last[l.name]
	default:
		l.counts, goesOn = &odtCounts{}, false
	}
	if !goesOn && outer == nil { // the numbers of an inner one begin with each item of the outer
		for i := l.level; i <= odtLevels; i++ {
			l.counts[i] = l.style.at(i).start - 1
		}
	}
	if len(s.byID)+len(s.last) < mostEntries {
		s.last[l.name] = l.counts
		if id := block.Attribute(e, "id"); id != "" {
			s.byID[id] = l.counts
		}
	}
	return l
}

// at is a level of the style; of one that is not known, a bullet.
func (s *odtListStyle) at(level int) odtLevel {
	if s == nil || s[level].start == 0 && s[level].format == "" {
		return odtLevel{bullet: true, start: 1}
	}
	return s[level]
}

// label counts an item and returns its number as it is shown, "" for a bullet.
func (l *odtList) label() string {
	l.counts[l.level]++
	for i := l.level + 1; i <= odtLevels; i++ {
		l.counts[i] = l.style.at(i).start - 1
	}
	return l.style.written(l.level, l.counts)
}

// heading counts a heading, and returns its number as it is shown, "" if it has none.
func (s *odtLists) heading(level, start int) string {
	style := s.styles[odtOutline]
	if style == nil {
		return ""
	}
	if s.outline[level]++; s.outline[level] < style.at(level).start {
		s.outline[level] = style.at(level).start
	}
	if start > 0 {
		s.outline[level] = start
	}
	for i := level + 1; i <= odtLevels; i++ {
		s.outline[i] = style.at(i).start - 1
	}
	return style.written(level, &s.outline)
}

// odtFormats are the formats of numbers by their names in Word.
var odtFormats = map[string]string{"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman",
	"I": "upperRoman", "أ, ب, ت, ...": "arabicAlpha", "أ, ب, ج, ...": "arabicAbjad"}

// written is the number of a level, with those above as far as it shows them.
func (s *odtListStyle) written(level int, counts *odtCounts) string {
	own := s.at(level)
	if own.bullet || own.format == "" {
		return ""
	}
	one := func(i int) string {
		return WrittenNumber(max(counts[i], s.at(i).start), odtFormats[s.at(i).format])
	}
	if own.pattern != "" {
		out := own.pattern
		for i := 1; i <= level; i++ {
			out = strings.ReplaceAll(out, "%"+strconv.Itoa(i)+"%", one(i))
		}
		return text.OneLine(out)
	}
	var parts []string
	for i := max(1, level-own.shown+1); i <= level; i++ {
		if at := s.at(i); at.format != "" && !at.bullet {
			parts = append(parts, one(i))
		}
	}
	return text.OneLine(own.prefix + strings.Join(parts, ".") + own.suffix)
}

// styleOfLists takes an element of a list style.
func (r *odt) styleOfLists(e xml.StartElement) {
	s := &r.lists
	switch name := e.Name.Local; name {
	case "list-style", "outline-style":
		s.open = &odtListStyle{}
		key := block.Attribute(e, "name")
		if name == "outline-style" {
			key = odtOutline
		}
		if len(s.styles) < mostEntries {
			s.styles[key] = s.open
		}
		r.now.ends = func() { s.open = nil }
	case "list-level-style-number", "list-level-style-bullet", "list-level-style-image", "outline-level-style":
		level := Whole(block.Attribute(e, "level"))
		if s.open == nil || level < 1 || level > odtLevels {
			return
		}
		s.open[level] = odtLevel{
			bullet: strings.HasSuffix(name, "bullet") || strings.HasSuffix(name, "image"),
			format: block.Attribute(e, "num-format"),
			prefix: block.Attribute(e, "num-prefix"), suffix: block.Attribute(e, "num-suffix"),
			pattern: block.Attribute(e, "num-list-format"),
			start:   max(1, Whole(block.Attribute(e, "start-value"))), shown: max(1, Whole(block.Attribute(e, "display-levels"))),
		}
	}
}
