package documents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/wordfile"
	"sanad/internal/domain/filetype"
)

const odtHead = `<style:style style:name="Gone"><style:text-properties text:display="none"/></style:style>` +
	`<style:style style:name="Gone2" style:parent-style-name="Gone"/>` +
	`<style:style style:name="White"><style:text-properties fo:color="#ffffff"/></style:style>` +
	`<style:style style:name="OnBlue" style:parent-style-name="White"><style:text-properties fo:background-color="#0000ff"/></style:style>` +
	`<style:style style:name="Tiny"><style:text-properties fo:font-size="1pt"/></style:style>` +
	`<style:style style:name="Old"><style:text-properties style:text-line-through-style="solid"/></style:style>` +
	`<style:style style:name="New" style:parent-style-name="Old"><style:text-properties style:text-line-through-style="none"/></style:style>` +
	`<style:style style:name="Up"><style:text-properties style:text-position="super 58%"/></style:style>` +
	`<style:style style:name="Down"><style:text-properties style:text-position="-33% 58%"/></style:style>` +
	`<style:style style:name="Title" style:family="paragraph"/>` +
	`<style:style style:name="Bare" style:list-style-name=""/>` +
	`<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>` +
	`<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")" text:start-value="2"/>` +
	`<text:list-level-style-number text:level="3" style:num-format="1" text:display-levels="3"/></text:list-style>` +
	`<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>` +
	`<text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/>` +
	`<text:outline-level-style text:level="2" style:num-format="1" loext:num-list-format="%1%.%2%"/></text:outline-style>`

// odtOf is an OpenDocument text with a body, and other parts as name and content.
func odtOf(body string, parts ...string) string {
	return string(wordFile(append([]string{"mimetype", wordfile.ODTType, "styles.xml",
		"<office:document-styles><office:styles>" + odtHead + "</office:styles><office:master-styles>" +
			`<style:master-page><style:header><text:p>House rules</text:p></style:header><style:header-left><text:p>House rules</text:p></style:header-left>` +
			`<style:footer style:display="false"><text:p>Not this</text:p></style:footer></style:master-page>` +
			"</office:master-styles></office:document-styles>",
		"content.xml", "<office:document-content><office:body><office:text>" + body + "</office:text></office:body></office:document-content>"},
		parts...)...))
}

