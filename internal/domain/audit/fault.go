package audit

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Fault is one fault that checking a log found. Pages describe it by its kind in the reader's language.
type Fault struct {
	Kind   string // one of FaultKinds
	Seq    int64  // of the event, 0 if it is about none in particular
	Detail string // fills {detail} in the kind's text: a field, a count; may be ""
}

// faultWords holds the English text of each kind; {seq} is the event and {detail} the detail.
var faultWords = map[string]string{
	"missing":         "event {seq}: it is missing",
	"bytes":           "event {seq}: its stored bytes do not match its hash",
	"hash":            "event {seq}: the stored hash at level {detail} does not match the events below it",
	"column":          "event {seq}: the stored {detail} does not match the event's bytes",
	"unreadable":      "event {seq}: {detail}",
	"behind":          "event {seq}: it is stored after the end of the log ({detail})",
	"before":          "{detail} events stand before the first",
	"beyond":          "{detail} stored hashes belong to no event",
	"root":            "head: its root does not match the events",
	"signature":       "head: {detail}",
	"other_tree":      "head: the signed checkpoint is of another tree ({detail} events)",
	"checkpoint_file": "the checkpoint kept outside {detail}",
	"pack":            "the checkpoint in the signed pack {detail}",
}

// FaultKinds lists the kinds of faults.
func FaultKinds() []string { return slices.Sorted(maps.Keys(faultWords)) }

// String describes the fault in English.
func (f Fault) String() string {
	return strings.NewReplacer("{seq}", strconv.FormatInt(f.Seq, 10), "{detail}", f.Detail).Replace(faultWords[f.Kind])
}
