package pdftext_test

import (
	"bytes"
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

// TestDrawingIsCounted: a small file whose forms draw each other 20¹⁰ times is refused after the same number of steps
// everywhere; it took the reader 60 s. A page of fonts that are written inline, or of nothing but white space drawn
// again and again, is counted too.
func TestDrawingIsCounted(t *testing.T) {
	hostile := forms(11, 20)
	require.Less(t, len(hostile), 4<<10)
	_, err := pdftext.Read(hostile, pdftext.Limits{})
	require.ErrorIs(t, err, pdftext.ErrTooLarge)
	require.ErrorContains(t, err, "its pages draw more than 50000000 steps")
	var f *pdftext.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, 1, f.Page)

	inline := drawn([]byte("BT " + strings.Repeat("/F 12 Tf ", 200_000) + "(x) Tj ET"))
	_, err = pdftext.Read(inline, pdftext.Limits{})
	require.ErrorIs(t, err, pdftext.ErrTooLarge)
}

// TestStepsAreTheSameEverywhere: the least budget with which a file is read is a number, not a time.
func TestStepsAreTheSameEverywhere(t *testing.T) {
	data := drawn([]byte("BT /F 12 Tf 10 100 Td (Leave is 15 days) Tj ET"))
	// 5 operators, 16 letters, a font, 46 bytes
	const steps = 5*2 + 16 + 2000 + 46/16
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
