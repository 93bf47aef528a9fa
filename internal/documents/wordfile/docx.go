// Package wordfile reads the files of word processors: Word, OpenDocument text, RTF.
package wordfile

import (
	"archive/zip"
	"cmp"
	"path"
	"slices"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// docxInner is how many Word files may stand inside each other (altChunk).
const docxInner = 2

// unreadPart is the warning that a part of the file is not read, which is said once.
const unreadPart = "warning_part_unread"

// ReadWord reads the text of a Word file: headings with their level, paragraphs, list items with their numbers, tables
// (rule F-20), then its footnotes, endnotes, comments, headers and footers, each as a part of its own. What is hidden,
// struck out or deleted by tracked changes is left out and listed (rule L-38). Macros are not read.
func ReadWord(data []byte, out *block.Page) error {
	left := int64(block.ArchiveBytes)
	return readWordWithin(data, out, &left, 0)
}

// readWordWithin is ReadWord for a file that lies so deep in others; left is how much may still be unpacked.
func readWordWithin(data []byte, out *block.Page, left *int64, depth int) error {
	parts, err := block.ArchiveParts(data)
	if err != nil {
		return err
	}
	main, err := block.RelatedParts(parts, "_rels/.rels", left)
	if err != nil {
		return err
	}
	document := cmp.Or(main.First("officeDocument"), "word/document.xml")
	if parts[document] == nil || !strings.HasPrefix(document, "word/") {
		return block.ErrOtherKind
	}
	others, err := block.RelatedOf(parts, document, left)
	if err != nil {
		return err
	}
	w := &word{out: out, left: left, depth: depth, parts: parts, related: others, styles: wordStyleTable{},
		frame: &wordFrame{}, marks: map[string]string{}}
	dir := path.Dir(document) + "/"
	part := func(kind string) *zip.File { return parts[cmp.Or(others.First(kind), dir+kind+".xml")] }
	styles := wordStyleReader{styles: w.styles}
	if err := block.ReadPart(part("styles"), left, styles.token); err != nil {
		return err
	}
	numbers := newWordNumberReader()
	if err := block.ReadPart(part("numbering"), left, numbers.token); err != nil {
		return err
	}
	w.numbers = numbers.numbers(w.styles)
	w.normal = w.styles.normal()
	if err := w.read(parts[document], ledger.Body); err != nil {
		return err
	}
	for _, x := range []struct {
		name string
		kind ledger.PartKind
	}{{"footnotes", ledger.FileNote}, {"endnotes", ledger.FileNote}, {"comments", ledger.FileComment}} {
		if err := w.read(part(x.name), x.kind); err != nil {
			return err
		}
	}
	for _, kind := range []ledger.PartKind{ledger.PageHeader, ledger.PageFooter} {
		w.seen = map[string]bool{}
		for _, r := range others {
			if r.Kind != string(kind) {
				continue
			}
			if err := w.read(parts[r.Target], kind); err != nil {
				return err
			}
		}
	}
	if w.unread && !slices.ContainsFunc(out.Warnings, func(m words.Message) bool { return m.ID == unreadPart }) {
		out.Warn(unreadPart)
	}
	return out.Over
}
