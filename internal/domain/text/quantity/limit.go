package quantity

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// saying is what words beside a figure say of it.
type saying struct {
	bound Bound
	near  Nearness
	minus bool
	plain bool // nothing: "exactly"
}

// phrases are words before a figure, joined by spaces, folded. pointed are those before dates and times only.
var (
	phrases = sayings(map[string]saying{
		`more than|over|over the age of|above the age of|فوق سن|above|greater than|higher than|older than|longer than|
			larger than|heavier than|in excess of|exceeds|exceed|exceeding|exceeded|upwards of|beyond|better than|bigger than|
			taller than|faster than|
		أكثر من|لأكثر من|بأكثر من|أعلى من|أكبر من|فوق|يزيد على|يزيد عن|تزيد على|تزيد عن|زاد على|زادت على|زاد عن|زادت عن|يزد على|يزد عن|
		تزد على|تزد عن|
		ما يزيد على|ما يزيد عن|يتجاوز|تتجاوز|تجاوز|تجاوزت|يفوق|تفوق|يربو على|تربو على`: {bound: More},
		`at least|no less than|not less than|no fewer than|not fewer than|no lower than|not lower than|minimum of|
			a minimum of|minimum|min|starting at|not below|no earlier than|
		لا يقل عن|لا تقل عن|ما لا يقل عن|على الأقل|بحد أدنى|كحد أدنى|حد أدنى قدره|الحد الأدنى|لا يقل مبلغ`: {bound: AtLeast},
		`less than|fewer than|under|under the age of|below the age of|دون سن|تحت سن|below|lower than|younger than|
			shorter than|smaller than|lighter than|cheaper than|
		أقل من|لأقل من|بأقل من|أدنى من|أصغر من|دون|يقل عن|تقل عن|قل عن|قلت عن`: {bound: Less},
		`at most|up to|no more than|not more than|no greater than|not greater than|no higher than|not higher than|
			no longer than|not longer than|no later than|not later than|maximum of|a maximum of|maximum|max|not to exceed|
			within|not above|not over|as many as|as much as|
		ما يصل إلى|لما يصل إلى|بما يصل إلى|لا يزيد على|لا يزيد عن|لا تزيد على|لا تزيد عن|ما لا يزيد على|ما لا يزيد عن|
		لا يتجاوز|لا تتجاوز|لا يتعدى|لا تتعدى|على الأكثر|حتى|خلال|بحد أقصى|كحد أقصى|حد أقصى قدره|الحد الأقصى|في غضون|
		بما لا يتجاوز|بما لا يزيد على`: {bound: AtMost},
		`about|around|approximately|approx|roughly|circa|ca|some|an estimated|estimated|in the region of|
		حوالي|حوالى|نحو|قرابة|زهاء|ما يقارب|يقارب|تقارب|تقريبا|بنحو|بحوالي|لنحو|ما يقرب من|يقرب من`: {near: About},
		`nearly|almost|just under|close to|just below|slightly less than|slightly under|a little under|not quite|
		يكاد يبلغ|أقل قليلا من`: {near: Nearly},
		`just over|slightly more than|slightly over|slightly above|just above|a little over|a little more than|
		أكثر بقليل من|أكثر قليلا من`: {near: JustOver},
		`minus|negative|سالب|ناقص`: {minus: true},
		`exactly|precisely|a total of|total of|a score of|score of|بنتيجة|plus|positive|بالضبط|تحديدا|موجب|
		زائد`: {plain: true},
	})
	pointed = sayings(map[string]saying{
		`before|prior to|earlier than|ahead of|قبل`: {bound: Less},
		`after|later than|following|past|بعد`:       {bound: More},
		`by|until|till|up until|on or before|by the end of|no later than|not later than|حتى|لغاية|إلى غاية|في موعد أقصاه|
		موعد أقصاه|في موعد لا يتجاوز|قبل نهاية`: {bound: AtMost},
		`since|from|starting|starting from|starting on|effective|effective from|as of|as from|on or after|no earlier than|
		not before|beginning|beginning on|اعتبارا من|ابتداء من|بدءا من|منذ`: {bound: AtLeast},
	})
	// behind are words behind a figure.
	behind = sayings(map[string]saying{
		`at least|at a minimum|as a minimum|or more|or above|or over|or older|or later|or higher|or greater|or longer|
			and above|and over|and older|and up|and more|minimum|upwards|onwards|
		على الأقل|بحد أدنى|كحد أدنى|فأكثر|فما فوق|أو أكثر|وأكثر|وما فوق|فأعلى|فصاعدا`: {bound: AtLeast},
		`at most|at the most|as a maximum|or less|or fewer|or below|or under|or lower|or younger|or earlier|and below|
			and under|maximum|
		على الأكثر|بحد أقصى|كحد أقصى|لا غير|فأقل|أو أقل|وأقل|فما دون|وما دون`: {bound: AtMost},
		`or so|approximately|or thereabouts|تقريبا|على وجه التقريب`: {near: About},
	})
	// calendarNames are words behind a Hijri date that name its calendar.
	calendarNames = sayings(map[string]saying{
		`by the umm al qura calendar|according to the umm al qura calendar|in the umm al qura calendar|umm al qura|
			umm al qura calendar|
		بتقويم أم القرى|حسب تقويم أم القرى|وفق تقويم أم القرى|وفقا لتقويم أم القرى`: {plain: true},
	})
	zero = sayings(map[string]saying{
		`below zero|below freezing|تحت الصفر|دون الصفر`: {minus: true},
		`above zero|above freezing|فوق الصفر`:           {plain: true},
	})
)

