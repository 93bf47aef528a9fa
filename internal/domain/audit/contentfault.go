package audit

import (
	"fmt"
	"strings"
)

// ContentFault is what is wrong with stored rows: those of a session are not what the log's newest state digest of it
// was made of, or a row outside of sessions is not what its events recorded.
type ContentFault struct {
	Tenant   string // id
	Table    string // of a row outside of sessions, else ""
	Object   string // that row's key
	Session  string // id, "" for a row outside of sessions and for the sums over sessions
	Kind     string // one of ContentFaultKinds
	Part     string // of the state, such as "claims"; "" for the session as a whole
	Claim    int    // its number, from 1; 0 for none
	Document string // its id, or its number if there is no row of it; "" for none
	Field    string // a column or a row, where it can be told; else ""
	Detail   string
}

// What can be wrong with the content of a session.
const (
	FaultRows    = "rows"    // rows were changed, added or removed
	FaultHashes  = "hashes"  // the rows are right, and the stored hashes are not those of the rows
	FaultUnknown = "unknown" // a session that no event of the log made
	FaultGone    = "gone"    // a session of the log that is not stored
	FaultEvent   = "event"   // the event that holds the state digest is not in the log as it says
	FaultSums    = "sums"    // sums over sessions are not those of the sessions
	FaultNewer   = "newer"   // a newer event of the log holds another state: the rows are older
	FaultDerived = "derived" // a derived value is not what the rules compute from the content
	FaultFile    = "file"    // an original file is gone, or its bytes are not those that were stored
	FaultRecord  = "record"  // a row outside of sessions is not what its events recorded
	FaultNew     = "new"     // no event recorded a row outside of sessions
	FaultMissing = "missing" // a row outside of sessions that the log recorded is not stored
)

// ContentFaultKinds lists the kinds of faults of contents.
var ContentFaultKinds = []string{FaultRows, FaultHashes, FaultUnknown, FaultGone, FaultEvent, FaultNewer,
	FaultSums, FaultDerived, FaultFile, FaultRecord, FaultNew, FaultMissing}

var contentFaultWords = map[string]string{
	FaultRows:    "rows are not those that the log's state digest was made of",
	FaultHashes:  "the stored hashes are not those of the rows",
	FaultUnknown: "no event of the log made this session",
	FaultGone:    "the log has this session, and the database has not",
	FaultEvent:   "the event of its state digest is not in the log",
	FaultSums:    "the sums are not those of the sessions",
	FaultNewer:   "the log holds a newer state than these rows",
	FaultDerived: "the value is not what the rules compute from the content",
	FaultFile:    "the original file is not the one that was stored",
	FaultRecord:  "it is not what the log's events recorded",
	FaultNew:     "no event of the log recorded this row",
	FaultMissing: "the log recorded this row, and the database has it no longer",
}

// String describes the fault in English, from the session or table to the field.
func (f *ContentFault) String() string {
	var b strings.Builder
	switch {
	case f.Table != "":
		b.WriteString("table " + f.Table + ", " + f.Object)
	case f.Session == "":
		b.WriteString("sums over sessions")
	default:
		b.WriteString("session " + f.Session)
	}
	if f.Part != "" {
		b.WriteString(", " + f.Part)
	}
	if f.Claim > 0 {
		fmt.Fprintf(&b, ", claim %d", f.Claim)
	}
	if f.Document != "" {
		b.WriteString(", document " + f.Document)
	}
	if f.Field != "" {
		b.WriteString(", " + f.Field)
	}
	b.WriteString(": " + contentFaultWords[f.Kind])
	if f.Detail != "" {
		b.WriteString(" (" + f.Detail + ")")
	}
	return b.String()
}
