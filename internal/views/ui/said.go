package ui

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"sanad/internal/views/say"
	"sanad/internal/words"
)

// saidIDs name the messages said_… whose English text is stored or returned word for word by the rooms below: notes
// and refusals of the judge, and its warnings.
var saidIDs = strings.Fields(`
judge_cell judge_comparison judge_bound judge_number judge_negation
judge_plan judge_must judge_all judge_condition judge_nothing
judge_mention judge_failed judge_words judge_long judge_claim_lang
judge_source_lang judge_langs
model_nothing model_long model_several model_declined model_verdict model_form
model_unknown model_other model_ids model_speaks model_scores model_tokens model_cancelled
model_forbidden model_certificate model_tls model_timeout model_name model_cut model_away
model_redirects model_key model_path model_busy model_server model_request model_too_long
model_malformed model_inside model_range model_labels
model_budget model_left_run model_left_day model_left_disabled
warn_given_similarity warn_given_chunk warn_given_neither warn_given_elsewhere warn_given_unsought
warn_given_chunk_only job_own_claims
`)

// sayings are the English texts of saidIDs: whole sentences by their words, the others as patterns with
// a group for each placeholder. They are made when they are first asked for: a command or a child process that shows
// nothing reads no messages.
var sayings = sync.OnceValue(func() (out struct {
	whole map[string]string // id by sentence
	parts []saying
}) {
	out.whole = map[string]string{}
	for _, id := range saidIDs {
		english := words.In("en").Text("said_" + id)
		if slot.MatchString(regexp.QuoteMeta(english)) {
			out.parts = append(out.parts, sayingOf(id))
		} else {
			out.whole[english] = id
		}
	}
	return out
})

// saying is the pattern of a sentence, with its words before the first placeholder, behind the last one, and its
// longest words beside any. They are compared first: a pattern reads a long text many times slower.
type saying struct {
	id               string
	pattern          *regexp.Regexp
	begin, end, most string
}

// sayingOf returns the pattern of a message's English text.
func sayingOf(id string) saying {
	english := words.In("en").Text("said_" + id)
	between := plainSlot.Split(english, -1)
	s := saying{id: id, begin: between[0], end: between[len(between)-1]}
	for _, literal := range between {
		if len(literal) > len(s.most) {
			s.most = literal
		}
	}
	// any words: a file's name may have a line break
	text := slot.ReplaceAllString(regexp.QuoteMeta(english), "(?P<$1>.+)")
	s.pattern = regexp.MustCompile(`(?s)^` + text + `$`)
	return s
}

// maybe reports whether a text has the literal words of the pattern.
func (s *saying) maybe(english string) bool {
	return strings.HasPrefix(english, s.begin) && strings.HasSuffix(english, s.end) && strings.Contains(english, s.most)
}

// match returns the text and the values of its placeholders, nil if the pattern is not of this text.
func (s *saying) match(english string) []string {
	if !s.maybe(english) {
		return nil
	}
	return s.pattern.FindStringSubmatch(english)
}

// slot is a placeholder in a quoted pattern, plainSlot one in a message.
var (
	slot      = regexp.MustCompile(`\\\{\\\{\\\.(\w+)\\\}\\\}`)
	plainSlot = regexp.MustCompile(`\{\{\.\w+\}\}`)
)

// Said returns a message in the reader's language. Words as they were written may be a sentence that was stored in
// English.
func (c *Chrome) Said(m words.Message) string {
	if m.ID == "as_written" {
		return c.SaidText(m.String())
	}
	return c.Reader.Said(m)
}

// SaidText returns a sentence that the program stored in English in the reader's language. A sentence that it does not know
// is returned as it is.
func (c *Chrome) SaidText(english string) string {
	if c.Lang == "en" {
		return english
	}
	if id, ok := sayings().whole[english]; ok {
		return c.T("said_" + id)
	}
	if s := c.modelSays(english); s != "" {
		return s
	}
	for _, p := range sayings().parts {
		if m := p.match(english); m != nil {
			return c.T("said_"+p.id, c.insertedInto(p.pattern.SubexpNames()[1:], m[1:])...)
		}
	}
	return english
}

// insertedInto returns the values of a sentence's placeholders.
func (c *Chrome) insertedInto(names, values []string) (args []any) {
	for i, name := range names {
		value := c.inserted(values[i])
		if slices.Contains(quotedSlots, name) {
			value = say.Isolated(values[i])
		}
		args = append(args, name, value)
	}
	return args
}

// quotedSlots are the placeholders for names and words that somebody else wrote: they keep their digits.
var quotedSlots = strings.Fields("Field Kind Name Role Spans Store Words")

// figures matches a value of nothing but numbers: 12, 1,234 or 1, 2, 7, ….
var figures = regexp.MustCompile(`^-?[0-9][0-9,.%]*(, ([0-9]+|…))*$`)

// inserted returns a value of a stored sentence as it stands in a sentence in the reader's language: numbers in a row
// are read in the sentence's direction.
func (c *Chrome) inserted(value string) string {
	if !figures.MatchString(value) {
		return say.Isolated(value)
	}
	numbers := strings.Split(value, ", ")
	for i, n := range numbers {
		numbers[i] = say.Isolated(c.InDigits(n))
	}
	return strings.Join(numbers, c.T("list_comma"))
}

// modelNote is a note on a match by a model: its word, what it says is different, and who disagrees (rule J-9).
var modelNote = regexp.MustCompile(`^Model says: (supported|weak|contradicted|not_found)(?: \((.+)\))?(?:; ([^;()]+))?\.$`)

// modelSays returns a note about a model's answer in the reader's language, "" if english is no such note. The model's own
// words are not translated.
func (c *Chrome) modelSays(english string) string {
	m := modelNote.FindStringSubmatch(english)
	if m == nil {
		return ""
	}
	out := c.T("said_note", "Verdict", c.T("verdict_"+m[1]))
	if m[2] != "" {
		out += " (" + say.Isolated(m[2]) + ")"
	}
	if m[3] != "" {
		out += c.T("list_semicolon") + c.otherJudge(m[3])
	}
	return out + "."
}

// otherJudge returns what a note says beside the model's word.
func (c *Chrome) otherJudge(english string) string {
	for _, id := range []string{"said_note_nothing", "said_note_against", "said_note_for", "said_note_beside"} {
		if words.In("en").Text(id) == english {
			return c.T(id)
		}
	}
	return english
}