func sayings(table map[string]saying) map[string]saying {
	out := map[string]saying{}
	for list, s := range table {
		for phrase := range strings.SplitSeq(list, "|") {
			out[text.Fold(strings.TrimSpace(phrase))] = s
		}
	}
	return out
}

// How many words a phrase before a figure has at most, and one behind it.
const (
	longest       = 5
	longestBehind = 7
)

// limits reads what stands before and behind a figure and says how it is meant: a bound, "about", a minus in words.
func (r *reader) limits(q *Quantity, from, to int) {
	r.signsBefore(q)
	for {
		s, start := r.phraseBefore(q, phrases)
		if start < 0 && (q.Kind != Amount || q.IsYear() && !r.pairedBefore(q)) {
			s, start = r.phraseBefore(q, pointed)
		}
		if start < 0 || s.bound != NoBound && q.Bound != NoBound {
			break
		}
		q.Said.Start = start
		r.say(q, s)
		if s.bound != NoBound {
			r.negated(q)
			if r.isOfMoment(start, q.Start) && r.isCountedBack(q, to) {
				q.Bound = q.Bound.mirrored()
			}
		}
		if s.bound == AtMost && r.word(q.Said.Start) == "at" { // at + most
			break
		}
	}
	if q.Bound == NoBound {
		r.boundApart(q, from)
	}
	r.leads(q, to)
	r.behind(q, to)
}

// moments are words of a bound that say when something is to happen. Where the time is counted back, the later moment
// is the shorter time: "no later than 14 days before the meeting" is at least 14 days.
var moments = set(`later earlier موعد`)

// isOfMoment reports whether a bound, from one code point to another, is of a moment.
func (r *reader) isOfMoment(start, end int) bool {
	k := r.tokenFrom(start)
	if k > 0 && soft(r.gaps[k]) && moments[r.norm(k-1)] {
		return true
	}
	for ; k < len(r.tokens) && r.tokens[k].Start < end; k++ {
		if moments[r.norm(k)] {
			return true
		}
	}
	return false
}

