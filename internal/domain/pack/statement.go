package pack

import (
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// The files that sign-off stores besides FileJSON, FileMarkdown and FilePDF (rule F-11).
const (
	FileStatement  = "statement.json" // the envelope's payload
	FileEnvelope   = "pack.dsse.json"
	FileBundle     = "pack.sigstore.json"
	FileLogProof   = "pack.tlog-proof"
	FileSalts      = "salts.json"
	FileKey        = "tenant.pub"
	FileCheckpoint = "checkpoint" // of the log, as named in the statement
)

// The types of an in-toto Statement about a pack, and the names of its subjects (rule F-9).
const (
	StatementType    = "https://in-toto.io/Statement/v1"
	PredicateType    = "urn:sanad:evidence-pack:v2"
	Canonicalization = "RFC8785"
	FileJSON         = "pack.json"
	FileMarkdown     = "pack.md"
	FilePDF          = "pack.pdf"
)

// Statement is what the tenant's key signs about a signed-off pack.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     Predicate `json:"predicate"`
}

// Subject is a file that the Statement is about.
type Subject struct {
	Name   string `json:"name"`
	Digest struct {
		SHA256 string `json:"sha256"`
	} `json:"digest"`
}

// NewSubject returns the subject of a file with a digest in hex.
func NewSubject(name, digest string) Subject {
	s := Subject{Name: name}
	s.Digest.SHA256 = digest
	return s
}

// Predicate is what the Statement says about its subjects.
type Predicate struct {
	Tenant           string              `json:"tenant"` // opaque
	PackID           string              `json:"packId"`
	Version          int                 `json:"version"`
	CreatedAt        string              `json:"createdAt"`
	Canonicalization string              `json:"canonicalization"`
	ContentRoot      string              `json:"contentRoot"`
	ContentLeaves    int64               `json:"contentLeaves"` // number of leaves of that root
	Entries          []StatementEntry    `json:"entries"`
	EvidenceMapRoot  string              `json:"evidenceMapRoot"`
	Policy           *StatementPolicy    `json:"policy"`
	Approvals        []StatementApproval `json:"approvals"`
	LogCheckpoint    LogCheckpoint       `json:"logCheckpoint"`
	RetentionUntil   string              `json:"retentionUntil"`
	KeyID            string              `json:"keyid"`
}

// StatementEntry is a claim with its effective verdict. SHA256 is that of its leaf in the content root (RFC 6962: a
// zero byte before the salted leaf), so that it reveals nothing about a claim that is left out of a copy.
type StatementEntry struct {
	ClaimID string         `json:"claimId"`
	Verdict ledger.Verdict `json:"verdict"`
	SHA256  string         `json:"sha256"`
}

// StatementPolicy is the policy that the pack was submitted under, with the outcomes at sign-off.
type StatementPolicy struct {
	Version int             `json:"version"`
	Class   string          `json:"class"`
	Rules   []StatementRule `json:"rules"`
}

// StatementRule is the outcome of one rule at sign-off.
type StatementRule struct {
	Rule    string  `json:"rule"`
	Level   Demand  `json:"level"`
	Outcome Outcome `json:"outcome"`
}

// StatementApproval records who approved the pack, by a pseudonymous id.
type StatementApproval struct {
	Role          string `json:"role"`
	Actor         string `json:"actor"`
	At            string `json:"at"`
	ContentSHA256 string `json:"contentSha256"`
	LogIndex      int64  `json:"logIndex"`

	OnBehalfOf *StatementBehalf `json:"onBehalfOf,omitempty"` // whose deputy the approver was, nil in their own name

	Acknowledged []string `json:"acknowledged,omitempty"` // ids of alarms, of pack.json and of Since
	Since        []Since  `json:"since,omitempty"`        // what had changed since submission when it was given
}

// StatementBehalf is the person for whom a deputy approved, with the time that the deputy was named for and the place in
// the log of the event that did so.
type StatementBehalf struct {
	Actor    string `json:"actor"`
	From     string `json:"from"`
	Until    string `json:"until"`
	LogIndex int64  `json:"logIndex"`
}

// LogCheckpoint is the state of the tenant's log after the last approval's event.
type LogCheckpoint struct {
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
	Root   string `json:"root"` // base64, as in the checkpoint
}

