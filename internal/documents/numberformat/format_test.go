package numberformat

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		code         string
		v            float64
		text, stored string
	}{
		{code: "General", v: 1234.5, text: "1234.5", stored: ""},
		{code: "", v: 0.1 + 0.2, text: "0.3", stored: ""},
		{code: "General", v: 1e21, text: "1E+21", stored: ""},
		{code: "0", v: 741.200000000001, text: "741", stored: "741.2"},
		{code: "General", v: 0.93827160493827155, text: "0.938271604938272", stored: ""},
		{code: "0", v: 2.5, text: "3", stored: "2.5"},
		{code: "0.00", v: 0.125, text: "0.13", stored: "0.125"},
		{code: "0.00", v: 2, text: "2.00", stored: ""},
		{code: "0%", v: 0.1234, text: "12%", stored: "12.34%"},
		{code: "0.0%", v: 0.5, text: "50.0%", stored: ""},
		{code: "0.00%", v: -0.0525, text: "-5.25%", stored: ""},
		{code: "#,##0", v: 1234567, text: "1,234,567", stored: ""},
		{code: "#,##0.0#", v: 1234.5, text: "1,234.5", stored: ""},
		{code: "#,##0.00", v: 1234.567, text: "1,234.57", stored: "1,234.567"},
		{code: "#,##0_);(#,##0)", v: -1234, text: "-1,234", stored: ""},
		{code: "#,##0;[Red]#,##0", v: -5, text: "-5", stored: ""},
		{code: `_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)`, v: -1234.5, text: "-$ 1,234.50", stored: ""},
		{code: `_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)`, v: 0, text: "$ -", stored: "0"},
		{code: `[$AED] #,##0`, v: 1200, text: "AED 1,200", stored: ""},
		{code: `#,##0 [$€-407]`, v: 1200.25, text: "1,200 €", stored: "1,200.25 €"},
		{code: `[$-2000401]#,##0.0`, v: 1234.5, text: "١٬٢٣٤٫٥", stored: ""},
		{code: "[$ر.س.\u200f-401] #,##0.00", v: 250, text: "ر.س.\u200f 250.00", stored: ""},
		{code: `0.0,,"M"`, v: 1234567, text: "1.2M", stored: "1.234567M"},
		{code: `#,##0,`, v: 1234567, text: "1,235", stored: "1,234.567"},
		{code: `0.00E+00`, v: 123456, text: "123456", stored: ""},
		{code: `0.00E+00`, v: 1.5e30, text: "1.5E+30", stored: ""},
		{code: `# ?/?`, v: 1.5, text: "1.5", stored: ""},
		{code: `000-00-0000`, v: 123456789, text: "123-45-6789", stored: ""},
		{code: `00000`, v: 42, text: "00042", stored: ""},
		{code: `[<1000]0;[>=1000]0.0,"K"`, v: 1500, text: "1.5K", stored: ""},
		{code: `[<1000]0;[>=1000]0.0,"K"`, v: 15, text: "15", stored: ""},
		{code: `"Yes";"No";"None"`, v: 0, text: "None", stored: "0"},
		{code: `"Yes";"No";"None"`, v: -1, text: "No", stored: "-1"},
		{code: `0" days"`, v: 30, text: "30 days", stored: ""},
		{code: `0 \d\a\y\s`, v: 30, text: "30 days", stored: ""},
		{code: `.00`, v: 0.5, text: ".50", stored: ""},
		{code: `#.##`, v: 5, text: "5", stored: ""},
		{code: `0.0;;`, v: -3, text: "", stored: ""},
		{code: `@`, v: 42, text: "42", stored: ""},
	} {
		got := Parse(tt.code).Number(tt.v, false)
		assert.Equal(t, Shown{Text: tt.text, Stored: tt.stored, Hidden: tt.text == ""}, got, "%s of %v", tt.code, tt.v)
	}
}

