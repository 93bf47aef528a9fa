package importers

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/strictjson"
)

// DecisionFormat names the form of a decision (rule F-13). A decision need not state it.
const DecisionFormat = "sanad.decision/v1"

// MaxDecision is the largest decision, in bytes: a thousand long excerpts and what the tools were given and gave.
const MaxDecision = 16 << 20

// maxUnknown is how many different fields that no decision has are named.
const maxUnknown = 100

// DecisionError says everything that keeps a decision from being taken in.
type DecisionError struct{ Faults []*domain.Error }

// Error returns the first fault.
func (e *DecisionError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the first fault, with how many more there are.
func (e *DecisionError) Unwrap() error {
	first := *e.Faults[0]
	if n := len(e.Faults) - 1; n > 0 {
		first.Msg += fmt.Sprintf(" (%s more below.)", grouped(n))
	}
	return &first
}

// decisionFile is a decision as it comes in.
type decisionFile struct {
	Format string `json:"format"`
	pack.Decision
}

// ReadDecision reads one decision and checks it: its JSON as strictly as Read does, then what it says, all faults at
// once (*DecisionError). Fields that no decision has are left out, with a warning. No error or warning holds a value of
// the decision, as that may be S3; whoever gets the decision closes the door on such (pack.SealRestricted).
func ReadDecision(data []byte) (*pack.Decision, []Warning, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	b := newBuilder(Options{}.withDefaults())
	opt := strictjson.Options{MaxBytes: MaxDecision, UnknownBytes: b.opt.UnknownBytes,
		Unknown: func(path string, _ json.RawMessage) {
			if len(b.warnings) < maxUnknown {
				b.warn(path, "No decision has this field; it was left out.")
			}
		}}
	var file decisionFile
	if err := Decode(data, &file, opt); err != nil {
		return nil, nil, err
	}
	if file.Format != "" && file.Format != DecisionFormat {
		return nil, nil, &domain.Error{Kind: domain.Unsupported, Op: "importers.ReadDecision", Path: "format",
			Msg: fmt.Sprintf("This is another format; a decision has %q here, or nothing.", DecisionFormat)}
	}
	if faults := file.Validate(); len(faults) > 0 {
		return nil, nil, &DecisionError{faults}
	}
	return &file.Decision, b.finished(), nil
}

// IsDecision reports whether an input means to be a decision: it says so, or it is an object with a decision_id and of
// no stated format. Whatever else is wrong with it, ReadDecision says.
func IsDecision(data []byte) bool {
	c := strictjson.NewCursor(string(bytes.TrimPrefix(data, []byte("\ufeff"))), 0)
	var format json.RawMessage
	has := map[string]bool{}
	if c.Peek() != '{' {
		return false
	}
	_ = c.Members(func(key string) (err error) { // what was read before a fault tells enough
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
