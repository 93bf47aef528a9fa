package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// TestLocation holds that a number is that of a page, a slide or a row, by the kind of the file, and that all else that
// is known stands behind it.
func TestLocation(t *testing.T) {
	section := []string{"4.2 Leave"}
	for _, c := range []struct {
		name                   string
		document               ledger.Document
		chunk                  ledger.Chunk
		short, long, apart, ar string
	}{
		{name: "nothing", document: ledger.Document{Filename: "a.txt"}},
		{name: "page", document: ledger.Document{Filename: "a.pdf"}, chunk: ledger.Chunk{Page: 3, HeadingPath: section},
			short: "p. 3", long: "page 3; section 4.2", apart: "page 3", ar: "صفحة 3؛ القسم 4.2"},
		{name: "section", document: ledger.Document{Filename: "a.md"}, chunk: ledger.Chunk{HeadingPath: section},
			short: "§ 4.2", long: "section 4.2", ar: "القسم 4.2"},
		{name: "heading", document: ledger.Document{Filename: "a.md"}, chunk: ledger.Chunk{HeadingPath: []string{"Leave"}},
			short: "Leave", long: "Leave", ar: "Leave"},
		{name: "slide", document: ledger.Document{Filename: "a.pptx"}, chunk: ledger.Chunk{Page: 3, Kind: ledger.FileNote},
			short: "slide 3", long: "slide 3; note", apart: "slide 3; note", ar: "الشريحة 3؛ حاشية"},
		{name: "slide by media type", document: ledger.Document{MediaType: filetype.PPTX.MediaType, Filename: "a"},
			chunk: ledger.Chunk{Page: 3}, short: "slide 3", long: "slide 3", apart: "slide 3", ar: "الشريحة 3"},
		{name: "row", document: ledger.Document{Filename: "a.xlsx"},
			chunk: ledger.Chunk{Page: 7, Kind: ledger.SheetRow, HeadingPath: []string{"Cards"}},
			short: "Cards, row 7", long: "Cards, row 7", apart: "Cards, row 7", ar: "Cards، الصف 7"},
		{name: "remark on a sheet", document: ledger.Document{Filename: "a.xlsx"},
			chunk: ledger.Chunk{Page: 7, Kind: ledger.FileComment, HeadingPath: []string{"Cards"}},
			short: "Cards, row 7", long: "Cards, row 7; comment", apart: "Cards, row 7; comment", ar: "Cards، الصف 7؛ تعليق"},
		{name: "row of a text", document: ledger.Document{Filename: "a.csv"}, chunk: ledger.Chunk{Page: 7, Kind: ledger.SheetRow},
			short: "row 7", long: "row 7", apart: "row 7", ar: "الصف 7"},
		{name: "head of a mail", document: ledger.Document{Filename: "a.eml"}, chunk: ledger.Chunk{Kind: ledger.PageHeader},
			long: "mail header", apart: "mail header", ar: "ترويسة الرسالة"},
		{name: "picture", document: ledger.Document{Filename: "a.pdf"}, chunk: ledger.Chunk{Page: 3, Scanned: true},
			short: "p. 3", long: "page 3; read from a picture", apart: "page 3; read from a picture", ar: "صفحة 3؛ مقروء من صورة"},
	} {
		at := c.document.Locate(&c.chunk)
		require.Equal(t, c.short, joined("en", "; ", at.Short()), c.name)
		require.Equal(t, c.long, joined("en", "; ", at.Long()), c.name)
		require.Equal(t, c.apart, joined("en", "; ", at.Apart()), c.name)
		require.Equal(t, c.ar, joined("ar", "؛ ", at.Long()), c.name)
	}
	none := (*ledger.Document)(nil).Locate(nil)
	require.Empty(t, none.Long())
}

func joined(lang, by string, list []words.Message) string {
	out := ""
	for i, m := range list {
		if i > 0 {
			out += by
		}
		out += words.In(lang).Plain(m)
	}
	return out
}

func TestLocateMatchNamesTheNearestHeading(t *testing.T) {
	c := ledger.Chunk{Page: 5, HeadingPath: []string{"المادة الثامنة عشرة"},
		Text: "تُصرف المستحقات.\n\nالمادة العشرون: الشراء في الحالات الطارئة\n\nيجوز الشراء المباشر."}
	for quote, want := range map[string]string{"تُصرف المستحقات": "المادة الثامنة عشرة",
		"يجوز الشراء المباشر": "المادة العشرون: الشراء في الحالات الطارئة", "غير موجود هنا البتة": "المادة الثامنة عشرة"} {
		at := (&ledger.Document{}).LocateMatch(&c, &ledger.Match{Quote: text.Place(quote, c.Text)})
		require.Equal(t, want, at.Section, quote)
	}
}
