package exporters

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/letterhead"
	"sanad/internal/exporters/typeset"
)

// PDF writes the ledger as a board document, complete in English and then in Arabic, with its JSON export attached.
// Texts by people and machines stay in their own language. The same ledger produces the same bytes. Nothing
// is written to w before everything is rendered.
func PDF(w io.Writer, l *ledger.Ledger) error { return PDFIn(w, l, BothLanguages) }

// PDFIn writes the ledger's document in one language, "en" or "ar", or in both.
func PDFIn(w io.Writer, l *ledger.Ledger, language Language) error {
	return writePDF(w, l, language, nil)
}

// writePDF writes the document under a letterhead, nil for none.
func writePDF(w io.Writer, l *ledger.Ledger, language Language, letter *letterhead.Letterhead) error {
	digest, err := Digest(l)
	if err != nil {
		return err
	}
	var source bytes.Buffer
	if err := JSON(&source, l); err != nil {
		return err
	}
	doc := ledgerDoc(l, digest, source.Bytes(), language)
	headed(&doc, letter)
	return typeset.Write(w, &doc, []typeset.Attachment{{
		Name: "ledger.json", Description: "Evidence ledger, sanad.ledger JSON", MIME: "application/json",
		Relation: "Source", Content: source.Bytes(),
	}})
}

// ledgerDoc returns the ledger's document. Where it is in two languages, the second part refers to the answer, the
// evidence and the annex of the first.
func ledgerDoc(l *ledger.Ledger, digest string, source []byte, language Language) typeset.Doc {
	doc := typeset.Doc{
		Author: "Sanad", Date: l.Session.UpdatedAt, ID: digest,
	}
	if language != BothLanguages {
		doc.ID += "/" + string(language)
	}
	var first *pdfWriter
	for i := range pdfLangs {
		if language != BothLanguages && string(language) != pdfLangs[i].code {
			continue
		}
		p := &pdfWriter{pdfLang: &pdfLangs[i], l: l, digest: digest, file: source, first: first}
		if first == nil { // the file's language is its first part's
			doc.Title, doc.Subject = pdfTitle(l, p.pdfLang), p.t("evidence_ledger")
			doc.Lang, first = p.code, p
		}
		doc.Sections = append(doc.Sections, p.section())
	}
	return doc
}

// Maximum lengths of texts in the document, in code points; the attached JSON has the full texts.
const (
	pdfRunningLength = 70  // in a header or footer
	pdfTitleLength   = 200 // as a name
	pdfFirstLength   = 160 // a claim among those to look at first
	pdfClaimLength   = 900
	pdfQuoteLength   = 320 // in the section of its own language
	pdfShortLength   = 180 // in the other section
	pdfRemarkLength  = 500 // remark of a judge or reviewer
)

// pdfDigestLength is how many digits of the digest the footer of a page shows.
const pdfDigestLength = 16

// pdfWriter collects the blocks of one section.
type pdfWriter struct {
	*pdfLang
	l        *ledger.Ledger
	digest   string
	file     []byte     // ledger.json
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
	p.heading(1, strconv.Itoa(n)+". "+p.t(id))
}

// there says in which chapter of the first part something is.
func (p *pdfWriter) there(message, chapter string) typeset.Paragraph {
	return typeset.Paragraph{Spans: typeset.Text(p.t(message, "N", strconv.Itoa(p.first.chapters[chapter]),
		"Language", p.t("language_"+p.first.code)))}
}

// section returns the document in one language: cover, contents, summary, claims to look at first, flags, advice, scope
// and definitions, the answer, all claims and the annex.
func (p *pdfWriter) section() typeset.Section {
	p.cover()
	p.add(typeset.Contents{Title: p.t("contents")})
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
	head := pdfTitle(p.l, p.pdfLang)
	return typeset.Section{
		Lang: p.code, Title: p.t("evidence_ledger") + " – " + p.t("language"),
		Head:     [2]string{clipped(head, pdfRunningLength), p.t("language")},
		HeadLang: [2]string{textLang(head, p.l.Session.Lang)},
		Foot:     "sha256:" + p.digest[:pdfDigestLength] + "…", PageOf: p.t("page_of"), Blocks: p.blocks,
	}
}

// pdfTitle returns the session's title, or the kind of document if none.
func pdfTitle(l *ledger.Ledger, lang *pdfLang) string {
	if s := strings.Join(strings.Fields(l.Session.Title), " "); s != "" {
		return clipped(s, pdfTitleLength)
	}
	return lang.t("evidence_ledger")
}
