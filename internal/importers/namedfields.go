package importers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sanad/internal/words"
)

// Evaluation and labelling tools let their users name the fields of a row. The question, the answer and the documents
// are known by the names that people use.

// The names of such fields, in lower case, the most telling first.
var (
	questionFields = []string{"question", "query", "user_input", "user_query", "input", "prompt", "message", "q", "text"}
	answerFields   = []string{"answer", "response", "output", "actual_output", "completion", "generated_answer",
		"prediction",
		"model_output", "llm_response", "answer1", "answer_1", "answer_a", "response1", "response_1", "response_a", "output1",
		"output_1", "output_a", "a"}
	documentFields = []string{"retrieved_contexts", "retrieval_context", "contexts", "context", "documents",
		"docs", "document",
		"passages", "passage", "sources", "source", "chunks", "similar_docs", "search_results", "evidence", "article",
		"reference_text"}
	dialogueFields = []string{"messages", "dialogue", "dialog", "conversation", "chat", "turns"}
)

// field returns the field that has the first of the names, whatever its case.
func (a attributes) field(names []string) (key string, raw json.RawMessage) {
	lower := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if k := strings.ToLower(strings.ReplaceAll(key, " ", "_")); lower[k] == "" && begins(a[key]) != 0 {
			lower[k] = key
		}
	}
	for _, name := range names {
		if key := lower[name]; key != "" {
			return key, a[key]
		}
	}
	return "", nil
}

// namedFields takes the question, the documents and, if the draft has none yet, the answer of a row.
func (d *draft) namedFields(path string, a attributes) {
	if key, raw := a.field(dialogueFields); raw != nil && begins(unpacked(raw)) == '[' {
		c := conversation{d: d}
		c.messages(joined(path, key), unpacked(raw))
		d.head.Query = cmp.Or(d.head.Query, c.asked)
		if d.length == 0 {
			d.answerAt = joined(path, key)
			d.say(c.answer, "")
		}
	}
	if key, raw := a.field(questionFields); raw != nil && d.head.Query == "" {
		if d.head.Query = asked(raw); d.head.Query != "" {
			a = without(a, key)
		}
	}
	if key, raw := a.field(answerFields); raw != nil && d.length == 0 {
		d.answerAt = joined(path, key)
		d.say(answered(raw), "")
		if other := a.second(key); other != "" {
			d.skip(joined(path, other), words.Msg("warning_first_choice"))
		}
	}
	for _, name := range documentFields {
		if key, raw := a.field([]string{name}); raw != nil {
			d.found(joined(path, key), unpacked(raw))
		}
	}
}

// second returns the field that has the second of several answers, whose first has the given one; "" if none.
func (a attributes) second(key string) string {
	for _, of := range [][2]string{{"1", "2"}, {"a", "b"}, {"A", "B"}} {
		if stem, is := strings.CutSuffix(key, of[0]); is && stem != "" && begins(a[stem+of[1]]) != 0 {
			return stem + of[1]
		}
	}
	return ""
}

// without returns attributes but one.
func without(a attributes, key string) attributes {
	out := maps.Clone(a)
	delete(out, key)
	return out
}

// eachIn is each for files in which the rows may stand in lists within an object, under one of the paths.
func eachIn(read func(row) (*draft, error), lists ...string) reader {
	return func(rows rowSource, give func(*draft) error) error {
		return rows.each(func(r row) error {
			if inner := r.lists(lists); inner != nil {
				return each(read)(inner, give)
			}
			return each(read)(sliceRows{r}, give)
		})
	}
}

// innerRows are the items of lists within a row. Each is made when its turn comes: a list of a million items holds
// nothing but their text.
type innerRows struct {
	row  row
	path string
	list []json.RawMessage
	next rowSource // those of the next list, nil if none
}

func (l *innerRows) each(do func(row) error) error {
	for i, raw := range l.list {
		err := do(row{src: string(raw), path: at(l.path, i, ""), line: l.row.line})
		if err != nil {
			return err
		}
	}
	if l.next == nil {
		return nil
	}
	return l.next.each(do)
}

// lists returns the items of the lists that stand under the paths, nil if there is no such list.
func (r row) lists(paths []string) (out rowSource) {
	var m attributes
	if r.into(&m) != nil {
		return nil
	}
	for _, path := range slices.Backward(paths) {
		of, steps := m, strings.Split(path, ".")
		last := len(steps) - 1
		for _, step := range steps[:last] {
			of = objectOf(of[step])
		}
		if raw := of[steps[last]]; begins(raw) == '[' {
			out = &innerRows{row: r, path: joined(r.path, path), list: listOf(raw), next: out}
		}
	}
	return out
}

// failed says of a row without an answer why there is none: the tool that was to give it failed.
func (d *draft) failed(path string, raw json.RawMessage) {
	if begins(raw) == '"' && d.length == 0 {
		d.unread = words.Msg("refused_row_failed", "Why", words.Quoted(clipped(plainJSONText(raw), 100)))
		d.answerAt = path
	}
}
