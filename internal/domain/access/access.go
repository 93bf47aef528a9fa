// Package access decides who may do what (rule P-20). Every action is checked by Authorizer.Allowed, and is denied
// unless the answer is an explicit yes.
package access

import (
	"context"
	"maps"
	"slices"
)

// Action is something that may be allowed or denied.
type Action string

// The actions. Public needs no login; all others do. Operators' OpenFGA models contain these names: append only (pinned
// by stored_test.go).
const (
	Public       Action = "public"        // pages before the login, assets, health
	UseAccount   Action = "use_account"   // one's own password, devices, tenants
	ReadLedger   Action = "read_ledger"   // sessions, claims, documents
	ImportLedger Action = "import_ledger" // bring in a session, judge it
	ReviewClaim  Action = "review_claim"  // also: assign a session to oneself, close and reopen it
	AssignReview Action = "assign_review" // choose who reviews a session, and whether two people do
	ExportLedger Action = "export_ledger"
	ManageUsers  Action = "manage_users" // users and roles of the tenant
	ManageTokens Action = "manage_tokens"
	ManageKeys   Action = "manage_keys"
	ManageTenant Action = "manage_tenant" // settings of the tenant
	ReadAudit    Action = "read_audit"    // the whole log
	SaveView     Action = "save_view"     // keep filters under a name
	MapEvidence  Action = "map_evidence"  // evidence maps and packed sources of what the request itself holds

	ReadPack         Action = "view_evidence_pack"          // decisions and packs
	AskPackExport    Action = "ask_evidence_pack_export"    // request a copy, download a granted one
	ImportDecision   Action = "import_decision"             // bring in a decision
	DraftPack        Action = "review_evidence_pack"        // open, edit, submit, open the next version
	DecidePack       Action = "approve_evidence_pack"       // approve and return
	ExportPack       Action = "export_evidence_pack"        // make a copy at once, grant or refuse requests of others
	HoldPack         Action = "hold_evidence_pack"          // set and lift a legal hold
	PurgePack        Action = "purge_evidence_pack"         // request a purge: its dry run
	ConfirmPackPurge Action = "confirm_evidence_pack_purge" // confirm a purge as the second person

	EraseContent   Action = "erase_content"   // ask for an erasure, set and lift legal holds on what is not a pack
	ConfirmErasure Action = "confirm_erasure" // confirm an erasure as the second person

	ConfirmChange Action = "confirm_change" // confirm what another administrator asked for

	ReadBundle  Action = "view_evidence_bundle"  // bundles, and artifacts in the lake
	BuildBundle Action = "build_evidence_bundle" // make a bundle, link a run to it
	WriteLake   Action = "write_lake"            // put an artifact into the lake

	ReadLibrary   Action = "read_library"   // also: choose its documents as sources
	ChangeLibrary Action = "change_library" // add documents and versions, name and file them

	CopyFile    Action = "copy_file"    // of a document, of a pack's attachment, of the lake, as it was brought in
	CopyLibrary Action = "copy_library" // files of the library, and what changed in them as a file
)

// least is the lowest role that may do an action; an action without a row is denied to everybody.
var least = map[Action]Role{
	UseAccount:   Viewer,
	ReadLedger:   Viewer,
	ImportLedger: Reviewer,
	ReviewClaim:  Reviewer,
	AssignReview: Admin,
	ExportLedger: Reviewer,
	ManageUsers:  Admin,
	ManageTokens: Admin,
	ManageKeys:   Admin,
	ManageTenant: Admin,
	ReadAudit:    Admin,
	SaveView:     Viewer,
	MapEvidence:  Viewer,

	ReadPack:         Viewer,
	AskPackExport:    Viewer,
	ImportDecision:   Reviewer,
	DraftPack:        Reviewer,
	DecidePack:       Approver,
	ExportPack:       Approver,
	HoldPack:         Admin,
	PurgePack:        Admin,
	ConfirmPackPurge: Approver,

	EraseContent:   Admin,
	ConfirmErasure: Approver,
	ConfirmChange:  Admin,

	ReadBundle:  Viewer,
	BuildBundle: Reviewer,
	WriteLake:   Reviewer,

	ReadLibrary:   Reviewer,
	ChangeLibrary: Approver,

	CopyFile:    Viewer,
	CopyLibrary: Reviewer,
}

// audits are the actions of an auditor, each of which reads or belongs to the own account.
var audits = map[Action]bool{UseAccount: true, ReadLedger: true, ReadPack: true, ReadBundle: true, ReadAudit: true,
	ReadLibrary: true}

// Actions lists every action but Public, by name.
func Actions() []Action { return slices.Sorted(maps.Keys(least)) }

// Least returns the lowest role, an auditor's apart, that may do an action; "" if nobody may.
func Least(what Action) Role { return least[what] }

// Object is what an action is done to. Its tenant is the actor's: every query is restricted to that tenant.
type Object struct {
	Kind string // "tenant", "session", "document", "evidence_pack"
	ID   string
}

// Authorizer decides whether an actor may do an action. An error means that there is no decision, which denies it.
type Authorizer interface {
	Allowed(ctx context.Context, who Actor, what Action, on Object) (bool, error)
}

// ByRole is the built-in Authorizer, which decides by the actor's role in its tenant.
type ByRole struct{}

// Allowed reports whether the actor's role may do the action. It never fails.
func (ByRole) Allowed(_ context.Context, who Actor, what Action, _ Object) (bool, error) {
	return who.Tenant != "" && who.Role.May(what), nil
}
