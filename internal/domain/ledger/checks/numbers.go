package checks

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// A number in the answer, [1] or (1) or ¹, cites a document where the answer has a list of references with that entry,
// or where the import has a document under that number.

var (
	referencesHeading = regexp.MustCompile(`(?i)^[\s#*_]*(references|sources|citations|bibliography|works cited|footnotes|notes|` +
		`المراجع|المصادر|الهوامش|المصادر والمراجع|المراجع والمصادر|مصادر|مراجع)[\s*_:：]*$`)
	referenceEntry = regexp.MustCompile(`^\s*(?:[-*•]\s+)?(?:\[\^?([0-9٠-٩]{1,3})\]:?|\(([0-9٠-٩]{1,3})\)|([0-9٠-٩]{1,3})[.)،\-]|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3}))\s+(\S.*)$`)
	bracketEntry   = regexp.MustCompile(`^\s*(?:[-*•]\s+)?\[\^?[0-9٠-٩]{1,3}\]:?\s+\S`)
	numberMark     = regexp.MustCompile(`\[\^?([0-9٠-٩]{1,3}(?:\s*[,،;–-]\s*[0-9٠-٩]{1,3})*)\]|\(([0-9٠-٩]{1,3})\)|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})`)
)

// references is what the numbers of an answer mean.
type references struct {
	documents map[int]int // number → index of its document, -1 if the session does not have it
	from      int         // byte where the list begins in the answer; its length if none
}

// referencesOf reads the list of references at the end of the answer, else takes the documents whose id is a number.
func referencesOf(s *ledger.Session) references {
	entries, from := referenceList(s.Answer)
	out := references{documents: map[int]int{}, from: from}
	for n, entry := range entries {
		out.documents[n] = named(s, entry)
	}
	if len(entries) > 0 {
		return out
	}
	for i := range s.Documents {
		d := &s.Documents[i]
		for _, name := range []string{d.Key, strings.TrimPrefix(d.Title, "Context ")} {
			if n, err := strconv.Atoi(strings.Trim(name, "[]() ")); err == nil && n > 0 {
				if _, taken := out.documents[n]; !taken {
					out.documents[n] = i
				}
			}
		}
	}
	return out
}

// referenceList returns the entries of the list of references that ends an answer, by number, and the byte where it
// begins; no entries and the answer's length if it has none.
func referenceList(answer string) (entries map[int]string, from int) {
	lines, starts := linesOf(answer)
	first, from := len(lines), len(answer)
	for i := len(lines) - 1; i >= 0; i-- {
		if referencesHeading.MatchString(lines[i]) {
			first, from = i+1, starts[i]
			break
		}
	}
	if first == len(lines) { // without a heading only entries in brackets that end the answer are a list
		for first > 0 && (strings.TrimSpace(lines[first-1]) == "" || bracketEntry.MatchString(lines[first-1])) {
			first--
		}
		if first < len(lines) {
			from = starts[first]
		}
	}
	entries = map[int]string{}
	for _, line := range lines[min(first, len(lines)):] {
		if m := referenceEntry.FindStringSubmatch(line); m != nil {
			if n := numberOf(m[1] + m[2] + m[3] + m[4]); entries[n] == "" {
				entries[n] = m[5]
			}
		}
	}
	if len(entries) == 0 {
		return nil, len(answer)
	}
	return entries, from
}

// WithoutReferences returns an answer with its list of references and the numbers that refer to it as spaces, one for
// each code point, so that they are not part of its statements. An answer without such a list is returned as it is.
func WithoutReferences(answer string) string {
	entries, from := referenceList(answer)
	if len(entries) == 0 {
		return answer
	}
	var b strings.Builder
	at := 0
	for _, m := range numberMark.FindAllStringSubmatchIndex(answer, -1) {
		if m[0] >= from {
			break
		}
		line := answer[strings.LastIndexByte(answer[:m[0]], '\n')+1 : m[0]]
		known := slices.ContainsFunc(numbersOf(submatch(answer, m)), func(n int) bool { return entries[n] != "" })
		if known && isCitation(answer, m) && strings.TrimSpace(line) != "" { // blanks at its start would make code
			b.WriteString(answer[at:m[0]])
			b.WriteString(blanks(answer[m[0]:m[1]]))
			at = m[1]
		}
	}
	b.WriteString(answer[at:from])
	b.WriteString(blanks(answer[from:]))
	return b.String()
}

// blanks returns a space for each code point of s; line breaks stay.
func blanks(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}

func linesOf(s string) (lines []string, starts []int) {
	at := 0
	for _, line := range strings.SplitAfter(s, "\n") {
		lines, starts = append(lines, strings.TrimRight(line, "\r\n")), append(starts, at)
		at += len(line)
	}
	return lines, starts
}