// isCountedBack reports whether a figure is a time that is counted back from a moment: "14 days in advance". Its own
// words end at token to.
func (r *reader) isCountedBack(q *Quantity, to int) bool {
	if q.Kind != Amount || q.Unit != "second" && q.Unit != "month" || to >= len(r.tokens) || !soft(r.gaps[to]) {
		return false
	}
	switch r.norm(to) {
	case "before", "beforehand", "prior", "ahead", "earlier", "قبل":
		return true
	case "in":
		return to+1 < len(r.tokens) && r.norm(to+1) == "advance"
	}
	return false
}

// deadlines are words before a time that is counted back which make it the last moment for something, and so the least
// time that is left: "until 24 hours before", "no later than two days before".
var deadlines = sayings(map[string]saying{
	`until|till|up until|no later than|not later than|حتى|لغاية|إلى غاية|في موعد أقصاه|موعد أقصاه`: {bound: AtLeast},
})

// leads reads a time that is counted back as the least that is left, where words say that it is the last moment.
func (r *reader) leads(q *Quantity, to int) {
	if !r.isCountedBack(q, to) || q.Bound.IsLower() && q.Bound != AtLeast {
		return
	}
	if q.Bound == NoBound {
		if s, start := r.phraseBefore(q, deadlines); start >= 0 {
			q.Bound, q.Deadline, q.Said.Start = s.bound, true, start
		}
		return
	}
	said := text.Fold(strings.TrimSpace(r.ruler.Slice(text.Span{Start: q.Said.Start, End: q.Start})))
	if deadlines[said].bound != NoBound {
		q.Bound, q.Deadline = AtLeast, true
	}
}

// pairedBefore reports whether "by" and another number are right before a figure: 1920 by 1080 is no date.
func (r *reader) pairedBefore(q *Quantity) bool {
	k := r.tokenBefore(q.Said.Start)
	return k > 0 && r.norm(k) == "by" && r.isNumber(k-1)
}

// say gives a figure what words say of it.
func (r *reader) say(q *Quantity, s saying) {
	if s.bound != NoBound {
		q.Bound = s.bound
	}
	if s.near != Exact && q.Near == Exact {
		q.Near = s.near
	}
	if s.minus && q.Kind == Amount && q.Value.Mantissa > 0 {
		q.Value, q.Number, q.Other = q.Value.Negative(), q.Number.Negative(), q.Other.Negative()
	}
}

// word is the norm of the token that begins at a code point.
func (r *reader) word(start int) string {
	if i := r.tokenFrom(start); i < len(r.tokens) && r.tokens[i].Start == start {
		return r.tokens[i].Norm
	}
	return ""
}

// tokenFrom returns the first token that begins at a code point or behind it; how many there are if none.
func (r *reader) tokenFrom(at int) int {
	i, _ := slices.BinarySearchFunc(r.tokens, at, func(t text.Token, at int) int { return t.Start - at })
	return i
}

// signsBefore reads the signs before a figure: "<", "≥", "~", "+".
func (r *reader) signsBefore(q *Quantity) {
	for range 3 {
		before := r.ruler.Slice(text.Span{Start: max(r.free, q.Said.Start-4), End: q.Said.Start})
		head := strings.TrimRight(before, " \u00a0\u202f\u200e\u200f")
		cut := ""
		for _, sign := range []string{"<=", ">=", "=<", "=>", "<", ">", "≤", "≥", "⩽", "⩾", "~", "≈", "∼", "+"} {
			if strings.HasSuffix(head, sign) {
				cut = sign
				break
			}
		}
		switch cut {
		case "":
			return
		case "<":
			q.Bound = Less
		case ">":
			q.Bound = More
		case "<=", "=<", "≤", "⩽":
			q.Bound = AtMost
		case ">=", "=>", "≥", "⩾":
			q.Bound = AtLeast
		case "+":
			if last, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(head, "+")); last != utf8.RuneError &&
				!isSpace(last) && last != '(' {
				return
			}
		default:
			q.Near = About
		}
		q.Said.Start -= utf8.RuneCountInString(before) - utf8.RuneCountInString(strings.TrimSuffix(head, cut))
	}
}

