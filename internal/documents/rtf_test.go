package documents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
)

// rtfOf is an RTF file with the usual tables and a body.
func rtfOf(body string) string {
	return `{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\froman\fcharset178 Arial (Arabic);}` +
		`{\f2\fnil\fcharset2 Symbol;}{\f3\fmodern\fcharset128 MS Mincho;}}{\colortbl;\red255\green255\blue255;\red200\green0\blue0;}` +
		`{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\s2 heading 2;}{\*\cs10 Default;}}` +
		`{\info{\title Not this}}` + body + "}"
}

// TestRTFIsReadAsSeen holds what of an RTF file is its text.
func TestRTFIsReadAsSeen(t *testing.T) {
	t.Parallel()
	const secret = "Guests pay nothing at all."
	cells := func(more string, words ...string) string {
		row := `\trowd` + more
		for i := range words {
			row += `\cellx` + strings.Repeat("1", i+4)
		}
		for _, w := range words {
			row += `\pard\intbl ` + w + `\cell`
		}
		return row + `\row`
	}
	for name, c := range map[string]struct {
		body string
		text string
		left []string
	}{
		"headings":             {`\pard\s1 Fees\par\pard\s2 Rooms\par\pard They cost 40.\par`, "1 Fees\n2 Rooms\n0 They cost 40.", nil},
		"code page":            {`caf\'e9 costs 4 \'80`, "0 café costs 4 €", nil},
		"Arabic by font":       {`{\f1 \'e3\'d1\'cd\'c8\'c7}`, "0 مرحبا", nil},
		"Arabic by its script": {`{\rtlch\fcs1 \af1 \ltrch\fcs0 \f0 40 }{\ltrch\fcs0 \f0 \rtlch\fcs1 \af1 \'e3\'d1\'cd\'c8\'c7}`, "0 40 مرحبا", nil},
		"double bytes":         {`{\loch\af0\hich\af0\dbch\f3 \'82\'b1\'83A}`, "0 こア", nil},
		"Unicode":              {`\u1605?\u1585\'3f {\uc2\u8364 ab}{\uc0\u-10179\u-8704}!`, "0 مر €😀!", nil},
		"half a sign":          {`a\u-10179?b`, "0 a\uFFFDb", nil},
		"signs":                {`\ldblquote x\rdblquote\~\endash a\_b\-c \{\}\\ \f2 \'b3`, "0 “x” –a-bc {}\\ ≥", nil},
		"hidden":               {`Fine.{\v ` + secret + `} {\v0 Shown.}`, "0 Fine. Shown.", []string{"hidden by format: " + secret}},
		"white":                {`Fine. {\cf1 ` + secret + `}`, "0 Fine.", []string{"hidden by same_color: " + secret}},
		"white on red":         {`{\cf1\highlight2 Shown.}`, "0 Shown.", nil},
		"tiny":                 {`Fine. {\fs2 ` + secret + `}`, "0 Fine.", []string{"hidden by tiny: " + secret}},
		"plain takes it back":  {`{\v\plain Shown.}`, "0 Shown.", nil},
		"struck":               {`Guests pay {\strike 30} 40 euros.`, "0 Guests pay 40 euros.", []string{"struck by struck: Guests pay ~~30~~ 40 euros."}},
		"deleted":              {`Guests pay {\deleted 30}{\revised 40} euros.`, "0 Guests pay 40 euros.", []string{"struck by deletion: Guests pay ~~30~~40 euros."}},
		"raised":               {`20 m{\super 2}, 10{\up6 6\up0} = 1, H{\sub 2}O`, "0 20 m², 10^6 = 1, H2O", nil},
		"list": {`{\listtext 1.\tab}\ls1 First\par{\listtext a)\tab}Second\par{\pntext\f2\'b7\tab}Third\par`,
			"0 1. First\n0 a) Second\n0 - Third", nil},
		"fields": {`It is {\field{\*\fldinst HYPERLINK "http://example.org/x"}{\fldrslt here}}.`, "0 It is here.", nil},
		"pictures and objects": {`Fine.{\pict\wmetafile8 0100ff}{\object\objemb{\*\objclass Excel}{\*\objdata 0105}{\result Shown.}}`,
			"0 Fine.Shown.", nil},
		"binary":            {"Fine.{\\pict\\bin5 }{}\\\\ }", "0 Fine.", nil},
		"unknown groups":    {`{\*\whatever words}Fine.{\*\shppict{\pict 00}}`, "0 Fine.", nil},
		"either in Unicode": {`{\upr{ab}{\*\ud{\u1605?}}}c`, "0 مc", nil},
		"text box": {`Guests pay 4{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt \pard 5 rooms.\par}}{\shprslt{\*\do Again.}}} euros.\par`,
			"0 Guests pay 4 euros.\n0 5 rooms.", nil},
		"table": {cells(`\trhdr`, "Room", "Price") + cells("", "1", "40") + `\pard Below.\par`,
			"0 | Room | Price |\n|---|---|\n| 1 | 40 |\n0 Below.", nil},
		"merged cells": {`\trowd\cellx1000\cellx2000\cellx3000\pard\intbl Room\cell Low\cell High\cell\row` +
			`\trowd\cellx1000\cellx3000\pard\intbl 1\cell 40\cell\row\trowd\clvmgf\cellx1000\cellx2000\cellx3000\pard\intbl 2\cell 50\cell 60\cell\row` +
			`\trowd\clvmrg\cellx1000\cellx2000\cellx3000\pard\intbl\cell 70\cell 80\cell\row`,
			"0 | Room | Low | High |\n|---|---|---|\n| 1 | 40 | 40 |\n| 2 | 50 | 60 |\n| 2 | 70 | 80 |", nil},
		"table in a table": {`\trowd\cellx1000\cellx2000\pard\intbl\itap1 Room\cell \pard\intbl\itap2 in\nestcell` +
			`{\*\nesttableprops\trowd\cellx900\nestrow}\pard\intbl\itap1\cell\trowd\cellx1000\cellx2000\row` +
			`\pard\intbl 1\cell 2\cell\row`, "0 | Room | in |\n|---|---|\n| 1 | 2 |", nil},
		"formula":               {`{\mmath{\*\moMath{\mf{\mnum{\mr 3}}{\mden{\mr 8}}}{\mr  of }{\msSup{\me{\mr x}}{\msup{\mr 2}}}}} it`, "0 3/8 of x^2 it", nil},
		"white space in groups": {"{\r\n\\b Bold}\r\n and \\i so.\r\n", "0 Bold and so.", nil},
		"behind its end":        {"Fine.}\x00\x00{\\rtf1 Not this.", "0 Fine.", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, left := seenBlocks(t, "a.rtf", rtfOf(c.body))
			require.Equal(t, c.text, text)
			require.Equal(t, c.left, left)
		})
	}
}

