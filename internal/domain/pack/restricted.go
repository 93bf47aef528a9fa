package pack

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// S3 texts are not stored (rule P-10). Their words may stand in what is stored beside them all the same: an agent repeats
// them in its memo or among the side effects of a call. Where quotedWords words of an S3 text in a row, or all of an
// excerpt that is shorter, stand in such a text, it is refused by its place.

const (
	// minRestricted is how many letters and digits an S3 excerpt has at least to be looked for: "no" stands everywhere.
	minRestricted = 4
	// maxRuns bounds the runs of words of one S3 text that are looked for: all of an excerpt, the beginning of large data.
	maxRuns = 4_000
	// maxAllRuns bounds those of all S3 texts of a decision.
	maxAllRuns = 100_000
	// maxLookedUp bounds the words of a draft that are compared with prints. The memo comes first.
	maxLookedUp = 500_000
)

// runs are runs of words of S3 texts: by their length in words, the place of the text by the run or by its print.
type runs map[int]map[string]string

// add adds a run, unless there are too many.
func (r runs) add(n int, run, place string) {
	if r[n] == nil {
		r[n] = map[string]string{}
	}
	if _, known := r[n][run]; !known {
		r[n][run] = place
	}
}

// find returns the place of the S3 text of which a run stands in s; key turns a run into what runs has.
func (r runs) find(s string, key func(string) string) (place string, found bool) {
	plain := plainWords(s)
	for _, n := range slices.Sorted(maps.Keys(r)) {
		for run := range wordRuns(plain, n) {
			if place, found = r[n][key(run)]; found {
				return place, true
			}
		}
	}
	return "", false
}

// wordRuns yields each run of n words of a text that plainWords made.
func wordRuns(plain string, n int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var starts []int // of the last n words
		for i, end := 1, 0; i < len(plain); i = end + 1 {
			if end = strings.IndexByte(plain[i:], ' '); end <= 0 {
				return
			}
			end += i
			if starts = append(starts, i); len(starts) > n {
				starts = starts[1:]
			}
			if len(starts) == n && !yield(plain[starts[0]:end]) {
				return
			}
		}
	}
}

// openText is a text that is stored in clear, with its place.
type openText struct{ place, text string }

// restrictedRuns returns the runs of the S3 texts of a decision that are not sealed yet. evidence is what its places call
// the list of its sources.
func (d *Decision) restrictedRuns(evidence string) runs {
	out, all := runs{}, 0
	for i := range d.Evidence {
		if s := &d.Evidence[i]; s.S3() {
			all += out.take(fmt.Sprintf("%s[%d].excerpt", evidence, i), s.Excerpt, true, maxAllRuns-all)
		}
	}
	for i := range d.ToolCalls {
		t := &d.ToolCalls[i]
		if !t.S3() {
			continue
		}
		for _, x := range []struct {
			name string
			raw  json.RawMessage
		}{{"inputs", t.Inputs}, {"outputs", t.Outputs}} {
			if len(x.raw) > 0 && !isSealed(x.raw) {
				all += out.take(fmt.Sprintf("tool_calls[%d].%s", i, x.name), valuesOf(x.raw), false, maxAllRuns-all)
			}
		}
	}
	return out
}

// take adds the runs of one S3 text, at most so many, and returns how many. A whole text that is shorter than a run is
// taken too if short says so: a short value among data is an id or a name that the decision has to say.
func (r runs) take(place, s string, short bool, most int) (taken int) {
	plain := plainWords(s)
	n := min(quotedWords, strings.Count(plain, " ")-1)
	if n < 1 || n < quotedWords && (!short || text.Len(strings.ReplaceAll(plain, " ", "")) < minRestricted) {
		return 0
	}
	for run := range wordRuns(plain, n) {
		if taken == min(most, maxRuns) {
			break
		}
		r.add(n, run, place)
		taken++
	}
	return taken
}

// openTexts returns the texts of a decision that are stored in clear, the memo first.
func (d *Decision) openTexts(evidence string) (out []openText) {
	add := func(place, s string) {
		if s != "" {
			out = append(out, openText{place, s})
		}
	}
	if d.Memo != nil {
		for _, f := range d.Memo.Fields() {
			add("memo."+f.Name, f.Text)
		}
	}
	add("title", d.Title)
	add("statement", d.Statement)
	add("statement_ar", d.StatementAR)
	add("statement_en", d.StatementEN)
	for i := range d.ToolCalls {
		t, place := &d.ToolCalls[i], fmt.Sprintf("tool_calls[%d].", i)
		add(place+"intended_action", t.IntendedAction)
		add(place+"actual_action", t.ActualAction)
		add(place+"error", t.Error)
		for j, s := range t.SideEffects {
			add(fmt.Sprintf("%sside_effects[%d]", place, j), s)
		}
		if !t.S3() {
			add(place+"inputs", valuesOf(t.Inputs))
			add(place+"outputs", valuesOf(t.Outputs))
		}
	}
	for i := range d.Evidence {
		s, place := &d.Evidence[i], fmt.Sprintf("%s[%d].", evidence, i)
		add(place+"source", s.Source)
		if !s.S3() {
			add(place+"excerpt", s.Excerpt)
		}
	}
	if d.Replay != nil {
		for i := range d.Replay.LeftOut {
			add(fmt.Sprintf("replay.left_out[%d].reason", i), d.Replay.LeftOut[i].Reason)
		}
	}
	return out
}

