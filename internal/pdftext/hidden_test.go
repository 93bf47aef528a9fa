package pdftext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/pdftext"
)

// onPage returns a PDF of one page of 400 by 400 points with the font F, an opaque picture P, a masked one M and a
// layer that is switched off. More entries of the page and more objects, numbered from 9, may follow.
func onPage(content, entries string, more ...string) []byte {
	stream := func(dict, s string) string {
		return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(s), s)
	}
	picture := "/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray"
	return file(append([]string{
		"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>>>",
		"<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>" +
			"/XObject<</P 6 0 R/M 7 0 R>>/Properties<</Off 8 0 R>>" +
			"/ExtGState<</Half<</ca .5>>/None<</ca 0>>/Multiply<</BM/Multiply>>/Masked<</SMask<</S/Alpha>>/BM/Normal>>>>>>" + entries + ">>",
		stream("", content),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		stream(picture, "x"), stream(picture+"/SMask 6 0 R", "x"),
		"<</Type/OCG/Name(Draft)>>",
	}, more...)...)
}

// TestHidden: words that nobody sees are no words of the page, and are kept with the reason.
func TestHidden(t *testing.T) {
	const whole = "q 400 0 0 400 0 0 cm /P Do Q "
	secret := "(The parking permit costs 45 rials) Tj ET"
	for name, x := range map[string]struct {
		content string
		reason  pdftext.Reason // "" if they are seen
	}{
		"plain":                                    {"BT /F 12 Tf 20 300 Td " + secret, ""},
		"drawn with nothing":                       {"BT /F 12 Tf 3 Tr 20 300 Td " + secret, pdftext.Invisible},
		"only a clip":                              {"BT /F 12 Tf 7 Tr 20 300 Td " + secret, pdftext.Invisible},
		"a clip for a picture":                     {"q BT /F 12 Tf 7 Tr 20 300 Td " + secret + " " + whole + "Q", ""},
		"the text of a scan":                       {whole + "BT /F 12 Tf 3 Tr 20 300 Td " + secret, ""},
		"the text of a scan below it":              {"BT /F 12 Tf 20 300 Td " + secret + " " + whole, ""},
		"the text of a scan of strips":             {"q 400 0 0 99 0 301 cm /P Do Q q 400 0 0 300 0 0 cm /P Do Q BT /F 12 Tf 3 Tr 20 299 Td " + secret, ""},
		"the text of a scan below its strips":      {"BT /F 12 Tf 20 300 Td " + secret + " q 400 0 0 110 0 290 cm /P Do Q q 400 0 0 110 0 180 cm /P Do Q", ""},
		"over another picture":                     {"q 50 0 0 50 300 20 cm /P Do Q BT /F 12 Tf 3 Tr 20 300 Td " + secret, pdftext.Invisible},
		"over the background of others":            {whole + "BT /F 12 Tf 20 200 Td (" + strings.Repeat("A text that is seen. ", 3) + ") Tj 3 Tr 0 100 Td " + secret, pdftext.Invisible},
		"white":                                    {"1 g BT /F 12 Tf 20 300 Td " + secret, pdftext.SameColour},
		"nearly white":                             {".99 .98 1 rg BT /F 12 Tf 20 300 Td " + secret, pdftext.SameColour},
		"white by cyan, magenta, yellow and black": {"0 0 0 0 k BT /F 12 Tf 20 300 Td " + secret, pdftext.SameColour},
		"white within white lines":                 {"1 g 1 G BT /F 12 Tf 2 Tr 20 300 Td " + secret, pdftext.SameColour},
		"white within black lines":                 {"1 g BT /F 12 Tf 2 Tr 20 300 Td " + secret, ""},
		"light grey":                               {".8 g BT /F 12 Tf 20 300 Td " + secret, ""},
		"white on a dark bar":                      {"0 0 .4 rg 10 290 350 30 re f 1 g BT /F 12 Tf 20 300 Td " + secret, ""},
		"white on a dark bar of straight lines": {
			"0 g 10 290 m 360 290 l 360 320 l 10 320 l h f 1 g BT /F 12 Tf 20 300 Td " + secret, ""},
		"white on a thick line":      {"30 w 10 305 m 360 305 l S 1 g BT /F 12 Tf 20 300 Td " + secret, ""},
		"white on a round shape":     {"10 290 m 360 290 360 340 10 340 c f 1 g BT /F 12 Tf 20 300 Td " + secret, ""},
		"white on a picture":         {whole + "1 g BT /F 12 Tf 20 300 Td " + secret, ""},
		"white in a white field":     {"0 g 0 280 400 60 re f 1 g 10 290 350 30 re f BT /F 12 Tf 20 300 Td " + secret, pdftext.SameColour},
		"red on the same red":        {"1 0 0 rg 10 290 350 30 re f BT /F 12 Tf 20 300 Td " + secret, pdftext.SameColour},
		"transparent":                {"/None gs BT /F 12 Tf 20 300 Td " + secret, pdftext.SameColour},
		"beside the page":            {"BT /F 12 Tf 420 300 Td " + secret, pdftext.OffPage},
		"below the page":             {"BT /F 12 Tf 20 -60 Td " + secret, pdftext.OffPage},
		"outside of the clip":        {"q 0 0 400 100 re W n BT /F 12 Tf 20 300 Td " + secret + " Q", pdftext.Clipped},
		"within the clip":            {"q 0 290 400 30 re W n BT /F 12 Tf 20 300 Td " + secret + " Q", ""},
		"tiny":                       {"BT /F .4 Tf 20 300 Td " + secret, pdftext.Tiny},
		"tiny by its matrix":         {"BT /F 12 Tf .04 0 0 .04 20 300 Tm " + secret, pdftext.Tiny},
		"large by its matrix":        {"BT /F 1 Tf 12 0 0 12 20 300 Tm " + secret, ""},
		"below a black bar":          {"BT /F 12 Tf 20 300 Td " + secret + " 0 g 10 290 350 30 re f", pdftext.Covered},
		"below a picture":            {"BT /F 12 Tf 20 300 Td " + secret + " q 350 0 0 30 10 290 cm /P Do Q", pdftext.Covered},
		"below a masked picture":     {"BT /F 12 Tf 20 300 Td " + secret + " q 350 0 0 30 10 290 cm /M Do Q", ""},
		"below half of a colour":     {"BT /F 12 Tf 20 300 Td " + secret + " /Half gs 1 1 0 rg 10 290 350 30 re f", ""},
		"below a marker":             {"BT /F 12 Tf 20 300 Td " + secret + " /Multiply gs 1 1 0 rg 10 290 350 30 re f", ""},
		"below a masked bar":         {"BT /F 12 Tf 20 300 Td " + secret + " /Masked gs 0 g 10 290 350 30 re f", ""},
		"beside a later bar":         {"BT /F 12 Tf 20 300 Td " + secret + " 0 g 10 240 350 30 re f", ""},
		"on a layer switched off":    {"/OC /Off BDC BT /F 12 Tf 20 300 Td " + secret + " EMC", pdftext.Layer},
		"in another kind of content": {"/Span /Off BDC BT /F 12 Tf 20 300 Td " + secret + " EMC", ""},
		"again over what hid it": {"BT /F 12 Tf 20 300 Td " + secret + " 1 g 10 290 350 30 re f 0 g BT /F 12 Tf 20 300 Td " +
			secret, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := pdftext.Read(onPage("q BT /F 12 Tf 20 350 Td (Parking is free on Fridays.) Tj ET Q "+x.content, ""), pdftext.Limits{})
			require.NoError(t, err)
			require.Contains(t, pageText(got.Pages[0]), "Parking is free on Fridays.")
			if x.reason == "" {
				require.Contains(t, pageText(got.Pages[0]), "The parking permit costs 45 rials")
				require.Empty(t, got.Pages[0].Hidden)
				return
			}
			require.NotContains(t, pageText(got.Pages[0]), "45")
			require.Equal(t, []pdftext.Hidden{{Text: "The parking permit costs 45 rials", Reason: x.reason}}, got.Pages[0].Hidden)
		})
	}
}

