package importers

import (
	"encoding/json"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/strictjson"
)

// ledgerFile and the structs below it are an exported ledger on the wire, as exporters.JSON writes it. Values that can
// be computed from the rest are either compared (entries) or ignored.
type ledgerFile struct {
	LedgerID    strictjson.Skipped `json:"ledger_id"`
	SessionID   strictjson.Skipped `json:"session_id"`
	GeneratedAt strictjson.Skipped `json:"generated_at"`
	Summary     strictjson.Skipped `json:"summary"`
	Entries     []entryWire        `json:"entries" limit:"claims" need:"noun_entries_exported"`
	RiskFlags   strictjson.Skipped `json:"risk_flags"`
	Questions   strictjson.Skipped `json:"follow_up_questions"`
	Actions     strictjson.Skipped `json:"recommended_actions"`
	Sanad       sanadWire          `json:"sanad" need:"noun_made_of"`
}

type entryWire struct {
	ClaimID        string             `json:"claim_id" need:"noun_claim_id"`
	ClaimText      strictjson.Skipped `json:"claim_text"`
	ClaimType      strictjson.Skipped `json:"claim_type"`
	Importance     strictjson.Skipped `json:"importance"`
	Verdict        ledger.Verdict     `json:"verdict"` // null if unjudged
	Confidence     float64            `json:"confidence_score" need:"noun_share"`
	Evidence       strictjson.Skipped `json:"evidence"`
	Notes          strictjson.Skipped `json:"notes"`
	State          strictjson.Skipped `json:"state"`
	MachineVerdict strictjson.Skipped `json:"machine_verdict"`
	Unjudged       strictjson.Skipped `json:"unjudged"`
	Uncited        strictjson.Skipped `json:"uncited"`
	Stale          strictjson.Skipped `json:"stale"`
	Strength       strictjson.Skipped `json:"evidence_strength"`
	Flags          strictjson.Skipped `json:"flags"`
	RuleSet        strictjson.Skipped `json:"rule_set"`
	Source         strictjson.Skipped `json:"confidence_source"`
	Probability    strictjson.Skipped `json:"probability"`
	Tier           strictjson.Skipped `json:"tier"`
	MachineSource  strictjson.Skipped `json:"machine_confidence_source"`
	MachineProb    strictjson.Skipped `json:"machine_probability"`
	Citations      strictjson.Skipped `json:"citation_checks"` // read from sanad.claims
	Quotations     strictjson.Skipped `json:"quotation_checks"`
	Unchecked      strictjson.Skipped `json:"source_text_missing"`
}

type sanadWire struct {
	Format     string                     `json:"format" need:"noun_format"`
	RuleSet    *int                       `json:"rule_set"` // absent in older exports
	ReadFormat string                     `json:"source_format" limit:"100"`
	Session    ledgerSession              `json:"session" need:"noun_session_exported"`
	Documents  []ledgerDocument           `json:"documents" limit:"documents"`
	Claims     []ledgerClaim              `json:"claims" limit:"claims"`
	Run        runWire                    `json:"run"`
	Extra      map[string]json.RawMessage `json:"extra" limit:"unknown"`
	Imports    []importWire               `json:"imports" limit:"1000"`
	Signature  strictjson.Skipped         `json:"signature"` // read by signatureOf
}

// importWire is an earlier import of the exported session.
type importWire struct {
	File     string             `json:"file" limit:"1000"`
	ByName   string             `json:"brought_by" limit:"500"`
	At       time.Time          `json:"at"`
	Judge    string             `json:"judge" limit:"100"`
	Version  string             `json:"version" limit:"200"`
	JudgedAt time.Time          `json:"judged_at"`
	Store    strictjson.Skipped `json:"store"` // another store's trust is not ours
	Key      strictjson.Skipped `json:"key_id"`
}

// importedWire is what an earlier import said about a claim.
type importedWire struct {
	Import     int          `json:"import"`
	Judge      string       `json:"judge" limit:"100"`
	Machine    string       `json:"machine_verdict"`
	Verdict    string       `json:"verdict"`
	Confidence float64      `json:"confidence_score"`
	Reviews    []reviewWire `json:"reviews" limit:"reviews"`
	Stale      int          `json:"stale_reviews"`

	Passages []importedPassageWire `json:"passages" limit:"matches"`
}

