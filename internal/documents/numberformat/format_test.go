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
		{"General", 1234.5, "1234.5", ""},
		{"", 0.1 + 0.2, "0.3", ""},
		{"General", 1e21, "1E+21", ""},
		{"0", 741.200000000001, "741", "741.2"},
		{"General", 0.93827160493827155, "0.938271604938272", ""},
		{"0", 2.5, "3", "2.5"},
		{"0.00", 0.125, "0.13", "0.125"},
		{"0.00", 2, "2.00", ""},
		{"0%", 0.1234, "12%", "12.34%"},
		{"0.0%", 0.5, "50.0%", ""},
		{"0.00%", -0.0525, "-5.25%", ""},
		{"#,##0", 1234567, "1,234,567", ""},
		{"#,##0.0#", 1234.5, "1,234.5", ""},
		{"#,##0.00", 1234.567, "1,234.57", "1,234.567"},
		{"#,##0_);(#,##0)", -1234, "-1,234", ""},
		{"#,##0;[Red]#,##0", -5, "-5", ""},
		{`_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)`, -1234.5, "-$ 1,234.50", ""},
		{`_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)`, 0, "$ -", "0"},
		{`[$AED] #,##0`, 1200, "AED 1,200", ""},
		{`#,##0 [$€-407]`, 1200.25, "1,200 €", "1,200.25 €"},
		{`[$-2000401]#,##0.0`, 1234.5, "١٬٢٣٤٫٥", ""},
		{`[$ر.س.‏-401] #,##0.00`, 250, "ر.س.‏ 250.00", ""},
		{`0.0,,"M"`, 1234567, "1.2M", "1.234567M"},
		{`#,##0,`, 1234567, "1,235", "1,234.567"},
		{`0.00E+00`, 123456, "123456", ""},
		{`0.00E+00`, 1.5e30, "1.5E+30", ""},
		{`# ?/?`, 1.5, "1.5", ""},
		{`000-00-0000`, 123456789, "123-45-6789", ""},
		{`00000`, 42, "00042", ""},
		{`[<1000]0;[>=1000]0.0,"K"`, 1500, "1.5K", ""},
		{`[<1000]0;[>=1000]0.0,"K"`, 15, "15", ""},
		{`"Yes";"No";"None"`, 0, "None", "0"},
		{`"Yes";"No";"None"`, -1, "No", "-1"},
		{`0" days"`, 30, "30 days", ""},
		{`0 \d\a\y\s`, 30, "30 days", ""},
		{`.00`, 0.5, ".50", ""},
		{`#.##`, 5, "5", ""},
		{`0.0;;`, -3, "", ""},
		{`@`, 42, "42", ""},
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
		{"mm-dd-yy", 45355, "2024-03-04", ""},
		{"dd/mm/yyyy", 45355, "2024-03-04", ""},
		{"d mmmm yyyy", 45355, "4 March 2024", ""},
		{"d-mmm-yy", 45355, "4-Mar-2024", ""},
		{"[$-401]d mmmm yyyy", 45355, "4 مارس 2024", ""},
		{"[$-2000401]d mmmm yyyy", 45355, "٤ مارس ٢٠٢٤", ""},
		{"[$-2060401]dd/mm/yyyy", 45355, "2024-03-04", ""},
		{"B2dd/mm/yyyy", 45355, "2024-03-04", ""},
		{"mmm-yy", 45352, "Mar-2024", ""},
		{"mmm-yy", 45355, "Mar-2024", "2024-03-04"},
		{"mm/yyyy", 45352, "03/2024", ""},
		{"d-mmm", 45355, "4-Mar", "2024-03-04"},
		{"dddd, d mmmm yyyy", 45355, "Monday, 4 March 2024", ""},
		{"m/d/yy h:mm", 45355.604166667, "2024-03-04 14:30", ""},
		{"h:mm AM/PM", 0.604166667, "2:30 PM", ""},
		{"hh:mm:ss", 0.5, "12:00:00", ""},
		{"mm:ss", 0.00381944444, "05:30", ""},
		{"mm:ss.0", 0.003820601852, "05:30.1", ""},
		{"[h]:mm", 1.520833333, "36:30", "36 h 30 min"},
		{"[mm]:ss", 0.0625, "90:00", "1 h 30 min"},
		{"yyyy", 45355, "2024", "2024-03-04"},
		{"yyyy-mm-dd", 1, "1900-01-01", ""},
		{"yyyy-mm-dd", 59, "1900-02-28", ""},
		{"yyyy-mm-dd", 60, "60", ""},
		{"yyyy-mm-dd", 61, "1900-03-01", ""},
		{"yyyy-mm-dd", 0, "0", ""},
		{"yyyy-mm-dd", -1, "-1", ""},
		{"yyyy-mm-dd", 3e6, "3000000", ""},
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
	require.True(t, Parse("d/m/yy").IsDate())
	require.False(t, Parse(`0 "days"`).IsDate())
}

// FuzzNumber: whatever a file states as a format, writing a number ends and has no more signs than the code and the number
// allow.
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