// TestHiddenByTheCrop: what lies outside of the part of the page that is shown is hidden, and in a page that is as
// small as a figure small words are not.
func TestHiddenByTheCrop(t *testing.T) {
	got, err := pdftext.Read(onPage("BT /F 12 Tf 20 350 Td (Shown) Tj 0 -340 Td (Job 7714, proof) Tj ET", "/CropBox[0 50 400 400]"),
		pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, "Shown", pageText(got.Pages[0]))
	require.Equal(t, []pdftext.Hidden{{Text: "Job 7714, proof", Reason: pdftext.OffPage}}, got.Pages[0].Hidden)

	got, err = pdftext.Read(onPage("BT /F .9 Tf 20 350 Td (Axis 12) Tj ET", "/CropBox[10 330 60 370]"), pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, "Axis 12", pageText(got.Pages[0]))
}

// TestHiddenWordsAreNotReadByPoppler: a file of hidden words only is not given to pdftotext, which takes them for
// words.
func TestHiddenWordsAreNotReadByPoppler(t *testing.T) {
	got, err := inProcess(t, pdftext.UseAuto).Read(t.Context(), onPage("BT /F 12 Tf 3 Tr 20 300 Td (Nobody sees it) Tj ET", ""))
	require.NoError(t, err)
	require.Equal(t, pdftext.Own, got.Reader)
	require.Empty(t, pageText(got.Pages[0]))
	require.Equal(t, []pdftext.Hidden{{Text: "Nobody sees it", Reason: pdftext.Invisible}}, got.Pages[0].Hidden)
}

// TestPaintsAreCounted: looking for what hides words takes steps.
func TestPaintsAreCounted(t *testing.T) {
	content := strings.Repeat("0 0 400 400 re f ", 20_000) + "1 g BT /F 1 Tf 20 300 Td (" + strings.Repeat("x", 1000) + ") Tj ET " +
		strings.Repeat(".5 g 0 0 400 200 re f ", 20_000)
	_, err := pdftext.Read(onPage(content, ""), pdftext.Limits{Steps: 1_000_000})
	require.ErrorIs(t, err, pdftext.ErrTooLarge)
}