// tokenBefore returns the last token that ends before a code point, -1 if none that no figure has.
func (r *reader) tokenBefore(at int) int {
	i := r.tokenFrom(at) - 1
	if i >= 0 && r.tokens[i].End > at {
		i--
	}
	if i >= 0 && r.tokens[i].Start < r.free {
		return -1
	}
	return i
}

// soft reports whether what is said goes on over a gap.
func soft(gap string) bool {
	return !strings.ContainsAny(gap, ";:؛!?؟|/") && !strings.Contains(gap, "\n\n") && !strings.Contains(gap, ". ")
}

// phraseBefore returns the longest phrase of a table that ends before a figure, and where it begins; -1 for none.
func (r *reader) phraseBefore(q *Quantity, table map[string]saying) (found saying, start int) {
	start = -1
	last := r.tokenBefore(q.Said.Start)
	if last < 0 || !soft(r.ruler.Slice(text.Span{Start: r.tokens[last].End, End: q.Said.Start})) ||
		strings.ContainsAny(r.ruler.Slice(text.Span{Start: r.tokens[last].End, End: q.Said.Start}), ",،)") {
		return found, start
	}
	words := ""
	for n, k := 0, last; n < longest && k >= 0 && r.tokens[k].Start >= r.free; n, k = n+1, k-1 {
		words = strings.TrimSpace(r.tokens[k].Norm + " " + words)
		for _, w := range []string{words, strings.TrimPrefix(words, "و"), strings.TrimPrefix(words, "ب")} {
			if s, ok := table[w]; ok {
				found, start = s, r.tokens[k].Start
			}
		}
		if !soft(r.gaps[k]) || strings.ContainsAny(r.gaps[k], ",،()") {
			break
		}
	}
	return found, start
}

var negators = set(`not no never cannot don't doesn't didn't won't mustn't shouldn't can't
	لا لم لن ألا وألا ولا ولم ولن فلا فلم فلن`)

// allowing are verbs that a negator before them forbids: "لا يجوز".
var allowing = set("يجوز تجوز يسمح ينبغي يمكن يحق")

// negated turns round a bound with a negation before it, one word between at most, and a verb that allows: "must not
// exceed", "not fall below", "ألا يزيد على", "لا يجوز تخزين أكثر من".
func (r *reader) negated(q *Quantity) {
	k := r.tokenBefore(q.Said.Start)
	if first := r.word(q.Said.Start); negators[first] {
		return
	}
	for n := 0; n < 2 && k >= 0; n, k = n+1, k-1 {
		if !soft(r.gaps[k+1]) {
			return
		}
		if allowing[r.norm(k)] && k > 0 && negators[r.norm(k-1)] {
			k--
		}
		if negators[r.norm(k)] {
			q.Bound, q.Said.Start = q.Bound.Turned(), r.tokens[k].Start
			return
		}
	}
}

// apartVerbs are Arabic verbs that bound a number over the words between, by the preposition before it; "" for none.
var apartVerbs = func() map[string]map[string]Bound {
	out := map[string]map[string]Bound{}
	for prep, verbs := range map[string]map[Bound]string{
		"على": {More: `يزيد تزيد يزد تزد زاد زادت`},
		"عن":  {More: `يزيد تزيد يزد تزد زاد زادت`, Less: `يقل تقل قل قلت`},
		"إلى": {NoBound: `يصل تصل وصل وصلت`},
		"بين": {NoBound: `يتراوح تتراوح تراوح تراوحت`},
		"من":  {NoBound: `يتراوح تتراوح تراوح تراوحت`},
		"":    {More: `يتجاوز تتجاوز تجاوز تجاوزت يتعدى تتعدى يتعد تتعد تعدى تعدت`},
	} {
		by := map[string]Bound{}
		for bound, words := range verbs {
			for w := range set(words) {
				by[w] = bound
			}
		}
		out[text.Fold(prep)] = by
	}
	return out
}()

