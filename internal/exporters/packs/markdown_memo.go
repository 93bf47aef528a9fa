package packs

import (
	"strconv"
	"strings"

	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// memo writes one of the memo's texts. Its headings become bold lines, so that only the document's own headings are
// anchors and no memo can take the place of a source.
func (m *markdownWriter) memo(markdown string) {
	for _, b := range prose.Blocks(prose.MemoParser(), markdown) {
		for i, spans := range b.Items {
			words := m.spans(spans)
			switch {
			case words == "":
				continue
			case b.List && b.Numbered:
				m.f("%d. %s\n", i+1, words)
			case b.List:
				m.f("- %s\n", words)
			default:
				m.f("%s\n", words)
			}
		}
		m.f("\n")
	}
}

// spans returns spans as Markdown that has the same text and nothing active but bold, line breaks, and links from
// references to their sources.
func (m *markdownWriter) spans(spans []typeset.Span) string {
	var w spanWriter
	for _, s := range spans {
		if position, ok := prose.Referred(s.Text, len(m.d.Content.Sources)); ok && s.Color == prose.Reference {
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

// anchor returns the anchor that renderers give to a source's heading: they number headings that occur in both parts.
func (m *markdownWriter) anchor(position int) string {
	s := "e" + strconv.Itoa(position+1)
	if m.part > 0 {
		s += "-" + strconv.Itoa(m.part)
	}
	return s
}

// spanWriter collects a line's text by style. Text of one style is escaped in one piece, so that "http" and "://" in
// different styles don't form an address.
type spanWriter struct {
	out, words strings.Builder
	bold       bool
	broken     bool // a line break precedes the next text
	begun      bool // the line has text
}

// open starts the next text of a line.
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
			w.broken = w.out.Len() > 0 // breaks before the first and after the last text are dropped
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

// emphasised returns a stretch of a line, with leading and trailing spaces outside the bold part.
func emphasised(s string, bold, first bool) string {
	core := strings.TrimSpace(s)
	words := prose.Inline(core)
	if bold {
		words = "**" + words + "**"
	} else if first {
		words = prose.EscapeStart(words)
	}
	if !first && strings.TrimLeft(s, " \t") != s {
		words = " " + words
	}
	if strings.TrimRight(s, " \t") != s {
		words += " "
	}
	return words
}