// flatODT is one in a single XML file.
func flatODT(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><office:document office:mimetype="` + wordfile.ODTType + `"><office:styles>` + odtHead +
		"</office:styles><office:body><office:text>" + body + "</office:text></office:body></office:document>"
}

// TestODTIsReadAsSeen holds what of an OpenDocument text is its text.
func TestODTIsReadAsSeen(t *testing.T) {
	t.Parallel()
	const secret = "Guests pay nothing at all."
	p := func(s string) string { return "<text:p>" + s + "</text:p>" }
	span := func(style, s string) string {
		return `<text:span text:style-name="` + style + `">` + s + `</text:span>`
	}
	for name, c := range map[string]struct {
		body string
		text string
		left []string
	}{
		"headings": {`<text:p text:style-name="Title">Rules</text:p><text:h text:outline-level="1">Fees</text:h><text:h text:outline-level="2">Rooms</text:h>` +
			`<text:h text:outline-level="1" text:style-name="Bare">Annex</text:h>` + p("They cost 40."),
			"1 Rules\n1 I. Fees\n2 I.1 Rooms\n1 Annex\n0 They cost 40.", nil},
		"white space":       {p("a<text:s text:c=\"3\"/>b<text:tab/>c<text:line-break/>d\n  e"), "0 a b c d e", nil},
		"hidden by style":   {p("Fine. " + span("Gone2", secret)), "0 Fine.", []string{"hidden by format: " + secret}},
		"hidden section":    {p("Fine.") + `<text:section text:display="none">` + p(secret) + `</text:section>`, "0 Fine.", []string{"hidden by format: " + secret}},
		"hidden paragraph":  {p("Fine.") + p(`<text:hidden-paragraph text:is-hidden="true"/>`+secret), "0 Fine.", []string{"hidden by format: " + secret}},
		"hidden text":       {p(`Fine.<text:hidden-text text:is-hidden="true" text:string-value="` + secret + `"/>`), "0 Fine.", []string{"hidden by format: " + secret}},
		"shown conditions":  {p(`<text:hidden-text text:is-hidden="false">Shown.</text:hidden-text>`), "0 Shown.", nil},
		"white":             {p("Fine. " + span("White", secret)), "0 Fine.", []string{"hidden by same_color: " + secret}},
		"white on blue":     {p(span("OnBlue", "Shown.")), "0 Shown.", nil},
		"tiny":              {p("Fine. " + span("Tiny", secret)), "0 Fine.", []string{"hidden by tiny: " + secret}},
		"struck":            {p("Guests pay " + span("Old", "30") + span("New", " 40") + " euros."), "0 Guests pay 40 euros.", []string{"struck by struck: Guests pay ~~30~~ 40 euros."}},
		"a struck heading":  {`<text:h text:outline-level="1" text:style-name="Old">Fees</text:h><text:h text:outline-level="1">Rooms</text:h>`, "1 I. Rooms", []string{"struck by struck: ~~Fees~~"}},
		"raised":            {p("10" + span("Up", "6") + " = 20 m" + span("Up", "2") + ", CO" + span("Down", "2 ") + "goes"), "0 10^6 = 20 m², CO2 goes", nil},
		"tracked deletions": {`<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>X</dc:creator></office:change-info>` + p("30") + `</text:deletion></text:changed-region></text:tracked-changes>` + p(`Guests pay <text:change text:change-id="c1"/><text:change-start/>40<text:change-end/> euros.`), "0 Guests pay 40 euros.", []string{"struck by deletion: Guests pay ~~30~~40 euros."}},
		"lists": {`<text:list text:style-name="N"><text:list-item>` + p("a") + p("more") + `<text:list><text:list-item>` + p("b") + `<text:list><text:list-item>` + p("c") +
			`</text:list-item></text:list></text:list-item><text:list-item>` + p("d") + `</text:list-item></text:list></text:list-item>` +
			`<text:list-header>` + p("head") + `</text:list-header><text:list-item text:start-value="7">` + p("e") + `</text:list-item></text:list>` +
			`<text:list text:style-name="N"><text:list-item>` + p("f") + `</text:list-item></text:list>` +
			`<text:list text:style-name="N" text:continue-numbering="true"><text:list-item>` + p("g") + `</text:list-item></text:list>` +
			`<text:list text:style-name="B"><text:list-item>` + p("h") + `</text:list-item></text:list>`,
			"0 1. a\n0 more\n0 (b) b\n0 1.b.1 c\n0 (c) d\n0 head\n0 7. e\n0 1. f\n0 2. g\n0 - h", nil},
		"table": {`<table:table><table:table-header-rows><table:table-row><table:table-cell>` + p("Room") + `</table:table-cell><table:table-cell>` + p("Price") +
			`</table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2">` + p("any") +
			`</table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell table:number-rows-spanned="2">` + p("1") +
			`</table:table-cell><table:table-cell>` + p(span("White", "40")) + `</table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell>` +
			p("50") + `</table:table-cell></table:table-row></table:table>`, "0 | Room | Price |\n|---|---|\n| any | |\n| 1 | 40 |\n| 1 | 50 |", nil},
		"text boxes": {p(`Guests pay 4<draw:frame><draw:text-box>` + p("5 rooms.") + `</draw:text-box><svg:desc>Not this</svg:desc></draw:frame> euros.`), "0 Guests pay 4 euros.\n0 5 rooms.", nil},
		"pictures":   {p(`Fine.<draw:frame><draw:image><office:binary-data>QUJD</office:binary-data></draw:image></draw:frame>`), "0 Fine.", nil},
		"formula":    {p(`It is <draw:object><math><semantics><mfrac><mn>3</mn><mn>8</mn></mfrac><annotation>3 over 8</annotation></semantics></math></draw:object>.`), "0 It is 3/8.", nil},
		"contents":   {`<text:table-of-content><text:table-of-content-source><text:index-title-template>No</text:index-title-template></text:table-of-content-source><text:index-body>` + p("Fees 3") + `</text:index-body></text:table-of-content>`, "0 Fees 3", nil},
		"ruby":       {p(`<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>`), "0 漢", nil},
		"notes": {p(`Guests pay 40 euros<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>`+p("From May on.")+`</text:note-body></text:note>.`+
			`<office:annotation><dc:creator>X</dc:creator><dc:date>2031</dc:date>`+p("Is this right?")+`</office:annotation>`) + p("End."),
			"0 Guests pay 40 euros [1].\n0 End.\nnote [1] From May on.\ncomment Is this right?", nil},
		"macros and forms": {`<office:scripts><office:script>Sub</office:script></office:scripts><office:forms><form:form><form:text form:value="x">y</form:text></form:form></office:forms>` + p("Fine."), "0 Fine.", nil},
		"linked section":   {`<text:section><text:section-source xlink:href="http://example.org/a.odt"/>` + p("Fine.") + `</text:section>`, "0 Fine.", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, left := seenBlocks(t, "a.odt", odtOf(c.body))
			require.Equal(t, c.text+"\nheader House rules", text)
			require.Equal(t, c.left, left)
			text, left = seenBlocks(t, "a.fodt", flatODT(c.body))
			require.Equal(t, c.text, text)
			require.Equal(t, c.left, left)
		})
	}
}

