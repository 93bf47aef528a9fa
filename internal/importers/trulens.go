package importers

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// TruLens records (trulens src/core/trulens/core/schema/record.py, rule F-7): a record as JSON, and rows of
// get_records_and_feedback, whose columns that are numbers are feedback. Its spans are read as others (dialect.go).

// trulensFields are the columns that are no feedback.
var trulensFields = map[string]bool{
	"app_id": true, "app_name": true, "app_version": true, "record_id": true, "input": true, "output": true,
	"main_input":  true,
	"main_output": true, "ts": true, "latency": true, "total_tokens": true, "total_cost": true,
	"num_events": true, "tags": true,
	"id": true, "index": true,
}

func readTruLens(r row) (*draft, error) {
	var x attributes
	if err := r.into(&x); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "output")
	whole := x
	if inner := objectOf(unpacked(x["record_json"])); inner != nil {
		whole = inner
	}
	d.head.ExternalID = whole.text("record_id")
	key, raw := whole.named("main_output", "output")
	d.answerAt = joined(r.path, key)
	d.say(answered(raw), "")
	d.head.Query = asked(whole.first("main_input", "input"))
	for i, item := range listOf(whole["calls"]) {
		call := objectOf(item)
		if trulensRetrieves(call) {
			d.found(joined(r.path, at("calls", i, "rets")), unpacked(call["rets"]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if value := plainJSONText(x[name]); !trulensFields[name] && isNumber(value) {
			d.score(name, json.RawMessage(value))
		}
	}
	d.failed(joined(r.path, "main_error"), whole["main_error"])
	return d, nil
}

// trulensRetrieves reports whether a call is of a method that retrieves: the last of its stack.
func trulensRetrieves(call attributes) bool {
	stack := listOf(call["stack"])
	if len(stack) == 0 {
		return false
	}
	method := objectOf(objectOf(stack[len(stack)-1])["method"])
	return strings.Contains(strings.ToLower(method.text("name")), "retriev")
}
