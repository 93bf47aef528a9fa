package redact

// ibanLengths are the registered countries and how long their IBANs are (SWIFT IBAN registry).
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28,
	"CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28,
	"IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
	"LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
	"NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24,
	"SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

const (
	minIBAN = 15
	maxIBAN = 34
)

// ibans finds IBANs with a valid checksum (ISO 13616, mod 97), solid or in groups, in upper or lower case.
func (f *finder) ibans() {
	b := f.v.b
	for i := 0; i+minIBAN <= len(b); i++ {
		if !isAlpha(b[i]) || !isAlpha(b[i+1]) || !isDigit(b[i+2]) && b[i+2] != ' ' && b[i+2] != '-' {
			continue
		}
		if isAlnum(f.v.peek(i-1)) && !f.afterIBAN(i) {
			continue
		}
		if j := f.iban(i); j > 0 {
			f.add(IBAN, i, j)
			i = j - 1
		}
	}
}

// afterIBAN reports whether the word IBAN ends exactly at i.
func (f *finder) afterIBAN(i int) bool { return i >= 4 && upper(f.v.b[i-4:i]) == "IBAN" }

// iban returns the end of the IBAN at i, 0 if none.
func (f *finder) iban(i int) int {
	b := f.v.b
	n := ibanLengths[upper(b[i:i+2])]
	if n == 0 {
		return 0
	}
	var s [maxIBAN]byte
	got, sep := 0, byte(0)
	for ; got < n; i++ {
		c := f.v.peek(i)
		switch {
		case isAlnum(c):
			s[got] = c &^ 0x20
			if isDigit(c) {
				s[got] = c
			}
			got++
		case (c == ' ' || c == '-' || c == '.') && (got%4 == 0 || got == 2) && (sep == 0 || sep == c) &&
			isAlnum(f.v.peek(i-1)):
			sep = c
		default:
			return 0
		}
	}
	if isAlnum(f.v.peek(i)) || !isDigit(s[2]) || !isDigit(s[3]) || mod97(s[:n]) != 1 {
		return 0
	}
	return i
}

// mod97 is the checksum of an IBAN: its first four characters go last, letters count 10 to 35.
func mod97(s []byte) int {
	sum := 0
	for k := range s {
		c := s[(k+4)%len(s)]
		if isDigit(c) {
			sum = (sum*10 + int(c-'0')) % 97
		} else {
			sum = (sum*100 + int(c-'A') + 10) % 97
		}
	}
	return sum
}

func upper(b []byte) string {
	var s [4]byte
	n := copy(s[:], b)
	for i := range s[:n] {
		if isAlpha(s[i]) {
			s[i] &^= 0x20
		}
	}
	return string(s[:n])
}
