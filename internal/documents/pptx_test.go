package documents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
)

const relationsOf = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

// relationsPart lists relations as id, kind, target, id, kind, target.
func relationsPart(list ...string) string {
	var b strings.Builder
	for i := 0; i+2 < len(list); i += 3 {
		fmt.Fprintf(&b, `<Relationship Id="%s" Type="%s%s" Target="%s"/>`, list[i], relationsOf, list[i+1], list[i+2])
	}
	return "<Relationships>" + b.String() + "</Relationships>"
}

// slidesOf is a PowerPoint file with slides of these shapes. Its slides are stored in the opposite order.
func slidesOf(shapes ...string) string { return string(wordFile(slideParts(shapes...)...)) }

func slideParts(shapes ...string) []string {
	ids, related := "", []string{"m", "slideMaster", "slideMasters/slideMaster1.xml"}
	parts := []string{"ppt/slideMasters/slideMaster1.xml", `<p:sldMaster><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg><p:spTree>` +
		`<p:sp><p:nvSpPr><p:cNvPr id="9"/><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr></p:sp></p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1"/>` +
		`<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr></p:bodyStyle></p:txStyles></p:sldMaster>`,
		"ppt/slideMasters/_rels/slideMaster1.xml.rels", relationsPart("t", "theme", "../theme/theme1.xml"),
		"ppt/theme/theme1.xml", `<a:theme><a:clrScheme><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1></a:clrScheme></a:theme>`,
		"ppt/slideLayouts/slideLayout1.xml", `<p:sldLayout><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Click here</a:t></a:r></a:p></p:txBody></p:sp>` +
			`<p:sp><p:spPr/><p:txBody><a:p><a:r><a:t>Confidential</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sldLayout>`,
		"ppt/slideLayouts/_rels/slideLayout1.xml.rels", relationsPart("m", "slideMaster", "../slideMasters/slideMaster1.xml"),
		"ppt/vbaProject.bin", "Sub AutoOpen()"}
	for i, s := range shapes {
		n := len(shapes) - i
		ids += fmt.Sprintf(`<p:sldId id="%d" r:id="s%d"/>`, 256+i, n)
		related = append(related, fmt.Sprintf("s%d", n), "slide", fmt.Sprintf("slides/slide%d.xml", n))
		show := ""
		if rest, ok := strings.CutPrefix(s, "HIDDEN"); ok {
			show, s = ` show="0"`, rest
		}
		parts = append(parts, fmt.Sprintf("ppt/slides/slide%d.xml", n), "<p:sld"+show+"><p:cSld><p:spTree>"+s+"</p:spTree></p:cSld></p:sld>",
			fmt.Sprintf("ppt/slides/_rels/slide%d.xml.rels", n), relationsPart("l", "slideLayout", "../slideLayouts/slideLayout1.xml",
				"c", "chart", "../charts/chart1.xml", "d", "diagramData", "../diagrams/data1.xml", "w", "diagramDrawing", "../diagrams/drawing1.xml",
				"n", "notesSlide", fmt.Sprintf("../notesSlides/notesSlide%d.xml", n), "k", "comments", fmt.Sprintf("../comments/comment%d.xml", n),
				"x", "image", "http://example.org/a.png"))
	}
	return append(parts, "_rels/.rels", relationsPart("p", "officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", `<p:presentation><p:sldIdLst>`+ids+`</p:sldIdLst><p:sldSz cx="1000" cy="500"/></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", relationsPart(related...))
}

// slideShape is a shape with a placeholder, properties and paragraphs.
func slideShape(placeholder, props string, paragraphs ...string) string {
	if placeholder != "" {
		placeholder = "<p:ph " + placeholder + "/>"
	}
	return "<p:sp><p:nvSpPr><p:cNvPr id=\"2\"/><p:nvPr>" + placeholder + "</p:nvPr></p:nvSpPr><p:spPr>" + props + "</p:spPr><p:txBody>" +
		strings.Join(paragraphs, "") + "</p:txBody></p:sp>"
}

func slideP(props string, runs ...string) string {
	return "<a:p>" + props + strings.Join(runs, "") + "</a:p>"
}

func slideR(props, s string) string {
	return "<a:r><a:rPr " + props + "</a:rPr><a:t>" + s + "</a:t></a:r>"
}

// slideText is a title alone.
func slideText(title string) string {
	return slideShape(`type="title"`, "", slideP("", slideR(">", title)))
}

// TestSlidesAreReadAsSeen holds what of a slide is its text.
func TestSlidesAreReadAsSeen(t *testing.T) {
	t.Parallel()
	const secret = "Guests pay nothing at all."
	plain := func(s string) string { return slideP("", slideR(">", s)) }
	box := func(paragraphs ...string) string { return slideShape("", "", paragraphs...) }
	at := func(x, y, w, h int) string {
		return fmt.Sprintf(`<a:xfrm><a:off x="%d" y="%d"/><a:ext cx="%d" cy="%d"/></a:xfrm>`, x, y, w, h)
	}
	white := `><a:solidFill><a:schemeClr val="bg1"/></a:solidFill>`
	hidden := func(how string) []string { return []string{"hidden by " + how + ": " + secret} }
	for name, c := range map[string]struct {
		shapes string
		text   string
		left   []string
	}{
		"title first": {box(plain("They cost 40.")) + slideShape(`type="ctrTitle"`, "", plain("Fees"), plain("of rooms")), "1 Fees of rooms\n0 They cost 40.", nil},
		"no title":    {box(plain("Fees"), plain("They cost 40.")), "1 Fees\n0 They cost 40.", nil},
		"bullets": {slideText("Fees") + slideShape(`type="body" idx="1"`, "", plain("by the master"), slideP("<a:pPr><a:buNone/></a:pPr>", slideR(">", "none"))) +
			box(slideP(`<a:pPr><a:buAutoNum type="alphaLcParenBoth" startAt="3"/></a:pPr>`, slideR(">", "first")),
				slideP(`<a:pPr lvl="1"><a:buAutoNum type="arabicPeriod"/></a:pPr>`, slideR(">", "inner")),
				slideP(`<a:pPr><a:buAutoNum type="alphaLcParenBoth" startAt="3"/></a:pPr>`, slideR(">", "second")),
				slideP(`<a:pPr rtl="1"><a:buAutoNum type="arabic2Minus"/></a:pPr>`, slideR(">", "شرط"))),
			"1 Fees\n0 - by the master\n0 none\n0 (c) first\n0 1. inner\n0 (d) second\n0 أ- شرط", nil},
		"runs": {slideText("Fees") + box(slideP("", slideR(">", "Guests pay 4"), "<a:br/>", slideR(`baseline="30000">`, "1"), slideR(">", " m"), slideR(`baseline="30000">`, "2"),
			`<a:fld type="slidenum"><a:rPr/><a:t>‹#›</a:t></a:fld>`, slideR(">", " H"), slideR(`baseline="-25000">`, "2"), slideR(">", "O"))),
			"1 Fees\n0 Guests pay 4 [1] m² 1 H2O", nil},
		"struck":             {slideText("Fees") + box(slideP("", slideR(">", "Guests pay "), slideR(`strike="sngStrike">`, "30"), slideR(`strike="noStrike">`, " 40 euros."))), "1 Fees\n0 Guests pay 40 euros.", []string{"struck by struck: Guests pay ~~30~~ 40 euros."}},
		"a hidden shape":     {slideText("Fees") + strings.Replace(box(plain(secret)), `id="2"`, `id="2" hidden="1"`, 1), "1 Fees", hidden("format")},
		"a hidden group":     {slideText("Fees") + `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" hidden="1"/></p:nvGrpSpPr>` + box(plain(secret)) + `</p:grpSp>` + box(plain("Shown.")), "1 Fees\n0 Shown.", hidden("format")},
		"beside":             {slideText("Fees") + slideShape("", at(1000, 0, 300, 100), plain(secret)) + slideShape("", at(-50, 0, 300, 100), plain("Shown.")), "1 Fees\n0 Shown.", hidden("off_page")},
		"beside by group":    {slideText("Fees") + `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="-400"/><a:ext cx="100" cy="100"/><a:chOff x="0" y="0"/><a:chExt cx="50" cy="50"/></a:xfrm></p:grpSpPr>` + slideShape("", at(10, 10, 20, 20), plain(secret)) + `</p:grpSp>`, "1 Fees", hidden("off_page")},
		"white":              {slideText("Fees") + box(slideP("", slideR(white, secret))), "1 Fees", hidden("same_color")},
		"white on blue":      {slideText("Fees") + slideShape("", `<a:solidFill><a:srgbClr val="0000FF"/></a:solidFill>`, slideP("", slideR(white, "Shown."))), "1 Fees\n0 Shown.", nil},
		"blue on blue":       {slideText("Fees") + slideShape("", `<a:solidFill><a:srgbClr val="0000FF"/></a:solidFill>`, slideP("", slideR(`><a:solidFill><a:srgbClr val="0000FF"/></a:solidFill>`, secret))), "1 Fees", hidden("same_color")},
		"white on a picture": {slideText("Fees") + `<p:pic><p:spPr>` + at(0, 0, 1000, 500) + `</p:spPr></p:pic>` + slideShape("", at(10, 10, 100, 100), slideP("", slideR(white, "Shown."))), "1 Fees\n0 Shown.", nil},
		"white beside one":   {slideText("Fees") + `<p:pic><p:spPr>` + at(500, 0, 500, 500) + `</p:spPr></p:pic>` + slideShape("", at(10, 10, 100, 100), slideP("", slideR(white, secret))), "1 Fees", hidden("same_color")},
		"darker white":       {slideText("Fees") + box(slideP("", slideR(`><a:solidFill><a:schemeClr val="bg1"><a:lumMod val="50000"/></a:schemeClr></a:solidFill>`, "Shown."))), "1 Fees\n0 Shown.", nil},
		"clear":              {slideText("Fees") + box(slideP("", slideR(`><a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill>`, secret))), "1 Fees", hidden("transparent")},
		"tiny":               {slideText("Fees") + box(slideP("", slideR(`sz="100">`, secret))), "1 Fees", hidden("tiny")},
		"table": {slideText("Fees") + `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc><a:txBody>` + plain("Room") + `</a:txBody></a:tc><a:tc gridSpan="2"><a:txBody>` + plain("Price") +
			`</a:txBody></a:tc><a:tc hMerge="1"><a:txBody><a:p/></a:txBody></a:tc></a:tr><a:tr><a:tc rowSpan="2"><a:txBody>` + plain("1") + plain("big") + `</a:txBody></a:tc><a:tc><a:txBody>` + slideP("", slideR(white, "40")) + `</a:txBody></a:tc><a:tc><a:txBody>` + plain("50") +
			`</a:txBody></a:tc></a:tr><a:tr><a:tc vMerge="1"><a:txBody><a:p/></a:txBody></a:tc><a:tc><a:txBody>` + plain("60") + `</a:txBody></a:tc><a:tc><a:txBody>` + slideP("", slideR(`strike="sngStrike">`, "65"), slideR(">", "70")) + `</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
			"1 Fees\n0 | Room | Price | Price |\n|---|---|---|\n| 1 big | 40 | 50 |\n| 1 big | 60 | 70 |", []string{"struck by struck: ~~65~~70"}},
		"either":  {slideText("Fees") + `<mc:AlternateContent><mc:Choice>` + box(plain("Shown.")) + `</mc:Choice><mc:Fallback>` + box(plain("Shown again.")) + `</mc:Fallback></mc:AlternateContent>`, "1 Fees\n0 Shown.", nil},
		"formula": {slideText("Fees") + box(slideP("", `<a14:m><m:oMath><m:f><m:num><m:r><m:t>3</m:t></m:r></m:num><m:den><m:r><m:t>8</m:t></m:r></m:den></m:f></m:oMath></a14:m>`, slideR(">", " of it"))), "1 Fees\n0 3/8 of it", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, left := seenBlocks(t, "a.pptm", slidesOf(c.shapes))
			require.Equal(t, c.text+"\nheader Confidential", text)
			require.Equal(t, c.left, left)
		})
	}
}

// TestSlidesInOrder holds that slides stand in the order of the presentation, each with its number, what belongs to it
// behind it, and what all of them show once.
func TestSlidesInOrder(t *testing.T) {
	t.Parallel()
	footer := slideShape(`type="ftr"`, "", slideP("", slideR(">", "House rules"))) + slideShape(`type="sldNum"`, "", `<a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>`)
	frame := func(inner string) string {
		return "<p:graphicFrame><a:graphic><a:graphicData>" + inner + "</a:graphicData></a:graphic></p:graphicFrame>"
	}
	parts := slideParts(slideText("Fees")+footer+frame(`<c:chart r:id="c"/>`), "HIDDEN"+slideText("Draft")+footer, slideText("Steps")+frame(`<dgm:relIds r:dm="d"/>`)+footer)
	pt := func(i int, v string) string { return fmt.Sprintf(`<c:pt idx="%d"><c:v>%s</c:v></c:pt>`, i, v) }
	parts = append(parts, "ppt/notesSlides/notesSlide3.xml", "<p:notes><p:cSld><p:spTree>"+slideShape(`type="sldImg"`, "", "")+
		slideShape(`type="body" idx="1"`, "", slideP("", slideR(">", "Say that 45 is for guests.")))+slideShape(`type="dt"`, "", slideP("", slideR(">", "Not this")))+"</p:spTree></p:cSld></p:notes>",
		"ppt/comments/comment3.xml", `<p:cmLst><p:cm authorId="1"><p:pos x="1" y="2"/><p:text>Is this right?</p:text></p:cm></p:cmLst>`,
		"ppt/charts/chart1.xml", `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Prices</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>`+
			`<c:ser><c:tx><c:strRef><c:f>B1</c:f><c:strCache>`+pt(0, "Share")+`</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>`+pt(0, "2030")+pt(1, "2031")+`</c:strCache></c:strRef></c:cat>`+
			`<c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode>`+pt(0, "0.28999999999999998")+pt(1, "0.5")+`</c:numCache></c:numRef></c:val></c:ser>`+
			`<c:ser><c:tx><c:v>Euro</c:v></c:tx><c:cat><c:strRef><c:strCache>`+pt(0, "2030")+pt(1, "2031")+`</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>#,##0</c:formatCode>`+pt(1, "12345")+`</c:numCache></c:numRef></c:val></c:ser>`+
			`</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
		"ppt/diagrams/data1.xml", `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>stored</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:extLst><a:ext><dsp:dataModelExt relId="w"/></a:ext></dgm:extLst></dgm:dataModel>`,
		"ppt/diagrams/drawing1.xml", `<dsp:drawing><dsp:spTree><dsp:sp><dsp:txBody><a:p><a:r><a:t>Book</a:t></a:r></a:p></dsp:txBody></dsp:sp><dsp:sp><dsp:txBody><a:p><a:r><a:t>Pay</a:t></a:r></a:p></dsp:txBody></dsp:sp></dsp:spTree></dsp:drawing>`)
	d := mustRead(t, "a.pptx", wordFile(parts...))
	var got []string
	for _, b := range d.Blocks {
		got = append(got, fmt.Sprint(b.Page, " ", b.Kind, "|", b.Text))
	}
	require.Equal(t, []string{"1 |Fees", "1 |Prices", "1 || | Share | Euro |\n|---|---|---|\n| 2030 | 29.0% | |\n| 2031 | 50.0% | 12,345 |",
		"1 note|Say that 45 is for guests.", "1 comment|Is this right?", "3 |Steps", "3 |Book", "3 |Pay", "1 header|Confidential", "1 footer|House rules"}, got)
	require.Equal(t, []ledger.LeftOut{{Kind: ledger.Hidden, How: ledger.HiddenFormat, Text: "Draft", Page: 2, At: d.Left[0].At}}, d.Left)
	require.Equal(t, []string{"Steps"}, d.Chunks[len(d.Chunks)-3].HeadingPath)
	// without a drawing, what is stored
	for i := range parts {
		if parts[i] == "ppt/diagrams/drawing1.xml" {
			parts[i] = "ppt/diagrams/other.xml"
		}
	}
	text, _ := seenBlocks(t, "a.pptx", string(wordFile(parts...)))
	require.Contains(t, text, "1 Steps\n0 stored\n")
}

// FuzzSlides tries any bytes as the shapes of a slide.
func FuzzSlides(f *testing.F) {
	f.Add(slideText("Fees")+slideShape(`type="body" idx="1"`, "<a:xfrm><a:off x=\"1\" y=\"2\"/></a:xfrm>", slideP("", slideR(`strike="sngStrike">`, "a"))), "<c:ser><c:val><c:pt idx=\"3\"><c:v>1</c:v></c:pt></c:val></c:ser>")
	f.Add(`<p:graphicFrame><a:tbl><a:tr><a:tc gridSpan="3"><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl><c:chart r:id="c"/></p:graphicFrame>`, "<c:chart/>")
	f.Fuzz(func(t *testing.T, shapes, chart string) {
		d, err := Parse(filetype.PPTX.MediaType, wordFile(append(slideParts(shapes), "ppt/charts/chart1.xml", chart)...))
		if err != nil {
			return
		}
		for _, b := range d.Blocks {
			require.NotEmpty(t, strings.TrimSpace(b.Text))
			require.Len(t, []rune(b.Text), b.Span.Len())
		}
	})
}
