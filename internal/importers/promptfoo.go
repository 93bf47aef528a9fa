package importers

import (
	"cmp"
	"encoding/json"
)

// promptfoo (promptfoo src/types/index.ts EvaluateResult, rule F-7): what `promptfoo eval -o results.json` or `.jsonl`
// writes, and the download of its page. The variables of a test are the question and the documents, and the results of
// its assertions are scores.

type promptfooRow struct {
	ID       string          `json:"id"`
	Vars     attributes      `json:"vars"`
	Prompt   json.RawMessage `json:"prompt"` // a text, or an object with it
	Response attributes      `json:"response"`
	Output   json.RawMessage `json:"output"` // of older versions
	Error    json.RawMessage `json:"error"`
	Provider json.RawMessage `json:"provider"`
	Success  *bool           `json:"success"`
	Score    json.RawMessage `json:"score"`
	Metadata attributes      `json:"metadata"`
	Test     struct {
		Vars attributes `json:"vars"`
	} `json:"testCase"`
	Grading promptfooGrading `json:"gradingResult"`
}

type promptfooGrading struct {
	Pass      *bool              `json:"pass"`
	Score     json.RawMessage    `json:"score"`
	Parts     []promptfooGrading `json:"componentResults"`
	Assertion *promptfooAssert   `json:"assertion"`
	Metadata  attributes         `json:"metadata"`
	explanation
}

type promptfooAssert struct {
	Type   string `json:"type"`
	Metric string `json:"metric"`
}

func readPromptfoo(r row) (*draft, error) {
	var x promptfooRow
	if err := r.into(&x); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "response.output")
	d.head.ExternalID = x.ID
	if begins(x.Provider) == '"' {
		d.head.Model = plainJSONText(x.Provider)
	} else {
		of := objectOf(x.Provider)
		d.head.Model = cmp.Or(of.text("label"), of.text("id"))
	}
	d.say(answered(x.Response.first("output")), "")
	if d.length == 0 {
		d.say(answered(x.Output), "")
	}
	vars, path := x.Vars, "vars"
	if len(vars) == 0 {
		vars, path = x.Test.Vars, "testCase.vars"
	}
	d.namedFields(joined(r.path, path), without(vars, "output"))
	if d.head.Query == "" {
		prompt := x.Prompt
		if inner := objectOf(prompt); inner != nil {
			prompt = inner["raw"]
		}
		d.head.Query = asked(prompt)
	}
	for _, of := range []attributes{x.Metadata, objectOf(x.Response["metadata"])} {
		if key, raw := of.field(documentFields); raw != nil && len(d.sources) == 0 {
			d.found(joined(r.path, "metadata."+key), unpacked(raw))
		}
	}
	for i := range x.Grading.Parts {
		p := &x.Grading.Parts[i]
		if raw := p.Metadata["context"]; begins(raw) != 0 && len(d.sources) == 0 { // of a contextTransform
			d.found(joined(r.path, at("gradingResult.componentResults", i, "metadata.context")), unpacked(raw))
		}
		d.scores = append(d.scores, p.score(""))
	}
	if x.Success != nil || begins(x.Score) != 0 {
		whole := promptfooGrading{Pass: x.Success, Score: x.Score, explanation: x.Grading.explanation}
		d.scores = append(d.scores, whole.score("promptfoo"))
	}
	d.failed(joined(r.path, "error"), x.Error)
	return d, nil
}

// score returns the result of an assertion.
func (g *promptfooGrading) score(name string) upstreamScore {
	if a := g.Assertion; a != nil {
		name = cmp.Or(a.Metric, a.Type, name)
	}
	out := upstreamScore{Name: clipped(name, 200), Value: short(g.Score), Note: g.words()}
	if g.Pass != nil {
		out.Label = map[bool]string{true: "pass", false: "fail"}[*g.Pass]
	}
	return out
}