// seenBlocks reads a file and returns its blocks, each on a line with its level and kind, and what is left out.
func seenBlocks(t *testing.T, name, data string) (blocks string, left []string) {
	t.Helper()
	d := mustRead(t, name, []byte(data))
	var lines []string
	for _, b := range d.Blocks {
		require.Len(t, []rune(b.Text), b.Span.Len())
		head := string(rune('0' + b.Level))
		if b.Kind != ledger.Body {
			head = string(b.Kind)
		}
		lines = append(lines, head+" "+b.Text)
	}
	for _, x := range d.Left {
		left = append(left, string(x.Kind)+" by "+string(x.How)+": "+x.Text)
	}
	return strings.Join(lines, "\n"), left
}

// TestRTFPartsStandApart holds that notes, comments, headers and footers are read, each as what it is.
func TestRTFPartsStandApart(t *testing.T) {
	t.Parallel()
	text, left := seenBlocks(t, "a.doc", rtfOf(`{\headerl House rules}{\headerr House rules}{\footer Page \chpgn}`+
		`Guests pay 40 euros{\super \chftn{\footnote \pard {\super \chftn} From May on.}}, says the host`+
		`{\super\chftn}{\*\footnote\ftnalt {\super\chftn} In a letter.}{\*\atnid x}{\*\atnauthor y}{\*\annotation{\*\atndate 1}Is this right?}.\par`))
	require.Equal(t, "0 Guests pay 40 euros [1], says the host [i].\nnote [1] From May on.\nnote [i] In a letter.\n"+
		"comment Is this right?\nheader House rules\nfooter Page", text)
	require.Empty(t, left)
}

