package importers

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// DeepEval test cases (rule F-7), in camelCase and snake_case. If the file has the claims of a faithfulness run, these
// become the claims, with its verdicts. Calls that were made and calls that were expected are kept.

type deepevalRow struct {
	Name     string            `json:"name"`
	Input    string            `json:"input"`
	Actual   string            `json:"actualOutput"`
	ActualSn string            `json:"actual_output"`
	Found    []json.RawMessage `json:"retrievalContext"` // texts, or {context, source}
	FoundSn  []json.RawMessage `json:"retrieval_context"`
	Context  []json.RawMessage `json:"context"`
	Claims   []string          `json:"claims"`
	Verdicts []deepevalVerdict `json:"verdicts"`
	Called   []deepevalTool    `json:"toolsCalled"`
	CalledSn []deepevalTool    `json:"tools_called"`
	Wanted   []deepevalTool    `json:"expectedTools"`
	WantedSn []deepevalTool    `json:"expected_tools"`
	Turns    json.RawMessage   `json:"turns"` // of a conversation
	Trace    *deepevalTrace    `json:"trace"`
	Metrics  []deepevalMetric  `json:"metricsData"`
	MetricSn []deepevalMetric  `json:"metrics_data"`
}

// deepevalMetric is the result of one metric over the whole answer.
type deepevalMetric struct {
	Name  string          `json:"name"`
	Score json.RawMessage `json:"score"`
	explanation
}

type deepevalVerdict struct {
	Verdict string `json:"verdict"`
	explanation
}

