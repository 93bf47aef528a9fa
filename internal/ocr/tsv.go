package ocr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// The columns of tesseract's TSV.
const (
	columnLevel = iota
	columnPage
	columnBlock
	columnParagraph
	columnLine
	columnWord
	columnLeft
	columnTop
	columnWidth
	columnHeight
	columnConfidence
	columnText
	columns
)

// wordLevel is the level of a row that is a word; lower ones are pages, blocks, paragraphs and lines.
const wordLevel = "5"

// FromTSV returns the pages in the output of tesseract's configuration tsv. A page without words has no row and is left
// out at the end.
func FromTSV(out []byte) ([]Page, error) {
	if !utf8.Valid(out) {
		return nil, &isolated.Fault{Kind: ErrBroken, Cause: fmt.Errorf("tesseract wrote what is not UTF-8")}
	}
	var pages []Page
	var p paragraph
	place, count, runes := "", 0, 0
	flush := func() {
		if n := len(pages); n > 0 && len(p.text) > 0 {
			p.judge()
			pages[n-1].Paragraphs = append(pages[n-1].Paragraphs, Paragraph{Text: string(p.text), Doubtful: p.doubtful})
		}
		p = paragraph{}
	}
	for row := range strings.Lines(string(out)) {
		f := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if len(f) < columns || f[columnLevel] != wordLevel {
			continue
		}
		number, err := strconv.Atoi(f[columnPage])
		if err != nil || number < len(pages) || number > MaxPages {
			return nil, &isolated.Fault{Kind: ErrBroken, Cause: fmt.Errorf("tesseract wrote page %q", f[columnPage])}
		}
		word := clean(f[columnText])
		if strings.Trim(word, "|_") == "" { // nothing, or a line of a table
			continue
		}
		count, runes = count+1, runes+utf8.RuneCountInString(word)
		if count > mostWords*max(1, number) || runes > mostRunes*max(1, number) {
			return nil, &isolated.Fault{Kind: ErrTooLarge, Page: number,
				Cause: isolated.Over(words.Msg("bound_characters", "N", mostRunes))}
		}
		if here := strings.Join(f[columnPage:columnLine], " "); here != place {
			flush()
			place = here
		}
		for len(pages) < number {
			pages = append(pages, Page{})
		}
		confidence, err := strconv.ParseFloat(f[columnConfidence], 64)
		if err != nil || !(confidence >= 0) {
			confidence = 0
		}
		p.add(word, f[columnLine], int(min(confidence, 100)))
	}
	flush()
	return pages, nil
}

// paragraph is one in the making.
type paragraph struct {
	text     []rune
	words    []Word
	line     string // of the last word
	from     int    // index of the first word of that line
	hyphen   bool   // the last word ends with a hyphen
	doubtful []Word
}

// add adds a word. One that is divided over two lines is a word of the first.
func (p *paragraph) add(word, line string, confidence int) {
	next, _ := utf8.DecodeRuneInString(word)
	divided := p.hyphen && line != p.line && unicode.IsLower(next)
	if divided {
		p.text = append(p.text[:len(p.text)-1], []rune(word)...)
		last := &p.words[len(p.words)-1]
		last.End, last.Confidence = len(p.text), min(last.Confidence, confidence)
	}
	if line != p.line {
		p.judge()
		p.line, p.from = line, len(p.words)
	}
	if !divided {
		if len(p.text) > 0 {
			p.text = append(p.text, ' ')
		}
		start := len(p.text)
		p.text = append(p.text, []rune(word)...)
		p.words = append(p.words, Word{Start: start, End: len(p.text), Confidence: confidence})
	}
	n := len(p.text)
	p.hyphen = n > 2 && p.text[n-1] == '-' && unicode.IsLetter(p.text[n-2])
}

// judge decides which words of the last line are doubtful.
func (p *paragraph) judge() {
	line := p.words[p.from:]
	beside := slices.ContainsFunc(line, func(w Word) bool { return isArabic(p.text[w.Start:w.End]) })
	for _, w := range line {
		if word := p.text[w.Start:w.End]; w.Confidence < leastSure(word, beside) {
			p.doubtful = append(p.doubtful, w)
		}
	}
}

// leastSure is the confidence from which a word is taken as read, on a line with or without Arabic letters. There, what
// has none is often a figure or a word of Arabic that was taken for something else.
func leastSure(word []rune, besideArabic bool) int {
	figure := slices.ContainsFunc(word, unicode.IsDigit)
	switch {
	case figure && (besideArabic || slices.ContainsFunc(word, isArabicDigit)):
		return neverSure
	case figure, besideArabic && !isArabic(word):
		return sureFigure
	}
	return sureWord
}

// neverSure is above any confidence.
const neverSure = 101

func isArabic(word []rune) bool {
	return slices.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) })
}

// isArabicDigit reports whether a digit is one of those written with Arabic letters.
func isArabicDigit(r rune) bool { return unicode.IsDigit(r) && r > unicode.MaxLatin1 }

// clean returns a word without the controls that tesseract writes around words of another direction, in NFC.
func clean(word string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) || r == '\uFEFF' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, word))
}
