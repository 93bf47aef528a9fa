package importers

import (
	"fmt"
	"regexp"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
)

var (
	// pointerHeading begins a passage in a prompt block (rule E-6): "=== E1 (title | role) ===".
	pointerHeading = regexp.MustCompile(`(?m)^=== (E[0-9]+) \((.*) \| [^|()]*\) ===[ \t]*$`)
	blankLine      = regexp.MustCompile(`\n[ \t]*\n`)
	// pointerList is what a claim points to: "[E1]", "[E1, E3]" or "[E1][E3]". The Arabic comma separates too.
	pointerList = regexp.MustCompile(`\[\s*(E[0-9][0-9A-Za-z]*(?:\s*[,،;؛]\s*E[0-9][0-9A-Za-z]*)*)\s*\]`)
	pointerWord = regexp.MustCompile(`E[0-9][0-9A-Za-z]*`)
	listMark    = regexp.MustCompile(`^(?:[-*•]|[0-9]+[.)])\s+`)
)

// PointersFromText reads a pointer answer that a person pasted. The passages are a prompt block, or paragraphs with a
// blank line between, of which the first one is E1. Each line of the answer is a claim with its pointers in brackets.
// Errors have the Paths "passages" and "answer".
func PointersFromText(query, passages, answer string) (*PointerAnswer, error) {
	out := &PointerAnswer{Query: strings.TrimSpace(query)}
	var err error
	if out.Chunks, err = pastedPassages(unixLines(passages)); err != nil {
		return nil, err
	}
	for _, line := range strings.Split(unixLines(answer), "\n") {
		line = listMark.ReplaceAllString(strings.TrimSpace(line), "")
		var ids []string
		for _, list := range pointerList.FindAllString(line, -1) {
			ids = append(ids, pointerWord.FindAllString(list, -1)...)
		}
		words := strings.Join(strings.Fields(pointerList.ReplaceAllString(line, " ")), " ")
		for _, mark := range []string{".", ",", "؟", "،"} {
			words = strings.ReplaceAll(words, " "+mark, mark)
		}
		if words != "" {
			out.Claims = append(out.Claims, PointerClaim{Text: words, EvidenceIDs: ids})
		}
	}
	if len(out.Claims) == 0 {
		return nil, domain.Refuse(domain.Invalid, "answer", "fault_pointers_no_claim")
	}
	return out, nil
}

// pastedPassages splits passages at the headings of a prompt block, else at blank lines.
func pastedPassages(passages string) ([]evidence.Chunk, error) {
	headings := pointerHeading.FindAllStringSubmatchIndex(passages, -1)
	if len(headings) == 0 {
		var out []evidence.Chunk
		for _, p := range blankLine.Split(passages, -1) {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, pastedPassage(len(out)+1, "", p))
			}
		}
		return out, nil
	}
	var out []evidence.Chunk
	for i, h := range headings {
		end := len(passages)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		pointer, title := passages[h[2]:h[3]], passages[h[4]:h[5]]
		if pointer != fmt.Sprintf("E%d", i+1) {
			return nil, domain.Refuse(domain.Invalid, "passages", "refused_pointer_place", "Name", pointer,
				"N", i+1)
		}
		out = append(out, pastedPassage(i+1, title, strings.TrimSpace(passages[h[1]:end])))
	}
	return out, nil
}

// pastedPassage is a passage without roots. The passages of a title are one document, those without one too.
func pastedPassage(n int, title, words string) evidence.Chunk {
	c := evidence.Chunk{ChunkIdx: n - 1, Span: words}
	if title != "" {
		c.Title, c.DocumentURI = &title, title
	}
	return c
}

// unixLines turns the line ends of a form into line feeds.
func unixLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
