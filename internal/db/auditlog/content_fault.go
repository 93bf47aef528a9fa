package auditlog

import (
	"encoding/json"
	"fmt"
	"strconv"

	"sanad/internal/domain/audit"
)

// maxContentFaults is how many faults of one session are listed at most; the first ones matter.
const maxContentFaults = 20

// contentCheck is the check of one session.
type contentCheck struct {
	*state

	rules  SessionRules
	faults []audit.ContentFault
}

func (check *contentCheck) fault(kind, part, detail string) *audit.ContentFault {
	if len(check.faults) == maxContentFaults {
		return &audit.ContentFault{}
	}
	check.faults = append(check.faults, audit.ContentFault{Tenant: check.tenant, Session: check.session, Kind: kind,
		Part:   part,
		Detail: detail})
	return &check.faults[len(check.faults)-1]
}

// place says in a fault which claim or document a leaf is of.
func (check *contentCheck) place(f *audit.ContentFault, x *Section, leaf int) {
	if leaf < 0 && x.owner != "" {
		f.Detail = "together with their hashes"
		return
	}
	switch x.name {
	case "claims", "matches", "citations", "reviews":
		f.Claim = leaf + 1
	case "upstream", "imported reviews":
		f.Claim = max(leaf, 0)
	case "documents", "chunks":
		f.Document = strconv.Itoa(leaf + 1)
		var id string
		if check.t.Row("SELECT id FROM documents WHERE tenant_id = ? AND session_no = ? AND position = ?",
			[]any{check.tenant, check.no, leaf}, &id) == nil {
			f.Document = id
		}
	case "runs", "run marks", "run changes", "run claims":
		f.Field = fmt.Sprintf("run %d", leaf+1)
	}
}

// about reports whether an event is about a session, or about a document of it.
func about(e *audit.Event, session string) bool {
	if e.Object.Kind == "session" {
		return e.Object.ID == session
	}
	var details struct {
		Session string `json:"session"`
	}
	return json.Unmarshal(e.Details, &details) == nil && details.Session == session
}
