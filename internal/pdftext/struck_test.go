package pdftext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/pdftext"
)

// shownMarks writes the signs of a text as letters: struck letters in brackets, raised ones behind a caret.
func shownMarks(s string) string {
	return strings.NewReplacer(string(pdftext.Struck), "[", string(pdftext.Standing), "]", string(pdftext.Raised), "^",
		string(pdftext.Lowered), "_", string(pdftext.OnLine), "|").Replace(s)
}

// TestStruck: a line through the middle of letters strikes them out, and no other line does.
func TestStruck(t *testing.T) {
	const text = "BT /F 12 Tf 20 300 Td (Dogs pay 70 rials.) Tj ET "
	note := func(kind string) string {
		return "/Annots[<</Type/Annot/Subtype/" + kind + "/Rect[70 295 90 315]/QuadPoints[71 312 86 312 71 297 86 297]>>]"
	}
	for name, x := range map[string]struct{ content, entries, want string }{
		"a line":                   {text + ".7 w 73 303.5 m 86 303.5 l S", "", "Dogs pay [70] rials."},
		"a line drawn before":      {".7 w 73 303.5 m 86 303.5 l S " + text, "", "Dogs pay [70] rials."},
		"a thin rectangle":         {text + "73 303.2 13 .8 re f", "", "Dogs pay [70] rials."},
		"two lines":                {text + ".4 w 73 302.8 m 86 302.8 l S 73 304.4 m 86 304.4 l S", "", "Dogs pay [70] rials."},
		"the mark at the end":      {text + ".7 w 20 303.5 m 113 303.5 l S", "", "[Dogs pay 70 rials.]"},
		"a line below":             {text + ".7 w 73 298.8 m 86 298.8 l S", "", "Dogs pay 70 rials."},
		"a line above":             {text + ".7 w 73 309.5 m 86 309.5 l S", "", "Dogs pay 70 rials."},
		"the grid of a chart":      {text + ".7 w 5 303.5 m 395 303.5 l S", "", "Dogs pay 70 rials."},
		"the side of a frame":      {text + ".7 w 73 303.5 13 40 re S", "", "Dogs pay 70 rials."},
		"a part of a word":         {text + ".7 w 27 303.5 m 41 303.5 l S", "", "Dogs pay 70 rials."},
		"a line beside":            {text + ".7 w 120 303.5 m 180 303.5 l S", "", "Dogs pay 70 rials."},
		"a reviewer's line":        {text, note("StrikeOut"), "Dogs pay [70] rials."},
		"a reviewer's line below":  {text, note("Underline"), "Dogs pay 70 rials."},
		"a dash is no line of its": {"BT /F 12 Tf 20 300 Td (Dogs \x97 70 rials.) Tj ET", "", "Dogs — 70 rials."},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := pdftext.Read(onPage(x.content, x.entries), pdftext.Limits{})
			require.NoError(t, err)
			require.Equal(t, x.want, shownMarks(pageText(got.Pages[0])))
		})
	}
}

// TestRisenText: text that the file itself raises is raised, however large it is; the value of a field is not.
func TestRisenText(t *testing.T) {
	got, err := pdftext.Read(onPage("BT /F 12 Tf 20 300 Td (Dogs pay 70) Tj 5 Ts (3) Tj 0 Ts ( rials, H) Tj -2 Ts (2) Tj 0 Ts (O) Tj ET", ""), pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, "Dogs pay 70^3| rials, H_2|O", shownMarks(pageText(got.Pages[0])))

	field := "<</Type/Annot/Subtype/Widget/FT/Tx/Ff 4096/T(n)/V(One dog\\rTwo cats)/DA(/Helv 9 Tf)/Rect[80 270 200 315]>>"
	got, err = pdftext.Read(onPage("BT /F 12 Tf 20 300 Td (Guests:) Tj ET", "/Annots[9 0 R]", field), pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, "Guests: One dog Two cats", shownMarks(pageText(got.Pages[0])))
}

// TestSlantedText: a stamp across a page is a line of its own, and leaves the others as they are.
func TestSlantedText(t *testing.T) {
	got, err := pdftext.Read(onPage("BT /F 20 Tf .7071 .7071 -.7071 .7071 60 260 Tm (NOT VALID 2031) Tj ET "+
		"BT /F 12 Tf 20 300 Td (Dogs pay 70 rials in each of the rooms.) Tj ET", ""), pdftext.Limits{})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"Dogs pay 70 rials in each of the rooms.", "NOT VALID 2031"},
		paragraphTexts(got.Pages[0]))
}

// TestSqueezedAndViewed: letters squeezed to nothing are hidden, and so is a layer that is off when the file is viewed.
func TestSqueezedAndViewed(t *testing.T) {
	for _, content := range []string{"BT /F 12 Tf 1 Tz 20 300 Td (Dogs are free.) Tj ET", "BT /F 1 Tf .02 0 0 12 20 300 Tm (Dogs are free.) Tj ET",
		"BT /F 1.4 Tf 20 300 Td (Dogs are free.) Tj ET"} {
		data := strings.ReplaceAll(string(onPage("BT /F 12 Tf 20 350 Td (Fine.) Tj ET "+content, "")), "[0 0 400 400]", "[0 0 800 800]")
		got, err := pdftext.Read([]byte(data), pdftext.Limits{})
		require.NoError(t, err)
		require.Equal(t, "Fine.", pageText(got.Pages[0]))
		require.Equal(t, []pdftext.Hidden{{Text: "Dogs are free.", Reason: pdftext.Tiny}}, got.Pages[0].Hidden)
	}
	data := string(onPage("BT /F 12 Tf 20 350 Td (Fine.) Tj ET /OC /Off BDC BT /F 12 Tf 20 300 Td (Dogs are free.) Tj ET EMC", ""))
	data = strings.Replace(data, "/D<</OFF[8 0 R]>>", "/D<</AS[<</Event/View/OCGs[8 0 R]>>]>>", 1)
	data = strings.Replace(data, "/Name(Draft)", "/Usage<</View<</ViewState/OFF>>>>", 1)
	got, err := pdftext.Read([]byte(data), pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, "Fine.", pageText(got.Pages[0]))
}

func paragraphTexts(p pdftext.Page) (out []string) {
	for _, x := range p.Paragraphs {
		out = append(out, x.Text)
	}
	return out
}