// TestODTObjects holds that formulas and charts that are parts of the archive are read where they stand.
func TestODTObjects(t *testing.T) {
	t.Parallel()
	text, _ := seenBlocks(t, "a.ott", odtOf(`<text:p>It is <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> of it.`+
		`<draw:frame><draw:object xlink:href="./Object 2"/></draw:frame><draw:frame><draw:object xlink:href="http://example.org/"/></draw:frame></text:p>`,
		"Object 1/content.xml", `<?xml version="1.0"?><math><mfrac><mn>3</mn><mn>8</mn></mfrac></math>`,
		"Object 2/content.xml", `<?xml version="1.0"?><office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Prices</text:p></chart:title>`+
			`<table:table table:name="local-table"><table:table-row><table:table-cell/><table:table-cell><text:p>Euro</text:p></table:table-cell></table:table-row>`+
			`<table:table-row><table:table-cell><text:p>2030</text:p></table:table-cell><table:table-cell><text:p>40</text:p></table:table-cell></table:table-row></table:table>`+
			`</chart:chart></office:chart></office:body></office:document-content>`))
	require.Equal(t, "0 It is 3/8 of it.\n0 Prices\n0 | | Euro |\n|---|---|\n| 2030 | 40 |\nheader House rules", text)
}

// FuzzODT tries any bytes as the body of an OpenDocument text.
func FuzzODT(f *testing.F) {
	f.Add(`<text:list text:style-name="N"><text:list-item><text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>b</text:p></text:note-body></text:note></text:p></text:list-item></text:list>`)
	f.Add(`<table:table><table:table-row><table:table-cell table:number-columns-repeated="9"><text:p>a</text:p></table:table-cell></table:table-row></table:table><draw:object><math><mn>1</mn></math></draw:object>`)
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(filetype.ODT.MediaType, []byte(flatODT(s)))
		if err != nil {
			return
		}
		for _, b := range d.Blocks {
			require.NotEmpty(t, strings.TrimSpace(b.Text))
			require.Len(t, []rune(b.Text), b.Span.Len())
		}
	})
}
