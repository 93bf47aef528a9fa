package judge

import "unicode/utf8"

// related tells words that are forms of one another or differ by a slip: most of the longer one is a common beginning
// ("inform", "informat"), or one letter is changed, missing or too much in a long word ("mohammed", "mohamed").
func related(a, b string) bool {
	la, lb := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if min(la, lb) < 4 || max(la, lb)-min(la, lb) > 4 {
		return false
	}
	common := commonPrefix(a, b)
	if common >= 4 && common*10 >= max(la, lb)*6 && common*10 >= min(la, lb)*9 {
		return true
	}
	return min(la, lb) >= 6 && common >= 3 && oneApart([]rune(a), []rune(b))
}

// commonPrefix counts the letters that both words begin with.
func commonPrefix(a, b string) int {
	n, i := 0, 0
	for i < len(a) && i < len(b) {
		r, w := utf8.DecodeRuneInString(a[i:])
		s, _ := utf8.DecodeRuneInString(b[i:])
		if r != s {
			break
		}
		n, i = n+1, i+w
	}
	return n
}

// oneApart tells whether one letter changed, added or taken away makes a of b.
func oneApart(a, b []rune) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > 1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	rest := b[i:]
	if len(a) == len(b) && i < len(b) {
		rest = b[i+1:]
	}
	return i == len(a) || string(a[i+1:]) == string(rest)
}
