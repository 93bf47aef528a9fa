package pack

import (
	"crypto/ed25519"
	"encoding/json"

	"sanad/internal/domain/canonical"
)

// ExportPredicate is the predicate type of the Statement that a tenant's key signs about an exported ledger.
const ExportPredicate = "urn:sanad:ledger-export:v1"

// ExportStatement is what a tenant's key signs about an exported ledger: its digest and its id.
type ExportStatement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"` // the export's RFC 8785 form without its field sanad.signature
	PredicateType string    `json:"predicateType"`
	Predicate     struct {
		LedgerID string `json:"ledgerId"`
	} `json:"predicate"`
}

// NewExportStatement returns the Statement about an exported ledger with a digest in hex.
func NewExportStatement(ledgerID, digest string) *ExportStatement {
	s := &ExportStatement{Type: StatementType, Subject: []Subject{NewSubject("ledger.json", digest)},
		PredicateType: ExportPredicate}
	s.Predicate.LedgerID = ledgerID
	return s
}

// ExportDigest returns the digest, in hex, of the export that the key has signed in this envelope.
func (e *Envelope) ExportDigest(key ed25519.PublicKey) (string, error) {
	payload, err := e.Verify(key)
	if err != nil {
		return "", err
	}
	var s ExportStatement
	if err := json.Unmarshal(payload, &s); err != nil || s.Type != StatementType ||
		s.PredicateType != ExportPredicate || len(s.Subject) != 1 {
		return "", malformed("refused_statement_about_exported", err)
	}
	again, err := canonical.JSON(&s)
	if err != nil || string(again) != string(payload) {
		return "", malformed("refused_statement_about_exported", err)
	}
	return s.Subject[0].Digest.SHA256, nil
}