var upTo = text.Fold("إلى")

// apart is how many words may be between an Arabic verb and the number that it bounds: "يزيد مبلغ التمويل على 5,000".
const apart = 6

// boundApart reads the bound of an Arabic verb whose subject stands between it and the figure.
func (r *reader) boundApart(q *Quantity, from int) {
	if from < 2 || !isArabic(r.norm(from-1)) {
		return
	}
	verbs, prep := apartVerbs[r.norm(from-1)]
	if !prep && r.tokens[from-1].Stop {
		return
	} else if !prep {
		verbs = apartVerbs[""]
	}
	for k := from - 2; k >= 0 && k >= from-apart && r.tokens[k].Start >= r.free && soft(r.gaps[k+1]); k-- {
		bound, found := verbs[r.norm(k)]
		if !found {
			continue
		}
		q.Bound, q.Apart = bound, r.tokens[k].Span
		if prep && bound != NoBound || r.norm(from-1) == upTo {
			q.Said.Start = min(q.Said.Start, r.tokens[from-1].Start)
		}
		if k > 0 && negators[r.norm(k-1)] {
			q.Bound, q.Apart.Start = bound.Turned(), r.tokens[k-1].Start
		}
		return
	}
}

// behindReach is how many words behind a figure its bound may end: "five quotations for each order at most".
const behindReach = 6

// behind reads what stands behind a figure: "or more", "+", "below zero", "تقريباً".
func (r *reader) behind(q *Quantity, to int) {
	next := r.ruler.Slice(text.Span{Start: q.End, End: min(q.End+1, r.ruler.Len())})
	if next == "+" && q.Bound == NoBound {
		q.Bound, q.Behind = AtLeast, text.Span{Start: q.End, End: q.End + 1}
	}
	for k := to; k < len(r.tokens) && k < to+behindReach; k++ {
		if !soft(r.gaps[k]) || r.isNumber(k) || k > to && strings.ContainsAny(r.gaps[k], ",،") {
			return
		}
		words, phrase, found, end := "", "", saying{}, -1
		for n := k; n < len(r.tokens) && n < k+longestBehind && (n == k || soft(r.gaps[n])); n++ {
			words = strings.TrimSpace(words + " " + r.norm(n))
			if s, ok := behind[words]; ok {
				found, phrase, end = s, words, n
			}
			if s, ok := calendarNames[words]; ok && q.Kind == Day && q.Date.Islamic {
				found, end = s, n
			}
			if s, ok := zero[words]; ok && q.Kind == Amount && (q.Unit == "" || strings.HasPrefix(q.Unit, "°")) {
				found, end = s, n
			}
		}
		if end < 0 {
			continue
		}
		if found.bound != NoBound && (q.Bound != NoBound || k > to && (phrase == "minimum" || phrase == "maximum") ||
			r.isOfNext(k, to, end+1)) {
			return
		}
		r.say(q, found)
		q.Behind = text.Span{Start: r.tokens[k].Start, End: r.tokens[end].End}
		return
	}
}

// isOfNext reports whether a bound behind a figure, from token k to end, is that of the next one: "and" is before it, or
// a number right behind: "AED 40 and at most AED 50". The figure's own words end at token to.
func (r *reader) isOfNext(k, to, end int) bool {
	if k > to && adding[r.norm(k-1)] {
		return true
	}
	if !r.near(end) || phrases[r.phraseOf(k, end)].bound == NoBound {
		return false
	}
	return r.isNumber(end) || codes[r.norm(end)] && r.isNumber(end+1) || IsNumberWord(r.norm(end))
}

// adding are words behind which another thing is said than of the figure before.
var adding = set("and but plus و")

// phraseOf is the tokens [from, to) as phrases have them.
func (r *reader) phraseOf(from, to int) string {
	words := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		words = append(words, r.norm(i))
	}
	return strings.Join(words, " ")
}
