package exporters

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/typeset"
)

// PDF writes the ledger as a board document, whole in English and then whole in Arabic, with its JSON export attached
// as the source. What people and machines wrote stays in its own language. The same ledger gives the same bytes. It
// writes only once the whole is made; errors are the writer's, or Digest's.
func PDF(w io.Writer, l *ledger.Ledger) error {
	digest, err := Digest(l)
	if err != nil {
		return err
	}
	var source bytes.Buffer
	if err := JSON(&source, l); err != nil {
		return err
	}
	doc := typeset.Doc{
		Title: pdfTitle(l, &pdfLangs[0]), Author: "Sanad", Subject: pdfLangs[0].t("evidence_ledger"),
		Lang: "en", Date: l.Session.UpdatedAt, ID: digest,
	}
	for i := range pdfLangs {
		p := pdfWriter{pdfLang: &pdfLangs[i], l: l, digest: digest}
		doc.Sections = append(doc.Sections, p.section())
	}
	return typeset.Write(w, &doc, []typeset.Attachment{{
		Name: "ledger.json", Description: "Evidence ledger, sanad.ledger JSON", MIME: "application/json", Relation: "Source", Content: source.Bytes(),
	}})
}

// The most code points of a text where it names something; the details and the attached JSON have the whole.
const (
	pdfTitleLength   = 200
	pdfRunningLength = 70
	pdfClaimLength   = 320
)

// pdfDigestLength is how much of the digest the foot of a page shows.
const pdfDigestLength = 16

// pdfWriter gathers the blocks of one section.
type pdfWriter struct {
	*pdfLang
	l      *ledger.Ledger
	digest string
	blocks []typeset.Block
}

func (p *pdfWriter) add(b ...typeset.Block) { p.blocks = append(p.blocks, b...) }

func (p *pdfWriter) heading(level int, text string) {
	p.add(typeset.Heading{Level: level, Text: text})
}

func (p *pdfWriter) section() typeset.Section {
	p.cover()
	p.summary()
	p.flags()
	p.advice("follow_ups", p.l.FollowUps())
	p.advice("actions", p.l.Actions())
	p.overview()
	p.details()
	p.sources()
	p.closing()
	head := pdfTitle(p.l, p.pdfLang)
	if !p.readsWhole(head) { // a running line has one direction
		head = p.t("evidence_ledger")
	}
	return typeset.Section{
		Lang: p.code, Title: p.t("evidence_ledger") + " – " + p.t("language"),
		Head: [2]string{clipped(head, pdfRunningLength), p.t("language")},
		Foot: "sha256:" + p.digest[:pdfDigestLength] + "…", PageOf: p.t("page_of"), Blocks: p.blocks,
	}
}

// pdfTitle is the session's title, or what the document is where there is none.
func pdfTitle(l *ledger.Ledger, lang *pdfLang) string {
	if s := strings.Join(strings.Fields(l.Session.Title), " "); s != "" {
		return clipped(s, pdfTitleLength)
	}
	return lang.t("evidence_ledger")
}

func (p *pdfWriter) cover() {
	s, title := p.l.Session, pdfTitle(p.l, p.pdfLang)
	c := typeset.Cover{Kicker: "Sanad", Title: title, Subtitle: p.t("subtitle")}
	if p.code == "ar" {
		c.Kicker = "سند"
	}
	c.Kicker += " · " + p.t("evidence_ledger")
	if !p.readsWhole(title) { // a cover has one direction
		c.Title = p.t("evidence_ledger")
		c.Facts = append(c.Facts, typeset.KeyValue{Key: p.t("title"), Value: own(title)})
	}
	fact := func(key string, value []typeset.Span) {
		c.Facts = append(c.Facts, typeset.KeyValue{Key: p.t(key), Value: value})
	}
	if strings.TrimSpace(s.Query) != "" {
		fact("question", own(s.Query))
	}
	sum := &p.l.Summary
	fact("generated", typeset.Text(p.time(s.UpdatedAt)))
	fact("claims", typeset.Text(strconv.Itoa(sum.Total)))
	fact("coverage", typeset.Text(percent(sum.Coverage)))
	fact("unsupported", typeset.Text(percent(sum.Unsupported)))
	fact("overridden", typeset.Text(strconv.Itoa(sum.Overridden)))
	fact("judge", typeset.Text(p.judge(&s.Run)))
	fact("revision", typeset.Text(strconv.Itoa(s.Revision)))
	p.add(c)
}

// readsWhole tells whether a text reads right in the section's direction: its letters are the section's, or it is
// nothing but words of the other direction. Figures and the like in those would be isolated, and cut the words apart.
func (p *pdfWriter) readsWhole(s string) bool {
	if p.speaks(s) {
		return true
	}
	for _, r := range pauses.Replace(s) {
		if r != ' ' && (!unicode.IsLetter(r) || unicode.Is(unicode.Arabic, r) == (p.code == "ar")) {
			return false
		}
	}
	return true
}

// pauses takes out the marks between words, which take the direction of the words on their sides.
var pauses = strings.NewReplacer(": ", " ", ", ", " ", "، ", " ")

// speaks tells whether a text has the section's direction.
func (p *pdfWriter) speaks(s string) bool {
	lang := textLang(s)
	return lang == "" || lang == p.code
}

// closing says what a verdict is worth, and gives the digest whole.
func (p *pdfWriter) closing() {
	p.heading(1, p.t("closing"))
	p.add(
		typeset.Paragraph{Spans: []typeset.Span{{Text: p.t("footer_hint") + ".", Bold: true}}},
		// one paragraph of three lines, which no page break parts
		typeset.Paragraph{Soft: true, Spans: []typeset.Span{{Text: p.t("attached") + "\n"}, {Text: "sha256:" + p.digest, Code: true}}},
	)
}
