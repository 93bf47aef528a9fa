package ledger

import "slices"

// Verdict is how far a claim's evidence supports it; "" means unjudged (rule L-1).
type Verdict string

// The four verdicts of verdict.v1.
const (
	Unjudged     Verdict = ""
	Supported    Verdict = "supported"
	Weak         Verdict = "weak"
	Contradicted Verdict = "contradicted"
	NotFound     Verdict = "not_found"
)

// Verdicts lists the verdicts in the order in which every page and export shows them. Table and Histogram are stored by
// index: append only (pinned by stored_test.go).
var Verdicts = []Verdict{Supported, Weak, Contradicted, NotFound}

// ClaimType is the kind of statement a claim makes.
type ClaimType string

// The four claim types.
const (
	Fact       ClaimType = "fact"
	Policy     ClaimType = "policy"
	Numeric    ClaimType = "numeric"
	Definition ClaimType = "definition"
)

// ClaimTypes lists the types in display order. They are stored and exported by name, as are all lists below.
var ClaimTypes = []ClaimType{Fact, Policy, Numeric, Definition}

// Importance is how much depends on a claim.
type Importance string

// The three importances.
const (
	Critical Importance = "critical"
	Material Importance = "material"
	Minor    Importance = "minor"
)

// Importances lists the importances, heaviest first.
var Importances = []Importance{Critical, Material, Minor}

// Support is how far a match supports a claim.
type Support string

// The three support levels.
const (
	Full    Support = "full"
	Partial Support = "partial"
	None    Support = "none"
)

// Supports lists the support levels, strongest first.
var Supports = []Support{Full, Partial, None}

// Severity is the weight of a risk flag.
type Severity string

// The three severities.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
)

// RiskType names one of the ten risk flags.
type RiskType string

// The risk types.
const (
	MissingEvidence    RiskType = "missing_evidence"
	Contradiction      RiskType = "contradiction"
	OutdatedSource     RiskType = "outdated_source"
	AmbiguousEvidence  RiskType = "ambiguous_evidence"
	ConflictingSources RiskType = "conflicting_sources"
	LowConfidence      RiskType = "low_confidence"
	Miscitation        RiskType = "miscitation"
	InventedQuotation  RiskType = "invented_quotation"
	StruckOrHidden     RiskType = "struck_or_hidden"
	DoubtfulReading    RiskType = "doubtful_reading"
)

// RiskTypes lists the risk types in the order of the flags (rule L-12). The flags of sessions and claims are stored as
// bits by index: append only (pinned by stored_test.go).
var RiskTypes = []RiskType{MissingEvidence, Contradiction, OutdatedSource, AmbiguousEvidence, ConflictingSources,
	LowConfidence, Miscitation, InventedQuotation, StruckOrHidden, DoubtfulReading}

// Action is what a reviewer does to a claim.
type Action string

// The review actions.
const (
	Confirm       Action = "confirm"
	Override      Action = "override"
	Edit          Action = "edit"
	Comment       Action = "comment"
	NeedsEvidence Action = "needs_evidence"
	NotAClaim     Action = "not_a_claim" // with a reason; the claim no longer counts
	Replace       Action = "replace"     // others came in the claim's place, see Session.ReplaceClaims
	Undo          Action = "undo"        // undoes the person's own newest review of the claim that still counts
	Resolve       Action = "resolve"     // a thread needs nothing any more
	Reopen        Action = "reopen"      // it does after all
)

// Actions lists the review actions, those of the review form first and in its order.
var Actions = []Action{Confirm, Override, Edit, Comment, NeedsEvidence, Undo, NotAClaim, Replace, Resolve,
	Reopen}

// Valid reports whether v is one of the four verdicts.
func (v Verdict) Valid() bool { return slices.Contains(Verdicts, v) }

// Valid reports whether t is one of the four types.
func (t ClaimType) Valid() bool { return slices.Contains(ClaimTypes, t) }

// Valid reports whether i is one of the three importances.
func (i Importance) Valid() bool { return slices.Contains(Importances, i) }

// Talks reports whether an action says something, and decides nothing about the claim.
func (a Action) Talks() bool { return a == Comment || a == Undo || a.OfThread() }

// OfThread reports whether an action resolves a thread or reopens it.
func (a Action) OfThread() bool { return a == Resolve || a == Reopen }

// Valid reports whether s is one of the three support levels.
func (s Support) Valid() bool { return slices.Contains(Supports, s) }

// Valid reports whether t is one of the risk types.
func (t RiskType) Valid() bool { return slices.Contains(RiskTypes, t) }

// Valid reports whether a is one of the review actions.
func (a Action) Valid() bool { return slices.Contains(Actions, a) }

// PartKind is which part of its file a chunk comes from. Stored and exported.
type PartKind string

// The parts of a file.
const (
	Body         PartKind = ""
	PageHeader   PartKind = "header" // of a page; or the fields above a mail's text
	PageFooter   PartKind = "footer"
	FileNote     PartKind = "note"    // a footnote, endnote or speaker's note
	FileComment  PartKind = "comment" // what somebody remarked on the text: no evidence unless a person attaches it
	FileFormText PartKind = "field"   // the value of a form's field
	SheetRow     PartKind = "row"     // a row of a spreadsheet; its number stands in place of the page's
)

// PartKinds lists them.
var PartKinds = []PartKind{Body, PageHeader, PageFooter, FileNote, FileComment, FileFormText, SheetRow}

// Valid reports whether k is one of them.
func (k PartKind) Valid() bool { return slices.Contains(PartKinds, k) }
