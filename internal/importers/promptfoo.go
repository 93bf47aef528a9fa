package importers

import (
	"cmp"
	"encoding/json"
	"strings"

	"sanad/internal/recode"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// promptfoo (promptfoo src/types/index.ts EvaluateResult, rule F-7): what `promptfoo eval -o results.json`, `.jsonl` or
// `.csv` writes, and the download of its page. The variables of a test are the question and the documents, and the
// results of its assertions are scores.

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

// readPromptfooTable reads promptfoo's CSV: the columns of a row are its variables, then for each prompt the output
// under "[provider] prompt" and what was found of it under "Status", "Score" and others.
func readPromptfooTable(rows rowSource, give func(*draft) error) error {
	return rows.each(func(r row) error {
		vars, cells, err := r.promptfooCells()
		for i := 0; i < len(cells) && err == nil; i++ {
			err = give(cells[i].draft(r.path, vars))
		}
		return err
	})
}

// promptfooCell is what a row of promptfoo's CSV has of one prompt.
type promptfooCell struct{ head, output, status, score, note string }

// promptfooCells splits a row into its variables and its prompts.
func (r row) promptfooCells() (vars attributes, cells []*promptfooCell, err error) {
	vars = attributes{}
	var cell *promptfooCell
	c := strictjson.NewLooseCursor(r.src, 0)
	err = c.Members(func(name string) error {
		raw, err := c.Raw()
		said := plainJSONText(raw)
		name, _, _ = strings.Cut(name, ".")
		switch {
		case strings.HasPrefix(name, "["):
			cell = &promptfooCell{head: name, output: said}
			cells = append(cells, cell)
		case cell == nil && name != "Status":
			vars[name] = raw
		case name == "Status" && (cell == nil || cell.status != ""): // of an output that is empty
			cell = &promptfooCell{status: said}
			cells = append(cells, cell)
		case name == "Status":
			cell.status = said
		case name == "Score":
			cell.score = said
		case name == "Grader Reason":
			cell.note = said
		}
		return err
	})
	return vars, cells, err
}

func (p *promptfooCell) draft(path string, vars attributes) *draft {
	d := newDraft(path, p.head)
	d.head.Model, _, _ = strings.Cut(strings.TrimPrefix(p.head, "["), "]")
	d.say(answered(recode.Encode(p.output)), "")
	d.namedFields(path, without(vars, "output"))
	score := upstreamScore{Name: "promptfoo", Label: strings.ToLower(clipped(p.status, 200)), Note: clipped(p.note, 2000)}
	if isNumber(p.score) {
		score.Value = json.RawMessage(p.score)
	}
	d.scores = append(d.scores, score)
	if d.length == 0 {
		d.unread = words.Msg("refused_row_failed", "Why", words.Quoted(clipped(cmp.Or(p.note, p.status), 100)))
	}
	return d
}
