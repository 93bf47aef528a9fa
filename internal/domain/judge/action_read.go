package judge

import (
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// termKind is what a term of an action is.
type termKind int

const (
	plainTerm termKind = iota
	nameTerm           // a word with a capital inside the sentence
	numberTerm
	codeTerm // an id, a path, an address: letters and digits, or joined by marks
)

// actionTerm is a word, number or code that an action speaks of.
type actionTerm struct {
	kind     termKind
	text     string // as written
	norm     string
	key      string // what is compared: a stem, a value with its unit, a code
	role     string // the preposition before it
	negated  bool
	joined   bool // "and", "then" or a comma is before it
	position int
	peer     int // its counterpart, -1 for none
}

// figure reports whether a term is a number or a code: what has no synonyms.
func (t *actionTerm) figure() bool { return t.kind == numberTerm || t.kind == codeTerm }

// action is an action as it is compared.
type action struct {
	terms   []actionTerm
	script  string
	negator string
	planned string // the word by which it is said of the future, or as possible
	none    string // the word by which nothing was done
	passive bool
}

var (
	// actionAux are words that carry tense and voice, or only say that what follows was done
	actionAux = wordSet(`be been being was were is are has have had having did does do done am
		تم تمت يتم تتم جرى جرت يجري قام قامت يقوم تقوم قد لقد كان كانت
		please successfully correctly properly duly completely fully بنجاح كاملا بالكامل
		agent system tool assistant الوكيل النظام الأداة`)
	actionPlans = wordSet(`will shall would should must may might could going planned plans planning intends possibly
		perhaps maybe
		سوف سيتم ستتم يجب ينبغي يمكن ربما`)
	actionNone = wordSet(`none nothing n/a nil لا لاشيء شيء`)
	// actionUndone are words of the actual action that say that it was not done, or not all of it
	actionUndone = wordSet(`fail failed fails failure failing error errored timeout timed aborted abort cancelled
		canceled skipped skip rejected denied refused blocked partially partial partly incomplete pending queued
		scheduled attempted tried attempt trying unsuccessful unsuccessfully instead almost nearly unable
		فشل فشلت تعذر تعذرت ألغي ألغيت رفض رفضت جزئيا جزئي محاولة حاول حاولت معلق قيد الانتظار مجدول خطأ توقف توقفت تخطي
		بدلا`)
	actionJoins   = wordSet(`and then plus also & ثم أيضا كذلك`)
	actionPassive = wordSet(`was were been being تم تمت جرى جرت`)
	actionMore    = wordSet(`all every each whole entire كل جميع كافة`)
	actionLess    = wordSet(`some few several part most half بعض معظم نصف جزء`)
	// actionRoles are roles by preposition: two of one role say the same
	actionRoles = map[string]string{"from": "from", "من": "from", "to": "to", "into": "to", "onto": "to", "الي": "to",
		"الى": "to", "by": "by", "for": "for", "with": "with", "against": "with", "on": "on", "علي": "on", "على": "on",
		"in": "in", "في": "in", "عن": "about", "about": "about", "مع": "with", "before": "before", "after": "after",
		"قبل": "before", "بعد": "after", "بواسطه": "by"}
	actionGroups = onFirstUse("actions.txt", readGroups)
)

// readAction returns an action's terms.
func readAction(s string) *action {
	tokens := text.Tokens(s)
	quantities := quantity.ReadTokens(s, tokens)
	gaps := gapMarks(s, len(tokens), func(i int) text.Span { return tokens[i].Span })
	m := analyse(tokens, gaps)
	a := &action{script: text.Script(s)}
	codes := codeSpans(s)
	role, joined := "", false
	for i := 0; i < len(tokens); i++ {
		t := &tokens[i]
		joined = joined || i > 0 && gaps[i] == gapComma
		term := actionTerm{text: t.Text, norm: t.Norm, position: len(a.terms), peer: -1,
			negated: m.negative(m.segment[i])}
		if code, ok := spanAt(codes, t.Start); ok {
			term.kind, term.text = codeTerm, text.Slice(s, code)
			term.key = text.Fold(term.text)
			for i+1 < len(tokens) && tokens[i+1].Start < code.End {
				i++
			}
		} else if q, ok := quantityAt(quantities, t.Start); ok {
			span := q.Span
			term.kind, term.text = numberTerm, q.Raw
			term.key = quantity.Write(q)
			if strings.HasPrefix(t.Norm, "0") && len(t.Norm) > 1 {
				term.key = t.Norm + " "
			}
			for i+1 < len(tokens) && tokens[i+1].Start < span.End {
				i++
			}
		} else if t.Kind == text.Number {
			term.kind, term.key = numberTerm, t.Norm+" "
		} else if a.function(t, m.ops[i], i, &role, &joined) {
			continue
		} else {
			a.word(&term, t, i, &role, &joined)
		}
		term.role, term.joined = role, joined
		joined = false
		a.terms = append(a.terms, term)
	}
	return a
}

// function handles a function word, and reports whether the token is one.
func (a *action) function(t *text.Token, op operator, i int, role *string, joined *bool) bool {
	norm := t.Norm
	a.passive = a.passive || actionPassive[norm]
	switch {
	case actionNone[norm] && (i == 0 || norm == "شيء" || norm == "لاشيء"):
		a.none = t.Text
	case actionPlans[norm]:
		a.planned = t.Text
	case op == opNot && (negators[norm] || strings.HasSuffix(norm, "n't")):
		a.negator = t.Text
	case actionJoins[norm] || norm == "و":
		*joined = true
	case actionRoles[norm] != "":
		if norm != "to" || i > 0 { // "to retrieve" is not a direction
			*role = actionRoles[norm]
		}
	case actionAux[norm] || t.Stop:
	default:
		return false
	}
	return true
}

// word fills in a word that is compared. An Arabic word may carry its conjunction and its preposition.
func (a *action) word(term *actionTerm, t *text.Token, i int, role *string, joined *bool) {
	term.key = t.Stem
	if i > 0 && text.IsCapitalised(t.Text) && len(actionGroups().of[t.Stem]) == 0 {
		term.kind = nameTerm
	}
	if !isArabic(t.Norm) {
		return
	}
	if rest, ok := strings.CutPrefix(t.Norm, "و"); ok && len([]rune(rest)) > 2 && len(actionGroups().of[text.Stem(rest)]) > 0 {
		*joined, term.norm, term.key = true, rest, text.Stem(rest)
	}
	switch {
	case strings.HasPrefix(t.Norm, "لل"):
		*role = "to"
	case strings.HasPrefix(t.Norm, "بال"):
		*role = "by"
	}
}

// quantityAt returns the quantity that covers a code point.
func quantityAt(all []quantity.Quantity, at int) (quantity.Quantity, bool) {
	i := slices.IndexFunc(all, func(q quantity.Quantity) bool { return at >= q.Start && at < q.End })
	if i < 0 {
		return quantity.Quantity{}, false
	}
	return all[i], true
}

// codeSpans finds ids, paths and addresses: fields with letters and digits, or digits joined by marks. "read-only",
// "1,200.50" and "90-day" are none.
func codeSpans(s string) (out []text.Span) {
	start, at := -1, 0
	runes := []rune(s)
	for at = 0; at <= len(runes); at++ {
		if at < len(runes) && !unicode.IsSpace(runes[at]) {
			if start < 0 {
				start = at
			}
			continue
		}
		if start >= 0 {
			from, to := start, at
			for from < to && !alphanumeric(runes[from]) {
				from++
			}
			for to > from && !alphanumeric(runes[to-1]) {
				to--
			}
			if isCode(runes[from:to]) {
				out = append(out, text.Span{Start: from, End: to})
			}
		}
		start = -1
	}
	return out
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isCode(field []rune) bool {
	digits, letters, marks, hard := 0, 0, 0, false
	for i, r := range field {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
			hard = hard || unicode.IsUpper(r) && i > 0
		case strings.ContainsRune("-_/@:#\\", r):
			marks++
			hard = hard || r != '-' && r != '/'
		case r == '.':
			hard = hard || letters > 0
			marks++
		case r != ',' && r != '٬' && r != '٫':
			return false // a currency, a percent sign, a quotation mark
		}
	}
	switch {
	case digits > 0 && letters == 0:
		return marks > 0 && !plainDecimal(field)
	case digits > 0:
		return hard || unicode.IsLetter(field[0])
	}
	return marks > 0 && hard && letters > 0
}

// plainDecimal reports whether digits are only joined as those of one number.
func plainDecimal(field []rune) bool {
	points := 0
	for _, r := range field {
		if r == '.' {
			points++
		} else if !unicode.IsDigit(r) && !strings.ContainsRune(",٬٫", r) {
			return false
		}
	}
	return points <= 1
}

// spanAt returns the span that begins at or covers a code point.
func spanAt(spans []text.Span, at int) (text.Span, bool) {
	for _, sp := range spans {
		if at >= sp.Start && at < sp.End {
			return sp, true
		}
	}
	return text.Span{}, false
}
