package pdftext

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// popplerArgs makes pdftotext read standard input and write UTF-8 with a form feed after each page.
var popplerArgs = []string{"-enc", "UTF-8", "-eol", "unix", "-", "-"}

// FromPoppler parses the output of pdftotext. Its paragraphs are blocks of consecutive lines.
func FromPoppler(out []byte, limits Limits) (*Text, error) {
	limits = limits.withDefaults(0) // nothing is drawn
	if !utf8.Valid(out) {
		return nil, &Fault{Kind: ErrBroken, Cause: fmt.Errorf("pdftotext wrote what is not UTF-8")}
	}
	pages := bytes.Split(bytes.TrimSuffix(out, []byte("\f")), []byte("\f"))
	if len(pages) > limits.Pages {
		return nil, &Fault{Kind: ErrTooLarge,
			Cause: isolated.Over(words.Msg("bound_pages", "N", len(pages), "Most", limits.Pages))}
	}
	t := &Text{Reader: Poppler, Pages: make([]Page, len(pages))}
	for i, page := range pages {
		for part := range strings.SplitSeq(string(page), "\n\n") {
			if s := string(tidy(whole(part))); s != "" {
				t.Pages[i].Paragraphs = append(t.Pages[i].Paragraphs, Paragraph{Text: s})
				t.Pages[i].Unmapped += strings.Count(s, string(utf8.RuneError))
			}
		}
	}
	return t, nil
}

// whole joins the lines of a paragraph, without the bidi controls that poppler writes.
func whole(s string) []rune {
	var out []rune
	for _, r := range strings.ReplaceAll(s, "\u00ad\n", "") {
		if !unicode.Is(unicode.Bidi_Control, r) {
			out = append(out, r)
		}
	}
	return out
}