// TestRTFInWord holds that Word's parts in RTF are read, whatever they are called.
func TestRTFInWord(t *testing.T) {
	t.Parallel()
	const of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	text, _ := seenBlocks(t, "a.docx", wordPage(`<w:p><w:r><w:t>Above.</w:t></w:r></w:p><w:altChunk r:id="a1"/><w:altChunk r:id="a2"/>`+
		`<w:p><w:r><w:t>Below.</w:t></w:r></w:p>`,
		"word/_rels/document.xml.rels", `<Relationships><Relationship Id="a1" Type="`+of+`aFChunk" Target="chunk.rtf"/>`+
			`<Relationship Id="a2" Type="`+of+`aFChunk" Target="chunk.dat"/></Relationships>`,
		"word/chunk.rtf", rtfOf(`\pard\s1 Annex\par\pard Children pay half.\par`), "word/chunk.dat", rtfOf(`Cats too.`)))
	require.Equal(t, "0 Above.\n1 Annex\n0 Children pay half.\n0 Cats too.\n0 Below.", text)
}

// TestUnreadPartsOfWord holds that a part in a format that is not read is said to be missing, that a table's caption
// stays directly above it, and that text in another encoding is read.
func TestUnreadPartsOfWord(t *testing.T) {
	t.Parallel()
	const of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	read := func(name, data string) (*Parsed, error) {
		return Parse(filetype.DOCX.MediaType, []byte(wordPage(`<w:p><w:r><w:t>Above.</w:t></w:r></w:p><w:altChunk r:id="a1"/><w:altChunk r:id="a1"/>`,
			"word/_rels/document.xml.rels", `<Relationships><Relationship Id="a1" Type="`+of+`aFChunk" Target="`+name+`"/></Relationships>`,
			"word/"+name, data)))
	}
	for name, data := range map[string]string{"a.dat": "Dogs pay.", "a.html": "<meta charset=utf-7>Dogs\xff pay.",
		"a.mht": "Content-Type: text/plain\r\n\r\nDogs pay."} {
		p, err := read(name, data)
		require.NoError(t, err, name)
		require.Len(t, p.Blocks, 1, name)
		require.Len(t, p.Warnings, 1, name)
		require.Contains(t, p.Warnings[0].String(), "is not read", name)
	}
	p, err := read("a.txt", "Caf\xe9")
	require.NoError(t, err)
	require.Equal(t, "Café", p.Blocks[1].Text)
	p, err = read("a.html", "<table><caption>Fees</caption><tr><th>Card<th>Fee<tr><td>Gold<td>25</table>")
	require.NoError(t, err)
	require.Equal(t, "Fees", p.Blocks[1].Text)
	require.Equal(t, p.Blocks[1].Span.End+1, p.Blocks[2].Span.Start)
	_, err = read("a.mht", "Content-Type: multipart/encrypted; boundary=b\r\n\r\n--b\r\n\r\nx")
	require.ErrorIs(t, err, block.ErrLocked)
}