func TestDates(t *testing.T) {
	for _, tt := range []struct {
		code         string
		v            float64
		text, stored string
	}{
		{code: "mm-dd-yy", v: 45355, text: "2024-03-04", stored: ""},
		{code: "dd/mm/yyyy", v: 45355, text: "2024-03-04", stored: ""},
		{code: "d mmmm yyyy", v: 45355, text: "4 March 2024", stored: ""},
		{code: "d-mmm-yy", v: 45355, text: "4-Mar-2024", stored: ""},
		{code: "[$-401]d mmmm yyyy", v: 45355, text: "4 مارس 2024", stored: ""},
		{code: "[$-2000401]d mmmm yyyy", v: 45355, text: "٤ مارس ٢٠٢٤", stored: ""},
		{code: "[$-2060401]dd/mm/yyyy", v: 45355, text: "2024-03-04", stored: ""},
		{code: "B2dd/mm/yyyy", v: 45355, text: "2024-03-04", stored: ""},
		{code: "mmm-yy", v: 45352, text: "Mar-2024", stored: ""},
		{code: "mmm-yy", v: 45355, text: "Mar-2024", stored: "2024-03-04"},
		{code: "mm/yyyy", v: 45352, text: "03/2024", stored: ""},
		{code: "d-mmm", v: 45355, text: "4-Mar", stored: "2024-03-04"},
		{code: "dddd, d mmmm yyyy", v: 45355, text: "Monday, 4 March 2024", stored: ""},
		{code: "m/d/yy h:mm", v: 45355.604166667, text: "2024-03-04 14:30", stored: ""},
		{code: "h:mm AM/PM", v: 0.604166667, text: "2:30 PM", stored: ""},
		{code: "hh:mm:ss", v: 0.5, text: "12:00:00", stored: ""},
		{code: "mm:ss", v: 0.00381944444, text: "05:30", stored: ""},
		{code: "mm:ss.0", v: 0.003820601852, text: "05:30.1", stored: ""},
		{code: "[h]:mm", v: 1.520833333, text: "36:30", stored: "36 h 30 min"},
		{code: "[mm]:ss", v: 0.0625, text: "90:00", stored: "1 h 30 min"},
		{code: "yyyy", v: 45355, text: "2024", stored: "2024-03-04"},
		{code: "yyyy-mm-dd", v: 1, text: "1900-01-01", stored: ""},
		{code: "yyyy-mm-dd", v: 59, text: "1900-02-28", stored: ""},
		{code: "yyyy-mm-dd", v: 60, text: "60", stored: ""},
		{code: "yyyy-mm-dd", v: 61, text: "1900-03-01", stored: ""},
		{code: "yyyy-mm-dd", v: 0, text: "0", stored: ""},
		{code: "yyyy-mm-dd", v: -1, text: "-1", stored: ""},
		{code: "yyyy-mm-dd", v: 3e6, text: "3000000", stored: ""},
	} {
		assert.Equal(t, Shown{Text: tt.text, Stored: tt.stored}, Parse(tt.code).Number(tt.v, false), "%s of %v", tt.code, tt.v)
	}
	require.Equal(t, "2024-03-04", Parse("dd/mm/yyyy").Number(45355-1462, true).Text, "days from 1904 on")
}

func TestText(t *testing.T) {
	require.Equal(t, "abc", Parse("0.00").Text("abc"))
	require.Equal(t, "Ref. abc", Parse(`0;0;0;"Ref. "@`).Text("abc"))
	require.Equal(t, "abc", Parse(`0;0;0;[Red]General\ `).Text("abc"))
	require.True(t, Parse(";;;").HidesText())
	require.True(t, Parse(";;;").Number(5, false).Hidden)
	require.False(t, Parse("0;0;0;@").HidesText())
}

// FuzzNumber: whatever a file states as a format, writing a number ends and has no more signs than the code and the
// number allow.
func FuzzNumber(f *testing.F) {
	for _, code := range []string{"0.00%;[Red](#,##0)", "[$-2060401]d/m/yy h:mm", "[h]:mm:ss.000", `"`, `\`, "_", "[", "E+0", "0,,.", "#?/?"} {
		f.Add(code, 45355.25)
	}
	f.Fuzz(func(t *testing.T, code string, v float64) {
		got := Parse(code).Number(v, false)
		Parse(code).Text("x")
		require.LessOrEqual(t, len(got.Text), 400+40*len(code))
	})
}