// named returns the index of the document that an entry of the list names by address, file name, title or id; -1 if
// none. Of several the longest name counts.
func named(s *ledger.Session, entry string) int {
	folded := " " + text.Fold(entry) + " "
	best, length := -1, 0
	for i := range s.Documents {
		d := &s.Documents[i]
		base := d.Filename
		if j := strings.LastIndexByte(base, '.'); j > 0 {
			base = base[:j]
		}
		for _, name := range []string{d.URI, d.Filename, base, d.Title, d.Key} {
			name = text.Fold(name)
			if len(name) > max(length, 2) && holdsWords(folded, name) {
				best, length = i, len(name)
			}
		}
		if title := text.Fold(d.Title); best < 0 && len(strings.Fields(folded)) > 1 &&
			strings.Contains(title, strings.Trim(folded, " .")) {
			best = i
		}
	}
	return best
}

// holdsWords reports whether a name stands in s, not inside a word.
func holdsWords(s, name string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, after := []rune(s[:i]), []rune(s[i+len(name):])
		if (len(before) == 0 || !isWordRune(before[len(before)-1])) && (len(after) == 0 || !isWordRune(after[0])) {
			return true
		}
		from = i + 1
	}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// numberCites returns what numbers in the answer cite, by the index of the claim that they belong to.
func numberCites(s *ledger.Session) map[int][]cited {
	out := map[int][]cited{}
	marks := numberMark.FindAllStringSubmatchIndex(s.Answer, -1)
	if len(marks) == 0 {
		return out
	}
	known, located, ruler := referencesOf(s), locatedClaims(s), text.NewRuler(s.Answer)
	for _, m := range marks {
		if m[0] >= known.from || len(known.documents) == 0 || !isCitation(s.Answer, m) {
			continue
		}
		owner := ownerOf(s, located, ruler.Offset(m[0]))
		if owner < 0 {
			continue
		}
		for _, n := range numbersOf(submatch(s.Answer, m)) {
			if at, ok := known.documents[n]; ok {
				out[owner] = append(out[owner], numberCite(s, s.Answer[m[0]:m[1]], n, at))
			}
		}
	}
	return out
}

func submatch(s string, m []int) string {
	for k := 2; k < len(m); k += 2 {
		if m[k] >= 0 {
			return s[m[k]:m[k+1]]
		}
	}
	return ""
}

// isCitation reports whether a number may be a citation where it stands: one in round brackets only at the end of a
// sentence or before its stop, a raised one behind a word.
func isCitation(answer string, m []int) bool {
	before, after := answer[:m[0]], answer[m[1]:]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	switch {
	case m[2] >= 0:
		return strings.TrimSpace(line) != "" || strings.HasPrefix(strings.TrimSpace(after), "\n")
	case m[4] >= 0:
		rest := strings.TrimLeft(after, " \t")
		ends := rest == "" || strings.ContainsRune(".!?؟۔。\n\r", []rune(rest)[0])
		closed := strings.HasSuffix(strings.TrimRight(line, " "), ".") || strings.HasSuffix(strings.TrimRight(line, " "), "؟")
		return strings.TrimSpace(line) != "" && (ends || closed)
	}
	r := []rune(line)
	return len(r) > 0 && (unicode.IsLetter(r[len(r)-1]) || strings.ContainsRune(".,;:!?»”\")؟،؛", r[len(r)-1]))
}

// numbersOf reads "1", "1, 3", "1-3".
func numbersOf(list string) []int {
	var out []int
	folded := text.Fold(list)
	if from, to, ok := strings.Cut(folded, "-"); ok && !strings.ContainsAny(folded, ",;") {
		first, last := numberOf(strings.TrimSpace(from)), numberOf(strings.TrimSpace(to))
		for n := first; n <= last && n < first+20; n++ {
			out = append(out, n)
		}
		return out
	}
	for _, part := range strings.FieldsFunc(folded, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		out = append(out, numberOf(part))
	}
	return out
}

// numberOf reads a number in any digits; -1 if it is none.
func numberOf(s string) int {
	n, err := strconv.Atoi(text.Fold(s)) // folding makes ¹ and ١ plain digits
	if err != nil {
		return -1
	}
	return n
}

// numberCite returns the citation of the document at an index, -1 for one that the session does not have.
func numberCite(s *ledger.Session, anchor string, n, at int) cited {
	if strings.ContainsAny(anchor, ",،;–-") {
		anchor = "[" + strconv.Itoa(n) + "]"
	}
	x := cited{anchor: anchor, whole: true}
	if at >= 0 {
		x.names(&s.Documents[at], nil)
	}
	return x
}