// importedPassageWire is a passage that somebody had attached there; its place is given by numbers from 0.
type importedPassageWire struct {
	attachedWire
	Document int `json:"document"`
	Chunk    int `json:"chunk"`
	Start    int `json:"start"`
	End      int `json:"end"`
}

type ledgerSession struct {
	sessionWire
	AnswerVersion int `json:"answer_version"`
}

type ledgerDocument struct {
	documentWire
	Status    ledger.DocumentStatus `json:"status"`
	MediaType string                `json:"media_type" limit:"200"`
	TextBy    string                `json:"text_by" limit:"100"`
	Root      string                `json:"root" limit:"64"`
	Withdrawn string                `json:"withdrawn" limit:"8000"`
	BundleID  string                `json:"bundle_id" limit:"200"`
	Origin    *originWire           `json:"origin"`
}

// originWire is a library.Origin.
type originWire struct {
	Library string `json:"library" limit:"36" need:"noun_library_id"`
	Version int    `json:"version"`
	Name    string `json:"name" limit:"300"`
}

type ledgerClaim struct {
	claimWire
	Judge     string         `json:"judge" limit:"100"`
	Given     bool           `json:"given"`
	Unjudged  string         `json:"unjudged" limit:"2000"`
	Matches   []ledgerMatch  `json:"matches" limit:"matches"`
	Citations []citationWire `json:"citations" limit:"chunks"`
	Reviews   []reviewWire   `json:"reviews" limit:"reviews"`
	Stale     int            `json:"stale_reviews"`
	Withheld  int            `json:"withheld_reviews"`
	Imported  []importedWire `json:"imported_reviews" limit:"1000"`
	Since     int            `json:"since_version"`
	Replaces  []int          `json:"replaces" limit:"100"`

	CitationChecks  []citationCheckWire  `json:"citation_checks" limit:"chunks"`
	QuotationChecks []quotationCheckWire `json:"quotation_checks" limit:"chunks"`
	Unchecked       bool                 `json:"source_text_missing"`
	LeftOut         *leftOutCheckWire    `json:"left_out"`
}

type ledgerMatch struct {
	Document string `json:"document_id" limit:"200" need:"noun_document_id"`
	Chunk    string `json:"chunk_id" limit:"200" need:"noun_chunk_id"`
	matchWire
	Quote     quoteWire         `json:"quote"`
	Absent    bool              `json:"not_in_source"`
	Doubtful  bool              `json:"doubtful"`
	Note      string            `json:"note" limit:"20000"`
	Conflicts []ledger.Conflict `json:"conflicts" limit:"1000"`
	Missing   []string          `json:"missing" limit:"10000"`
	Features  []ledger.Feature  `json:"features" limit:"1000"`
	Attached  *attachedWire     `json:"attached"`
}

type attachedWire struct {
	Actor string    `json:"actor" limit:"500" need:"noun_attached"`
	At    time.Time `json:"at"`
}

type quoteWire struct {
	Kind  text.PlacementKind `json:"kind"`
	Start *int               `json:"start"`
	End   *int               `json:"end"`
}

type citationWire struct {
	Hash   string            `json:"hash" limit:"64" need:"noun_hash"`
	Start  *int              `json:"start" need:"noun_begins"`
	End    *int              `json:"end" need:"noun_ends"`
	Status ledger.CiteStatus `json:"status" need:"noun_resolved"`
	Places []ledger.Place    `json:"places" limit:"chunks"`
}

type runWire struct {
	Judge       string            `json:"judge" limit:"100"`
	Version     string            `json:"version" limit:"200"`
	Parameters  map[string]string `json:"parameters" limit:"1000"`
	InputDigest string            `json:"input_digest" limit:"200"`
	BundleID    string            `json:"bundle_id" limit:"200"`
	At          time.Time         `json:"at"`
}

type reviewWire struct {
	Actor      string    `json:"actor" limit:"500"`
	Role       string    `json:"role" limit:"100"`
	At         time.Time `json:"at"`
	Action     string    `json:"action" need:"noun_review"`
	Verdict    string    `json:"verdict"`
	Reason     string    `json:"reason" limit:"8000"`
	Type       string    `json:"claim_type"`
	Importance string    `json:"importance"`
	Undoes     int       `json:"undoes"`
	Settles    bool      `json:"adjudicates"`
	Bulk       string    `json:"bulk" limit:"200"`
	ReplacedBy []int     `json:"replaced_by" limit:"100"`
	Asks       bool      `json:"asks"`
	Thread     int       `json:"thread"`
}