type deepevalTool struct {
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"inputParameters"`
	InputSn json.RawMessage `json:"input_parameters"`
	Output  json.RawMessage `json:"output"`
}

// deepevalTrace is what a test case of a run file has of the spans of the program that was tested.
type deepevalTrace struct {
	Input      json.RawMessage `json:"input"`
	Output     json.RawMessage `json:"output"`
	Retrievers []attributes    `json:"retrieverSpans"`
	Tools      []attributes    `json:"toolSpans"`
}

func readDeepEval(r row) (*draft, error) {
	var x deepevalRow
	if err := r.into(&x); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "actualOutput")
	if x.Actual == "" && x.ActualSn != "" {
		d.answerAt = joined(r.path, "actual_output")
	}
	d.head.Query, d.head.ExternalID = x.Input, x.Name
	if said := x.Actual + x.ActualSn; x.Trace == nil || strings.ContainsFunc(said, unicode.IsLetter) {
		d.say(said, "")
	}
	d.deepevalRun(r.path, &x)
	list, field := append(x.Found, x.FoundSn...), "retrievalContext"
	if len(list) == 0 { // without retrieved passages, the ideal context is used
		list, field = x.Context, "context"
	}
	if len(list) > 0 || len(d.sources) == 0 {
		if err := d.deepevalContexts(joined(r.path, field), list); err != nil {
			return nil, err
		}
	}
	for i, claim := range x.Claims {
		path := joined(r.path, at("claims", i, ""))
		if blank(claim) {
			d.skip(path, words.Msg("warning_claim_words"))
			continue
		}
		c := statement{path: path, text: claim}
		if i < len(x.Verdicts) {
			c.upstream = x.Verdicts[i].upstream()
		}
		d.claims = append(d.claims, c)
	}
	if n := len(x.Verdicts); n > 0 && len(x.Claims) > 0 && n != len(x.Claims) {
		d.skip(joined(r.path, "verdicts"), words.Msg("warning_verdicts_count", "Claims", len(x.Claims), "N", n))
	}
	if len(x.Claims) == 0 && len(x.Verdicts) > 0 {
		d.skip(joined(r.path, "verdicts"), words.Msg("warning_verdicts_alone"))
	}
	for _, m := range append(x.Metrics, x.MetricSn...) {
		d.scores = append(d.scores, upstreamScore{Name: clipped(m.Name, 200), Value: short(m.Score), Note: m.words()})
	}
	d.tools(joined(r.path, "toolsCalled"), append(x.Called, x.CalledSn...), append(x.Wanted, x.WantedSn...))
	return d, nil
}

// deepevalRun takes what a run file says of a test case: the turns of a conversation, what was retrieved and what tools
// returned.
func (d *draft) deepevalRun(path string, x *deepevalRow) {
	c := conversation{d: d}
	c.messages(joined(path, "turns"), x.Turns)
	for i, turn := range listOf(x.Turns) {
		if raw := objectOf(turn).first("retrievalContext", "retrieval_context"); raw != nil {
			d.found(joined(path, at("turns", i, "retrievalContext")), raw)
		}
	}
	if d.length == 0 && c.answer != "" {
		d.answerAt = joined(path, "turns")
		d.say(c.answer, "")
	}
	d.head.Query = cmp.Or(d.head.Query, c.asked)
	for i, t := range slices.Concat(x.Called, x.CalledSn) {
		if begins(t.Output) != 0 {
			d.toolReturned(joined(path, at("toolsCalled", i, "output")), &toolCall{name: t.Name,
				input: either(t.Input, t.InputSn), output: t.Output})
		}
	}
	if x.Trace == nil {
		return
	}
	if d.length == 0 {
		d.answerAt = joined(path, "trace.output")
		d.say(answered(x.Trace.Output), "")
	}
	d.head.Query = cmp.Or(d.head.Query, asked(x.Trace.Input))
	for i, s := range x.Trace.Retrievers {
		if len(x.Found)+len(x.FoundSn) == 0 {
			key, raw := s.named("retrievalContext", "output")
			d.found(joined(path, at("trace.retrieverSpans", i, key)), unpacked(raw))
		}
	}
	for i, s := range x.Trace.Tools {
		d.toolReturned(joined(path, at("trace.toolSpans", i, "output")), &toolCall{id: s.text("uuid"), name: s.text("name"),
			input: s["input"], output: s["output"]})
	}
}

func (d *draft) deepevalContexts(path string, list []json.RawMessage) error {
	words, names := make([]string, len(list)), make([]json.RawMessage, len(list))
	for i, raw := range list {
		if begins(raw) != '{' {
			if err := sub(at(path, i, ""), raw, &words[i]); err != nil {
				return err
			}
			continue
		}
		var c struct {
			Context string          `json:"context"`
			Source  json.RawMessage `json:"source"`
		}
		if err := sub(at(path, i, ""), raw, &c); err != nil {
			return err
		}
		words[i], names[i] = c.Context, c.Source
	}
	d.contexts(path, words, names)
	return nil
}

func (v *deepevalVerdict) upstream() *upstreamVerdict {
	out := &upstreamVerdict{Label: clipped(v.Verdict, 200), Reason: v.words()}
	switch strings.ToLower(v.Verdict) {
	case "yes":
		out.Verdict = ledger.Supported
	case "no":
		out.Verdict = ledger.Contradicted
	case "idk":
		out.Verdict = ledger.NotFound
	}
	return out
}

// tools keeps which tools were called and which were expected, and warns if they differ.
func (d *draft) tools(path string, called, wanted []deepevalTool) {
	names := func(list []deepevalTool) (out []string) {
		for _, t := range list {
			out = append(out, t.Name)
		}
		slices.Sort(out)
		return out
	}
	c, w := names(called), names(wanted)
	if len(c) > 0 {
		d.scores = append(d.scores, upstreamScore{Name: "tools called", Label: clipped(strings.Join(c, ", "), 2000)})
	}
	if len(w) == 0 {
		return
	}
	d.scores = append(d.scores, upstreamScore{Name: "tools expected", Label: clipped(strings.Join(w, ", "), 2000)})
	if !slices.Equal(c, w) {
		d.skip(path, words.Msg("warning_tools_differ"))
	}
}
