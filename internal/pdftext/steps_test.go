package pdftext_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/pdftext"
)

// file returns a PDF of these objects, numbered from 1; the first is the catalogue.
func file(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	at := make([]int, len(objects))
	for i, o := range objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

// forms returns a PDF of about 3 KB whose forms each draw the next one so many times.
func forms(depth, times int) []byte {
	stream := func(dict, s string) string {
		return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(s), s)
	}
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>",
		stream("", "/X Do")}
	for i := range depth {
		resources := fmt.Sprintf("/Resources<</XObject<</X %d 0 R>>>>", 6+i)
		content := strings.Repeat("/X Do ", times)
		if i == depth-1 {
			resources, content = "", "0 0 m"
		}
		objects = append(objects, stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]"+resources, content))
	}
	return file(objects...)
}

// withFont returns a PDF of one page with a font F that is written inline, and this content.
func withFont(font, content string) []byte {
	return file("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F "+font+">>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content))
}

// amplified are files that ask for much more work than their length: forms that draw each other, which took the reader
// 60 s, and fonts and their tables that are read at each use, up to 12 ms each.
func amplified() map[string][]byte {
	uses := "BT " + strings.Repeat("/F 12 Tf ", 20_000) + "(x) Tj ET"
	const wide = "<</Type/Font/Subtype/Type0/Encoding/"
	return map[string][]byte{
		"forms":        forms(11, 20),
		"deeper forms": forms(12, 8),
		"fonts":        drawn([]byte(strings.Repeat("BT "+uses+" ET ", 10))),
		"widths":       withFont(wide+"Identity-H/DescendantFonts[<</Type/Font/W[0 65535 1 0 65535 1]>>]>>", uses),
		"list": withFont(wide+"Identity-H/DescendantFonts[<</Type/Font/W[0["+strings.Repeat("1 ", 5000)+"]]>>]>>",
			uses),
		"differences": withFont("<</Type/Font/Subtype/Type1/Encoding<</Differences[0"+strings.Repeat("/A", 5000)+"]>>>>",
			uses),
		"character map": withMap(strings.Repeat("1 beginbfrange <0000> <ffff> <0000> endbfrange\n", 1_000)),
	}
}

// withMap returns a PDF whose font has this ToUnicode map.
func withMap(cmap string) []byte {
	return file("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
		"<</Length 22>>stream\nBT /F 12 Tf (x) Tj ET \nendstream",
		"<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(cmap), cmap))
}

// TestDrawingIsCounted: a small file that asks for much work is refused after the same number of steps everywhere,
// which its length sets.
func TestDrawingIsCounted(t *testing.T) {
	for name, data := range amplified() {
		t.Run(name, func(t *testing.T) {
			require.Less(t, len(data), 200<<10)
			_, err := pdftext.Read(data, pdftext.Limits{})
			require.ErrorIs(t, err, pdftext.ErrTooLarge)
			require.ErrorContains(t, err, fmt.Sprintf("drawing its pages takes more than %d steps, the limit for a file of %d bytes",
				10_000_000+100*len(data), len(data)))
			var f *pdftext.Fault
			require.ErrorAs(t, err, &f)
			require.Equal(t, 1, f.Page)
		})
	}
	require.Equal(t, 100_000_000, pdftext.Steps(10<<20), "however long the file")
}

// BenchmarkSteps prints what a step takes, of each kind of drawing, and how long a floor takes.
func BenchmarkSteps(b *testing.B) {
	files := amplified()
	for name, content := range map[string]string{
		"lines":   strings.Repeat("0 0 m 9 9 l S ", 4_000_000),
		"states":  strings.Repeat("q Q ", 12_000_000),
		"letters": "BT /F 12 Tf 10 100 Td " + strings.Repeat("(a few words in a line) Tj T* ", 20_000) + "ET",
		"numbers": strings.Repeat("1.2345 ", 9_000_000),
		"arrays":  strings.Repeat("[", 60_000_000),
	} {
		files[name] = drawn([]byte(content))
	}
	for name, data := range files {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := pdftext.Read(data, pdftext.Limits{Steps: 10_000_000})
				require.True(b, err == nil || errors.Is(err, pdftext.ErrTooLarge), err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000_000, "ns/step")
		})
	}
}

// TestStepsAreTheSameEverywhere: the least budget with which a file is read is a number, not a time.
func TestStepsAreTheSameEverywhere(t *testing.T) {
	data := drawn([]byte("BT /F 12 Tf 10 100 Td (Leave is 15 days) Tj ET"))
	// 5 operators, 16 letters, a font, 46 bytes
	const steps = 5*2 + 16*8 + 500 + 46/4
	_, err := pdftext.Read(data, pdftext.Limits{Steps: steps})
	require.NoError(t, err)
	_, err = pdftext.Read(data, pdftext.Limits{Steps: steps - 1})
	require.ErrorIs(t, err, pdftext.ErrTooLarge)
}

// TestLongPagesStayReadable: a drawing of a million lines beside the words, as maps have, is within the budget.
func TestLongPagesStayReadable(t *testing.T) {
	data := drawn([]byte(strings.Repeat("0 0 m 9 9 l S ", 1_000_000) + "BT /F 12 Tf 10 100 Td (Leave) Tj ET"))
	got, err := pdftext.Read(data, pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, "Leave", got.Pages[0].Paragraphs[0].Text)
}
