package quantity_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

func datesOf(s string) []quantity.Date {
	return quantity.Dates(quantity.Read(s))
}

func TestDates(t *testing.T) {
	for s, want := range map[string]quantity.Date{
		"passed on 2024-03-05":   {Span: text.Span{Start: 10, End: 20}, Year: 2024, Month: 3, Day: 5},
		"5/3/2024":               {Span: text.Span{Start: 0, End: 8}, Year: 2024, Month: 3, Day: 5, Open: true},
		"25/3/2024":              {Span: text.Span{Start: 0, End: 9}, Year: 2024, Month: 3, Day: 25},
		"3/25/2024":              {Span: text.Span{Start: 0, End: 9}, Year: 2024, Month: 3, Day: 25},
		"the 5th of March, 2024": {Span: text.Span{Start: 4, End: 22}, Year: 2024, Month: 3, Day: 5},
		"Sept. 5, 2024":          {Span: text.Span{Start: 0, End: 13}, Year: 2024, Month: 9, Day: 5},
		"في ٥ تشرين الثاني ٢٠٢٤":  {Span: text.Span{Start: 3, End: 22}, Year: 2024, Month: 11, Day: 5},
		"في ٣ ربيع الآخر ١٤٤٥ هـ": {Span: text.Span{Start: 3, End: 23}, Year: 1445, Month: 4, Day: 3},
		"في 3 ذي الحجة 1445":      {Span: text.Span{Start: 3, End: 18}, Year: 1445, Month: 12, Day: 3},
		"1445-03-03":              {Span: text.Span{Start: 0, End: 10}, Year: 1445, Month: 3, Day: 3},
	} {
		want.Islamic = want.Year < 1600
		got := datesOf(s)
		require.Len(t, got, 1, s)
		got[0].Worded = false
		require.Equal(t, want, got[0], s)
	}
	for _, s := range []string{"", "2024", "May 2024", "5 May", "32 May 2024", "13/13/2024", "he may 5, 20",
		"5 رمضان 2024", "5 March 1445", "10:30 2024"} {
		require.Empty(t, datesOf(s), s)
	}
}

func TestDatesThatMayBeOne(t *testing.T) {
	open, turned, march, may, other := datesOf("5/3/2024")[0], datesOf("3/5/2024")[0], datesOf("5 March 2024")[0],
		datesOf("3 May 2024")[0], datesOf("6 March 2024")[0]
	require.True(t, march.Same(datesOf("2024-03-05")[0]))
	require.True(t, open.Same(open))
	for _, pair := range [][2]quantity.Date{{open, turned}, {open, march}, {open, may}, {may, open}, {march, turned}} {
		require.False(t, pair[0].Same(pair[1]))
		require.True(t, pair[0].MayBe(pair[1]))
	}
	for _, pair := range [][2]quantity.Date{{open, other}, {march, may}, {march, other}} {
		require.False(t, pair[0].MayBe(pair[1]))
	}
}

// The month of a date in digits meets its name; what may be another date stays as it is written.
func TestNameMonths(t *testing.T) {
	for s, want := range map[string]string{
		"2024-03-05, 25.03.2024":  "2024 march 5 25 march 2024",
		"15/3/2024 and 3/15/2024": "15 march 2024 and march 15 2024",
		"1445-09-01 1445-12-01":   "1445 رمضان 1 1445 الحجه 1",
		"5/3/2024 of 2024-13-01":  "5 3 2024 of 2024 13 01",
		"5 March 2024, 25/3/24":   "5 march 2024 25 3 24",
	} {
		tokens := text.Tokens(s)
		quantity.NameMonths(tokens, quantity.Read(s))
		var got []string
		for _, tok := range tokens {
			got = append(got, tok.Norm)
		}
		require.Equal(t, want, strings.Join(got, " "), s)
	}
}