// TestOfficeFaults holds that broken and hostile files of these kinds are refused, and why.
func TestOfficeFaults(t *testing.T) {
	t.Parallel()
	slide := slidesOf(slideText("Fees"))
	text := odtOf(`<text:p>Fees</text:p>`)
	for name, c := range map[string]struct {
		file string
		data string
		kind domain.Kind
		msg  string
	}{
		"cut RTF":              {file: "a.rtf", data: rtfOf("Fine.")[:300], kind: domain.Invalid, msg: "damaged or cut off"},
		"RTF without an end":   {file: "a.rtf", data: "{\\rtf1 Fine.", kind: domain.Invalid, msg: "damaged or cut off"},
		"binary beyond it":     {file: "a.rtf", data: "{\\rtf1 {\\bin999999999 }}", kind: domain.Invalid, msg: "damaged or cut off"},
		"groups in groups":     {file: "a.rtf", data: "{\\rtf1 " + strings.Repeat("{", 1_000_000), kind: domain.TooLarge, msg: "are nested more than 256 levels deep"},
		"tables in tables":     {file: "a.rtf", data: rtfOf(`\pard\intbl\itap999999999 x\nestcell\cell\row`), kind: 0, msg: ""},
		"cells":                {file: "a.rtf", data: "{\\rtf1 \\intbl" + strings.Repeat("\\cell", block.MostCells+1) + "}", kind: domain.TooLarge, msg: "more than 1,000,000 cells"},
		"paragraphs":           {file: "a.rtf", data: "{\\rtf1 " + strings.Repeat("a\\par ", block.MostBlocks+1) + "}", kind: domain.TooLarge, msg: "more than 500,000 paragraphs"},
		"RTF named Word":       {file: "a.docx", data: rtfOf("x"), kind: domain.Invalid, msg: "is an RTF document, but its name"},
		"no RTF":               {file: "a.rtf", data: "Fine.", kind: domain.Invalid, msg: "is not that of a .rtf file"},
		"RTF without words":    {file: "a.rtf", data: rtfOf(""), kind: 0, msg: ""},
		"cut slides":           {file: "a.pptx", data: slide[:len(slide)-30], kind: domain.Invalid, msg: "damaged or cut off"},
		"Word named slides":    {file: "a.pptx", data: wordPage(""), kind: domain.Invalid, msg: "is a Word document, but its name"},
		"slides named Word":    {file: "a.docx", data: slide, kind: domain.Invalid, msg: "is a PowerPoint file, but its name"},
		"slides without list":  {file: "a.pptx", data: string(wordFile("ppt/x.xml", "<x/>")), kind: domain.Unsupported, msg: "but not a PowerPoint file"},
		"a million slides":     {file: "a.pptx", data: string(wordFile("ppt/presentation.xml", "<p:presentation>"+strings.Repeat(`<p:sldId r:id="a"/>`, 1_000_000)+"</p:presentation>")), kind: domain.TooLarge, msg: "more than"},
		"one slide many times": {file: "a.pptx", data: slidesOf(append([]string{strings.Repeat(" ", 1<<20)}, make([]string, 0)...)...), kind: 0, msg: ""},
		"deep slide":           {file: "a.pptx", data: slidesOf(strings.Repeat("<a>", 300)), kind: domain.TooLarge, msg: "are nested more than 256 levels deep"},
		"large slide":          {file: "a.pptx", data: slidesOf(strings.Repeat(" ", block.ArchiveBytes)), kind: domain.TooLarge, msg: "unpacks to more than 64 MiB"},
		"old slides":           {file: "a.ppt", data: "\xD0\xCF\x11\xE0", kind: domain.Unsupported, msg: "old Office document"},
		"locked slides":        {file: "a.pptx", data: "\xD0\xCF\x11\xE0 E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00", kind: domain.Invalid, msg: "needs a password"},
		"locked Word":          {file: "a.docx", data: "\xD0\xCF\x11\xE0 E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00", kind: domain.Invalid, msg: "needs a password"},
		"cut OpenDocument":     {file: "a.odt", data: text[:len(text)-30], kind: domain.Invalid, msg: "damaged or cut off"},
		"cut flat one":         {file: "a.fodt", data: strings.TrimSuffix(flatODT(`<text:p>Fees</text:p>`), "</office:document>"), kind: domain.Invalid, msg: "damaged or cut off"},
		"locked OpenDocument": {file: "a.odt", data: string(wordFile("mimetype", wordfile.ODTType, "content.xml", "\x07", "META-INF/manifest.xml",
			"<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>")), kind: domain.Invalid, msg: "needs a password"},
		"deep OpenDocument":  {file: "a.odt", data: odtOf(strings.Repeat("<text:span>", 300)), kind: domain.TooLarge, msg: "are nested more than 256 levels deep"},
		"large OpenDocument": {file: "a.odt", data: odtOf(strings.Repeat(" ", block.ArchiveBytes)), kind: domain.TooLarge, msg: "unpacks to more than 64 MiB"},
		"a spreadsheet":      {file: "a.ods", data: string(wordFile("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", "<x/>")), kind: domain.Unsupported, msg: "is a .ods file"},
		"one named a text":   {file: "a.odt", data: string(wordFile("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", "<x/>")), kind: domain.Invalid, msg: "is a zip archive"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := readAs(c.file, []byte(c.data), Options{})
			if c.msg == "" {
				require.NoError(t, err)
				return
			}
			e := tidy(t, err)
			require.Equal(t, c.kind, e.Kind)
			require.Contains(t, e.Text(), c.msg)
		})
	}
}

// FuzzRTF tries any bytes as RTF: what is read ends, and is the same again.
func FuzzRTF(f *testing.F) {
	f.Add(rtfOf(`\pard\s1 Fees\par{\listtext 1.}\trowd\cellx1\intbl a\cell\row{\footnote b}\u1605?\'e3`))
	f.Add(rtfOf(`{\shp{\shptxt a\par}}{\upr{a}{\*\ud b}}{\mmath{\mf{\mnum{\mr 1}}}}\itap3\nestcell{\*\nesttableprops\nestrow}`))
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(filetype.RTF.MediaType, []byte(s))
		if err != nil {
			return
		}
		again, err := Parse(filetype.RTF.MediaType, []byte(s))
		require.NoError(t, err)
		require.Equal(t, d, again)
		for _, b := range d.Blocks {
			require.NotEmpty(t, strings.TrimSpace(b.Text))
			require.Len(t, []rune(b.Text), b.Span.Len())
		}
	})
}
