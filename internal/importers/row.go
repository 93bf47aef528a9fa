package importers

import (
	"encoding/json"
	"strconv"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
)

// rowWire is a line of `web judge` (spec page 5); fields it doesn't have are passed over, since evaluation sets bring theirs.
type rowWire struct {
	ID       json.RawMessage `json:"id"`
	Claim    string          `json:"claim" need:"the statement to be judged"`
	Evidence []evidenceWire  `json:"evidence" need:"a list of texts, which may be empty"`
	Lang     string          `json:"lang"`
}

type evidenceWire struct {
	Doc  string `json:"doc"`
	Text string `json:"text" need:"the words of the evidence"`
}

// ReadRow reads one line of `web judge`. An id may be a text or a number. The row's ID is set even beside an error,
// where it could be read.
func ReadRow(line []byte) (judge.Row, error) {
	var w rowWire
	err := Decode(line, &w, Strict{Unknown: func(string, json.RawMessage) {}})
	row := judge.Row{Claim: w.Claim, Lang: w.Lang}
	id := string(w.ID)
	switch {
	case strings.HasPrefix(id, `"`):
		if uerr := json.Unmarshal(w.ID, &row.ID); uerr != nil && err == nil {
			err = domain.Invalidf("id", "This cannot be read; give a text or a number.")
		}
	case id == "" || id == "null":
	default:
		if _, nerr := strconv.ParseFloat(id, 64); nerr == nil {
			row.ID = id
		} else if err == nil {
			err = domain.Invalidf("id", "This is %s; give a text or a number.", found(id[0]))
		}
	}
	for _, e := range w.Evidence {
		row.Evidence = append(row.Evidence, judge.Evidence(e))
	}
	if err == nil && strings.TrimSpace(w.Claim) == "" {
		err = domain.Invalidf("claim", "This is empty; give the statement to be judged.")
	}
	return row, err
}
