package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s in a form for matching, not for display. Two strings that a reader would call the same text fold to
// the same string: Unicode compatibility forms are unified (NFKC), letters become lower case, Arabic alef forms become
// ا, ى becomes ي, ة becomes ه, a hamza carrier becomes its letter; tashkeel, tatweel and invisible characters are
// removed; Arabic and Persian digits and punctuation, curly quotes and dashes become ASCII; white space is collapsed
// and trimmed.
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	f := folder{}
	f.out.Grow(len(s))
	f.run(s)
	return f.out.String()
}

// FoldMap folds s and returns, for each code point of the result, the code point of s that it came from, so that a
// match can be mapped back: folded[a:b) comes from s[starts[a]:starts[b]). The last entry is the end of s without its
// trailing white space; len(starts) is Len(folded)+1.
func FoldMap(s string) (folded string, starts []int) {
	f := folder{keep: true, starts: make([]int, 0, len(s)+1)}
	f.out.Grow(len(s))
	f.run(s)
	return f.out.String(), append(f.starts, f.end)
}

// folder writes folded text and, if keep is set, records where each code point came from.
type folder struct {
	out    strings.Builder
	keep   bool
	starts []int
	end    int // in the source, where the text written so far ends
	space  int // in the source, where the pending white space begins
	gap    bool
	buf    []byte
}

func (f *folder) run(s string) {
	cp := 0
	for i := 0; i < len(s); {
		r, w := decode(s, i)
		if plainBefore(r, s, i+w) {
			f.put(foldRune(r), cp)
			f.close(r, cp+1)
			i, cp = i+w, cp+1
			continue
		}
		n, points := f.segment(s[i:], cp)
		i, cp = i+n, cp+points
	}
}

// segment folds one normalisation segment (a base with its marks) and returns its length in bytes and code points. It
// decomposes, folds each code point and composes again, so that a removed mark cannot keep two others from composing.
func (f *folder) segment(s string, cp int) (n, points int) {
	n = norm.NFKC.NextBoundaryInString(s, true)
	if n <= 0 {
		n = max(1, width(s, 0))
	}
	points = utf8.RuneCountInString(s[:n])
	f.buf = f.buf[:0]
	for _, r := range string(norm.NFKD.AppendString(nil, s[:n])) {
		if r = foldRune(r); r >= 0 {
			f.buf = utf8.AppendRune(f.buf, r)
		}
	}
	text := false
	for _, r := range string(norm.NFC.Bytes(f.buf)) {
		f.put(r, cp)
		text = text || r != ' '
	}
	if text || len(f.buf) == 0 && !f.gap {
		f.end = cp + points
	}
	return n, points
}

// put writes one folded code point; white space is held back until text follows.
func (f *folder) put(r rune, from int) {
	if r == ' ' {
		if !f.gap {
			f.gap, f.space = true, from
		}
		return
	}
	if r < 0 {
		return
	}
	if f.gap && f.out.Len() > 0 {
		f.write(' ', f.space)
	}
	f.gap = false
	f.write(r, from)
}

// close extends the end of the text over a code point that is text, or over a mark that was dropped from text.
func (f *folder) close(r rune, after int) {
	if !f.gap && !isSpace(r) {
		f.end = after
	}
}

func (f *folder) write(r rune, from int) {
	f.out.WriteRune(r)
	if f.keep {
		f.starts = append(f.starts, from)
	}
}

// decode is utf8.DecodeRuneInString with a fast path for ASCII.
func decode(s string, i int) (rune, int) {
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

// plainBefore reports whether r can be folded alone, given what follows at s[next:]: the two must not normalise to
// something else together. All marks of an Arabic letter are dropped, so those may follow it; nothing composes with the
// rest.
func plainBefore(r rune, s string, next int) bool {
	arabic := isPlainArabic(r)
	if r >= utf8.RuneSelf && !arabic {
		return r == utf8.RuneError
	}
	if next >= len(s) || s[next] < utf8.RuneSelf {
		return true
	}
	following, _ := utf8.DecodeRuneInString(s[next:])
	if following < 0x300 || following >= 0x2010 && following <= 0x2026 {
		return true
	}
	return isPlainArabic(following) && (arabic || !isMark(following))
}

// isPlainArabic reports whether foldRune handles r, of the main Arabic block, without normalisation.
func isPlainArabic(r rune) bool {
	return r >= 0x060c && r <= 0x066d && r != 0x061c
}

func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) }

// isFolded reports whether s is already folded in the common case: lower-case ASCII with single inner spaces.
func isFolded(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' || c < ' ' || c == ' ' && (i == 0 || i == len(s)-1 ||
			s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// Western returns a number that somebody typed with the digits, the decimal point and the sign for per cent that
// programs read.
func Western(s string) string {
	return strings.Map(func(r rune) rune {
		if isArabicFigure(r) || r == '٫' || r == '٪' {
			return foldArabic(r)
		}
		return r
	}, s)
}
