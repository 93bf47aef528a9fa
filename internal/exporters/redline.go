package exporters

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/letterhead"
	"sanad/internal/domain/text/redline"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// Redline is what changed from one version of something to another, as a document.
type Redline struct {
	Title    string // of what it is
	Language string // "en" or "ar": of the document's own words
	Versions [2]RedlineVersion
	Parts    []RedlinePart
	Letter   *letterhead.Letterhead // nil for none
	Zone     *time.Location         // nil for UTC
}

// RedlineVersion is one of the two versions.
type RedlineVersion struct {
	Name string // such as "Version 2"
	At   time.Time
}

// RedlinePart is one text in both versions, or what is shown of it.
type RedlinePart struct {
	Heading      string // "" where there is one part only
	Older, Newer string
	Shown        []RedlineShown // in place of both, where they were compared already
	Said         []string       // what the reader has to know about it, such as that only its beginning was compared
}

// RedlineShown is a paragraph, or in the place of unchanged ones how many there are.
type RedlineShown struct {
	Place   string // its page or heading; "" where that is not known
	Pieces  redline.Paragraph
	LeftOut string
}

// The colours of what was added and removed, which are also told apart by their lines.
const (
	redlineAdded   typeset.Color = 0x1b6638
	redlineRemoved               = prose.Alarm
)

// RedlinePDF writes a redline: the whole text, what was removed struck through, what was added underlined.
func RedlinePDF(w io.Writer, r *Redline) error {
	lang := &prose.Langs[0]
	if r.Language == prose.Langs[1].Code {
		lang = &prose.Langs[1]
	}
	lang = lang.At(r.Zone)
	names := make([]any, 0, 8)
	for i, v := range r.Versions {
		side := [2]string{"From", "To"}[i]
		names = append(names, side, v.Name, side+"At", lang.Time(v.At))
	}
	blocks := []typeset.Block{
		typeset.Cover{Kicker: lang.T("redline"), Title: prose.Clipped(r.Title, prose.TitleLength),
			TitleLang: prose.TextLang(r.Title, ""), Subtitle: lang.T("redline_versions", names...)},
		typeset.Paragraph{Soft: true, Spans: []typeset.Span{
			{Text: lang.T("redline_removed"), Color: redlineRemoved, Under: typeset.StrikeLine}, {Text: lang.T("redline_between")},
			{Text: lang.T("redline_added"), Color: redlineAdded, Under: typeset.SolidLine}}},
	}
	for _, part := range r.Parts {
		if part.Heading != "" {
			blocks = append(blocks, typeset.Heading{Level: 1, Text: part.Heading})
		}
		if part.Shown == nil {
			part.compare(lang)
		}
		for _, said := range part.Said {
			blocks = append(blocks, typeset.Paragraph{Soft: true, Spans: typeset.Text(said)})
		}
		blocks = append(blocks, shownBlocks(part.Shown, lang.Code)...)
	}
	doc := typeset.Doc{Title: r.Title, Subject: lang.T("redline"), Author: "Sanad", Date: r.Versions[1].At, Lang: lang.Code,
		Sections: []typeset.Section{{Lang: lang.Code, Title: lang.T("redline"), Blocks: blocks, PageOf: lang.T("page_of"),
			Head:     [2]string{prose.Clipped(r.Title, pdfRunningLength), r.Versions[0].Name + " – " + r.Versions[1].Name},
			HeadLang: [2]string{prose.TextLang(r.Title, "")}}}}
	whole := sha256.New()
	for _, x := range r.Parts {
		io.WriteString(whole, x.Heading+"\x00"+x.Older+"\x00"+x.Newer+"\x00")
		for _, p := range x.Shown {
			fmt.Fprintf(whole, "%q", []any{p.Place, p.Pieces, p.LeftOut})
		}
	}
	doc.ID = hex.EncodeToString(whole.Sum(nil))
	prose.Headed(&doc, r.Letter)
	return typeset.Write(w, &doc, nil)
}

// compare sets what is shown of both texts: all of it.
func (part *RedlinePart) compare(lang *prose.Lang) {
	pieces, coarse := redline.Compare(part.Older, part.Newer)
	if coarse {
		part.Said = append(part.Said, lang.T("redline_coarse"))
	}
	for _, p := range redline.Paragraphs(redline.Visible(pieces)) {
		part.Shown = append(part.Shown, RedlineShown{Pieces: p})
	}
}

// shownBlocks returns paragraphs as they are drawn, each place above the first that stands there.
func shownBlocks(shown []RedlineShown, code string) (blocks []typeset.Block) {
	place := ""
	for _, x := range shown {
		if x.LeftOut != "" {
			blocks = append(blocks, typeset.Paragraph{Soft: true, Spans: typeset.Text(x.LeftOut)})
			continue
		}
		if x.Place != place {
			if place = x.Place; place != "" {
				blocks = append(blocks, typeset.Heading{Level: 2, Text: place})
			}
		}
		blocks = append(blocks, typeset.Paragraph{Spans: redlined(x.Pieces), Lang: prose.TextLang(x.Pieces.Text(), code), Own: true})
	}
	return blocks
}

// redlined returns a paragraph's pieces as they are drawn.
func redlined(p redline.Paragraph) []typeset.Span {
	var out []typeset.Span
	for i, x := range p {
		if i > 0 && p[i-1].Op == redline.Removed && x.Op == redline.Added && !unicode.IsSpace(lastRune(p[i-1].Text)) {
			out = append(out, typeset.Span{Text: " "})
		}
		s := typeset.Span{Text: x.Text}
		switch x.Op {
		case redline.Added:
			s.Color, s.Under = redlineAdded, typeset.SolidLine
		case redline.Removed:
			s.Color, s.Under = redlineRemoved, typeset.StrikeLine
		case redline.Kept:
		}
		out = append(out, s)
	}
	return out
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