// NewStatement returns the Statement of a pack: about its three files, with the approvals, whose events must be in the
// log at the checkpoint. markdown and pdf are digests in hex.
func NewStatement(f *Frozen, markdown, pdf string, approvals []Approval, at audit.Checkpoint,
	keyID string) (*Statement, error) {
	c := &f.Content
	s := &Statement{
		Type: StatementType, PredicateType: PredicateType,
		Subject: []Subject{NewSubject(FileJSON, f.Digest), NewSubject(FileMarkdown, markdown),
			NewSubject(FilePDF, pdf)},
		Predicate: Predicate{
			Tenant: c.TenantID, PackID: c.PackID, Version: c.Version, CreatedAt: c.CreatedAt,
			Canonicalization: Canonicalization,
			ContentRoot:      c.ContentRoot, Entries: []StatementEntry{}, EvidenceMapRoot: c.EvidenceMapRoot,
			Approvals:     []StatementApproval{},
			LogCheckpoint: LogCheckpoint{at.Origin(), at.Size, at.Root.String()}, RetentionUntil: c.RetainUntil,
			KeyID: keyID,
		},
	}
	if len(approvals) == 0 || len(markdown) != 64 || len(pdf) != 64 {
		return nil, &domain.Error{
			Op:      "pack.NewStatement",
			Message: words.Msg("refused_statement_needs_approval"),
		}
	}
	for _, a := range approvals {
		if a.Digest != f.Digest || a.LogIndex < 0 || a.LogIndex >= at.Size {
			return nil, &domain.Error{
				Op: "pack.NewStatement", Message: words.Msg("refused_approval_other_bytes"),
			}
		}
		s.Predicate.Approvals = append(s.Predicate.Approvals, StatementApproval{
			Role: a.Role, Actor: a.Actor, At: a.At, ContentSHA256: a.Digest, LogIndex: a.LogIndex,
			OnBehalfOf: a.For.stated(), Acknowledged: a.Acknowledged, Since: a.Since,
		})
	}
	s.Predicate.Policy = c.signedUnder(approvals)
	return s, s.addEntries(f)
}

// stated is what the Statement says of it, without the name.
func (b *Behalf) stated() *StatementBehalf {
	if b == nil {
		return nil
	}
	return &StatementBehalf{Actor: b.Actor, From: b.From, Until: b.Until, LogIndex: b.LogIndex}
}

// behalf is what the Statement says as an approval has it.
func (b *StatementBehalf) behalf() *Behalf {
	if b == nil {
		return nil
	}
	return &Behalf{Actor: b.Actor, From: b.From, Until: b.Until, LogIndex: b.LogIndex}
}

// signedUnder returns what the Statement says about the policy.
func (c *Content) signedUnder(approvals []Approval) *StatementPolicy {
	out := &StatementPolicy{Version: c.Policy.Version, Class: c.Policy.Class, Rules: []StatementRule{}}
	for _, o := range c.OutcomesAtSignOff(approvals) {
		out.Rules = append(out.Rules, StatementRule{o.Rule, o.Level, o.Outcome})
	}
	return out
}

func (s *Statement) addEntries(f *Frozen) error {
	leaves, err := f.leaves()
	s.Predicate.ContentLeaves = int64(len(leaves))
	if err != nil || f.Content.Ledger == nil {
		return err
	}
	claims := slices.DeleteFunc(leaves, func(l hashed) bool { return l.Kind != LeafClaim })
	for i, e := range f.Content.Ledger.Entries {
		s.Predicate.Entries = append(s.Predicate.Entries, StatementEntry{e.ClaimID, e.Verdict, hexOf(claims[i].Hash)})
	}
	return nil
}

// leaves returns the leaves of a frozen pack.
func (f *Frozen) leaves() ([]hashed, error) {
	tree, err := treeFrom(f.Bytes)
	if err != nil {
		return nil, err
	}
	return leavesOf(tree, f.Salts.look())
}

// Bytes returns the payload: canonical JSON.
func (s *Statement) Bytes() ([]byte, error) { return canonical.JSON(s) }

// statements is the format of the Statement.
var statements = versioned[Statement]{
	field: "predicateType", name: "urn:sanad:evidence-pack:v", now: PredicateType, read: readStatement,
}

// ParseStatement reads a payload. It accepts only the bytes that Bytes returns. The error is ErrNewer if the version is
// newer, and ErrUnreleased if it is from before the first release.
func ParseStatement(data []byte) (*Statement, error) { return statements.parse(data) }

func readStatement(data []byte) (*Statement, error) {
	var s Statement
	if err := exact(data, fields.Statement, &s); err != nil {
		return nil, err
	}
	if s.Type != StatementType || s.Predicate.Canonicalization != Canonicalization {
		return nil, malformed("refused_statement_about_evidence", nil)
	}
	return &s, nil
}

// SHA256 returns the digest of a subject, "" if there is no such subject.
func (s *Statement) SHA256(name string) string {
	for _, x := range s.Subject {
		if x.Name == name {
			return x.Digest.SHA256
		}
	}
	return ""
}
