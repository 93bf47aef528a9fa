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
	"bytes":           "event {seq}: its bytes are not those that were hashed",
	"hash":            "event {seq}: the stored hash at level {detail} is not that of the events below it",
	"column":          "event {seq}: its {detail} is not what its bytes say",
	"unreadable":      "event {seq}: {detail}",
	"behind":          "event {seq}: it is stored behind the end of the log ({detail})",
	"before":          "{detail} events stand before the first",
	"beyond":          "{detail} stored hashes belong to no event",
	"root":            "head: its root is not that of the events",
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
