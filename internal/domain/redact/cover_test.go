package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCoverNamesEqualValuesEqually(t *testing.T) {
	r, err := New([]Pattern{{Kind: "staff_no", Expr: `ST-\d{5}`}})
	require.NoError(t, err)
	texts := []string{
		"Call +966 50 123 4567 or 0559876543, or write to Sara@Example.com.",
		"هاتف سارة ٠٥٠١٢٣٤٥٦٧ وبريدها sara@example.com.",
		"Staff ST-12345, IBAN SA03 8000 0000 6080 1016 7519.",
		"IBAN SA0380000000608010167519 belongs to ST-12345, not to ST-99999.",
	}
	c := r.Cover(texts...)
	require.Equal(t, "Call [phone 1] or [phone 2], or write to [email 1].", c.Text(texts[0]))
	require.Equal(t, "هاتف سارة [phone 1] وبريدها [email 1].", c.Text(texts[1]))
	require.Equal(t, "Staff [staff no 1], IBAN [iban 1].", c.Text(texts[2]))
	require.Equal(t, "IBAN [iban 1] belongs to [staff no 1], not to [staff no 2].", c.Text(texts[3]))
	require.Equal(t, c.Text(texts[0]), r.Cover(texts...).Text(texts[0]), "deterministic")
	require.Equal(t, "Thirty days of leave, 30 in all.", c.Text("Thirty days of leave, 30 in all."))
}

// A value that one text names by its words is covered where the words are missing, and a cover never changes.
func TestCoverKnowsWhatItLearned(t *testing.T) {
	r, err := New(nil)
	require.NoError(t, err)
	bare := "4455667 is answered on Sundays; 4455668 is not."
	require.Equal(t, bare, r.Cover(bare).Text(bare))
	c := r.Cover("Phone: 4455667.")
	require.Equal(t, "[phone 1] is answered on Sundays; 4455668 is not.", c.Text(bare))
	require.Equal(t, "٤٤٥٥٦٦٧", strings.TrimSpace(r.Cover().Text("٤٤٥٥٦٦٧")))
	require.Equal(t, "[phone 1]", c.Text("٤٤٥٥٦٦٧"))

	more := c.With("Phone: 4455668.")
	require.Equal(t, "[phone 1] is answered on Sundays; [phone 2] is not.", more.Text(bare))
	require.Equal(t, "[phone 1] is answered on Sundays; 4455668 is not.", c.Text(bare))
	require.Same(t, c, c.With("Phone: 4455667.", "nothing"))
	require.Equal(t, "Write to [email].", c.Text("Write to new@example.org."), "found, though not learned")
	require.Equal(t, "Ring 44 55 667 now.", c.Text("Ring 44 55 667 now."))
	require.Equal(t, "Ring [phone 1] now.", r.Cover("Phone: 44 55 667.").Text("Ring 44 55 667 now."))
}

func FuzzCover(f *testing.F) {
	f.Add("Phone: 4455667", "4455667 and sara@example.com ٠٥٠١٢٣٤٥٦٧")
	r, err := New(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, learned, s string) {
		out := r.Cover(learned).Text(s)
		if masked, counts := r.Text(s); counts == nil && learned == "" && out != masked {
			t.Fatalf("%q became %q, though nothing is in it", s, out)
		}
	})
}
