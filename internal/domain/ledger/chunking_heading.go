package ledger

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text/quantity"
)

// maxHeading is the longest line, in code points, that counts as a heading without Markdown marks.
const maxHeading = 100

var (
	numberedPattern = regexp.MustCompile(`^([0-9٠-٩]{1,2}(?:[.][0-9٠-٩]{1,3}){0,4})[.)]?[ \t]+(\S.*)$`)
	wordPattern     = regexp.MustCompile(`(?i)^(part|chapter|section|article|clause|annex|appendix|schedule)[ \t]+([0-9]+(?:\.[0-9]+)*|[IVXLC]+|[A-Z])([.:)]?|[.:)]?[ \t].*|[ \t]*[-–—].*)$`)
	arabicPattern   = regexp.MustCompile(`^(الباب|الفصل|القسم|الفرع|المادة|مادة|البند|بند|الملحق|ملحق)[ \t]+(?:رقم[ \t]+)?(\(?[0-9٠-٩]+(?:[./][0-9٠-٩]+)*\)?|(?:الأول|الاول|الثان|الثالث|الرابع|الخامس|السادس|السابع|الثامن|التاسع|العاشر|الحادي|الحادية)(?:[ىيةه]|ية)?(?:[ \t]عشرة?)?|ال(?:عشر|ثلاث|[أا]ربع|خمس|ست|سبع|ثمان|تسع)(?:ون|ين)|ال(?:مئة|مائة|مئتان|مائتان))([ \t]*[:–—-].*|[ \t]*[.]?|[ \t].*)$`)
	amountPattern   = regexp.MustCompile(`^(مليون|مليار|ألف|الف|يوم|أيام|ايام|سن|شهر|ساع|ريال|دولار|درهم|%|٪)`)
)

// partLevels are the levels of the words for parts of a document.
var partLevels = map[string]int{
	"part": 1, "chapter": 1, "annex": 1, "appendix": 1, "schedule": 1, "الباب": 1, "الفصل": 1, "الملحق": 1, "ملحق": 1,
	"section": 2, "القسم": 2, "الفرع": 2,
}

// articleLevel is the level of articles and clauses, below parts and sections.
const articleLevel = 3

// numberedLevel returns the level of line i if it is a heading without Markdown marks ("4.2 Carry-over", "Article 7 –
// Leave", "المادة (٧): الإجازات"), else 0. Such a heading is short, follows a break and does not end a sentence.
func numberedLevel(lines []line, i int) int {
	t := lines[i].text
	if utf8.RuneCountInString(t) > maxHeading || strings.ContainsAny(lastRune(t), ".,;!?؟،؛") || !fresh(lines, i) &&
		!closes(lines[i-1].text) {
		return 0
	}
	if m := wordPattern.FindStringSubmatch(t); m != nil {
		return partLevel(strings.ToLower(m[1]))
	}
	if m := arabicPattern.FindStringSubmatch(t); m != nil {
		return partLevel(m[1])
	}
	m := numberedPattern.FindStringSubmatch(t)
	if m == nil || !titled(m[2]) || quantity.BeginsWithDate(t) {
		return 0
	}
	dots := strings.Count(m[1], ".")
	if dots == 0 && (lastRune(t) == ":" || !fresh(lines, i) || numberedNeighbour(lines, i)) {
		return 0 // an item of a list
	}
	return min(dots+1, 6)
}

func partLevel(word string) int {
	if l := partLevels[word]; l > 0 {
		return l
	}
	return articleLevel
}

// titled reports whether the words after a number can be a title, as opposed to an amount ("2.5 million") or a
// sentence.
func titled(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	upper := unicode.IsUpper(first) || unicode.Is(unicode.Arabic, first) && !amountPattern.MatchString(s)
	return upper && len(strings.Fields(s)) <= 10
}

// numberedNeighbour reports whether the next or the last line with text is numbered too.
func numberedNeighbour(lines []line, i int) bool {
	for _, step := range []int{-1, 1} {
		k := i + step
		for k >= 0 && k < len(lines) && lines[k].blank() {
			k += step
		}
		if k >= 0 && k < len(lines) && itemPattern.MatchString(lines[k].text) &&
			numberedPattern.MatchString(lines[k].text) {
			return true
		}
	}
	return false
}

// closes reports whether a line ends a sentence, so that the next may be a heading.
func closes(s string) bool { return strings.ContainsAny(lastRune(s), ".!?؟:") }

func lastRune(s string) string {
	_, w := utf8.DecodeLastRuneInString(s)
	return s[len(s)-w:]
}

// headingTitle returns a heading's text without its marks and with single spaces.
func headingTitle(s string) string {
	first, second, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if !setextPattern.MatchString(strings.TrimSpace(second)) {
		first = s
	}
	t := strings.Join(strings.Fields(first), " ")
	if m := atxPattern.FindStringSubmatch(t); m != nil {
		t = strings.TrimSpace(strings.TrimRight(m[2], "# "))
	}
	return strings.NewReplacer("**", "", "__", "", "`", "").Replace(t)
}
