package words

import "strings"

// pluralForms are the plural forms of the Unicode CLDR.
var pluralForms = []string{"zero", "one", "two", "few", "many", "other"}

// pluralForm chooses the form for a count by the rules of the Unicode CLDR.
func pluralForm(lang string, count int) string {
	n := max(count, -count)
	switch {
	case n == 1:
		return "one"
	case lang != "ar":
		return "other"
	case n == 0:
		return "zero"
	case n == 2:
		return "two"
	case n%100 >= 3 && n%100 <= 10:
		return "few"
	case n%100 >= 11:
		return "many"
	}
	return "other"
}

var arabicDigits = strings.NewReplacer("0", "٠", "1", "١", "2", "٢", "3", "٣", "4", "٤", "5", "٥", "6", "٦", "7", "٧",
	"8", "٨", "9", "٩", "%", "٪", ",", "٬", ".", "٫")

// ArabicDigits writes a figure, with its percent sign and its separators, in Arabic-Indic digits.
func ArabicDigits(s string) string { return arabicDigits.Replace(s) }
