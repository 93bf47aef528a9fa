package exporters

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/letterhead"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// PDF writes the ledger as a board document, complete in English and then in Arabic, with its JSON export attached.
// Texts by people and machines stay in their own language. The same ledger produces the same bytes. Nothing
// is written to w before everything is rendered.
func PDF(w io.Writer, l *ledger.Ledger) error { return PDFIn(w, l, BothLanguages) }

// PDFIn writes the ledger's document in one language, "en" or "ar", or in both.
func PDFIn(w io.Writer, l *ledger.Ledger, language Language) error {
	return writePDF(w, l, language, paper{})
}

// paper is what an organisation gives its documents.
type paper struct {
	letter *letterhead.Letterhead // nil for none
	zone   *time.Location         // in which times are given; nil for UTC
}

func writePDF(w io.Writer, l *ledger.Ledger, language Language, on paper) error {
	digest, err := Digest(l)
	if err != nil {
		return err
	}
	var source bytes.Buffer
	if err := JSON(&source, l); err != nil {
		return err
	}
	doc := ledgerDoc(l, digest, source.Bytes(), language, on.zone)
	prose.Headed(&doc, on.letter)
	return typeset.Write(w, &doc, []typeset.Attachment{{
		Name: "ledger.json", Description: "Evidence ledger, sanad.ledger JSON", MIME: "application/json",
		Relation: "Source", Content: source.Bytes(),
	}})
}

// ledgerDoc returns the ledger's document. Where it is in two languages, the second part refers to the answer, the
// evidence and the annex of the first.
func ledgerDoc(l *ledger.Ledger, digest string, source []byte, language Language,
	zone *time.Location) typeset.Doc {
	doc := typeset.Doc{
		Author: "Sanad", Date: l.Session.UpdatedAt, ID: digest,
	}
	if language != BothLanguages {
		doc.ID += "/" + string(language)
	}
	var first *pdfWriter
	for i := range prose.Langs {
		if language != BothLanguages && string(language) != prose.Langs[i].Code {
			continue
		}
		p := &pdfWriter{Lang: prose.Langs[i].At(zone), l: l, digest: digest, file: source, first: first,
			both: language == BothLanguages}
		if first == nil { // the file's language is its first part's
			doc.Title, doc.Subject = pdfTitle(l, p.Lang), p.T("evidence_ledger")
			doc.Lang, first = p.Code, p
		}
		doc.Sections = append(doc.Sections, p.section())
	}
	return doc
}

// Maximum lengths of texts that only a ledger's document has, in code points.
const (
	pdfRunningLength = 70  // in a header or footer
	pdfFirstLength   = 160 // a claim among those to look at first
	pdfShortLength   = 180 // in the section that is not of its own language
)

// pdfWriter collects the blocks of one section.
type pdfWriter struct {
	*prose.Lang
	l        *ledger.Ledger
	digest   string
	file     []byte     // ledger.json
	both     bool       // the document is in two languages
	first    *pdfWriter // of the part that has answer, evidence and annex; nil in that part itself
	blocks   []typeset.Block
	chapters map[string]int // the numbers of the headings by message id
	notes    footnotes
	cited    map[string]*ledger.Citation // by hash, in lower case
}

func (p *pdfWriter) add(b ...typeset.Block) { p.blocks = append(p.blocks, b...) }

func (p *pdfWriter) heading(level int, text string) {
	p.add(typeset.Heading{Level: level, Text: text})
}

// chapter starts a numbered part.
func (p *pdfWriter) chapter(id string) {
	if p.chapters == nil {
		p.chapters = map[string]int{}
	}
	n := len(p.chapters) + 1
	p.chapters[id] = n
	p.heading(1, strconv.Itoa(n)+". "+p.T(id))
}

// there says in which chapter of the first part something is.
func (p *pdfWriter) there(message, chapter string) typeset.Paragraph {
	return typeset.Paragraph{Spans: typeset.Text(p.T(message, "N", strconv.Itoa(p.first.chapters[chapter]),
		"Language", p.T("language_"+p.first.Code)))}
}

// section returns the document in one language: cover, contents, summary, claims to look at first, flags, advice, scope
// and definitions, the answer, all claims and the annex.
func (p *pdfWriter) section() typeset.Section {
	p.cover()
	contents := typeset.Contents{Title: p.T("contents")}
	if p.both && p.first == nil {
		contents.Next = p.T("part_next")
	}
	p.add(contents)
	if p.first != nil {
		p.add(typeset.Paragraph{Soft: true, Spans: typeset.Text(p.T("two_parts"))})
	}
	p.summary()
	p.attention()
	p.flags()
	p.advices()
	p.scope()
	if p.first == nil {
		p.answer()
	}
	p.claims()
	p.aside()
	p.signatures()
	p.annex()
	head := pdfTitle(p.l, p.Lang)
	return typeset.Section{
		Lang: p.Code, Title: p.T("evidence_ledger") + " – " + p.T("language"),
		Head:     [2]string{prose.Clipped(head, pdfRunningLength), p.T("language")},
		HeadLang: [2]string{prose.TextLang(head, p.l.Session.Lang)},
		Foot:     p.T("digest_foot", "Digest", p.digest[:prose.DigestLength]), PageOf: p.T("page_of"), Blocks: p.blocks,
	}
}

// pdfTitle returns the session's title, or the kind of document if none.
func pdfTitle(l *ledger.Ledger, lang *prose.Lang) string {
	if s := strings.Join(strings.Fields(l.Session.Title), " "); s != "" {
		return prose.Clipped(s, prose.TitleLength)
	}
	return lang.T("evidence_ledger")
}
