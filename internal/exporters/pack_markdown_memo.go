package exporters

import (
	"strconv"
	"strings"

	"sanad/internal/exporters/typeset"
)

// memo writes a text of the memo. Its headings are bold lines: only the document's own headings are anchors, so that no
// memo can take the place of a source.
func (m *packMarkdown) memo(markdown string) {
	for _, b := range memoBlocks(markdown) {
		for i, spans := range b.items {
			words := m.spans(spans)
			switch {
			case words == "":
				continue
			case b.list && b.numbered:
				m.f("%d. %s\n", i+1, words)
			case b.list:
				m.f("- %s\n", words)
			default:
				m.f("%s\n", words)
			}
		}
		m.f("\n")
	}
}

// spans writes spans as Markdown that says what they say and can be nothing else: only bold, line breaks, and links
// from references to their sources.
func (m *packMarkdown) spans(spans []typeset.Span) string {
	var w spanWriter
	for _, s := range spans {
		if position, ok := referred(s.Text, len(m.d.Content.Sources)); ok && s.Color == packReference {
			w.end()
			w.open()
			w.out.WriteString("[" + s.Text + "](#" + m.anchor(position) + ")")
			continue
		}
		w.add(s)
	}
	w.end()
	return strings.TrimSpace(w.out.String())
}

// anchor is what renderers call the heading of a source: they number those that stand in two parts.
func (m *packMarkdown) anchor(position int) string {
	s := "e" + strconv.Itoa(position+1)
	if m.part > 0 {
		s += "-" + strconv.Itoa(m.part)
	}
	return s
}

// spanWriter gathers a line's words by their style. They are escaped in one piece: "http" and "://" in two styles are
// no address each.
type spanWriter struct {
	out, words strings.Builder
	bold       bool
	broken     bool // a line break stands before what comes next
	begun      bool // the line has words
}

// open begins what comes next on its line.
func (w *spanWriter) open() {
	if w.broken {
		w.out.WriteString("\\\n")
		w.begun = false
	}
	w.broken, w.begun = false, true
}

func (w *spanWriter) add(s typeset.Span) {
	for i, part := range strings.Split(s.Text, "\n") {
		if i > 0 {
			w.end()
			w.broken = w.out.Len() > 0 // a break after nothing is none, and so is one before nothing
		}
		if s.Bold != w.bold {
			w.end()
			w.bold = s.Bold
		}
		w.words.WriteString(part)
	}
}

func (w *spanWriter) end() {
	s := w.words.String()
	w.words.Reset()
	if strings.TrimSpace(s) != "" {
		first := !w.begun || w.broken
		w.open()
		w.out.WriteString(emphasised(s, w.bold, first))
	} else if s != "" && w.begun && !w.broken {
		w.out.WriteByte(' ')
	}
}

// emphasised is a stretch of a line, its outer spaces kept outside of what is bold.
func emphasised(s string, bold, first bool) string {
	core := strings.TrimSpace(s)
	words := inline(core)
	if bold {
		words = "**" + words + "**"
	} else if first {
		words = escapeStart(words)
	}
	if !first && strings.TrimLeft(s, " \t") != s {
		words = " " + words
	}
	if strings.TrimRight(s, " \t") != s {
		words += " "
	}
	return words
}
