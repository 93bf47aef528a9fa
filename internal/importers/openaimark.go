package importers

import (
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// openaiText reads one piece of the answer with its annotations, whose offsets are relative to this piece.
func (d *draft) openaiText(path string, t *openaiText) {
	if t.Refusal != "" {
		d.skip(joined(path, "refusal"), words.Msg("warning_refused"))
	}
	sp, w := d.say(t.Text, "\n\n"), newFinder(t.Text, d.spend)
	for i := range t.Annotations {
		d.annotation(at(joined(path, "annotations"), i, ""), &t.Annotations[i], w, sp.Start)
	}
}

// annotation reads one annotation of a text that starts at base in the answer.
func (d *draft) annotation(path string, a *openaiAnnotation, w *finder, base int) {
	m := mark{path: path, kind: a.Type}
	if n := a.Site; n != nil {
		a.URL, a.Title, a.From, a.To = n.URL, n.Title, n.From, n.To
	}
	if n := a.File; n != nil {
		a.FileID, a.Quote = n.FileID, n.Quote
	}
	switch a.Type {
	case "url_citation":
		m.source = d.source(path, a.URL)
		m.source.uri, m.source.title = a.URL, a.Title
		if m.said = markerOf(w, a, base); bracketed(m.said.words) && m.said.to != nil {
			d.markers = append(d.markers, text.Span{Start: *m.said.from, End: *m.said.to})
		}
	case "file_citation", "container_file_citation":
		m.source = d.source(path, a.FileID)
		if m.source.title == "" {
			m.source.title = a.Filename
		}
		m.whole, m.shown.words, m.said.words = true, a.Quote, a.Text
		if m.said.from, m.said.to = shifted(a.From, base), shifted(a.To, base); a.From == nil {
			m.said.from = shifted(a.Index, base)
		}
	case "file_path":
		d.skip(path, words.Msg("warning_cited_made"))
		return
	default:
		d.skip(path, words.Msg("warning_annotation_kind"))
		return
	}
	d.marks = append(d.marks, m)
}

// markerOf returns the words of a url citation that can be compared: the marker at its offsets if that names the page,
// else the page's URL, wherever it occurs.
func markerOf(w *finder, a *openaiAnnotation, base int) quoted {
	q := quoted{from: shifted(a.From, base), to: shifted(a.To, base)}
	if sp, ok := markerAt(w, a); ok {
		q.words, q.from, q.to = w.ruler.Slice(sp), shifted(&sp.Start, base), shifted(&sp.End, base)
		return q
	}
	if w.spend.exact -= len(w.text); w.spend.exact > 0 && a.URL != "" && strings.Contains(w.text, a.URL) {
		q.words = a.URL
	}
	return q
}

// markerAt returns the text at the offsets that names the page. Of the possible units and ends, it chooses the one that
// leaves no bracket open.
func markerAt(w *finder, a *openaiAnnotation) (best text.Span, ok bool) {
	if a.From == nil || a.To == nil {
		return best, false
	}
	for _, in := range []unit{codePoints, utf16Units, utf8Bytes} {
		for _, more := range []int{0, 1} {
			sp, fits := w.span(*a.From, *a.To+more, in)
			there := w.ruler.Slice(sp)
			if !fits || !names(there, a) {
				continue
			}
			if balanced(there) {
				return sp, true
			}
			if !ok {
				best, ok = sp, true
			}
		}
	}
	return best, ok
}

// names reports whether a part of the answer names the page that it cites.
func names(there string, a *openaiAnnotation) bool {
	return len(there) < 4000 && (a.URL != "" && strings.Contains(there, a.URL) || len(a.Title) > 3 &&
		strings.Contains(there, a.Title))
}

func balanced(s string) bool {
	return strings.Count(s, "(") == strings.Count(s, ")") && strings.Count(s, "[") == strings.Count(s, "]")
}

// bracketed reports whether a marker is in brackets of its own, like "([site](https://…))".
func bracketed(s string) bool {
	return balanced(s) && (strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") || strings.HasPrefix(s, "[") &&
		(strings.HasSuffix(s, "]") || strings.HasSuffix(s, ")")))
}

// shifted converts an offset in a piece to one in the whole answer.
func shifted(n *int, base int) *int {
	if n == nil {
		return nil
	}
	moved := *n + base
	return &moved
}
