package importers

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// DecisionFormat names the format of a decision (rule F-13). A decision need not state it.
const DecisionFormat = "sanad.decision/v1"

// MaxDecision is the maximum size of a decision, in bytes: enough for a thousand long excerpts and the input and output
// of the tools.
const MaxDecision = 16 << 20

// maxUnknown is the maximum number of unknown fields that are named.
const maxUnknown = 100

// DecisionError lists everything that is wrong with a decision.
type DecisionError struct{ Faults []*domain.Error }

// Error returns the first fault.
func (e *DecisionError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the first fault; its message says how many more there are.
func (e *DecisionError) Unwrap() error {
	first := *e.Faults[0]
	if n := len(e.Faults) - 1; n > 0 {
		first.Message = domain.Message{ID: "refused_more_below", Args: []any{"Fault", first.Message, "N", n}}
	}
	return &first
}

// decisionFile is the wire form of a decision.
type decisionFile struct {
	Format string `json:"format"`
	pack.Decision
	Sources []pack.EvidenceSource `json:"sources"` // what a pack calls the decision's evidence; read where there is none
}

// ReadDecision reads and checks one decision: its JSON as strictly as Read does, then its content, reporting all faults
// at once (*DecisionError). Unknown fields are dropped with a warning. Errors and warnings never contain values of the
// decision, as these may be S3; before storing a decision, callers pass it to pack.SealRestricted.
func ReadDecision(data []byte) (*pack.Decision, []domain.Warning, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	b := newBuilder(Options{}.withDefaults())
	opt := strictjson.Options{MaxBytes: MaxDecision, UnknownBytes: b.opt.UnknownBytes,
		Unknown: func(path string, _ json.RawMessage) {
			if len(b.warnings) < maxUnknown {
				b.warn(path, words.Msg("warning_decision_field"))
			}
		}}
	var file decisionFile
	if err := Decode(data, &file, opt); err != nil {
		return nil, nil, err
	}
	if file.Format != "" && file.Format != DecisionFormat {
		return nil, nil, &domain.Error{Kind: domain.Unsupported, Op: "importers.ReadDecision", Path: "format",
			Message: words.Msg("refused_decision_format", "Name", words.Quoted(DecisionFormat))}
	}
	for i := range file.ToolCalls { // these are found here; an exported pack's calls carry them
		if t := &file.ToolCalls[i]; t.Departure != nil || t.Caller != nil {
			t.Departure, t.Caller = nil, nil
			b.warn(fmt.Sprintf("tool_calls[%d].departure", i), words.Msg("warning_decision_departure"))
		}
	}
	switch {
	case len(file.Sources) == 0:
	case len(file.Evidence) == 0:
		file.Evidence = file.Sources
		b.warn("sources", words.Msg("warning_decision_sources"))
	default:
		b.warn("sources", words.Msg("warning_decision_both"))
	}
	if faults := file.Validate(); len(faults) > 0 {
		return nil, nil, &DecisionError{faults}
	}
	return &file.Decision, b.finished(), nil
}

// IsDecision reports whether an input is meant as a decision: it names that format, or is an object with a decision_id
// and without a stated format. ReadDecision reports anything else that is wrong with it.
func IsDecision(data []byte) bool {
	c := strictjson.NewCursor(string(bytes.TrimPrefix(data, []byte("\ufeff"))), 0)
	var format json.RawMessage
	has := map[string]bool{}
	if c.Peek() != '{' {
		return false
	}
	_ = c.Members(func(key string) (err error) { // the members before a fault are enough
		has[key] = true
		if key == "format" {
			format, err = c.Raw()
		}
		return err
	})
	if has["format"] {
		return string(format) == `"`+DecisionFormat+`"`
	}
	return has["decision_id"] && !has["ledger_id"] && !has["sanad"]
}

// DecisionFile returns an empty sanad.decision/v1, from which the API description is generated.
func DecisionFile() any { return decisionFile{} }