// repeated returns a fault for each text of a decision that repeats one of its own S3 texts, which must not be sealed
// yet.
func (d *Decision) repeated(evidence string) (out []*domain.Error) {
	r := d.restrictedRuns(evidence)
	if len(r) == 0 {
		return nil
	}
	same := func(run string) string { return run }
	for _, x := range d.openTexts(evidence) {
		if place, found := r.find(x.text, same); found {
			out = append(out, repeats(x.place, place))
		}
	}
	return out
}

func repeats(where, place string) *domain.Error {
	return domain.Refuse(domain.Invalid, where, "fault_restricted_repeated", "Place", place)
}

// asDecision is the draft as a decision, for what is asked of both.
func (c *Content) asDecision() *Decision {
	return &Decision{Header: c.Header, Evidence: c.Sources, ToolCalls: c.ToolCalls, Memo: &c.Memo, Replay: c.Replay}
}

// CheckRestricted refuses a draft that repeats S3 texts which were just written into it, or those of its decision, of
// which prints are kept; secret is the tenant's.
func (c *Content) CheckRestricted(prints Prints, secret []byte) error {
	d := c.asDecision()
	if own := d.repeated("sources"); len(own) > 0 {
		return own[0]
	}
	return prints.check(c.DecisionID, d.openTexts("sources"), secret)
}

// CheckCall refuses a tool call that repeats S3 texts: its own, or those of its decision. It must not be sealed yet.
func (p Prints) CheckCall(decisionID string, t *ToolCallRecord, secret []byte) error {
	d := &Decision{ToolCalls: []ToolCallRecord{*t}}
	own := d.repeated("evidence")
	if len(own) > 0 {
		own[0].Path = strings.TrimPrefix(own[0].Path, "tool_calls[0].")
		return own[0]
	}
	open := d.openTexts("evidence")
	for i := range open {
		open[i].place = strings.TrimPrefix(open[i].place, "tool_calls[0].")
	}
	return p.check(decisionID, open, secret)
}

// Prints are keyed digests of runs of words of S3 texts, so that the words are found again in what is written later.
// Without the tenant's secret they verify no guess. Stored beside a decision, in no pack and no export.
type Prints []Print

// Print are the runs of one length of one text.
type Print struct {
	Place string `json:"place"` // "evidence[0].excerpt"
	Words int    `json:"words"` // of a run
	Runs  []byte `json:"runs"`  // printSize bytes each, sorted
}

const printSize = 8

// PrintsOf returns the prints of the S3 texts of a decision, which must not be sealed yet; nil if it has none.
func PrintsOf(d *Decision, secret []byte) (out Prints) {
	key := printer(d.DecisionID, secret)
	byPlace := map[string]map[int][]string{}
	for n, of := range d.restrictedRuns("evidence") {
		for run, place := range of {
			if byPlace[place] == nil {
				byPlace[place] = map[int][]string{}
			}
			byPlace[place][n] = append(byPlace[place][n], key(run))
		}
	}
	for _, place := range slices.Sorted(maps.Keys(byPlace)) {
		for n, list := range byPlace[place] { // one length for each text
			slices.Sort(list)
			out = append(out, Print{Place: place, Words: n, Runs: []byte(strings.Join(list, ""))})
		}
	}
	return out
}

// PrintsOfCall returns the prints of a tool call that arrives apart from its decision; its id is its place.
func PrintsOfCall(decisionID string, t *ToolCallRecord, secret []byte) Prints {
	out := PrintsOf(&Decision{Header: Header{DecisionID: decisionID}, ToolCalls: []ToolCallRecord{*t}}, secret)
	for i := range out {
		out[i].Place = strings.Replace(out[i].Place, "tool_calls[0]", "tool_calls["+t.ID+"]", 1)
	}
	return out
}

// printer returns the function that makes the print of a run of words.
func printer(decisionID string, secret []byte) func(string) string {
	mac := hmac.New(sha256.New, []byte(Salt(secret, "s3 words", decisionID)))
	return func(run string) string {
		mac.Reset()
		mac.Write([]byte(run))
		return string(mac.Sum(nil)[:printSize])
	}
}

// check refuses texts in which a run of words has one of the prints.
func (p Prints) check(decisionID string, open []openText, secret []byte) error {
	r := runs{}
	for _, x := range p {
		for run := range slices.Chunk(x.Runs, printSize) {
			r.add(x.Words, string(run), x.Place)
		}
	}
	if len(r) == 0 {
		return nil
	}
	key, words := printer(decisionID, secret), 0
	for _, x := range open {
		if words += strings.Count(plainWords(x.text), " "); words > maxLookedUp {
			return nil
		}
		if place, found := r.find(x.text, key); found {
			return repeats(x.place, place)
		}
	}
	return nil
}

// valuesOf returns the texts and numbers of JSON, a line each.
func valuesOf(raw json.RawMessage) string {
	var out strings.Builder
	for d := json.NewDecoder(bytes.NewReader(raw)); ; {
		token, err := d.Token()
		if err != nil {
			return out.String()
		}
		switch v := token.(type) {
		case string:
			out.WriteString(v + "\n")
		case float64:
			fmt.Fprintln(&out, v)
		}
	}
}
