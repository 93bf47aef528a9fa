package importers

import (
	"encoding/json"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// rowWire is a line of `sanad judge` (rule J-7). Unknown fields are ignored, as evaluation sets have their own.
type rowWire struct {
	ID       json.RawMessage `json:"id"`
	Claim    string          `json:"claim" need:"noun_judged"`
	Evidence []evidenceWire  `json:"evidence" need:"noun_texts"`
	Lang     string          `json:"lang"`
}

type evidenceWire struct {
	Doc  string `json:"doc"`
	Text string `json:"text" need:"noun_evidence_words"`
}

// ReadRow reads one line of `sanad judge`. An id may be a text or a number, which stays as written. If the id could be
// read, it is set even if there is an error. Errors are those of Decode.
func ReadRow(line []byte) (judge.Row, error) {
	var w rowWire
	pass := strictjson.Options{Unknown: func(string, json.RawMessage) {}, OneLine: true}
	err := Decode(line, &w, pass)
	if err != nil && w.ID == nil { // the id may come after the fault
		var named struct {
			ID json.RawMessage `json:"id"`
		}
		_ = Decode(line, &named, pass) // the first error is returned
		w.ID = named.ID
	}
	row := judge.Row{Claim: w.Claim, Lang: w.Lang}
	var ok bool
	if row.ID, ok = rowID(w.ID); !ok && err == nil {
		err = domain.Refuse(domain.Invalid, "id", "json_is", "What", strictjson.TypeName(w.ID[0]),
			"Wanted", words.Msg("noun_text_number"))
	}
	for _, e := range w.Evidence {
		row.Evidence = append(row.Evidence, judge.Evidence(e))
	}
	if err == nil && strings.TrimSpace(w.Claim) == "" {
		err = domain.Refuse(domain.Invalid, "claim", "refused_claim_missing")
	}
	return row, err
}

// ReadVerdictRow reads a line of `sanad judge` that has the verdict of a person.
func ReadVerdictRow(line []byte) (judge.Row, ledger.Verdict, error) {
	row, err := ReadRow(line)
	if err != nil {
		return row, "", err
	}
	var labelled struct {
		Verdict ledger.Verdict `json:"verdict"`
	}
	if err := json.Unmarshal(line, &labelled); err != nil || !labelled.Verdict.Valid() ||
		labelled.Verdict == ledger.Unjudged {
		return row, "", domain.Refuse(domain.Invalid, "verdict", "refused_row_verdict")
	}
	return row, labelled.Verdict, nil
}

// rowID returns a row's id: a text, or a number as written; "" if none.
func rowID(raw json.RawMessage) (id string, ok bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", true
	}
	switch raw[0] {
	case '"':
		err := json.Unmarshal(raw, &id)
		return id, err == nil
	case '{', '[', 't', 'f':
		return "", false
	}
	return string(raw), true
}
