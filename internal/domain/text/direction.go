package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// RightToLeft reports whether s is written from right to left: whether most of its words are. Words that it quotes or
// puts in brackets count only where there are no others: an English sentence that quotes Arabic stays English, however
// long the quotation. As many of both is right to left: prose in Arabic names things in Latin letters more often than the
// other way round. The first letter decides nothing (rule WEB-14). A word is what stands between spaces; figures alone
// count only where they are Arabic-Indic and there are no letters.
func RightToLeft(s string) bool {
	var own, quoted, open wordCount // open: in a quotation that has not ended yet
	var in quotes
	for word := range strings.FieldsSeq(s) {
		first := true
		for _, r := range word {
			switch in.follow(r); {
			case !unicode.IsLetter(r):
			case first && in.any():
				open.add(r)
				first = false
			case first:
				own.add(r)
				first = false
			}
			if !in.any() {
				quoted, open = quoted.and(open), wordCount{}
			}
		}
	}
	for _, n := range []wordCount{own.and(open), quoted} {
		if n != (wordCount{}) {
			return n.right >= n.left
		}
	}
	return strings.ContainsFunc(s, isArabicFigure)
}

// wordCount is how many words are written from right to left, and how many from left to right.
type wordCount struct{ right, left int }

// add counts a word by its first letter.
func (n *wordCount) add(letter rune) {
	if isRightToLeft(letter) {
		n.right++
	} else {
		n.left++
	}
}

func (n wordCount) and(m wordCount) wordCount { return wordCount{n.right + m.right, n.left + m.left} }

// quotes are the quotation marks and brackets that are open. Marks of one kind open and close in turn: in Arabic text
// they stand either way round. An apostrophe is none.
type quotes struct {
	angle, double bool
	depth         int
}

func (q *quotes) any() bool { return q.angle || q.double || q.depth > 0 }

func (q *quotes) follow(r rune) {
	switch r {
	case '«', '»':
		q.angle = !q.angle
	case '“', '”', '„', '"':
		q.double = !q.double
	case '(', '[':
		q.depth++
	case ')', ']':
		q.depth = max(q.depth-1, 0)
	}
}

// firstLetter returns the first letter of a word, RuneError if it has none.
func firstLetter(word string) rune {
	for _, r := range word {
		if unicode.IsLetter(r) {
			return r
		}
	}
	return utf8.RuneError
}

func isArabicFigure(r rune) bool { return r >= '٠' && r <= '٩' || r >= '۰' && r <= '۹' }

// isRightToLeft reports whether a letter is of a script that is written from right to left: Hebrew, Arabic, Syriac,
// Thaana, N'Ko and what follows them in Unicode, and the presentation forms.
func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r < 0x0900 || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
		r >= 0x10800 && r < 0x11000 || r >= 0x1E800 && r < 0x1F000
}

// Run is a stretch of a text in bytes, and whether its direction differs from that of the text around it.
type Run struct {
	Text    string
	Foreign bool
}

// HasRightToLeft reports whether a text has a letter that is written from right to left.
func HasRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return isRightToLeft(r) && (unicode.IsLetter(r) || unicode.IsMark(r))
	})
}

// Runs splits a text of a direction into runs, so that foreign ones can be isolated: in text from right to left, Latin
// words and figures that are read as one; in text from left to right, Arabic words with all between them.
func Runs(s string, rtl bool) []Run {
	if rtl {
		return cut(s, Isolations([]rune(s)))
	}
	return cut(s, arabicPhrases(s))
}

// cut splits s at stretches that are given in code points.
func cut(s string, foreign [][2]int) []Run {
	if len(foreign) == 0 {
		return []Run{{Text: s}}
	}
	out, at, r := []Run{}, 0, NewRuler(s)
	for _, f := range foreign {
		from, to := r.Byte(f[0]), r.Byte(f[1])
		if at < from {
			out = append(out, Run{Text: s[at:from]})
		}
		out, at = append(out, Run{Text: s[from:to], Foreign: true}), to
	}
	if at < len(s) {
		out = append(out, Run{Text: s[at:]})
	}
	return out
}

// arabicPhrases returns the stretches, in code points, from a letter that is written from right to left to the last one
// before the next letter of the other direction.
func arabicPhrases(s string) (out [][2]int) {
	i, open := -1, false
	for _, r := range s {
		i++
		switch {
		case isRightToLeft(r) && (unicode.IsLetter(r) || unicode.IsMark(r)):
			if !open {
				out, open = append(out, [2]int{i, 0}), true
			}
			out[len(out)-1][1] = i + 1
		case unicode.IsLetter(r):
			open = false
		}
	}
	return out
}
